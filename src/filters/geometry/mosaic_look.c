/* SPDX-License-Identifier: MIT */
#define NAME mosaic_look
#define SUMMARY "For a place and its brightness, the pixel of a tile of the second image"
#define STEP_OF "mosaic_tiles"
#define EXAMPLE "split[a][b];[a]grayscale,place_map[m];[m][b]mosaic_look=40:4:0.5:0.5"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(side, 16, 1, 1000000, "px", "of a square that is one tile")                                                  \
    INT(tiles, 64, 1, 65536, "", "how many tiles there are")                                                           \
    FLOAT(tile_width, 0.125, 0.001, 1, "", "width of a tile, as a share of the second image's")                        \
    FLOAT(tile_height, 0.125, 0.001, 1, "", "its height, as a share of the second image's")
#define INFER infer
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
/* The sides of the table; how many tiles lie in a row. */
SETUP {
    float count = max(floor(1.0f / P.tile_width + 0.5f), 1.0f);
    return rgba(to_float(table.width), to_float(table.height), count, 0.0f);
}
BODY {
    float across = (c.x + 0.5f) / P.side, down = (c.y + 0.5f) / P.side, last = to_float(P.tiles) - 1.0f;
    float which = clamp(floor((1.0f - c.z) * to_float(P.tiles) + 1e-3f), 0.0f, last);
    float row = floor((which + 0.5f) / setup0.z), column = which - row * setup0.z;
    float wide = P.tile_width * setup0.x, high = P.tile_height * setup0.y;
    float x = column * wide + min(floor((across - floor(across)) * wide + 1e-3f), wide - 1.0f);
    float y = row * high + min(floor((down - floor(down)) * high + 1e-3f), high - 1.0f);
    return TABLE(to_int(x + 1e-3f), to_int(y + 1e-3f)); /* the last tile ends with the image, whatever rounding says */
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    *output = inputs[1];
    output->width = inputs[0].width;
    output->height = inputs[0].height;
    return WEFT_OK;
}
#endif
