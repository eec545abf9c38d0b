/* SPDX-License-Identifier: MIT
 * How fast this machine copies and calculates, in a few milliseconds: the rates for the model of "auto". */
#include <string.h>
#include "backend/auto/auto.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "weft/memory.h"

enum {
    BYTES = 32 << 20, /* to copy: more than most caches hold */
    REPEATS = 3,      /* the best counts: the first also touches the pages */
    NUMBERS = 2048,   /* to calculate with: they stay in the nearest cache */
    ROUNDS = 400,
};

/* The kernels do this many times the operations of the loop below in the same time: they are compiled for the instruction
 * set that the processor has, the loop for the smallest one. */
static const double kernels_gain = 2;

struct bench {
    unsigned char *from, *to;
    int32_t parts;
    float *numbers; /* NUMBERS for each thread */
};

static void copy_part(void *user, int32_t lane, int32_t i) {
    const struct bench *bench = user;
    size_t part = BYTES / (size_t)bench->parts;
    (void)lane;
    memcpy(bench->to + part * (size_t)i, bench->from + part * (size_t)i, part);
}

static void calculate(void *user, int32_t lane, int32_t i) {
    const struct bench *bench = user;
    float *numbers = bench->numbers + (ptrdiff_t)i * NUMBERS;
    (void)lane;
    for (int k = 0; k < ROUNDS; k++)
        for (int n = 0; n < NUMBERS; n++)
            numbers[n] = numbers[n] * 0.75f + 0.25f;
}

static double best(struct weft_pool *pool, int32_t parts, void (*task)(void *, int32_t, int32_t), struct bench *bench) {
    double least = 1e9;
    for (int i = 0; i < REPEATS; i++) {
        double start = weft_seconds();
        weft_pool_run(pool, parts, task, bench);
        double time = weft_seconds() - start;
        least = time < least ? time : least;
    }
    return least > 1e-9 ? least : 1e-9;
}

bool weft_auto_measure_cpu(int32_t threads, struct auto_rates *rates) {
    struct weft_pool *pool = NULL;
    struct bench bench = {.from = weft_allocate_aligned(BYTES),
                          .to = weft_allocate_aligned(BYTES),
                          .parts = threads,
                          .numbers = weft_allocate((size_t)threads * NUMBERS, sizeof(float))};
    bool done = bench.from && bench.to && bench.numbers && weft_pool_create(threads, &pool, NULL) == WEFT_OK;
    if (done) {
        memset(bench.from, 1, BYTES);
        double copy = best(pool, threads, copy_part, &bench), arithmetic = best(pool, threads, calculate, &bench);
        *rates = (struct auto_rates){.copy = BYTES / copy,
                                     .operations = kernels_gain * threads * NUMBERS * (double)ROUNDS / arithmetic};
    }
    weft_pool_destroy(&pool);
    weft_free(bench.from);
    weft_free(bench.to);
    weft_free(bench.numbers);
    return done;
}

/* Bytes per second of copies between two images; 0 when they fail. */
static double copy_rate(weft_device *device, const weft_image *from, const weft_image *to) {
    double least = 1e9;
    for (int i = 0; i < REPEATS; i++) {
        double start = weft_seconds();
        if (weft_image_copy(device, from, to, NULL) != WEFT_OK)
            return 0;
        double time = weft_seconds() - start;
        least = time < least ? time : least;
    }
    return BYTES / (least > 1e-9 ? least : 1e-9);
}

bool weft_auto_measure_gpu(weft_device *device, struct auto_rates *rates) {
    /* A GPU does many operations in the time of one byte's copy: 14 on a server's, 80 on a desktop's. */
    const double operations_per_byte = 10, launch = 10e-6;
    const weft_image_info info = {.width = 4096, .height = BYTES / 4096, .format = {WEFT_U8, 1}};
    weft_image host = {.info = info, .data = weft_allocate_aligned(BYTES), .stride = 4096}, first,
               second = {.data = NULL};
    bool done = host.data && weft_memory_create(device, &info, &first, NULL) == WEFT_OK;
    if (!done) {
        weft_free(host.data);
        return false;
    }
    memset(host.data, 1, BYTES);
    done = weft_memory_create(device, &info, &second, NULL) == WEFT_OK;
    if (done) {
        rates->upload = copy_rate(device, &host, &first);
        rates->copy = copy_rate(device, &first, &second);
        rates->download = copy_rate(device, &second, &host);
        rates->operations = operations_per_byte * rates->copy;
        rates->launch = launch;
        done = rates->upload > 0 && rates->copy > 0 && rates->download > 0;
    }
    weft_memory_destroy(device, &second);
    weft_memory_destroy(device, &first);
    weft_free(host.data);
    return done;
}
