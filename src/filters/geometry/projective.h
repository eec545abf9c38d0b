/* SPDX-License-Identifier: MIT
 * What the projective filters share. Places are counted from the middle of their image, since float then keeps places of large
 * images precisely. A place (u, v) of the result shows the place ((a u + b v + c) / w, (d u + e v + f) / w) of the input, with w
 * from `horizon`. Where w is small the horizon is near: nothing of the image is there. */
#define PROJECTIVE_MATRIX                                                                                              \
    FLOATS(matrix, 6, "1|0|0|0|1|0", -UNBOUNDED, UNBOUNDED, "a to f, two rows: places of the input in pixels, times w")
#define PROJECTIVE_SIZES                                                                                               \
    FIXED_INT(width, 0, 0, 16777216, "px", "columns of the result; 0 is as many as the input's")                       \
    FIXED_INT(height, 0, 0, 16777216, "px", "rows of the result; 0 is as many as the input's")
#define PROJECTIVE_PARAMS                                                                                              \
    PROJECTIVE_MATRIX                                                                                                  \
    FLOATS(horizon, 3, "0|0|1", -1, 1,                                                                                 \
           "how w grows to the right edge and to the bottom edge, and w in the middle; 1 at most, and 0.05 at least")  \
    PROJECTIVE_SIZES
#define PROJECTIVE_INFER                                                                                               \
    static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output,                \
                             weft_error *error) {                                                                      \
        const struct BLOCK *p = block;                                                                                 \
        (void)error;                                                                                                   \
        output->width = p->width ? p->width : inputs->width;                                                           \
        output->height = p->height ? p->height : inputs->height;                                                       \
        return WEFT_OK;                                                                                                \
    }
/* Several places within a pixel, so that nothing aliases where the map shrinks. Negative weights have no mean over those inside. */
#define PROJECTIVE_BORDERS "replicate|mirror|symmetric|wrap|constant"
#define PROJECTIVE_BORDER_DOC "what lies outside the image"
#define PROJECTIVE_SEVERAL_PARAMS                                                                                      \
    PROJECTIVE_PARAMS FIXED_INT(samples, 1, 1, 32, "places", "along each axis of a pixel of the result, whose mean it is")
#define PROJECTIVE_SEVERAL                                                                                             \
    PROJECTIVE_PLACE                                                                                                   \
    PLACES { return P.samples * P.samples; }                                                                           \
    BODY {                                                                                                             \
        float samples = to_float(P.samples), share = 1.0f / samples, down = floor((to_float(k) + 0.5f) * share);       \
        float x = to_float(at.x) + (to_float(k) - down * samples + 0.5f) * share - 0.5f;                               \
        float y = to_float(at.y) + (down + 0.5f) * share - 0.5f;                                                       \
        vec2 from = projective_place(x, y, to_float(at.width), to_float(at.height), source, P);                        \
        return rgba(from.x, from.y, 1.0f, 0.0f);                                                                       \
    }
#define PROJECTIVE_WITHIN 8.0f
/* No decimal fraction, so that w is rarely so just there: rounding would decide then. */
#define PROJECTIVE_HORIZON 0.0498713f
/* The place of the input that the place (x, y) of the result shows. */
#define PROJECTIVE_PLACE                                                                                               \
    FN vec2 projective_place(float x, float y, float width, float height, place source, BODY_BLOCK P) {                \
        float u = x - 0.5f * (width - 1.0f), v = y - 0.5f * (height - 1.0f);                                           \
        float far = PROJECTIVE_WITHIN * to_float(source.width + source.height);                                        \
        float for_u = 2.0f * near_reciprocal(width), for_v = 2.0f * near_reciprocal(height);                           \
        float w = P.horizon[0] * for_u * u + (P.horizon[1] * for_v * v + P.horizon[2]);                                \
        float nearness = near_reciprocal(max(w, PROJECTIVE_HORIZON)); /* exactly 1 where a map is affine */            \
        float from_x = (P.matrix[0] * u + (P.matrix[1] * v + P.matrix[2])) * nearness;                                 \
        float from_y = (P.matrix[3] * u + (P.matrix[4] * v + P.matrix[5])) * nearness;                                 \
        return xy((w < PROJECTIVE_HORIZON ? -far : from_x) + 0.5f * (to_float(source.width) - 1.0f),                   \
                  (w < PROJECTIVE_HORIZON ? -far : from_y) + 0.5f * (to_float(source.height) - 1.0f));                 \
    }
