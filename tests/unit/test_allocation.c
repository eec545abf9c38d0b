/* SPDX-License-Identifier: MIT
 * Every allocation of the library made to fail in turn, alone and with all that follow: each time there is an error
 * that says so, what was asked for is not there, and nothing is lost (which AddressSanitizer knows). The build sends
 * all allocations of the library through here. test_allocation DEVICE tries that one alone, with every filter's example,
 * which takes minutes on a software GPU. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "harness/random.h"
#include "sample_files.h"
#include "weft/weft.h"

enum { WIDTH = 21, HEIGHT = 13, CHANNELS = 3, ROW = WIDTH * CHANNELS, INPUTS = 4, OUTPUTS = 4 };

static atomic_long left = -1; /* allocations until one fails; negative: none will */
static bool lasting;          /* those after it fail, too */

static bool fails(void) {
    long before = atomic_load(&left);
    if (before < 0)
        return false;
    before = atomic_fetch_sub(&left, 1);
    return before == 1 || (before < 1 && lasting);
}

#include "failing_allocation.h"

/* What is tried: it does its work, gives everything back, and returns how it went. */
struct attempt {
    const char *name, *graph;
    weft_device *device; /* NULL: the attempt opens its own, by name */
    bool optional;       /* it may do without some memory: a GPU's cache of what it compiled */
    weft_status (*run)(const struct attempt *attempt, weft_error *error);
};

static long tried;

static uint64_t seed_of_test(void) {
    const char *seed = getenv("WEFT_TEST_SEED");
    return seed ? strtoull(seed, NULL, 10) : 1;
}

/* Once with each allocation failing, and once with all that follow as well; then with all memory there. */
static void fail_each(const struct attempt *attempt) {
    for (int mode = 0; mode < 2; mode++) {
        struct chance chance = chance_of(seed_of_test(), attempt->graph, mode);
        bool reached = true;
        /* Of the first 256 each; then fewer and fewer, as far apart as WEFT_TEST_SEED says: to come to a late one takes as long as
         * all before it, and graphs of a thousand filters repeat what their first ones do. */
        for (long n = 1; reached; n += 1 + (long)chance_below(&chance, 1 + n / 256), tried++) {
            weft_error error = {.status = WEFT_OK};
            lasting = mode == 1;
            atomic_store(&left, n);
            weft_status status = attempt->run(attempt, &error);
            reached = atomic_load(&left) < 1;
            atomic_store(&left, -1);
            bool good = reached && attempt->optional && status == WEFT_OK;
            good = good || (reached ? status == WEFT_ERROR_MEMORY && error.status == status && error.message[0] &&
                                          memchr(error.message, 0, sizeof error.message)
                                    : status == WEFT_OK);
            if (good)
                continue;
            CHECK(good);
            fprintf(stderr, "  %s '%s': allocation %ld%s: %s: %s\n", attempt->name, attempt->graph, n,
                    lasting ? " and later" : "", weft_status_name(status), error.message);
            if (n > 10000)
                return;
        }
        CHECK(true);
    }
}

static weft_status make_graph(const char *text, weft_graph **graph, weft_error *error) {
    return weft_graph_parse(text, strlen(text), graph, error);
}

static weft_status try_parse(const struct attempt *attempt, weft_error *error) {
    weft_graph *graph = NULL;
    weft_status status = make_graph(attempt->graph, &graph, error);
    CHECK((status == WEFT_OK) == (graph != NULL));
    weft_graph_destroy(&graph);
    return status;
}

/* The same by calls. */
static weft_status try_build(const struct attempt *attempt, weft_error *error) {
    weft_graph *graph = NULL;
    weft_node nodes[4];
    const double color[] = {0.1, 0.2, 0.3, 1};
    (void)attempt;
    weft_status status = weft_graph_create(&graph, error);
    if (status == WEFT_OK)
        status = weft_graph_input(graph, &nodes[0], error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "gaussian", nodes, 1, &nodes[1], error);
    if (status == WEFT_OK)
        status = weft_graph_set_text(graph, nodes[1], "sigma", "2.5", error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "solid_color", NULL, 0, &nodes[2], error);
    if (status == WEFT_OK)
        status = weft_graph_set(graph, nodes[2], "color", color, 4, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "convolve_separable", nodes, 1, &nodes[3], error);
    if (status == WEFT_OK)
        status = weft_graph_set_text(graph, nodes[3], "row", "1|2|1", error);
    for (int i = 1; i < 4 && status == WEFT_OK; i++)
        status = weft_graph_output(graph, nodes[i], error);
    weft_graph_destroy(&graph);
    return status;
}

static weft_status try_open(const struct attempt *attempt, weft_error *error) {
    weft_device *device = NULL;
    weft_device_options options = {.threads = 2};
    weft_status status = weft_device_open(attempt->graph, &options, &device, error);
    CHECK((status == WEFT_OK) == (device != NULL));
    weft_device_close(&device);
    return status;
}

static weft_status fill_rows(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    (void)user, (void)error;
    for (int64_t i = 0; i < count; i++)
        memset((char *)rows + i * stride, (int)((y + i) * 7 % 256), ROW);
    return WEFT_OK;
}

static weft_status drop_rows(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                             weft_error *error) {
    (void)user, (void)y, (void)count, (void)rows, (void)stride, (void)error;
    return WEFT_OK;
}

/* Runs a plan over a queue and straight, from images or streams, with parameters; the library gets the workspace. */
static weft_status run_plan(weft_device *device, const weft_plan *plan, const weft_image_info *info, bool streams,
                            weft_error *error) {
    static unsigned char pixels[ROW * HEIGHT];
    weft_run_input inputs[INPUTS] = {0};
    weft_run_output outputs[OUTPUTS] = {0};
    weft_parameters *parameters = NULL;
    weft_queue *queue = NULL;
    weft_run run = {.inputs = inputs,
                    .input_count = weft_plan_input_count(plan),
                    .outputs = outputs,
                    .output_count = weft_plan_output_count(plan)};
    streams = streams && weft_plan_can_stream(plan);
    for (int32_t i = 0; i < run.input_count; i++) {
        inputs[i].image = (weft_image){.info = *info, .data = pixels, .stride = ROW};
        if (streams)
            inputs[i].source.read = fill_rows;
    }
    for (int32_t i = 0; i < run.output_count; i++) {
        weft_image *image = &outputs[i].image;
        size_t size = 0;
        if (weft_plan_output_info(plan, i, &image->info, NULL) == WEFT_OK)
            weft_image_size(&image->info, &size, NULL);
        image->data = malloc(size);
        image->stride = (ptrdiff_t)(size / (size_t)image->info.height);
        if (streams && !weft_plan_output_is_values(plan, i))
            outputs[i].sink.write = drop_rows;
    }
    weft_status status = weft_parameters_create(plan, &parameters, error);
    run.parameters = parameters;
    if (status == WEFT_OK)
        status = weft_plan_run(plan, &run, error);
    if (status == WEFT_OK)
        status = weft_queue_create(device, NULL, &queue, error);
    if (status == WEFT_OK)
        status = weft_queue_run(queue, plan, &run, error);
    weft_status waited = queue ? weft_queue_wait(queue, status == WEFT_OK ? error : NULL) : WEFT_OK;
    weft_queue_destroy(&queue);
    weft_parameters_destroy(&parameters);
    for (int32_t i = 0; i < run.output_count; i++)
        free(outputs[i].image.data);
    return status == WEFT_OK ? waited : status;
}

/* Plans a graph, prints the plan, and runs it. */
static weft_status use_graph(weft_device *device, const weft_graph *graph, weft_error *error) {
    weft_image_info infos[INPUTS];
    weft_plan *plan = NULL;
    char *text = NULL;
    for (int i = 0; i < INPUTS; i++)
        infos[i] = (weft_image_info){.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}};
    weft_plan_options options = {.inputs = infos, .input_count = weft_graph_inputs(graph)};
    weft_status status = weft_plan_create(device, graph, &options, &plan, error);
    CHECK((status == WEFT_OK) == (plan != NULL));
    for (int form = WEFT_PLAN_TEXT; form <= WEFT_PLAN_EXPLAIN && status == WEFT_OK; form++) {
        status = weft_plan_print(plan, (weft_plan_format)form, &text, error);
        weft_free(text);
        text = NULL;
    }
    for (int streams = 0; streams < 2 && status == WEFT_OK; streams++)
        status = run_plan(device, plan, infos, streams, error);
    weft_plan_destroy(&plan);
    return status;
}

static weft_status try_graph(const struct attempt *attempt, weft_error *error) {
    weft_graph *graph = NULL;
    weft_status status = make_graph(attempt->graph, &graph, error);
    if (status == WEFT_OK)
        status = use_graph(attempt->device, graph, error);
    weft_graph_destroy(&graph);
    return status;
}

static void scale_row(const weft_custom_pixels *row) {
    const float *factor = row->parameters;
    for (int32_t k = 0; k < row->colors; k++)
        for (int32_t i = 0; i < row->count; i++)
            row->out[k][i] = row->in[0][k][i] * *factor;
}

/* Filters of the program's own, in text and by a call that sets all values. */
static weft_status try_catalog(const struct attempt *attempt, weft_error *error) {
    static const weft_custom_parameter factor = {
        {.name = "factor", .type = WEFT_PARAMETER_FLOAT, .maximum = 2, .unit = "times", .doc = "what", .dynamic = true},
        0};
    static const weft_custom_filter filter = {.name = "scale_by",
                                              .summary = "Scale",
                                              .parameters = &factor,
                                              .parameter_count = 1,
                                              .parameter_size = sizeof(float),
                                              .pixels = scale_row};
    weft_catalog *catalog = NULL;
    weft_graph *graph = NULL;
    weft_node node = 0, mean = 0;
    const double two = 2;
    weft_status status = weft_catalog_create(&catalog, error);
    if (status == WEFT_OK)
        status = weft_catalog_add(catalog, &filter, error);
    CHECK((status == WEFT_OK) == (catalog && weft_catalog_find(catalog, "scale_by")));
    if (status == WEFT_OK)
        status = weft_catalog_graph(catalog, &graph, error);
    if (status == WEFT_OK)
        status = weft_graph_input(graph, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_add(graph, "reduce", &node, 1, &mean, error);
    const weft_value values[] = {{.parameter = "factor", .numbers = &two, .count = 1},
                                 {.parameter = "factor", .from = {true, mean, 0, 0.5}}};
    if (status == WEFT_OK)
        status = weft_graph_add_with(graph, "scale_by", &node, 1, values, 2, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_output(graph, node, error);
    if (status == WEFT_OK)
        status = use_graph(attempt->device, graph, error);
    weft_graph_destroy(&graph);
    if (status == WEFT_OK)
        status = weft_catalog_parse(catalog, attempt->graph, strlen(attempt->graph), &graph, error);
    weft_graph_destroy(&graph);
    weft_catalog_destroy(&catalog);
    return status;
}

static weft_status try_join(const struct attempt *attempt, weft_error *error) {
    weft_graph *graph = NULL, *other = NULL;
    int32_t outputs = 0;
    weft_status status = weft_graph_parse(attempt->graph, strlen(attempt->graph), &graph, error);
    if (status == WEFT_OK)
        status = weft_graph_parse(attempt->graph, strlen(attempt->graph), &other, error);
    if (status == WEFT_OK) {
        outputs = weft_graph_outputs(graph);
        status = weft_graph_join(graph, other, 0, error);
        CHECK(weft_graph_outputs(graph) == (status == WEFT_OK ? 2 * outputs : outputs));
    }
    weft_graph_destroy(&other);
    weft_graph_destroy(&graph);
    return status;
}

static weft_status try_flatten(const struct attempt *attempt, weft_error *error) {
    const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}};
    weft_graph *graph = NULL, *flat = NULL;
    weft_status status = make_graph(attempt->graph, &graph, error);
    if (status == WEFT_OK)
        status = weft_graph_flatten(graph, &info, 1, &flat, error);
    CHECK((status == WEFT_OK) == (flat != NULL));
    weft_graph_destroy(&flat);
    weft_graph_destroy(&graph);
    return status;
}

static char path[256];

/* The picture that `graph`, a file format, holds of a table of 4 x 16 colors, which all of them take in some form. */
static bool accepted(const char *format, weft_writer_options *options, weft_image_info *held) {
    static const weft_metadata metadata = {
        .exif = sample_exif, .exif_size = sizeof sample_exif, .x_resolution = 72, .y_resolution = 72};
    weft_image_info wanted = {.width = 4, .height = 16, .format = {WEFT_U8, 3}};
    *options = (weft_writer_options){.format = format, .metadata = &metadata};
    return weft_writer_accepts(path, options, &wanted, held, NULL) == WEFT_OK;
}

static weft_status try_write(const struct attempt *attempt, weft_error *error) {
    static const unsigned char rows[4 * 16 * 16] = {0};
    weft_writer_options options;
    weft_image_info held;
    weft_writer *writer = NULL;
    if (!accepted(attempt->graph, &options, &held))
        return WEFT_OK;
    weft_status status = weft_writer_open(path, &options, &held, &writer, error);
    CHECK((status == WEFT_OK) == (writer != NULL));
    if (status == WEFT_OK)
        status = weft_writer_write(writer, held.height, rows, 0, error);
    if (status == WEFT_OK)
        status = weft_writer_finish(&writer, error);
    weft_writer_abandon(&writer);
    CHECK((status == WEFT_OK) == (access(path, F_OK) == 0));
    unlink(path);
    return status;
}

static weft_status try_read(const struct attempt *attempt, weft_error *error) {
    static unsigned char row[4 * 16];
    weft_reader *reader = NULL;
    (void)attempt;
    weft_status status = weft_reader_open(path, NULL, &reader, error);
    CHECK((status == WEFT_OK) == (reader != NULL));
    for (int64_t y = 0; status == WEFT_OK && y < weft_reader_info(reader)->height; y++)
        status = weft_reader_read(reader, 1, row, 0, error);
    if (status == WEFT_OK)
        status = weft_reader_finish(reader, error);
    weft_reader_close(&reader);
    return status;
}

static void test_files(void) {
    const weft_file_format *format;
    weft_writer_options options;
    weft_image_info held;
    snprintf(path, sizeof path, "/tmp/weft-allocation-%ld", (long)getpid());
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++) {
        if (!format->writes || !accepted(format->name, &options, &held))
            continue;
        fail_each(&(struct attempt){"writing", format->name, NULL, false, try_write});
        if (!format->reads)
            continue;
        static const unsigned char pixels[4 * 16 * 16] = {0};
        weft_writer *writer = NULL;
        CHECK(weft_writer_open(path, &options, &held, &writer, NULL) == WEFT_OK &&
              weft_writer_write(writer, held.height, pixels, 0, NULL) == WEFT_OK &&
              weft_writer_finish(&writer, NULL) == WEFT_OK);
        fail_each(&(struct attempt){"reading", format->name, NULL, false, try_read});
        unlink(path);
    }
}

/* Graphs of every kind of pass; and every filter's example on a device that was asked for, on the processor otherwise
 * some, drawn by WEFT_TEST_SEED. */
static void test_device(const char *name, bool asked_for) {
    static const char *const few[] = {"brightness=0.1,gaussian=2,contrast=1.2",
                                      "average_luminance_threshold",
                                      "split[a][b];[a]median=1,sobel;[b]swirl,reduce=mean",
                                      "canny",
                                      "gaussian=40",
                                      "resize=7:5:method=lanczos3,box=2,dilate=1,bilateral=1",
                                      "histogram"};
    weft_device_options options = {.threads = 2};
    weft_device *device = NULL;
    weft_device_info info;
    weft_error error;
    if (weft_device_open(name, &options, &device, &error) != WEFT_OK) {
        printf("%s left out: %s\n", name, error.message);
        return;
    }
    weft_device_describe(device, &info);
    bool gpu = strcmp(info.backend, "cuda") == 0 || strcmp(info.backend, "vulkan") == 0;
    struct chance chance = chance_of(seed_of_test(), name, 0);
    int32_t few_count = sizeof few / sizeof *few, count = few_count;
    if (asked_for || strcmp(name, "cpu") == 0)
        count += weft_filter_count();
    fail_each(&(struct attempt){"opening", name, NULL, gpu, try_open});
    for (int32_t i = 0; i < count; i++) {
        const char *graph = i < few_count ? few[i] : weft_filter_at(i - few_count)->example;
        struct attempt attempt = {name, graph, device, gpu, try_graph};
        if (!attempt.graph || !attempt.graph[0] || (i >= few_count && !asked_for && chance_below(&chance, 4) != 0))
            continue;
        /* Some examples are for larger pictures or other channels; and drivers get some of their memory late. */
        if (try_graph(&attempt, &error) == WEFT_OK)
            fail_each(&attempt);
    }
    fail_each(&(struct attempt){"graphs that are joined",
                                "[0]reduce=mean[m];[0]contrast=@m,convolve_separable=1|2|3:1|0|0", device, gpu, try_join});
    if (!gpu)
        fail_each(&(struct attempt){"filters of the program", "gaussian=2,scale_by=0.5", device, gpu, try_catalog});
    weft_device_close(&device);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"null", "reference", "cpu", "auto", "vulkan"};
    static const char *const texts[] = {
        "gaussian", "split=3[a][b][c];[a]gamma='2'[d];[c][d]blend_multiply=opacity=@b[2]*0.5;[b]reduce=mean",
        "convolve_separable=1|2|3|4|5|6|7|8|9,sobel"};
    for (int i = 0; i < 3; i++)
        fail_each(&(struct attempt){"parsing", texts[i], NULL, false, try_parse});
    fail_each(&(struct attempt){"building", "by calls", NULL, false, try_build});
    fail_each(&(struct attempt){"flattening", "average_luminance_threshold,low_pass", NULL, false, try_flatten});
    test_files();
    for (size_t i = 0; i < (argc > 1 ? 1 : sizeof names / sizeof *names); i++)
        test_device(argc > 1 ? argv[1] : names[i], argc > 1);
    printf("%ld failing allocations\n", tried);
    return check_done("allocation");
}
