/* SPDX-License-Identifier: MIT
 * All values go through all pieces, taking each that they have reached: no branches, and none takes longer. */
#define NAME curve_pieces
#define SUMMARY "Map values by a curve of up to 16 cubic pieces"
#define STEP_OF "tone_curve"
#define EXAMPLE "curve_pieces=slope=1.6|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0:square=-0.6|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0"
#define TOLERANCE 1
#define NEVER "|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30|1e30"
#define ZERO "|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0"
#define PARAMS                                                                                                         \
    FLOATS(from, 16, "0" NEVER, -UNBOUNDED, UNBOUNDED, "where each piece begins; lower values take the first's")       \
    FLOATS(value, 16, "0" ZERO, -UNBOUNDED, UNBOUNDED, "of each piece where it begins")                                \
    FLOATS(slope, 16, "1" ZERO, -UNBOUNDED, UNBOUNDED, "its factor on the distance from there")                        \
    FLOATS(square, 16, "0" ZERO, -UNBOUNDED, UNBOUNDED, "its factor on the distance's square")                         \
    FLOATS(cube, 16, "0" ZERO, -UNBOUNDED, UNBOUNDED, "its factor on the distance's cube")                             \
    CHOICE(channel, 0, "all|red|green|blue", "which color takes the curve")
#define INFER infer
#define APART true
#include "filter/pixel.h"

#define PIECE(k)                                                                                                       \
    on = v >= P.from[k];                                                                                               \
    from = on ? P.from[k] : from, value = on ? P.value[k] : value, slope = on ? P.slope[k] : slope;                    \
    square = on ? P.square[k] : square, cube = on ? P.cube[k] : cube;
FN float curve(float v, BODY_BLOCK P) {
    float from = P.from[0], value = P.value[0], slope = P.slope[0], square = P.square[0], cube = P.cube[0];
    bool on = false;
    UNROLLED_15(PIECE)
    float t = max(v - from, 0.0f);
    return clamp(value + t * (slope + t * (square + t * cube)), 0.0f, 1.0f);
}
#undef PIECE
BODY {
    return rgba(choose(P.channel <= 1, curve(c.x, P), c.x),
                choose(P.channel == 0 || P.channel == 2, curve(c.y, P), c.y),
                choose(P.channel == 0 || P.channel == 3, curve(c.z, P), c.z), c.w);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)inputs, (void)error;
    if (((const struct BLOCK *)block)->channel != 0 && output->format.channels < 3)
        output->format.channels = output->alpha == WEFT_ALPHA_NONE ? 3 : 4;
    return WEFT_OK;
}
#endif
#undef NEVER
#undef ZERO
