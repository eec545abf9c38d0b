/* SPDX-License-Identifier: MIT
 * Where rows come from: the graph's inputs, and images kept between stages; and rows of another type or with pads. */
#include <string.h>
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/spill.h"
#include "base/status.h"

/* Bytes of a row that are loaded at a time, and how far ahead as many are prefetched: the hardware's prefetcher stops at the end of
 * a page. Larger pieces are slower: sobel on u16x1 takes 1.06 times as long by 4096. */
#define PIECE 1024
#define AHEAD 2048

struct source {
    struct whole whole;
};

struct pixels weft_whole_pixels(const struct lane *lane, const struct whole *whole) {
    struct pixels pixels = {.channels = whole->info.format.channels};
    if (whole->input >= 0) {
        const struct view *view = &lane->run->inputs[whole->input];
        size_t size = weft_type_size(whole->info.format.type);
        pixels.type = whole->info.format.type;
        pixels.row_bytes = view->stride;
        pixels.first = view->first, pixels.count = view->count;
        pixels.pixel_bytes = (ptrdiff_t)size * pixels.channels;
        for (int32_t k = 0; k < pixels.channels; k++)
            pixels.plane[k] = view->data - view->first * view->stride + (size_t)k * size;
        return pixels;
    }
    const struct kept *kept = &lane->run->plan->kept[whole->node];
    const unsigned char *data = (kept->numbers ? lane->run->workspace : lane->run->kept) + kept->offset;
    size_t size = kept->numbers ? sizeof(double) : weft_row_type_size(kept->type);
    pixels.type = kept->numbers ? WEFT_F64 : weft_row_image_type(kept->type);
    pixels.row_bytes = kept->row_bytes;
    pixels.count = INT64_MAX;
    pixels.pixel_bytes = (ptrdiff_t)(kept->numbers ? size * (size_t)pixels.channels : size);
    for (int32_t k = 0; k < pixels.channels; k++)
        pixels.plane[k] = data + (size_t)k * (kept->numbers ? size : kept->plane_bytes);
    return pixels;
}

/* The state: where the image lies in this run. */
static const struct pixels *pixels_of(const struct lane *lane, const struct step *step) {
    return (const struct pixels *)(const void *)(lane->memory + step->state_offset);
}
static size_t pixels_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)step, (void)columns, (void)in_columns;
    return sizeof(struct pixels);
}
static void load_begin(struct lane *lane, const struct step *step) {
    struct pixels *pixels = weft_lane_state(lane, step);
    *pixels = weft_whole_pixels(lane, &((const struct source *)step->data)->whole);
}

/* Records that a row was asked for that is not in memory, and returns one that is, so that only the run's memory is read. */
static int64_t misread(const struct lane *lane, const struct pixels *pixels) {
    atomic_store(&lane->run->misread->yes, true);
    return pixels->first;
}

ptrdiff_t weft_source_stride(const struct lane *lane, const struct step *step) { return pixels_of(lane, step)->row_bytes; }

/* Tells the spill that rows in a file are about to be read. */
static void look(const struct lane *lane, const struct step *step, const struct pixels *pixels, int64_t rows) {
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    if (lane->run->spill)
        weft_spill_look(lane->run, rows * columns * pixels->pixel_bytes * step->planes);
}

/* Where the lane's columns of rows from y on begin. Of interleaved rows the first component's place is the pixel's. */
struct row weft_source_row(const struct lane *lane, const struct step *step, int64_t y) {
    const struct pixels *pixels = pixels_of(lane, step);
    if ((uint64_t)(y - pixels->first) >= (uint64_t)pixels->count)
        y = misread(lane, pixels);
    look(lane, step, pixels, 1);
    ptrdiff_t offset = y * pixels->row_bytes + weft_lane_first(lane, step) * pixels->pixel_bytes;
#define PLANE(k) (k < step->planes ? (void *)(uintptr_t)(pixels->plane[k] + offset) : NULL)
    return (struct row){{PLANE(0), PLANE(1), PLANE(2), PLANE(3)}};
#undef PLANE
}

void weft_source_rows(const struct lane *lane, const struct step *step, int64_t y, int32_t count, struct row *rows) {
    const struct pixels *pixels = pixels_of(lane, step);
    ptrdiff_t stride = pixels->row_bytes;
    if ((uint64_t)(y - pixels->first) >= (uint64_t)pixels->count || y - pixels->first > pixels->count - count)
        y = misread(lane, pixels), stride = 0;
    look(lane, step, pixels, count);
    ptrdiff_t offset = y * pixels->row_bytes + weft_lane_first(lane, step) * pixels->pixel_bytes;
    for (int32_t i = 0; i < count; i++, offset += stride) {
        rows[i] = (struct row){{NULL}};
        for (int32_t k = 0; k < step->planes; k++)
            rows[i].plane[k] = (void *)(uintptr_t)(pixels->plane[k] + offset);
    }
}

/* Pixels of an image to rows, from column x of both on. */
static void load_pixels(const struct lane *lane, const struct step *step, const struct pixels *pixels,
                        const struct row *in, int64_t x, int count, const struct row *out) {
    const unsigned char *from = (const unsigned char *)in->plane[0] + x * pixels->pixel_bytes;
    size_t element = weft_step_element(step);
    void *planes[4];
    float *floats[4];
    for (int32_t k = 0; k < step->planes; k++) {
        planes[k] = (unsigned char *)out->plane[k] + (size_t)x * element;
        floats[k] = planes[k];
    }
    if (step->interleave > 1)
        memcpy(planes[0], from, (size_t)count * element);
    else if (step->type == WEFT_ROW_F32)
        lane->kernels->load[pixels->type](from, step->planes, floats, count);
    else
        lane->kernels->split[step->type](from, step->planes, planes, count);
}

/* By pieces; behind the last of a row comes the beginning of the next. */
static void load_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct source *source = step->data;
    int64_t count = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    const struct pixels *pixels = pixels_of(lane, step);
    struct row in = weft_source_row(lane, step, y);
    if (pixels->type == WEFT_F64) { /* a reduction's numbers, few of them */
        for (int32_t k = 0; k < step->planes; k++)
            for (int64_t x = 0; x < count; x++)
                ((float *)out->plane[k])[x] = (float)((const double *)in.plane[k])[x * pixels->channels];
        return;
    }
    if (source->whole.input < 0) {
        for (int32_t k = 0; k < step->planes; k++)
            memcpy(out->plane[k], in.plane[k], (size_t)count * weft_step_element(step));
        return;
    }
    int64_t piece = PIECE / pixels->pixel_bytes;
    for (int64_t x = 0; x < count; x += piece) {
        int64_t n = count - x < piece ? count - x : piece;
        weft_prefetch((uintptr_t)in.plane[0] + (uintptr_t)(x * pixels->pixel_bytes) + AHEAD, n * pixels->pixel_bytes);
        load_pixels(lane, step, pixels, &in, x, (int)n, out);
    }
}

void weft_source_load(const struct lane *lane, const struct step *step, const struct row *row, int64_t x, int count,
                      float *planes, size_t stride) {
    const struct source *source = step->data;
    weft_format format = source->whole.info.format;
    float *out[4];
    for (int32_t k = 0; k < step->planes; k++)
        out[k] = planes + (size_t)k * stride;
    const unsigned char *pixels = (const unsigned char *)row->plane[0] + (size_t)x * weft_format_size(format);
    size_t bytes = (size_t)count * weft_format_size(format);
    lane->kernels->load[format.type](pixels, format.channels, out, count);
    weft_prefetch((uintptr_t)pixels + bytes, (int64_t)bytes); /* the next chunk */
}

static const struct step_kind load = {
    .name = "load", .state_size = pixels_size, .begin = load_begin, .looks_up = true, .run = load_run};

weft_status weft_lower_source(struct builder *b, const struct whole *whole, enum weft_row_type type, bool interleaved,
                              int32_t *result, weft_error *error) {
    struct source *source = weft_allocate(1, sizeof *source);
    if (!source)
        return weft_fail_memory(error, sizeof *source, "a source");
    source->whole = *whole;
    bool numbers = whole->info.format.type == WEFT_F64;
    /* Rows that are planes of the right type already need no copy. */
    int32_t channels = whole->info.format.channels;
    bool direct = !numbers && (whole->input < 0 || ((interleaved || channels == 1) &&
                                                    whole->info.format.type == weft_row_image_type(type)));
    return weft_stage_add(b,
                          &(struct step){.kind = &load,
                                         .node = -1,
                                         .data = source,
                                         .whole = &source->whole,
                                         .type = type,
                                         .planes = interleaved ? 1 : channels,
                                         .interleave = interleaved ? channels : 1,
                                         .width = whole->info.width,
                                         .height = whole->info.height,
                                         .direct = direct},
                          result, error);
}

/* The graph's input that a step reads, -1 for other steps. */
int32_t weft_source_input(const struct step *step) {
    return step->kind == &load ? ((const struct source *)step->data)->whole.input : -1;
}

weft_type weft_source_type(const struct step *step) {
    return weft_source_input(step) >= 0 ? ((const struct source *)step->data)->whole.info.format.type : 0;
}

/* ---- between row types, and copies with pads */

static void widen_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    int32_t input = step->inputs[0];
    enum weft_row_type type = lane->stage->steps[input].type;
    int64_t first = weft_lane_first(lane, step);
    size_t skip = (size_t)(first - lane->first[input]);
    struct row row = weft_lane_fetch(lane, input, y);
    for (int32_t k = 0; k < step->planes; k++)
        lane->kernels->widen[type]((const unsigned char *)row.plane[k] + skip * weft_row_type_size(type), out->plane[k],
                                   (int)(weft_lane_end(lane, step) - first));
}
static const struct step_kind widen = {.name = "widen", .run = widen_run};

static void copy_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    int32_t input = step->inputs[0];
    int64_t first = weft_lane_first(lane, step);
    size_t size = weft_step_element(step), skip = (size_t)(first - lane->first[input]) * size;
    struct row row = weft_lane_fetch(lane, input, y);
    for (int32_t k = 0; k < step->planes; k++)
        memcpy(out->plane[k], (const unsigned char *)row.plane[k] + skip,
               (size_t)(weft_lane_end(lane, step) - first) * size);
}
static const struct step_kind copy = {.name = "border", .run = copy_run};

static weft_status add_like(struct builder *b, const struct step_kind *kind, enum weft_row_type type, int32_t *input,
                            weft_error *error) {
    struct step like = b->stage->steps[*input];
    return weft_stage_add(b,
                          &(struct step){.kind = kind,
                                         .inputs = {*input},
                                         .input_count = 1,
                                         .node = -1,
                                         .type = type,
                                         .planes = like.planes,
                                         .interleave = like.interleave,
                                         .width = like.width,
                                         .height = like.height},
                          input, error);
}

weft_status weft_stage_widen(struct builder *b, int32_t *input, weft_error *error) {
    if (b->stage->steps[*input].type == WEFT_ROW_F32)
        return WEFT_OK;
    /* One step serves all that want the same rows. */
    for (int32_t i = *input + 1; i < b->stage->count; i++)
        if (b->stage->steps[i].kind == &widen && b->stage->steps[i].inputs[0] == *input) {
            *input = i;
            return WEFT_OK;
        }
    return add_like(b, &widen, WEFT_ROW_F32, input, error);
}

weft_status weft_stage_pad(struct builder *b, int32_t *input, int64_t pad, weft_border border, int32_t node,
                           weft_error *error) {
    struct step *step = &b->stage->steps[*input];
    if (pad == 0)
        return WEFT_OK;
    if (border != WEFT_BORDER_CONSTANT)
        node = -1;
    if (step->pad > 0 && (step->pad_border != border || step->pad_node != node)) {
        weft_status status = add_like(b, &copy, step->type, input, error);
        if (status != WEFT_OK)
            return status;
        step = &b->stage->steps[*input];
    }
    step->direct = false;
    step->pad = pad > step->pad ? pad : step->pad;
    step->pad_border = border;
    step->pad_node = node;
    return WEFT_OK;
}
