/* SPDX-License-Identifier: MIT
 * The layouts of n x n x n tables are one form: red runs along x; across_green rows of it for green lie side by side
 * before the next is begun below, and across_blue of those for blue.
 *
 *   cube      n wide, n * n high       across 1, 1      how .cube files list their numbers
 *   strip     n * n wide, n high       across 1, n      slices of blue side by side
 *   gpuimage  t^3 each way, n = t * t  across 1, t      t x t tiles, 512 x 512 for t = 8
 *   hald      t^3 each way, n = t * t  across t, 1      HaldCLUT of level t
 *
 * A .cube file's domain, where it is not 0 .. 1, is the first two pixels of a row more. */
#define NAME lut3d
#define SUMMARY "Map colors by a table, the second input: a .cube or .acv file, a HaldCLUT, a 512x512 lookup image"
#define ALIASES "lut haldclut lookup lut1d lut_amatorka lut_miss_etikate"
#define SOURCE                                                                                                         \
    "GPUImage's lookup filter; Adobe's Cube LUT Specification 1.0; Kasson, Plouffe and Nin 1993 for tetrahedral"
#define EXAMPLE "identity_table=33,exposure=0.3,contrast=1.4,saturation=0.6[look];[0][look]lut3d"
/* A value times up to 255 steps is off by 2e-5 of a step, neighbours of a table differ by full scale at most. */
#define TOLERANCE 3e-5
#define PARAMS                                                                                                         \
    FLOAT(intensity, 1, 0, 1, "", "share of the mapped color in the result")                                           \
    CHOICE(interpolation, 0, "trilinear|tetrahedral", "between the 8 or the 4 nearest colors of the table")            \
    CHOICE(table, 0, "auto|curves|cube|strip|gpuimage|hald",                                                          \
           "how the table lies in its image; auto goes by the size, and 512x512 is gpuimage there, not hald")
#define INFER infer
#define FORMS 3
#include "filter/lookup.h"

#define AUTO 0
#define CURVES 1
#define CUBE 2
#define STRIP 3
#define GPUIMAGE 4
#define HALD 5

FN int arrangement_of(place table, int chosen) {
    int w = table.width, h = table.height;
    int square = w == 512 ? GPUIMAGE : HALD, long_one = to_float(h) >= to_float(w) * to_float(w) ? CUBE : STRIP;
    return chosen != AUTO ? chosen : w == h ? square : h <= 2 ? CURVES : long_one;
}
/* The t of t^3. */
FN int level_of(place table) { return to_int(floor(pow(to_float(table.width), 0.33333333f) + 0.5f)); }

FORM {
    bool curves = arrangement_of(table, P.table) == CURVES;
    return curves ? 0 : P.interpolation == 0 ? 1 : 2;
}

/* Where a value lies in a domain, in steps of the table. NaN is the lowest. */
FN float place_of(float v, float low, float high, float steps) {
    float range = high > low ? high - low : 1.0f;
    return clamp((v - low) / range, 0.0f, 1.0f) * steps;
}

FN vec4 between(vec4 a, vec4 b, float t) { return rgba(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t), a.w); }
FN vec4 weighed(vec4 sum, vec4 c, float weight) {
    return rgba(sum.x + weight * c.x, sum.y + weight * c.y, sum.z + weight * c.z, sum.w);
}
FN vec4 looked_up(TABLE_IN float x, float y) { return TABLE(to_int(x), to_int(y)); }

/* 0: the table's size and its across_green and across_blue; 1 and 2: the ends of its domain */
SETUP {
    int arrangement = arrangement_of(table, P.table), level = level_of(table);
    int side = arrangement == STRIP ? table.height : level * level;
    int n = arrangement == CURVES || arrangement == CUBE ? table.width : side;
    int rows = arrangement == CURVES ? 1 : arrangement == CUBE ? n * n : table.height;
    float across_green = arrangement == HALD ? to_float(level) : 1.0f;
    float across_blue = arrangement == STRIP ? to_float(n) : arrangement == GPUIMAGE ? to_float(level) : 1.0f;
    float end = k == 1 ? 0.0f : 1.0f;
    if (k == 0)
        return rgba(to_float(n), across_green, across_blue, 0.0f);
    return rows < table.height ? TABLE(k - 1, rows) : rgba(end, end, end, 1.0f);
}

BODY {
    float size = setup0.x, across_green = setup0.y, across_blue = setup0.z, steps = size - 1.0f;
    float r = place_of(c.x, setup1.x, setup2.x, steps), g = place_of(c.y, setup1.y, setup2.y, steps);
    float b = place_of(c.z, setup1.z, setup2.z, steps);
    float r0 = min(floor(r), steps - 1.0f), g0 = min(floor(g), steps - 1.0f), b0 = min(floor(b), steps - 1.0f);
    vec4 found;
    r -= r0, g -= g0, b -= b0;
    if (form == 0) {
        found = rgba(mix(looked_up(TABLE_ARGUMENT r0, 0.0f).x, looked_up(TABLE_ARGUMENT r0 + 1.0f, 0.0f).x, r),
                     mix(looked_up(TABLE_ARGUMENT g0, 0.0f).y, looked_up(TABLE_ARGUMENT g0 + 1.0f, 0.0f).y, g),
                     mix(looked_up(TABLE_ARGUMENT b0, 0.0f).z, looked_up(TABLE_ARGUMENT b0 + 1.0f, 0.0f).z, b), 1.0f);
    } else {
        /* The rows of green and of blue: how far down, and how far to the right they begin. */
        float down_g0 = floor((g0 + 0.5f) / across_green), down_g1 = floor((g0 + 1.5f) / across_green);
        float down_b0 = floor((b0 + 0.5f) / across_blue), down_b1 = floor((b0 + 1.5f) / across_blue);
        float right_g0 = (g0 - across_green * down_g0) * size, right_g1 = (g0 + 1.0f - across_green * down_g1) * size;
        float right_b0 = (b0 - across_blue * down_b0) * size, right_b1 = (b0 + 1.0f - across_blue * down_b1) * size;
        float each_blue = size / across_green;
        down_b0 *= each_blue, down_b1 *= each_blue;
        vec4 first = looked_up(TABLE_ARGUMENT r0 + right_g0 + right_b0, down_g0 + down_b0);
        vec4 last = looked_up(TABLE_ARGUMENT r0 + 1.0f + right_g1 + right_b1, down_g1 + down_b1);
        if (form == 1) {
            vec4 red = looked_up(TABLE_ARGUMENT r0 + 1.0f + right_g0 + right_b0, down_g0 + down_b0);
            vec4 green = looked_up(TABLE_ARGUMENT r0 + right_g1 + right_b0, down_g1 + down_b0);
            vec4 yellow = looked_up(TABLE_ARGUMENT r0 + 1.0f + right_g1 + right_b0, down_g1 + down_b0);
            vec4 blue = looked_up(TABLE_ARGUMENT r0 + right_g0 + right_b1, down_g0 + down_b1);
            vec4 magenta = looked_up(TABLE_ARGUMENT r0 + 1.0f + right_g0 + right_b1, down_g0 + down_b1);
            vec4 cyan = looked_up(TABLE_ARGUMENT r0 + right_g1 + right_b1, down_g1 + down_b1);
            found = between(between(between(first, red, r), between(green, yellow, r), g),
                            between(between(blue, magenta, r), between(cyan, last, r), g), b);
        } else {
            /* From the first corner to the last along the edges, the axis of the largest share first. */
            float most = max(r, max(g, b)), least = min(r, min(g, b));
            float middle = max(min(r, g), min(max(r, g), b));
            float red_first = r >= max(g, b) ? 1.0f : 0.0f, green_first = g >= b ? 1.0f - red_first : 0.0f;
            float blue_first = 1.0f - red_first - green_first;
            float blue_last = b <= min(r, g) ? 1.0f : 0.0f, green_last = g <= r ? 1.0f - blue_last : 0.0f;
            float red_last = 1.0f - blue_last - green_last;
            vec4 second = looked_up(TABLE_ARGUMENT r0 + red_first + (green_first > 0.0f ? right_g1 : right_g0) +
                                        (blue_first > 0.0f ? right_b1 : right_b0),
                                    (green_first > 0.0f ? down_g1 : down_g0) + (blue_first > 0.0f ? down_b1 : down_b0));
            vec4 third = looked_up(TABLE_ARGUMENT r0 + 1.0f - red_last + (green_last > 0.0f ? right_g0 : right_g1) +
                                       (blue_last > 0.0f ? right_b0 : right_b1),
                                   (green_last > 0.0f ? down_g0 : down_g1) + (blue_last > 0.0f ? down_b0 : down_b1));
            found = weighed(rgba(0.0f, 0.0f, 0.0f, 1.0f), first, 1.0f - most);
            found = weighed(found, second, most - middle);
            found = weighed(found, third, middle - least);
            found = weighed(found, last, least);
        }
    }
    /* At 1 nothing of the pixel is left, not even what is no number or takes all digits. */
    bool whole = P.intensity >= 1.0f;
    return rgba(whole ? found.x : mix(c.x, found.x, P.intensity), whole ? found.y : mix(c.y, found.y, P.intensity),
                whole ? found.z : mix(c.z, found.z, P.intensity), c.w);
}

#ifdef PART_DESCRIPTOR
static bool fits(int64_t width, int64_t height, int arrangement) {
    int64_t level = 1;
    while (level * level * level < width)
        level++;
    switch (arrangement) {
    case CURVES: return width >= 2 && height <= 2;
    case CUBE: return width >= 2 && width <= 4096 && (height == width * width || height == width * width + 1);
    case STRIP: return height >= 2 && height <= 4096 && width == height * height;
    default: return width == height && level >= 2 && level * level * level == width;
    }
}

static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    static const char *const forms[] = {
        "is no table of colors: auto knows n x 1 (curves), n x n*n, n*n x n and t*t*t x t*t*t",
        "is no table of curves: these are n x 1, or n x 2 with their domain below",
        "is no cube table: these are n x n*n, or a row more with their domain",
        "is no strip table: these are n*n x n",
        "is no table of tiles: these are t*t*t x t*t*t, GPUImage's 512x512",
        "is no HaldCLUT: these are t*t*t x t*t*t, 512x512 for level 8"};
    const struct BLOCK *p = block;
    int64_t width = inputs[1].width, height = inputs[1].height;
    place table = {0, 0, (int)width, (int)height};
    int arrangement = arrangement_of(table, p->table);
    if (!fits(width, height, arrangement))
        return weft_fail(error, WEFT_ERROR_FORMAT, "the second input, %lldx%lld, %s", (long long)width,
                         (long long)height, forms[p->table]);
    /* Grey stays grey by curves of grey alone. */
    if (output->format.channels < 3 && (arrangement != CURVES || inputs[1].format.channels >= 3))
        output->format.channels = output->alpha == WEFT_ALPHA_NONE ? 3 : 4;
    return WEFT_OK;
}
#endif
