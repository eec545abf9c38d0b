/* SPDX-License-Identifier: MIT
 * The CUDA backend on an emulated device: its names, what it says when something fails, streams and memory of callers,
 * capture. Does nothing with a real driver: those cannot be told to fail. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "caller.h"
#include "check.h"
#include "weft/weft.h"

#define WIDTH 61
#define HEIGHT 43
#define BYTES ((size_t)WIDTH * HEIGHT * 3)

static unsigned char picture[BYTES], second[BYTES];

/* The driver's functions, for what a caller does with CUDA. */
#define FUNCTIONS(X)                                                                                                   \
    X(cuInit)                                                                                                          \
    X(cuDevicePrimaryCtxRetain)                                                                                        \
    X(cuDevicePrimaryCtxRelease)                                                                                       \
    X(cuCtxPushCurrent)                                                                                                \
    X(cuCtxPopCurrent)                                                                                                 \
    X(cuMemAlloc)                                                                                                      \
    X(cuMemFree)                                                                                                       \
    X(cuMemHostAlloc)                                                                                                  \
    X(cuMemFreeHost)                                                                                                   \
    X(cuMemcpyHtoD)                                                                                                    \
    X(cuMemcpyDtoH)                                                                                                    \
    X(cuStreamCreate)                                                                                                  \
    X(cuStreamDestroy)                                                                                                 \
    X(cuStreamSynchronize)                                                                                             \
    X(cuStreamBeginCapture)                                                                                            \
    X(cuStreamEndCapture)                                                                                              \
    X(cuGraphInstantiate)                                                                                              \
    X(cuGraphLaunch)                                                                                                   \
    X(cuGraphDestroy)                                                                                                  \
    X(cuGraphExecDestroy)
static struct {
#define FIELD(name) __typeof__(&name) name;
    FUNCTIONS(FIELD)
} cuda;

static bool load(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    bool good = library != NULL;
#define LOAD(name)                                                                                                     \
    if (good) {                                                                                                        \
        void *function = dlsym(library, CUDA_TEXT(name));                                                                   \
        good = function != NULL;                                                                                       \
        memcpy(&cuda.name, &function, sizeof function);                                                                \
    }
    FUNCTIONS(LOAD)
    return good;
}

/* Sets what the next cuInit reads; 0 takes a setting away. */
static void set(const char *name, long value) {
    char text[32], full[64];
    snprintf(text, sizeof text, "%ld", value);
    snprintf(full, sizeof full, "WEFT_EMULATED_%s", name);
    if (value != 0)
        setenv(full, text, 1);
    else
        unsetenv(full);
}

static bool says(const weft_error *error, weft_status status, const char *words) {
    bool good = error->status == status && strstr(error->message, words);
    if (!good)
        fprintf(stderr, "'%s' (%s) does not say '%s'\n", error->message, weft_status_name(error->status), words);
    return good;
}

static weft_image image_of(void *data, weft_memory memory) {
    return (weft_image){.info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 3}},
                        .data = data,
                        .stride = WIDTH * 3,
                        .memory = memory};
}

static weft_status make_plan(weft_device *device, const char *text, weft_plan **plan, weft_error *error) {
    weft_graph *graph = NULL;
    const weft_image_info info = image_of(NULL, WEFT_MEMORY_HOST).info;
    weft_status status = weft_graph_parse(text, strlen(text), &graph, error);
    if (status == WEFT_OK)
        status = weft_plan_create(device, graph, &(weft_plan_options){.inputs = &info, .input_count = 1}, plan, error);
    weft_graph_destroy(&graph);
    return status;
}

static weft_status run_plan(const weft_plan *plan, const void *from, void *to, weft_error *error) {
    const weft_run_input input = {.image = image_of((void *)(uintptr_t)from, WEFT_MEMORY_HOST)};
    const weft_run_output output = {.image = image_of(to, WEFT_MEMORY_HOST)};
    return weft_plan_run(plan, &(weft_run){.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1},
                         error);
}

/* All that a program does with a device, once; whatever fails, all of it is given back. */
static weft_status run_all(const char *name, const char *text, const void *from, void *to, weft_error *error) {
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_status status = weft_device_open(name, NULL, &device, error);
    if (status == WEFT_OK)
        status = make_plan(device, text, &plan, error);
    if (status == WEFT_OK)
        status = run_plan(plan, from, to, error);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    return status;
}

/* At most a step apart: filters that mix are not bound to the bit. */
static bool same(const unsigned char *a, const unsigned char *b) {
    for (size_t i = 0; i < BYTES; i++)
        if (abs(a[i] - b[i]) > 1)
            return false;
    return true;
}

static const char several[] = "gaussian=2,invert,median=1,split[a][b];[a]sobel[c];[b][c]blend_multiply";

static void test_names(void) {
    weft_error error;
    weft_device *device = NULL;
    weft_device_info info;
    set("DEVICES", 3);
    static const char *const good[] = {"cuda", "cuda:0", "cuda:2", "cuda:THE B one"};
    static const char *const names[] = {"emulated CUDA device", "emulated CUDA device",
                                        "emulated CUDA device, the c one", "emulated CUDA device, the b one"};
    for (int i = 0; i < 4; i++) {
        CHECK(weft_device_open(good[i], NULL, &device, &error) == WEFT_OK);
        weft_device_describe(device, &info);
        CHECK(strcmp(info.name, names[i]) == 0 && strcmp(info.backend, "cuda") == 0 && info.available);
        weft_device_close(&device);
    }
    static const char *const bad[] = {"cuda:3", "cuda:-1", "cuda:tesla", "cuda:the", "cuda:99999999999999999999"};
    static const char *const words[] = {"there is no CUDA device '3'", "there is no CUDA device '-1'",
                                        "there is no CUDA device 'tesla'", "2 CUDA devices are called 'the'",
                                        "there is no"};
    for (int i = 0; i < 5; i++) {
        CHECK(weft_device_open(bad[i], NULL, &device, &error) != WEFT_OK && says(&error, WEFT_ERROR_DEVICE, words[i]));
        CHECK(device == NULL);
    }
    set("DEVICES", 0);
}

/* Machines on which there is nothing to open. */
static void test_missing(void) {
    weft_error error;
    weft_device *device = NULL;
    static const struct {
        const char *setting;
        long value;
        const char *words;
    } cases[] = {{"DEVICES", -1, "finds no GPU"},
                 {"VERSION", 11040, "too old: it knows CUDA 11.4"},
                 {"CAPABILITY", 35, "no code for compute capability 3.5"}};
    for (int i = 0; i < 3; i++) {
        set(cases[i].setting, cases[i].value);
        CHECK(weft_device_open("cuda", NULL, &device, &error) != WEFT_OK &&
              says(&error, WEFT_ERROR_DEVICE, cases[i].words));
        bool told = false;
        weft_device_info info;
        for (int32_t k = 0; weft_device_at(k, &info); k++)
            told =
                told || (strcmp(info.backend, "cuda") == 0 && !info.available && strstr(info.detail, cases[i].words));
        CHECK(told);
        set(cases[i].setting, 0);
    }
}

/* Every call that needs memory fails once. The emulated driver aborts when something is left. */
static void test_memory(const unsigned char *expected) {
    static unsigned char result[BYTES];
    weft_error error;
    weft_status status = WEFT_ERROR_MEMORY;
    bool good = true;
    for (long i = 1; status != WEFT_OK && i < 2000; i++) {
        set("FAIL", i);
        status = run_all("cuda", several, picture, result, &error);
        good = good && (status == WEFT_OK || says(&error, WEFT_ERROR_MEMORY, "memory"));
    }
    set("FAIL", 0);
    CHECK(good && status == WEFT_OK && same(result, expected));
}

/* A device that holds little: the image goes through in bands, or it is said what is missing. */
static void test_little(const unsigned char *expected) {
    static unsigned char result[BYTES];
    weft_error error;
    bool worked = true, good = true;
    for (long bytes = 1 << 20; bytes >= 1 << 12; bytes /= 2) {
        set("MEMORY", bytes);
        memset(result, 0, sizeof result);
        weft_status status = run_all("cuda", several, picture, result, &error);
        good =
            good && (status == WEFT_OK ? worked && same(result, expected) : says(&error, WEFT_ERROR_MEMORY, "memory"));
        worked = status == WEFT_OK;
    }
    set("MEMORY", 0);
    CHECK(good);
}

/* After a kernel has failed nothing works, everything says so, and all is given back. */
static void test_lost(const unsigned char *expected) {
    static unsigned char result[BYTES];
    weft_error error;
    weft_status status = WEFT_ERROR_DEVICE;
    for (long i = 1; status == WEFT_ERROR_DEVICE && i < 100; i++) {
        weft_device *device = NULL;
        weft_plan *plan = NULL, *other = NULL;
        set("LOSE", i);
        CHECK(weft_device_open("cuda", NULL, &device, &error) == WEFT_OK);
        status = make_plan(device, several, &plan, &error);
        if (status == WEFT_OK)
            status = run_plan(plan, picture, result, &error);
        if (status != WEFT_OK) {
            CHECK(says(&error, WEFT_ERROR_DEVICE, "is lost"));
            CHECK(!plan ||
                  (run_plan(plan, picture, result, &error) != WEFT_OK && says(&error, WEFT_ERROR_DEVICE, "is lost")));
            CHECK(make_plan(device, "box=3", &other, &error) != WEFT_OK && says(&error, WEFT_ERROR_DEVICE, "is lost"));
        }
        weft_plan_destroy(&plan);
        weft_plan_destroy(&other);
        weft_device_close(&device);
        set("LOSE", 0);
    }
    CHECK(status == WEFT_OK && same(result, expected));
    CHECK(run_all("cuda", several, picture, result, &error) == WEFT_OK && same(result, expected));
}

/* What a caller has: a context, a stream, two images. */
struct caller {
    CUcontext context;
    CUstream stream;
    CUdeviceptr from, to;
};

static bool caller_begin(struct caller *caller) {
    CUcontext context;
    return cuda.cuInit(0) == CUDA_SUCCESS && cuda.cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS &&
           cuda.cuCtxPushCurrent(context) == CUDA_SUCCESS &&
           cuda.cuStreamCreate(&caller->stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS &&
           cuda.cuMemAlloc(&caller->from, BYTES) == CUDA_SUCCESS && cuda.cuMemAlloc(&caller->to, BYTES) == CUDA_SUCCESS;
}
static void caller_end(struct caller *caller) {
    CUcontext context;
    CHECK(cuda.cuMemFree(caller->from) == CUDA_SUCCESS && cuda.cuMemFree(caller->to) == CUDA_SUCCESS);
    CHECK(cuda.cuStreamDestroy(caller->stream) == CUDA_SUCCESS);
    CHECK(cuda.cuCtxPopCurrent(&context) == CUDA_SUCCESS && cuda.cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
}

static weft_status start(weft_queue *queue, const weft_plan *plan, CUdeviceptr from, CUdeviceptr to,
                         weft_error *error) {
    const weft_run_input input = {.image = image_of((void *)(uintptr_t)from, WEFT_MEMORY_CUDA)};
    const weft_run_output output = {.image = image_of((void *)(uintptr_t)to, WEFT_MEMORY_CUDA)};
    return weft_queue_run(
        queue, plan, &(weft_run){.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1}, error);
}

/* A run on a caller's stream, then captured, then launched again with other pixels. */
static void test_stream(const char *text) {
    static unsigned char result[BYTES], expected[BYTES], expected_second[BYTES];
    struct caller caller = {0};
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_queue *queue = NULL;
    weft_error error = {0};
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    if (!CHECK(run_all("cpu", text, picture, expected, &error) == WEFT_OK) ||
        !CHECK(run_all("cpu", text, second, expected_second, &error) == WEFT_OK) || !CHECK(caller_begin(&caller)) ||
        !CHECK(weft_device_open("cuda", NULL, &device, &error) == WEFT_OK) ||
        !CHECK(make_plan(device, text, &plan, &error) == WEFT_OK))
        return;
    CHECK(weft_queue_create(device, &(weft_queue_options){.cuda_stream = caller.stream, .has_cuda_stream = true},
                            &queue, &error) == WEFT_OK);
    CHECK(cuda.cuMemcpyHtoD(caller.from, picture, BYTES) == CUDA_SUCCESS);
    CHECK(start(queue, plan, caller.from, caller.to, &error) == WEFT_OK);
    CHECK(cuda.cuStreamSynchronize(caller.stream) == CUDA_SUCCESS);
    CHECK(cuda.cuMemcpyDtoH(result, caller.to, BYTES) == CUDA_SUCCESS && same(result, expected));

    CHECK(cuda.cuStreamBeginCapture(caller.stream, CU_STREAM_CAPTURE_MODE_GLOBAL) == CUDA_SUCCESS);
    if (!CHECK(start(queue, plan, caller.from, caller.to, &error) == WEFT_OK))
        fprintf(stderr, "%s\n", error.message);
    CHECK(cuda.cuStreamEndCapture(caller.stream, &graph) == CUDA_SUCCESS);
    if (CHECK(graph && cuda.cuGraphInstantiate(&exec, graph, 0) == CUDA_SUCCESS))
        for (int i = 0; i < 4; i++) {
            CHECK(cuda.cuMemcpyHtoD(caller.from, i % 2 ? picture : second, BYTES) == CUDA_SUCCESS);
            CHECK(cuda.cuGraphLaunch(exec, caller.stream) == CUDA_SUCCESS);
            CHECK(cuda.cuStreamSynchronize(caller.stream) == CUDA_SUCCESS);
            CHECK(cuda.cuMemcpyDtoH(result, caller.to, BYTES) == CUDA_SUCCESS);
            CHECK(same(result, i % 2 ? expected : expected_second));
        }
    if (exec)
        cuda.cuGraphExecDestroy(exec);
    if (graph)
        cuda.cuGraphDestroy(graph);
    weft_queue_destroy(&queue);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    caller_end(&caller);
}

/* A caller's memory without a stream of his, and what is no such memory. */
static void test_import(const unsigned char *expected) {
    static unsigned char result[BYTES];
    struct caller caller = {0};
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_queue *queue = NULL;
    weft_error error = {0};
    void *pinned = NULL;
    CUcontext context;
    CUdeviceptr other = 0;
    set("DEVICES", 2);
    if (!CHECK(caller_begin(&caller)) || !CHECK(weft_device_open("cuda", NULL, &device, &error) == WEFT_OK) ||
        !CHECK(make_plan(device, several, &plan, &error) == WEFT_OK))
        return;
    CHECK(weft_queue_create(device, NULL, &queue, &error) == WEFT_OK);
    CHECK(cuda.cuMemcpyHtoD(caller.from, picture, BYTES) == CUDA_SUCCESS);
    CHECK(start(queue, plan, caller.from, caller.to, &error) == WEFT_OK && weft_queue_wait(queue, &error) == WEFT_OK);
    CHECK(cuda.cuMemcpyDtoH(result, caller.to, BYTES) == CUDA_SUCCESS && same(result, expected));

    CHECK(cuda.cuMemHostAlloc(&pinned, BYTES, 0) == CUDA_SUCCESS);
    CHECK(cuda.cuDevicePrimaryCtxRetain(&context, 1) == CUDA_SUCCESS && cuda.cuCtxPushCurrent(context) == CUDA_SUCCESS);
    CHECK(cuda.cuMemAlloc(&other, BYTES) == CUDA_SUCCESS);
    const CUdeviceptr places[] = {(uintptr_t)picture, (uintptr_t)pinned, other};
    static const char *const words[] = {"no memory that CUDA knows", "is host memory", "is on cuda:1"};
    for (int i = 0; i < 3; i++) {
        weft_status status = start(queue, plan, places[i], caller.to, &error);
        if (status == WEFT_OK)
            status = weft_queue_wait(queue, &error);
        CHECK(status != WEFT_OK && says(&error, WEFT_ERROR_ARGUMENT, words[i]));
    }
    CHECK(cuda.cuMemFree(other) == CUDA_SUCCESS && cuda.cuCtxPopCurrent(&context) == CUDA_SUCCESS &&
          cuda.cuDevicePrimaryCtxRelease(1) == CUDA_SUCCESS && cuda.cuMemFreeHost(pinned) == CUDA_SUCCESS);
    weft_queue_destroy(&queue);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    caller_end(&caller);
    set("DEVICES", 0);
}

/* A slider over sigma compiles few kernels: its steps share them. */
static void test_slider(void) {
    char folder[] = "/tmp/weft-slider-XXXXXX", path[300], text[40];
    weft_device *device = NULL;
    weft_error error;
    int count = 0;
    bool good = true;
    if (!CHECK(mkdtemp(folder) != NULL))
        return;
    setenv("WEFT_KERNEL_CACHE", folder, 1);
    if (CHECK(weft_device_open("cuda", NULL, &device, &error) == WEFT_OK))
        for (int i = 5; i <= 500 && good; i++) {
            weft_plan *plan = NULL;
            snprintf(text, sizeof text, "%s=%d.%d", "gaussian", i / 10, i % 10);
            good = make_plan(device, text, &plan, &error) == WEFT_OK;
            weft_plan_destroy(&plan);
        }
    weft_device_close(&device);
    setenv("WEFT_KERNEL_CACHE", "none", 1);
    DIR *files = opendir(folder);
    for (struct dirent *each; files && (each = readdir(files)) != NULL;)
        if (each->d_name[0] != '.') {
            count++;
            snprintf(path, sizeof path, "%s/%.200s", folder, each->d_name);
            unlink(path);
        }
    if (files)
        closedir(files);
    rmdir(folder);
    if (!CHECK(good && count >= 1 && count <= 16))
        fprintf(stderr, "%d kernels for all sigmas\n", count);
}

/* Pinning memory takes long: a plan takes what the plan before it had. */
static void test_pinned(const unsigned char *expected) {
    unsigned char made[BYTES];
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_error error;
    int first = 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const int *pinned = library ? dlsym(library, "emulated_pinned") : NULL;
    if (!CHECK(pinned != NULL) || !CHECK(weft_device_open("cuda", NULL, &device, &error) == WEFT_OK))
        return;
    for (int i = 0; i < 3; i++) {
        memset(made, 0, sizeof made);
        CHECK(make_plan(device, several, &plan, &error) == WEFT_OK && run_plan(plan, picture, made, &error) == WEFT_OK);
        CHECK(same(made, expected));
        weft_plan_destroy(&plan);
        first = i == 0 ? *pinned : first;
        CHECK(*pinned == first);
    }
    weft_device_close(&device);
}

int main(void) {
    static unsigned char expected[BYTES];
    weft_device_info info = {0};
    weft_error error;
    bool emulated = false;
    for (int32_t i = 0; weft_device_at(i, &info); i++)
        emulated = emulated || (strcmp(info.backend, "cuda") == 0 && strstr(info.name, "emulated"));
    if (!emulated || !load()) {
        printf("test_cuda: 0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    for (size_t i = 0; i < BYTES; i++) {
        picture[i] = (unsigned char)(i * i / 7 + i % 3 * 60);
        second[i] = (unsigned char)(255 - i / 11);
    }
    if (!CHECK(run_all("cpu", several, picture, expected, &error) == WEFT_OK))
        return check_done("test_cuda");
    test_names();
    test_missing();
    test_memory(expected);
    test_little(expected);
    test_lost(expected);
    test_stream(several);
    /* A number found on the device goes into a kernel. */
    test_stream("split[a][b];[a]grayscale,reduce=mean[m];[b]contrast=@m,gaussian=1");
    test_import(expected);
    test_slider();
    test_pinned(expected);
    return check_done("test_cuda");
}
