/* SPDX-License-Identifier: MIT */
#define NAME identity_table
#define SUMMARY "Make the table of colors that changes nothing, to be filtered and then used by lut3d"
#define EXAMPLE "identity_table=64:hald"
#define PARAMS                                                                                                         \
    FIXED_INT(size, 33, 2, 256, "px", "colors along each side of the cube, or of the curves")                          \
    FIXED_CHOICE(table, 0, "cube|strip|gpuimage|hald|curves",                                                         \
                 "size x size*size, size*size x size, square for sizes 4, 9, 16, 25, ..: tiles or a HaldCLUT, size x 1")
#define INFER infer
#include "filter/generator.h"

/* Undefined at the end: GPU kernels take in all point filters at once. */
#define STRIP 1
#define GPUIMAGE 2
#define HALD 3
#define CURVES 4

FN int is_square(int table) { return table == GPUIMAGE || table == HALD ? 1 : 0; }

BODY {
    int n = P.size, root = to_int(sqrt(to_float(n)) + 0.5f);
    int across = is_square(P.table) == 1 ? root : P.table == STRIP ? n : 1;
    int r = at.x % n, tile = at.x / n, row = tile + across * at.y;
    int g = P.table == HALD ? row % n : at.y % n, b = P.table == HALD ? row / n : tile + across * (at.y / n);
    float step_size = 1.0f / to_float(n - 1);
    bool curves = P.table == CURVES;
    return rgba(to_float(r) * step_size, to_float(curves ? r : g) * step_size, to_float(curves ? r : b) * step_size, 1.0f);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    const struct BLOCK *p = block;
    int64_t n = p->size, across = 1;
    (void)inputs;
    while (across * across < n)
        across++;
    bool square = is_square(p->table);
    if (square && across * across != n)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "a square table has 4, 9, 16, 25, .. colors along a side, not %d",
                         (int)n);
    output->width = p->table == STRIP ? n * n : square ? n * across : n;
    output->height = p->table == STRIP ? n : p->table == CURVES ? 1 : square ? n * across : n * n;
    output->format = (weft_format){WEFT_F32, 3};
    return WEFT_OK;
}
#endif
#undef STRIP
#undef GPUIMAGE
#undef HALD
#undef CURVES
