/* SPDX-License-Identifier: MIT
 * Texts of CUDA's kernels, compiled by NVRTC where it is installed, which needs no GPU: every kernel, and every point filter in
 * programs, for the oldest and the newest architecture that it knows. One format each, another from kernel to kernel; with the
 * argument `all` every variant in every format. With the argument `few` every text is made, and one of 16 is compiled. */
#include <stdlib.h>
#include <string.h>
#include "check.h"

#ifdef WEFT_HAVE_CUDA
#include "backend/cuda/compiler.h"
#include "base/memory.h"
#include "base/threads.h"

#define MOST_JOBS 40000
struct job {
    int32_t row, architecture;
    struct gpu_launch launch;
};
static struct job *jobs;
static int32_t job_count;
static int32_t compiled_of = 1; /* of so many texts one is compiled */
static struct cuda_compiler compiler;
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

/* A launch that reads one image and stores one, of these formats, times alpha or its luminance where `source` says so. */
static void set_format(struct gpu_launch *launch, int32_t type, int32_t stored, int32_t channels) {
    memset(launch, 0, sizeof *launch);
    launch->in_type = type;
    launch->in_channels = launch->channels = channels;
    launch->border = BORDER_MIRROR;
    launch->store_count = 1;
    launch->store[0] = (struct gpu_instruction){.op = OP_STORE,
                                                .operands = (OPERAND_IMAGE + 1) << 8,
                                                .shape = channels | channels << 8 | TYPE_F32 << 12 | stored << 20};
}

static void add(int32_t row, const struct gpu_launch *launch, int32_t architecture) {
    if (job_count < MOST_JOBS && weft_gpu_kernels[row].capability <= architecture)
        jobs[job_count++] = (struct job){row, architecture, *launch};
}

static void compile_one(void *user, int32_t lane, int32_t i) {
    struct cuda_source source;
    unsigned char *code = NULL;
    size_t size = 0;
    weft_error error = {0};
    const struct job *job = &jobs[i];
    (void)user;
    (void)lane;
    const struct gpu_wanted wanted = {.launch = &job->launch};
    weft_status status = weft_cuda_source_make(&weft_gpu_kernels[job->row], &wanted, &source, &error);
    bool compiles = i % compiled_of == 0;
    if (status == WEFT_OK && compiles)
        status = weft_cuda_compile(&compiler, &source, job->architecture, &code, &size, &error);
    pthread_mutex_lock(&counting);
    if (!CHECK(status == WEFT_OK && (size > 0) == compiles))
        fprintf(stderr, "sm_%d, type %d x %d to %d: %s\n%s", (int)job->architecture, (int)job->launch.in_type,
                (int)job->launch.in_channels, (int)(job->launch.store[job->launch.store_count - 1].shape >> 20 & 15),
                error.message, source.text ? source.text : "");
    pthread_mutex_unlock(&counting);
    weft_cuda_source_clear(&source);
    weft_free(code);
}

static int32_t planes_in(const struct gpu_kernel_row *row) {
    const char *at = row->constant_names;
    for (int32_t i = 0; i < row->constant_count; i++) {
        if (strncmp(at, "PLANES", 6) == 0)
            return row->constants[i];
        at += strcspn(at, " ");
        at += *at == ' '; /* they are separated by commas and blanks */
    }
    return 0;
}

static void add_kernels(const int *architectures, bool all) {
    static const int32_t channels[] = {3, 4, 1, 2};
    struct gpu_launch launch;
    for (int32_t row = 0, turn = 0; weft_gpu_kernels[row].name; row++) {
        const struct gpu_kernel_row *each = &weft_gpu_kernels[row];
        bool first = row == 0 || strcmp(weft_gpu_kernels[row - 1].name, each->name) != 0;
        if (!each->text || (!all && !first))
            continue;
        int32_t planes = planes_in(each);
        for (int32_t i = 0; i < (all ? 64 : 2); i++) {
            int32_t k = all ? i : turn++, type = TYPE_U8 + k % 4, stored = TYPE_U8 + k / 4 % 4;
            set_format(&launch, type, all || k % 3 == 0 ? stored : type, planes ? planes : channels[k / 16 % 4]);
            add(row, &launch, architectures[i % 2]);
        }
    }
}

/* Programs of eight filters each; a load program of a few is tried too. */
static void add_filters(const int *architectures) {
    struct gpu_launch launch;
    int32_t row = 0;
    while (strcmp(weft_gpu_kernels[row].name, "point") != 0)
        row++;
    for (int32_t op = 0, turn = 0; op < weft_gpu_operation_count; turn++) {
        int32_t channels = turn % 2 ? 4 : 3, count = 0;
        set_format(&launch, TYPE_U8 + turn % 4, TYPE_U8 + turn / 2 % 4, channels);
        struct gpu_instruction store = launch.store[0];
        for (; count < 8 && op < weft_gpu_operation_count; count++, op++)
            launch.store[count] = (struct gpu_instruction){.op = op,
                                                           .operands = 0 | 1 << 8,
                                                           .shape = channels | channels << 4 | channels << 8 | TYPE_F32 << 12 |
                                                                    TYPE_F32 << 16 | TYPE_F32 << 20,
                                                           .block = 8 * count};
        launch.store[count] = store;
        launch.store_count = count + 1;
        add(row, &launch, architectures[turn % 2]);
    }
}

int main(int argc, char **argv) {
    weft_error error = {0};
    struct weft_pool *pool = NULL;
    struct cuda_source source;
    unsigned char *code = NULL;
    size_t size;
    struct gpu_launch launch;
    jobs = calloc(MOST_JOBS, sizeof *jobs);
    if (!jobs || weft_cuda_compiler_find(&compiler, 0, &error) != WEFT_OK || compiler.path[0] == 0) {
        printf("test_nvrtc: 0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    /* It says what it knows once it is open. */
    set_format(&launch, TYPE_U8, TYPE_U8, 3);
    if (CHECK(weft_cuda_source_make(&weft_gpu_kernels[0], &(struct gpu_wanted){.launch = &launch}, &source, &error) == WEFT_OK)) {
        weft_cuda_compile(&compiler, &source, 75, &code, &size, &error);
        weft_cuda_source_clear(&source);
        weft_free(code);
    }
    if (!CHECK(compiler.library != NULL)) {
        fprintf(stderr, "%s\n", error.message);
        return check_done("test_nvrtc");
    }
    if (argc > 1 && strcmp(argv[1], "few") == 0)
        compiled_of = 16;
    const int architectures[] = {compiler.most, compiler.least};
    add_filters(architectures);
    add_kernels(architectures, argc > 1 && strcmp(argv[1], "all") == 0);
    if (CHECK(weft_pool_create(weft_thread_count(), &pool, &error) == WEFT_OK))
        weft_pool_run(pool, job_count, compile_one, NULL);
    weft_pool_destroy(&pool);
    weft_cuda_compiler_clear(&compiler);
    free(jobs);
    return check_done("test_nvrtc");
}
#else
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    printf("test_nvrtc: 0 passed, 0 failed, 1 skipped\n");
    return 0;
}
#endif
