/* SPDX-License-Identifier: MIT
 * Timing a plan on images in host memory. Every iteration takes another set of images, so that none is still in a cache from
 * its last iteration; the copy goes between the runs, so that both see the same clock rate and the same neighbors on the
 * machine. */
#include "bench/measure.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/clock.h"
#include "bench/copy_baseline.h"
#include "bench/image_memory.h"
#include "bench/noise_images.h"

enum { MOST_SETS = 65536, MOST_RUNS = 4096, FEWEST_RUNS = 5 };

/* Bytes a second that no run reads and writes more of: in so many seconds so many sets are begun at most. */
static const double fastest = 1e11;

struct bench {
    const weft_plan *plan;
    int inputs, outputs, sets;
    struct copier *copier;
    size_t size;     /* bytes of one set of images */
    size_t copied;   /* bytes that the copy reads, and writes */
    char *images;    /* `sets` sets; the caller's, as the copies */
    char *copies;    /* as many bytes for the copies */
    void *workspace; /* NULL when the plan needs none */
    weft_state *state; /* what filters of time keep from run to run; NULL where there are none */
    size_t workspace_size;
    weft_run_input *run_inputs;
    weft_run_output *run_outputs; /* of the current set */
    const struct graph_text *graph;
};

static size_t round_up(size_t size) { return (size + 63) & ~(size_t)63; }

/* A quarter of this machine's memory. */
static size_t allowance(void) {
    size_t limit = (size_t)4 << 30;
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        limit = (size_t)pages / 4 * (size_t)page;
#endif
    return limit;
}

/* Places the images of one set at `memory`; adds up their bytes. */
static weft_status lay_out(struct bench *bench, char *memory, weft_error *error) {
    size_t offset = 0;
    for (int i = 0; i < bench->inputs + bench->outputs; i++) {
        bool input = i < bench->inputs;
        weft_image *image = input ? &bench->run_inputs[i].image : &bench->run_outputs[i - bench->inputs].image;
        size_t size;
        weft_status status = input ? weft_plan_input_info(bench->plan, i, &image->info, error)
                                   : weft_plan_output_info(bench->plan, i - bench->inputs, &image->info, error);
        if (status == WEFT_OK)
            status = weft_image_size(&image->info, &size, error);
        if (status != WEFT_OK)
            return status;
        image->data = memory ? memory + offset : NULL;
        image->stride = (ptrdiff_t)(size / (size_t)image->info.height);
        if (size > SIZE_MAX / 4 - offset)
            size = SIZE_MAX / 8; /* the allocation will say so */
        offset += round_up(size);
    }
    bench->size = offset ? offset : 64;
    return WEFT_OK;
}

void measure_memory_free(struct measure_memory *memory) {
    free(memory->images.data);
    free(memory->copies.data);
}

/* `count` sets of `size` bytes, at the block's own place where it has room. */
static char *room_for(struct measure_block *block, size_t size, size_t count) {
    bool huge = images_huge(size);
    if (!block->data || block->huge != huge || block->size / count < size) {
        free(block->data);
        *block = (struct measure_block){images_memory(size, count), size * count, huge};
    }
    return block->data;
}

static int out_of_memory(size_t size) { return message_unable("not enough memory: %.1f MB", (double)size / 1e6); }

/* Gets the memory, fills the inputs, and touches every page: of no more sets than `seconds` are enough for. */
static int prepare(struct bench *bench, struct measure_memory *memory, double seconds) {
    weft_error error;
    bench->inputs = weft_plan_input_count(bench->plan);
    bench->outputs = weft_plan_output_count(bench->plan);
    bench->run_inputs = calloc((size_t)bench->inputs + 1, sizeof *bench->run_inputs);
    bench->run_outputs = calloc((size_t)bench->outputs + 1, sizeof *bench->run_outputs);
    if (!bench->run_inputs || !bench->run_outputs)
        return out_of_memory(sizeof *bench->run_inputs);
    if (lay_out(bench, NULL, &error) != WEFT_OK ||
        (weft_plan_has_memory(bench->plan) && weft_state_create(bench->plan, &bench->state, &error) != WEFT_OK))
        return message_library(&error, NULL, bench->graph);

    bench->copied = (size_t)(weft_plan_bytes(bench->plan) / 2);
    size_t each = bench->size + 2 * round_up(bench->copied), most = allowance() / each;
    size_t sets = MEASURE_BEYOND_CACHES / bench->size + 1;
    double begun = seconds * fastest / (double)bench->size + FEWEST_RUNS + 1;
    sets = (double)sets > begun ? (size_t)begun : sets;
    sets = sets < 2 ? 2 : sets > MOST_SETS ? MOST_SETS : sets;
    sets = sets > most ? most : sets;
    bench->sets = sets ? (int)sets : 1;
    bench->workspace_size = weft_plan_workspace_size(bench->plan);
    bench->images = room_for(&memory->images, bench->size, (size_t)bench->sets);
    bench->copies = room_for(&memory->copies, 2 * round_up(bench->copied ? bench->copied : 1), (size_t)bench->sets);
    bench->workspace = bench->workspace_size ? image_memory(bench->workspace_size) : NULL;
    if (!bench->images || !bench->copies || (bench->workspace_size && !bench->workspace))
        return out_of_memory(each * (size_t)bench->sets + bench->workspace_size);

    memset(bench->images, 0, bench->size * (size_t)bench->sets);
    memset(bench->copies, 1, 2 * round_up(bench->copied ? bench->copied : 1) * (size_t)bench->sets);
    lay_out(bench, bench->images, &error);
    for (int i = 0; i < bench->inputs; i++)
        noise_fill(&bench->run_inputs[i].image.info, bench->run_inputs[i].image.data, (uint64_t)i + 1);
    for (int i = 1; i < bench->sets; i++)
        memcpy(bench->images + bench->size * (size_t)i, bench->images, bench->size);
    return EXIT_DONE;
}

static weft_status run_set(struct bench *bench, int set, weft_error *error) {
    weft_status status = lay_out(bench, bench->images + bench->size * (size_t)set, error);
    weft_run run = {.inputs = bench->run_inputs,
                    .input_count = bench->inputs,
                    .outputs = bench->run_outputs,
                    .output_count = bench->outputs,
                    .workspace = bench->workspace,
                    .workspace_size = bench->workspace_size,
                    .state = bench->state};
    return status == WEFT_OK ? weft_plan_run(bench->plan, &run, error) : status;
}

static void copy_set(const struct bench *bench, int set) {
    size_t half = round_up(bench->copied ? bench->copied : 1);
    char *memory = bench->copies + 2 * half * (size_t)set;
    copier_copy(bench->copier, memory + half, memory, bench->copied);
}

static int ascending(const void *a, const void *b) {
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

double measure_median(double *times, int count) {
    qsort(times, (size_t)count, sizeof *times, ascending);
    return count % 2 ? times[count / 2] : (times[count / 2 - 1] + times[count / 2]) / 2;
}

static int time_it(struct bench *bench, struct measured *measured, double seconds) {
    static const double shortest = 1e-9; /* used where the clock did not move */
    double *times = malloc(2 * MOST_RUNS * sizeof *times), *copies = times + MOST_RUNS;
    int runs = 0, status = EXIT_DONE;
    if (!times)
        return out_of_memory(2 * MOST_RUNS * sizeof *times);
    /* The first iterations warm up: pages, threads, clock rate. */
    double start = clock_now(), now = start, warm = start + seconds / 10;
    for (int iteration = 0; runs < MOST_RUNS && (runs < FEWEST_RUNS || now - start < seconds); iteration++) {
        int set = iteration % bench->sets;
        weft_error error;
        double begin = clock_now();
        if (run_set(bench, set, &error) != WEFT_OK) {
            status = message_library(&error, NULL, bench->graph);
            break;
        }
        double middle = clock_now();
        copy_set(bench, set);
        now = clock_now();
        if (iteration == 0 || now < warm)
            continue;
        times[runs] = middle - begin > shortest ? middle - begin : shortest;
        copies[runs++] = now - middle > shortest ? now - middle : shortest;
    }
    if (status == EXIT_DONE) {
        measured->runs = runs;
        measured->sets = bench->sets;
        measured->copy = measure_median(copies, runs);
        measured->median = measure_median(times, runs);
        measured->alone = measured->median; /* each waits for the one before */
        measured->minimum = times[0];       /* sorted now */
    }
    free(times);
    return status;
}

int measure_on_host(struct measured *measured, struct measure_memory *memory, const weft_plan *plan, int32_t threads,
                    double seconds, const struct graph_text *graph) {
    struct bench bench = {.plan = plan, .copier = copier_open(threads), .graph = graph};
    int status = bench.copier ? prepare(&bench, memory, seconds) : out_of_memory(sizeof bench);
    if (status == EXIT_DONE)
        status = time_it(&bench, measured, seconds);
    copier_close(bench.copier);
    weft_state_destroy(&bench.state);
    free(bench.workspace);
    free(bench.run_inputs);
    free(bench.run_outputs);
    return status;
}

int measure(struct measured *measured, struct measure_memory *memory, weft_device *device, const weft_plan *plan,
            int32_t threads, double seconds, const struct graph_text *graph) {
    weft_image_info info = {.width = 1, .height = 1, .format = {WEFT_U8, 1}};
    weft_image image;
    weft_error error;
    if (weft_memory_create(device, &info, &image, &error) != WEFT_OK)
        return message_library(&error, NULL, graph);
    bool host = image.memory == WEFT_MEMORY_HOST;
    weft_memory_destroy(device, &image);
    return host ? measure_on_host(measured, memory, plan, threads, seconds, graph)
                : measure_on_device(measured, device, plan, seconds, graph);
}
