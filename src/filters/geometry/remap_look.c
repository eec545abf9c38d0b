/* SPDX-License-Identifier: MIT */
#define NAME remap_look
#define SUMMARY "Show of the second image what the first image's red and green name as x and y"
#define STEP_OF "remap"
#define EXAMPLE "split[a][b];[b]place_map[m];[m][a]remap_look"
#define TOLERANCE 1
#define STEADY_TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    CHOICE(interpolation, 1, "nearest|bilinear|bicubic", "how values between pixels are made")                         \
    CHOICE(border, 0, "replicate|mirror|symmetric|wrap|constant", "what lies outside the image")                       \
    FLOAT(border_value, 0, -UNBOUNDED, UNBOUNDED, "", "the value outside for border=constant, 1 is full scale")        \
    CHOICE(unit, 0, "pixel|share", "places in pixels, or shares of the sides")
#define ALPHA_DOC "the second image is taken as it is"
#define INFER infer
#define FORMS 3
#include "filter/lookup.h"

FORM { return P.interpolation; }
/* The sides of the table. */
SETUP { return rgba(to_float(table.width), to_float(table.height), 0.0f, 0.0f); }

FN float turned(float v, float size) { return v - size * floor(v / size); }
/* Where place v outside a side is found; -1 for nowhere. */
FN float inside(float v, float size, int border) {
    float period = max(border == 1 ? 2.0f * size - 2.0f : 2.0f * size, 1.0f), within = turned(v, period);
    float last = border == 1 ? period - within : period - 1.0f - within;
    float reflected = within < size ? within : last;
    float beyond = v < 0.0f || v >= size ? -1.0f : v;
    return border == 0 ? clamp(v, 0.0f, size - 1.0f) : border == 3 ? turned(v, size) : border == 4 ? beyond : reflected;
}
FN vec4 found(TABLE_IN float x, float y, vec4 size, BODY_BLOCK P) {
    float u = inside(x, size.x, P.border), v = inside(y, size.y, P.border), value = P.border_value;
    bool none = u < 0.0f || v < 0.0f;
    vec4 c = TABLE(to_int(u), to_int(v));
    return none ? rgba(value, value, value, value) : c;
}
FN vec4 plus(vec4 sum, vec4 c, float weight) {
    return rgba(sum.x + weight * c.x, sum.y + weight * c.y, sum.z + weight * c.z, sum.w + weight * c.w);
}
/* The weight of a pixel that is `d` away, by the cubic of Keys with a = -0.75. */
FN float cubic(float d) {
    float t = abs(d), near = (1.25f * t - 2.25f) * t * t + 1.0f, far = ((-0.75f * t + 3.75f) * t - 6.0f) * t + 3.0f;
    return t < 1.0f ? near : t < 2.0f ? far : 0.0f;
}
BODY {
    float x = P.unit == 0 ? c.x : c.x * setup0.x - 0.5f, y = P.unit == 0 ? c.y : c.y * setup0.y - 0.5f;
    /* Places far away are outside like near ones, and what is no number is one. */
    x = x > -1e6f ? min(x, setup0.x + 1e6f) : -1e6f, y = y > -1e6f ? min(y, setup0.y + 1e6f) : -1e6f;
    if (form == 0)
        return found(TABLE_ARGUMENT floor(x + 0.5f), floor(y + 0.5f), setup0, P);
    float left = floor(x), top = floor(y), u = x - left, v = y - top;
    vec4 sum = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    if (form == 1) {
        sum = plus(sum, found(TABLE_ARGUMENT left, top, setup0, P), (1.0f - u) * (1.0f - v));
        sum = plus(sum, found(TABLE_ARGUMENT left + 1.0f, top, setup0, P), u * (1.0f - v));
        sum = plus(sum, found(TABLE_ARGUMENT left, top + 1.0f, setup0, P), (1.0f - u) * v);
        return plus(sum, found(TABLE_ARGUMENT left + 1.0f, top + 1.0f, setup0, P), u * v);
    }
    for (int j = -1; j < 3; j++)
        for (int i = -1; i < 3; i++) {
            float across = to_float(i), down = to_float(j);
            sum = plus(sum, found(TABLE_ARGUMENT left + across, top + down, setup0, P),
                       cubic(u - across) * cubic(v - down));
        }
    return sum;
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block;
    if (inputs[0].format.channels < 3) /* of two the second is no green, but alpha or another grey */
        return weft_fail(error, WEFT_ERROR_FORMAT, "a map needs red and green, x and y: 3 channels or 4; this one has %d",
                         (int)inputs[0].format.channels);
    *output = inputs[1];
    output->width = inputs[0].width;
    output->height = inputs[0].height;
    return WEFT_OK;
}
#endif
