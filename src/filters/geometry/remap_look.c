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
#define ROWS
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

#ifdef PART_ROWS
#include "kernels/mix_bytes.h"
/* A piece of a block whose places are all inside, where the table is of pixels of n bytes. */
static void mix_piece(const struct weft_table *table, const float *x, const float *y, float *const *out, int count) {
    float *const with_alpha[2] = {out[0], out[3]};
    switch (table->pixel_bytes) {
    case 1: mix_bytes(table->plane[0], table->row_bytes, x, y, out, count, 1); break;
    case 2: mix_bytes(table->plane[0], table->row_bytes, x, y, with_alpha, count, 2); break;
    case 3: mix_bytes(table->plane[0], table->row_bytes, x, y, out, count, 3); break;
    default: mix_bytes(table->plane[0], table->row_bytes, x, y, out, count, 4); break;
    }
}

/* Whether the table is of whole pixels, and not of planes. */
static bool has_pixels(const struct weft_table *table) {
    ptrdiff_t between = table->plane[1] - table->plane[0];
    return table->type == WEFT_U8 && table->near && (table->pixel_bytes < 3 ? between == 0 : between == 1) &&
           !(table->pixel_bytes == 1 && table->alpha);
}

static bool rows_of(const struct weft_lookup_call *call, const struct BLOCK *p) {
    const struct weft_table *table = call->table;
    const float width = (float)table->width, height = (float)table->height;
    /* With three channels the kernel reads one byte beyond the right pixel. */
    const float right = width - (table->pixel_bytes == 3 ? 2.0f : 1.0f), bottom = height - 1.0f;
    if (p->interpolation != 1 || !has_pixels(table))
        return false;
    for (int begin = 0, n; begin < call->count; begin += n) {
        float x[MIX_BLOCK], y[MIX_BLOCK];
        int outside = 0;
        struct weft_lookup_call part = *call;
        n = call->count - begin < MIX_BLOCK ? call->count - begin : MIX_BLOCK;
        for (int k = 0; k < 4; k++)
            part.in[k] += begin, part.out[k] += begin;
        part.count = n;
        _Pragma("omp simd reduction(| : outside)") for (int i = 0; i < n; i++) {
            const float u = part.in[0][i], v = part.in[1][i];
            x[i] = p->unit == 0 ? u : u * width - 0.5f, y[i] = p->unit == 0 ? v : v * height - 0.5f;
            outside |= !(x[i] >= 0.0f) | !(y[i] >= 0.0f) | !(x[i] < right) | !(y[i] < bottom);
        }
        if (outside)
            run_body(&part);
        else
            mix_piece(table, x, y, part.out, n);
    }
    return true;
}
#endif
