/* SPDX-License-Identifier: MIT
 * Plans: how many passes named graphs take, what they keep, and what is refused when they are made or run. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "check.h"
#include "weft/weft.h"

static weft_device *device;

/* A plan of `text` for images of one size and format; NULL with *error set when there is none. */
static weft_plan *plan_of(const char *text, int64_t width, int64_t height, weft_format format, weft_error *error) {
    weft_image_info infos[4];
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    if (weft_graph_parse(text, strlen(text), &graph, error) != WEFT_OK)
        return NULL;
    for (int i = 0; i < 4; i++)
        infos[i] = (weft_image_info){.width = width, .height = height, .format = format};
    if (format.channels % 2 == 0)
        for (int i = 0; i < 4; i++)
            infos[i].alpha = WEFT_ALPHA_STRAIGHT;
    weft_plan_options options = {.inputs = infos, .input_count = weft_graph_inputs(graph)};
    weft_plan_create(device, graph, &options, &plan, error);
    weft_graph_destroy(&graph);
    return plan;
}

static void test_passes(void) {
    static const struct {
        const char *text;
        int32_t passes;
        bool streams;
    } cases[] = {
        {"brightness=0.1,contrast=1.2,gaussian=4,gamma=0.8,saturation=1.3", 1, true},
        {"gaussian=4,sobel", 1, true},
        {"gaussian=20", 1, true},
        {"unsharp_mask", 1, true},
        {"split[a][b];[a]gaussian=8[c];[b][c]blend_screen", 1, true},
        {"split[a][b];[a]gaussian=2[c];[b]median=2[d];[c][d]blend_multiply,erode=3", 1, true},
        {"opening=3,closing=3", 1, true},
        {"resize=64:64", 1, true},
        {"crop=1:1:20:20,flip=y", 1, true},
        {"histogram", 1, true},
        {"split[a][b];[a]histogram;[b]invert", 1, true},
        {"transpose", 1, false},
        {"gaussian=2,transpose", 2, false},
        {"average_luminance_threshold", 2, false},
        {"split[a][b];[a]grayscale,reduce=mean[m];[b]gaussian=2,luminance_threshold=@m", 2, false},
        {"solid_color", 1, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_error error = {0};
        weft_plan *plan = plan_of(cases[i].text, 100, 80, (weft_format){WEFT_U8, 3}, &error);
        CHECK(plan != NULL);
        if (!plan) {
            fprintf(stderr, "  %s: %s\n", cases[i].text, error.message);
            continue;
        }
        if (weft_plan_passes(plan) != cases[i].passes || weft_plan_can_stream(plan) != cases[i].streams)
            fprintf(stderr, "  %s: %d passes, %s\n", cases[i].text, (int)weft_plan_passes(plan),
                    weft_plan_can_stream(plan) ? "streams" : "does not stream");
        CHECK(weft_plan_passes(plan) == cases[i].passes);
        CHECK(weft_plan_can_stream(plan) == cases[i].streams);
        weft_plan_destroy(&plan);
    }
}

/* What a run needs besides its images depends on the width and the radius, not on the height. */
static void test_workspace(void) {
    static const char *const graphs[] = {
        "brightness=0.1,contrast=1.2,gaussian=4,gamma=0.8,saturation=1.3",
        "gaussian=50",
        "median=3,box=20,dilate=9",
        "split[a][b];[a]gaussian=8[c];[b][c]blend_screen",
        "unsharp_mask=5",
        "flip=both",
        "reduce",
    };
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        weft_plan *low = plan_of(graphs[i], 640, 100000, (weft_format){WEFT_U8, 3}, NULL);
        weft_plan *high = plan_of(graphs[i], 640, 400000, (weft_format){WEFT_U8, 3}, NULL);
        CHECK(low && high);
        if (low && high) {
            size_t a = weft_plan_workspace_size(low), b = weft_plan_workspace_size(high);
            size_t slack = a / 4 + 16384; /* tall images get a spare row or two */
            if (b > a + slack)
                fprintf(stderr, "  %s: %zu bytes at 100000 rows, %zu at 400000\n", graphs[i], a, b);
            CHECK(b <= a + slack);
        }
        weft_plan_destroy(&low);
        weft_plan_destroy(&high);
    }
}

static void test_refusals(void) {
    static const struct {
        const char *text;
        weft_status status;
        const char *says;
    } cases[] = {
        {"[0][1]blend_add;[2]crop=0:0:400:400", WEFT_ERROR_FORMAT, "columns"},
        {"split[a][b];[a]crop=0:0:10:10[c];[b][c]blend_add", WEFT_ERROR_FORMAT, "10x10"},
        {"srgb_decode,srgb_decode", WEFT_ERROR_FORMAT, "linear"},
        {"reduce=mean[m];[0]luminance_threshold=@m[7]", WEFT_ERROR_PARAMETER, "7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_error error = {0};
        weft_plan *plan = plan_of(cases[i].text, 100, 80, (weft_format){WEFT_U8, 3}, &error);
        CHECK(plan == NULL);
        if (error.status != cases[i].status || !strstr(error.message, cases[i].says))
            fprintf(stderr, "  %s: %s: %s\n", cases[i].text, weft_status_name(error.status), error.message);
        CHECK(error.status == cases[i].status);
        CHECK(strstr(error.message, cases[i].says) != NULL);
        weft_plan_destroy(&plan);
    }
}

/* Runs are checked against their plan before a pixel is touched. */
static void test_runs(void) {
    unsigned char pixels[2][64];
    weft_image_info info = {.width = 8, .height = 8, .format = {WEFT_U8, 1}};
    weft_plan *plan = plan_of("invert", 8, 8, info.format, NULL);
    weft_run_input input = {.image = {.info = info, .data = pixels[0], .stride = 8}};
    weft_run_output output = {.image = {.info = info, .data = pixels[1], .stride = 8}};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    memset(pixels, 7, sizeof pixels);
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_OK && pixels[1][63] == 248);
    output.image.data = pixels[0] + 8;
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_ERROR_ARGUMENT); /* overlap */
    output.image.data = pixels[1];
    output.image.stride = 7;
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_ERROR_ARGUMENT);
    output.image.stride = 8;
    output.image.info.width = 7;
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_ERROR_FORMAT);
    output.image.info.width = 8;
    run.workspace = pixels;
    run.workspace_size = 1;
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_ERROR_ARGUMENT);
    run.workspace = NULL;
    /* From the bottom up: a negative stride. */
    output.image.data = pixels[1] + 56;
    output.image.stride = -8;
    pixels[0][0] = 255;
    CHECK(weft_plan_run(plan, &run, NULL) == WEFT_OK && pixels[1][56] == 0 && pixels[1][0] == 248);
    weft_plan_destroy(&plan);
}

static void test_description(void) {
    weft_plan *plan = plan_of("gaussian=2,invert", 64, 64, (weft_format){WEFT_U8, 3}, NULL);
    char *text = NULL;
    CHECK(weft_plan_print(plan, WEFT_PLAN_TEXT, &text, NULL) == WEFT_OK && strstr(text, "gaussian"));
    weft_free(text);
    CHECK(weft_plan_print(plan, WEFT_PLAN_DOT, &text, NULL) == WEFT_OK && strncmp(text, "digraph", 7) == 0);
    weft_free(text);
    CHECK(weft_plan_print(plan, WEFT_PLAN_JSON, &text, NULL) == WEFT_OK && text[0] == '{');
    weft_free(text);
    CHECK(weft_plan_bytes(plan) == 2 * 64 * 64 * 3);
    weft_plan_destroy(&plan);
}

/* f32 of one channel, through `text`; the plan's workspace in *bytes. */
static void run_floats(const char *text, int64_t width, int64_t height, const float *in, float *out, size_t *bytes) {
    weft_plan *plan = plan_of(text, width, height, (weft_format){WEFT_F32, 1}, NULL);
    weft_image_info info = {.width = width, .height = height, .format = {WEFT_F32, 1}};
    weft_run_input input = {.image = {.info = info, .data = (void *)(uintptr_t)in, .stride = (ptrdiff_t)width * 4}};
    weft_run_output output = {.image = {.info = info, .data = out, .stride = (ptrdiff_t)width * 4}};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    CHECK(plan && weft_plan_run(plan, &run, NULL) == WEFT_OK);
    *bytes = plan ? weft_plan_workspace_size(plan) : 0;
    weft_plan_destroy(&plan);
}

/* Adds a link to a chain, with its number for each #. */
static void add_link(char *chain, size_t size, const char *link, int number) {
    size_t length = strlen(chain);
    if (length > 0)
        length += (size_t)snprintf(chain + length, size - length, ",");
    for (; *link && length < size; link++)
        length += (size_t)snprintf(chain + length, size - length, *link == '#' ? "%d" : "%c", *link == '#' ? number : *link);
}

/* A chain that forks and joins again and again makes each row once, so it takes memory by its length and not by the square of
 * that, and the same numbers as its links one by one. */
static void test_long_chains(void) {
    enum { WIDTH = 24, HEIGHT = 1500, FEW = 10, MANY = 40 };
    static const char *const links[] = {
        "unsharp_mask",
        "split[a#][b#];[a#]gaussian=2[c#];[b#][c#]blend_screen=0.5",
        "split[a#][b#];[a#]median=2[c#];[b#][c#]blend_multiply=0.1",
        "split[a#][b#];[a#]dilate=2[c#];[b#]gaussian=3[d#];[c#][d#]blend_dissolve=0.4",
        "gaussian=1,split[a#][b#];[a#]sobel[c#];[b#][c#]blend_dissolve=0.1",
    };
    static float in[WIDTH * HEIGHT], by_link[2][WIDTH * HEIGHT], at_once[WIDTH * HEIGHT];
    static char text[MANY * 96], one[96];
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        in[i] = (float)((unsigned)(i + 1) * 2654435761u >> 8) / 16777216.0f;
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        size_t bytes, few = 0;
        text[0] = one[0] = 0;
        add_link(one, sizeof one, links[i], 0);
        memcpy(by_link[0], in, sizeof in);
        for (int k = 0; k < MANY; k++) {
            add_link(text, sizeof text, links[i], k);
            run_floats(one, WIDTH, HEIGHT, by_link[k % 2], by_link[(k + 1) % 2], &bytes);
            if (k == FEW - 1)
                run_floats(text, WIDTH, HEIGHT, in, at_once, &few);
        }
        run_floats(text, WIDTH, HEIGHT, in, at_once, &bytes);
        if (!CHECK(memcmp(at_once, by_link[MANY % 2], sizeof at_once) == 0) || !CHECK(bytes < few * (MANY / FEW + 2)))
            fprintf(stderr, "  %s: %zu bytes for %d, %zu for %d\n", links[i], few, (int)FEW, bytes, (int)MANY);
    }
}

static bool count_calls(void *user, double done) {
    (void)done;
    ++*(int *)user;
    return true;
}

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Runs a filter on few rows that take long each. Returns the seconds that the run took. */
static double run_long_rows(int64_t width, int *calls) {
    enum { HEIGHT = 40 };
    weft_plan *plan = plan_of("bilateral=60", width, HEIGHT, (weft_format){WEFT_U8, 1}, NULL);
    unsigned char *in = calloc((size_t)width, HEIGHT), *out = calloc((size_t)width, HEIGHT);
    weft_image_info info = {.width = width, .height = HEIGHT, .format = {WEFT_U8, 1}};
    weft_run_input input = {.image = {.info = info, .data = in, .stride = width}};
    weft_run_output output = {.image = {.info = info, .data = out, .stride = width}};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1,
                    .progress = count_calls, .progress_user = calls};
    double before = seconds();
    CHECK(in && out && weft_plan_run(plan, &run, NULL) == WEFT_OK);
    double took = seconds() - before;
    weft_plan_destroy(&plan);
    free(in);
    free(out);
    return took;
}

/* The caller, who may want to cancel, is asked by the clock and not by the row. The width grows until a run takes long on this
 * machine: ten times the 0.02 seconds after which the library asks. */
static void test_progress(void) {
    int calls = 0;
    double took = 0;
    for (int64_t width = 256; (took < 0.2 || calls < 5) && width <= 65536; width *= 2) {
        calls = 0;
        took = run_long_rows(width, &calls);
    }
    CHECK(took >= 0.2 && calls >= 5);
}

int main(void) {
    weft_device_options options = {.threads = 2};
    if (weft_device_open("cpu", &options, &device, NULL) != WEFT_OK)
        return 1;
    test_passes();
    test_workspace();
    test_refusals();
    test_runs();
    test_description();
    test_long_chains();
    test_progress();
    weft_device_close(&device);
    return check_done("plan");
}
