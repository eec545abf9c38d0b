/* SPDX-License-Identifier: MIT
 * Every function of the public headers with each of its pointers NULL in turn, and with all of them NULL: it says
 * WEFT_ERROR_ARGUMENT, or does nothing, or does without where the headers allow it. What is called stands in calls.inc,
 * which calls.py writes from the headers when the tests are built. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "weft/weft.h"

#define GRAPH "exposure=0.5"
enum { SIDE = 4 };

/* One of everything, as it is before a call. */
struct fixture {
    weft_catalog *catalog, *new_catalog;
    weft_device *device, *new_device;
    weft_graph *graph, *new_graph;
    weft_plan *plan, *new_plan;
    weft_parameters *parameters, *new_parameters;
    weft_queue *queue, *new_queue;
    weft_state *state, *new_state;
    weft_sequence *sequence, *new_sequence;
    weft_reader *reader, *new_reader;
    weft_writer *writer, *new_writer;
    weft_device_options device_options;
    weft_device_info device_info;
    weft_queue_options queue_options;
    weft_reader_options reader_options;
    weft_writer_options writer_options;
    weft_plan_options plan_options;
    weft_custom_filter custom;
    weft_run run;
    weft_run_input run_input;
    weft_run_output run_output;
    weft_files files;
    weft_files_input files_input;
    weft_files_output files_output;
    weft_image_info info, any_info;
    weft_image image, other, region, made;
    weft_format format;
    weft_value value;
    weft_node node, input;
    weft_error error;
    double number;
    size_t size;
    int64_t count;
    char text[32], *printed;
    const char *read_path, *write_path;
    unsigned char pixels[SIDE * SIDE], others[SIDE * SIDE];
};

static char folder[] = "/tmp/weft-nulls-XXXXXX", read_path[64], write_path[64], new_path[64];

static void custom_row(const weft_custom_pixels *row) {
    memcpy(row->out[0], row->in[0][0], (size_t)row->count * sizeof(float));
}

static void count_kernel(void *user, const weft_kernel_info *info) {
    if (user)
        ((struct fixture *)user)->count += info->name != NULL;
}

static bool open_handles(struct fixture *f) {
    const weft_custom_filter held = {.name = "held_row", .pixels = custom_row};
    return weft_catalog_create(&f->catalog, NULL) == WEFT_OK && weft_catalog_add(f->catalog, &held, NULL) == WEFT_OK &&
           weft_device_open("cpu", &f->device_options, &f->device, NULL) == WEFT_OK &&
           weft_graph_parse(GRAPH, strlen(GRAPH), &f->graph, NULL) == WEFT_OK &&
           weft_plan_create(f->device, f->graph, &f->plan_options, &f->plan, NULL) == WEFT_OK &&
           weft_parameters_create(f->plan, &f->parameters, NULL) == WEFT_OK &&
           weft_queue_create(f->device, NULL, &f->queue, NULL) == WEFT_OK &&
           weft_state_create(f->plan, &f->state, NULL) == WEFT_OK &&
           weft_sequence_create(&f->sequence, NULL) == WEFT_OK &&
           weft_reader_open(read_path, NULL, &f->reader, NULL) == WEFT_OK &&
           weft_writer_open(write_path, NULL, &f->info, &f->writer, NULL) == WEFT_OK;
}

static bool open_fixture(struct fixture *f) {
    *f = (struct fixture){.device_options = {.threads = 1},
                          .custom = {.name = "given_row", .pixels = custom_row},
                          .info = {.width = SIDE, .height = SIDE, .format = {WEFT_U8, 1}},
                          .value = {.parameter = "exposure", .count = 1},
                          .number = 0.75,
                          .read_path = read_path,
                          .write_path = new_path};
    f->value.numbers = &f->number;
    f->image = (weft_image){.info = f->info, .data = f->pixels, .stride = SIDE};
    f->other = (weft_image){.info = f->info, .data = f->others, .stride = SIDE};
    f->run_input.image = f->image;
    f->run_output.image = f->other;
    f->run = (weft_run){.inputs = &f->run_input, .input_count = 1, .outputs = &f->run_output, .output_count = 1};
    f->files_input.path = read_path;
    f->files_output.path = new_path;
    f->files =
        (weft_files){.inputs = &f->files_input, .input_count = 1, .outputs = &f->files_output, .output_count = 1};
    f->files.text = GRAPH;
    f->plan_options = (weft_plan_options){.inputs = &f->info, .input_count = 1};
    return open_handles(f);
}

/* The device first, and what was made of it last. */
static void close_fixture(struct fixture *f) {
    weft_memory_destroy(f->device, &f->made);
    weft_device_close(&f->device);
    weft_device_close(&f->new_device);
    weft_queue_destroy(&f->queue);
    weft_queue_destroy(&f->new_queue);
    weft_plan_destroy(&f->plan);
    weft_plan_destroy(&f->new_plan);
    weft_parameters_destroy(&f->parameters);
    weft_parameters_destroy(&f->new_parameters);
    weft_state_destroy(&f->state);
    weft_state_destroy(&f->new_state);
    weft_sequence_destroy(&f->sequence);
    weft_sequence_destroy(&f->new_sequence);
    weft_catalog_destroy(&f->catalog);
    weft_catalog_destroy(&f->new_catalog);
    weft_graph_destroy(&f->graph);
    weft_graph_destroy(&f->new_graph);
    weft_reader_close(&f->reader);
    weft_reader_close(&f->new_reader);
    weft_writer_abandon(&f->writer);
    weft_writer_abandon(&f->new_writer);
    weft_free(f->printed);
}

/* A graph beside that of the fixture. */
static const weft_graph *another(struct fixture *f) {
    weft_graph_parse(GRAPH, strlen(GRAPH), &f->new_graph, NULL);
    return f->new_graph;
}

/* What finishing needs. */
static weft_reader *read_all(struct fixture *f) {
    weft_reader_read(f->reader, SIDE, f->pixels, SIDE, NULL);
    return f->reader;
}
static weft_writer **write_all(struct fixture *f) {
    weft_writer_write(f->writer, SIDE, f->pixels, SIDE, NULL);
    return &f->writer;
}

enum expected { GOOD, REFUSED };

static void judge(enum expected expected, weft_status status, const struct fixture *f, const char *call) {
    bool good = status == (expected == GOOD ? WEFT_OK : WEFT_ERROR_ARGUMENT);
    /* The error was written just when it was given, and by this call. */
    if (good && strstr(call, "&f.error"))
        good = f->error.status == status && (f->error.message[0] != 0) == (status != WEFT_OK);
    if (!CHECK(good))
        fprintf(stderr, "  %s says %s: '%s'\n", call, weft_status_name(status), f->error.message);
}

#define CASE(expected, call)                                                                                           \
    if (CHECK(open_fixture(&f)))                                                                                       \
        judge(expected, call, &f, #call);                                                                              \
    close_fixture(&f);
#define CASE_VOID(call)                                                                                                \
    if (CHECK(open_fixture(&f)))                                                                                       \
        call;                                                                                                          \
    close_fixture(&f);

static void call_all(void) {
    static struct fixture f;
#include "calls.inc"
}

/* Structures that are there, with a pointer in them that is not. */
static void inner_nulls(void) {
    static struct fixture f;
    weft_metadata profile = {.profile_size = 8}, exif = {.exif_size = 8}, xmp = {.xmp_size = 8},
                  iptc = {.iptc_size = 8};
    weft_writer_options writing = {.metadata = &profile};
    CASE(REFUSED, weft_writer_open(f.write_path, &writing, &f.info, &f.new_writer, &f.error))
    writing.metadata = &exif;
    CASE(REFUSED, weft_writer_open(f.write_path, &writing, &f.info, &f.new_writer, &f.error))
    writing.metadata = &xmp;
    CASE(REFUSED, weft_writer_open(f.write_path, &writing, &f.info, &f.new_writer, &f.error))
    writing.metadata = &iptc;
    CASE(REFUSED, weft_writer_open(f.write_path, &writing, &f.info, &f.new_writer, &f.error))
    if (CHECK(open_fixture(&f))) {
        weft_run run = f.run;
        run.inputs = NULL;
        judge(REFUSED, weft_plan_run(f.plan, &run, &f.error), &f, "weft_plan_run without inputs, &f.error");
        run = f.run, run.outputs = NULL;
        judge(REFUSED, weft_plan_run(f.plan, &run, &f.error), &f, "weft_plan_run without outputs, &f.error");
        f.run_input.image.data = NULL;
        judge(REFUSED, weft_plan_run(f.plan, &f.run, &f.error), &f, "weft_plan_run without pixels, &f.error");
        f.run_input = (weft_run_input){.source = weft_reader_source(NULL)};
        judge(REFUSED, weft_plan_run(f.plan, &f.run, &f.error), &f, "weft_plan_run of no reader, &f.error");
        f.image.data = NULL;
        judge(REFUSED, weft_image_copy(f.device, &f.image, &f.other, &f.error), &f, "a copy of no pixels, &f.error");
        f.plan_options.inputs = NULL;
        judge(REFUSED, weft_plan_create(f.device, f.graph, &f.plan_options, &f.new_plan, &f.error), &f,
              "a plan without inputs, &f.error");
        f.value.parameter = NULL;
        judge(REFUSED, weft_graph_add_with(f.graph, "exposure", &f.input, 1, &f.value, 1, NULL, &f.error), &f,
              "a value of no parameter, &f.error");
        f.files.text = NULL;
        judge(REFUSED, weft_filter_files(&f.files, &f.error), &f, "files without a graph, &f.error");
        f.files.text = GRAPH, f.files_output.path = NULL;
        judge(REFUSED, weft_filter_files(&f.files, &f.error), &f, "files without a path, &f.error");
        f.custom.name = NULL;
        judge(REFUSED, weft_catalog_add(f.catalog, &f.custom, &f.error), &f, "a filter without a name, &f.error");
    }
    close_fixture(&f);
}

int main(void) {
    setenv("WEFT_KERNEL_CACHE", "none", 1); /* what is cleared is not the user's */
    if (!CHECK(mkdtemp(folder) != NULL))
        return check_done("nulls");
    snprintf(read_path, sizeof read_path, "%s/in.pgm", folder);
    snprintf(write_path, sizeof write_path, "%s/out.pgm", folder);
    snprintf(new_path, sizeof new_path, "%s/new.pgm", folder);
    FILE *file = fopen(read_path, "wb");
    if (CHECK(file != NULL)) {
        fprintf(file, "P5\n%d %d\n255\n", SIDE, SIDE);
        fwrite("0123456789abcdef", 1, (size_t)SIDE * SIDE, file);
        fclose(file);
    }
    call_all();
    inner_nulls();
    remove(read_path);
    remove(write_path);
    remove(new_path);
    CHECK(rmdir(folder) == 0); /* nothing was left */
    return check_done("nulls");
}
