/* SPDX-License-Identifier: MIT
 * Plans that may take little memory make what others make, from images as from streams: whole images then lie in temporary
 * files, in rows and in tiles. */
#include "run_graph.h"

static const char *const graphs[] = {"transpose",
                                     "flip=both",
                                     "rotate=30",
                                     "rotate=30:border=constant",
                                     "swirl",
                                     "pixellate",
                                     "motion_blur=9:20",
                                     "zoom_blur",
                                     "stretch",
                                     "canny",
                                     "canny,swirl",
                                     "canny,transpose",
                                     "gaussian=3,rotate=200",
                                     "transpose,gaussian=2,transpose",
                                     "sobel,transpose,crop=3:5:60:70",
                                     "split[a][b];[a]swirl[c];[b][c]blend_screen",
                                     "split[a][b];[a]gaussian=2,transpose,transpose[c];[b][c]blend_difference",
                                     "gaussian=40",
                                     "resize=40:300,gaussian=25:border=wrap",
                                     "average_luminance_threshold"};

enum { WIDTH = 301, HEIGHT = 283, MOST = 1 << 24, LITTLE = 60000 };

/* An image whose rows are read and written in order, as files are. */
struct rows {
    unsigned char *data;
    size_t row;
    int64_t at;
};

static weft_status read_rows(void *user, int64_t y, int64_t count, void *pixels, ptrdiff_t stride, weft_error *error) {
    struct rows *rows = user;
    (void)error;
    CHECK(y == rows->at);
    rows->at = y + count;
    for (int64_t i = 0; i < count; i++)
        memcpy((unsigned char *)pixels + i * stride, rows->data + (size_t)(y + i) * rows->row, rows->row);
    return WEFT_OK;
}

static weft_status write_rows(void *user, int64_t y, int64_t count, const void *pixels, ptrdiff_t stride,
                              weft_error *error) {
    struct rows *rows = user;
    (void)error;
    CHECK(y == rows->at);
    rows->at = y + count;
    for (int64_t i = 0; i < count; i++)
        memcpy(rows->data + (size_t)(y + i) * rows->row, (const unsigned char *)pixels + i * stride, rows->row);
    return WEFT_OK;
}

/* What a graph makes in `memory` bytes; its size, 0 where it failed. */
static size_t made(weft_device *device, const char *text, const weft_image_info *in, unsigned char *pixels,
                   uint64_t memory, bool streams, unsigned char *out) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    weft_image_info info = {0};
    size_t size = 0, in_row = (size_t)in->width * weft_format_size(in->format);
    weft_plan_options options = {.inputs = in, .input_count = 1, .memory = memory};
    bool ok = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
              weft_plan_output_info(plan, 0, &info, &error) == WEFT_OK &&
              weft_image_size(&info, &size, &error) == WEFT_OK && size <= MOST;
    size_t row = ok ? (size_t)info.width * weft_format_size(info.format) : 0;
    struct rows source = {pixels, in_row, 0}, sink = {out, row, 0};
    weft_run_input input = {.image = {.info = *in, .data = pixels, .stride = (ptrdiff_t)in_row}};
    weft_run_output output = {.image = {.info = info, .data = out, .stride = (ptrdiff_t)row}};
    if (streams) {
        input = (weft_run_input){.source = {read_rows, &source}};
        output = (weft_run_output){.sink = {write_rows, &sink}};
    }
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    ok = ok && weft_plan_run(plan, &run, &error) == WEFT_OK;
    if (!CHECK(ok))
        fprintf(stderr, "%s: %s\n", text, error.message);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return ok ? row * (size_t)info.height : 0;
}

/* The same bits but for one value in a thousand, which may be a step off: where a row's vectors end depends on where a tile
 * begins, and compilers contract products and sums of the rest of a row otherwise. */
static bool same_values(const unsigned char *a, const unsigned char *b, size_t size, weft_type type) {
    size_t step = type == WEFT_U16 ? 2 : 1, off = 0;
    for (size_t i = 0; i < size; i += step) {
        int left = a[i], right = b[i];
        if (type == WEFT_U16)
            left += a[i + 1] << 8, right += b[i + 1] << 8;
        if (left - right > 1 || right - left > 1)
            return false;
        off += left != right;
    }
    return off <= size / step / 1000;
}

static void test_little_memory(weft_device *device, weft_image_info info, unsigned char *pixels, unsigned char *rooms) {
    unsigned char *whole = rooms, *little = rooms + MOST;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        size_t size = made(device, graphs[i], &info, pixels, 0, false, whole);
        for (int streams = 0; streams < 2; streams++) {
            memset(little, 0xa5, size);
            bool same = made(device, graphs[i], &info, pixels, LITTLE, streams, little) == size &&
                        same_values(whole, little, size, info.format.type);
            if (!CHECK(same))
                fprintf(stderr, "'%s' by %s in little memory differs, %d channels\n", graphs[i],
                        streams ? "streams" : "images", (int)info.format.channels);
        }
    }
}

int main(void) {
    static const weft_image_info infos[] = {
        {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 3}},
        {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT},
        {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U16, 1}}};
    unsigned char *pixels = malloc((size_t)WIDTH * HEIGHT * 4), *rooms = malloc(2 * (size_t)MOST);
    weft_device *device = NULL;
    weft_device_options options = {.threads = 3};
    uint32_t random = 1;
    if (CHECK(pixels && rooms && weft_device_open("cpu", &options, &device, NULL) == WEFT_OK)) {
        for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 4; i++)
            random = random * 1664525 + 1013904223, pixels[i] = (unsigned char)(random >> 24);
        for (size_t i = 0; i < sizeof infos / sizeof *infos; i++)
            test_little_memory(device, infos[i], pixels, rooms);
    }
    weft_device_close(&device);
    free(pixels);
    free(rooms);
    return check_done("memory");
}
