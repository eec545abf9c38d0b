/* SPDX-License-Identifier: MIT
 * Many files through one graph: a few threads take one file after the other, the first thread says how far they are. */
#include "run/batch.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "run/batch_report.h"
#include "bench/copy_baseline.h"
#include "common/interrupt.h"
#include "run/job.h"

enum { GPU_WORKERS = 4 }; /* files that a GPU is given at a time: one computes, the others read and write */

struct batch {
    struct items items;
    const struct options *options;
    const struct graph *graph;
    weft_device *device;
    weft_sequence *sequence; /* NULL: the files have nothing to do with one another */
    uint64_t memory; /* bytes for each of the pictures in work */
    int threads;     /* for each of their files */
    pthread_mutex_t lock;
    pthread_cond_t finished;
    int next, done, printed; /* under the lock: items given out, finished, and reported in order */
    int64_t size, done_size;
};

static void run_item(struct batch *batch, struct item *item) {
    size_t size;
    struct job job = {
        .options = batch->options, .graph = batch->graph, .device = batch->device, .sequence = batch->sequence,
        .memory = batch->memory, .threads = batch->threads};
    job.progress.quiet = true;
    job.report.errors = open_memstream(&item->errors, &size);
    job.report.numbers = open_memstream(&item->numbers, &size);
    int status = EXIT_UNABLE;
    if (job.report.errors && job.report.numbers) {
        const char *const *outputs = (const char *const *)item->outputs;
        status = job_run(&job, item->inputs, batch->items.inputs, outputs, batch->items.outputs);
    }
    if (job.report.errors)
        fclose(job.report.errors);
    if (job.report.numbers && fclose(job.report.numbers) != 0 && status == EXIT_DONE)
        status = EXIT_UNABLE;
    item->status = status;
}

static void *work(void *user) {
    struct batch *batch = user;
    pthread_mutex_lock(&batch->lock);
    while (batch->next < batch->items.count && !interrupt_signal()) {
        struct item *item = &batch->items.list[batch->next++];
        pthread_mutex_unlock(&batch->lock);
        run_item(batch, item);
        pthread_mutex_lock(&batch->lock);
        item->finished = true;
        batch->done++;
        batch->done_size += item->size;
        pthread_cond_signal(&batch->finished);
    }
    pthread_mutex_unlock(&batch->lock);
    return NULL;
}

/* Waits a moment, or for the next file to be finished; the lock is held. */
static void wait_a_moment(struct batch *batch) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&batch->finished, &batch->lock, &until);
}

/* Prints the numbers of files that are done, in the order of the files; the lock is held. */
static void print_ready(struct batch *batch, struct progress *progress) {
    for (; batch->printed < batch->items.count && batch->items.list[batch->printed].finished; batch->printed++) {
        const struct item *item = &batch->items.list[batch->printed];
        if (batch_has_numbers(item)) {
            progress_end(progress);
            batch_print_numbers(item);
        }
    }
}

/* Draws the bar and prints numbers until nothing is left to be done. */
static void watch(struct batch *batch) {
    struct progress progress = {.label = NULL};
    char label[64] = "";
    progress_begin(&progress, label);
    pthread_mutex_lock(&batch->lock);
    while (batch->done < batch->items.count && !(interrupt_signal() && batch->done == batch->next)) {
        wait_a_moment(batch);
        snprintf(label, sizeof label, "%d of %d files", batch->done, batch->items.count);
        double done = batch->size > 0 ? (double)batch->done_size / (double)batch->size : 0;
        print_ready(batch, &progress);
        pthread_mutex_unlock(&batch->lock);
        progress_update(&progress, done);
        pthread_mutex_lock(&batch->lock);
    }
    print_ready(batch, &progress);
    pthread_mutex_unlock(&batch->lock);
    progress_end(&progress);
}

/* Starts the threads; without any, the files are done by this one. */
static void run_all(struct batch *batch, int workers) {
    pthread_t *threads = calloc((size_t)workers, sizeof *threads);
    int started = 0;
    while (threads && started < workers && pthread_create(&threads[started], NULL, work, batch) == 0)
        started++;
    if (started == 0)
        work(batch);
    watch(batch);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* Opens the device for so many callers at once, so that all threads together are as many as the user asked for. */
static int open_device(struct batch *batch, int *workers) {
    int threads = batch->options->threads > 0 ? batch->options->threads : (int)copier_default_threads();
    *workers = batch->sequence ? 1 : threads < batch->items.count ? threads : batch->items.count;
    batch->threads = *workers > 0 ? threads / *workers : 1;
    for (;;) {
        weft_device_options device = {.threads = threads - *workers + 1,
                                      .log = message_log(false),
                                      .memory_limit = batch->options->device_memory};
        weft_device_info info;
        weft_error error;
        if (weft_device_open(batch->options->device, &device, &batch->device, &error) != WEFT_OK)
            return message_library(&error, NULL, NULL);
        weft_device_describe(batch->device, &info);
        if (!strcmp(info.backend, "cpu") || *workers <= GPU_WORKERS)
            return EXIT_DONE;
        weft_device_close(&batch->device);
        *workers = GPU_WORKERS;
    }
}

int batch_run(const struct operands *operands, const struct graph *graph, const struct options *options) {
    struct batch batch = {.options = options, .graph = graph};
    int workers = 1;
    if (options->explain || options->json)
        return message_usage("--%s is for one run, not for many files", options->explain ? "explain" : "json");
    int status = items_open(&batch.items, operands, options, weft_graph_inputs(graph->graph));
    if (status == EXIT_DONE && batch.items.skipped)
        message_note("%d file%s left out, whose outputs are no older", batch.items.skipped,
                     batch.items.skipped == 1 ? " is" : "s are");
    if (status != EXIT_DONE || options->dry_run || batch.items.count == 0) {
        if (status == EXIT_DONE && options->dry_run)
            items_print(&batch.items);
        items_close(&batch.items);
        return status;
    }
    if (options->sequence && weft_sequence_create(&batch.sequence, NULL) != WEFT_OK)
        status = message_unable("not enough memory");
    if (status == EXIT_DONE)
        status = open_device(&batch, &workers);
    if (status == EXIT_DONE) {
        for (int i = 0; i < batch.items.count; i++)
            batch.size += batch.items.list[i].size;
        batch.memory = options_memory(options) / (uint64_t)(workers > 0 ? workers : 1);
        pthread_mutex_init(&batch.lock, NULL);
        pthread_cond_init(&batch.finished, NULL);
        run_all(&batch, workers);
        pthread_cond_destroy(&batch.finished);
        pthread_mutex_destroy(&batch.lock);
        status = batch_report(&batch.items);
    }
    weft_sequence_destroy(&batch.sequence);
    weft_device_close(&batch.device);
    items_close(&batch.items);
    return status;
}
