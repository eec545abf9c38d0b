/* SPDX-License-Identifier: MIT
 * Blocks of threads. Until a barrier is met, one fiber runs thread after thread; a thread at a barrier keeps its fiber
 * and the next ones get others. When all threads have arrived they go on, in turn. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "emulated.h"
#include "fiber.h"
#include "poison/poison.h"

struct emulated_index {
    unsigned x, y, z;
};
#pragma GCC visibility push(default) /* kernels call them */
struct emulated_index emulated_thread, emulated_block, emulated_threads, emulated_blocks;
void emulated_barrier(int line);
#pragma GCC visibility pop

void emulated_fault(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("emulated CUDA device: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

static struct {
    const struct emulated_code *code;
    const struct gpu_launch *launch;
    int count, started, finished, waiting; /* threads */
    bool backwards;
    int line;  /* of the barrier that they wait at */
    int fiber; /* that runs */
} block;
static struct emulated_index waiting_threads[FIBERS];

static struct emulated_index thread_at(int i) {
    unsigned n = (unsigned)(block.backwards ? block.count - 1 - i : i);
    return (struct emulated_index){n % emulated_threads.x, n / emulated_threads.x % emulated_threads.y,
                                   n / emulated_threads.x / emulated_threads.y};
}

static void body(int i) {
    for (;;) {
        while (block.started < block.count) {
            emulated_thread = thread_at(block.started++);
            block.code->entry(block.launch);
            block.finished++;
        }
        emulated_fiber_yield(i);
    }
}

void emulated_barrier(int line) {
    int i = block.fiber;
    if (block.waiting > 0 && line != block.line)
        emulated_fault("threads of a block wait at different barriers, in lines %d and %d", block.line, line);
    block.line = line;
    block.waiting++;
    waiting_threads[i] = emulated_thread;
    emulated_fiber_yield(i);
    emulated_thread = waiting_threads[i];
}

static void run_block(void) {
    int fibers = 0;
    block.started = block.finished = block.waiting = 0;
    while (block.started < block.count) {
        block.fiber = fibers++;
        emulated_fiber_resume(block.fiber, body);
    }
    while (block.finished < block.count) {
        int arrived = block.waiting;
        if (arrived + block.finished != block.count || block.finished > 0)
            emulated_fault("%d threads of a block are done while %d wait at the barrier in line %d", block.finished,
                           arrived, block.line);
        block.waiting = 0;
        for (int i = 0; i < arrived; i++) {
            block.fiber = i;
            emulated_fiber_resume(i, body);
        }
    }
}

void emulated_run(const struct emulated_code *code, const uint32_t blocks[3], const uint32_t threads[3],
                  const struct gpu_launch *launch) {
    uint64_t count = (uint64_t)threads[0] * threads[1] * threads[2];
    if (count == 0 || count > FIBERS)
        emulated_fault("%llu threads in a block", (unsigned long long)count);
    block.code = code;
    block.launch = launch;
    block.count = (int)count;
    emulated_threads = (struct emulated_index){threads[0], threads[1], threads[2]};
    emulated_blocks = (struct emulated_index){blocks[0], blocks[1], blocks[2]};
    for (uint32_t z = 0; z < blocks[2]; z++)
        for (uint32_t y = 0; y < blocks[1]; y++)
            for (uint32_t x = 0; x < blocks[0]; x++) {
                emulated_block = (struct emulated_index){x, y, z};
                if (code->shared)
                    poison_fill(code->shared, (size_t)(code->shared_end - code->shared));
                run_block();
                block.backwards = !block.backwards;
            }
}
