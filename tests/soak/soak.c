/* SPDX-License-Identifier: MIT
 * soak [DEVICE [SECONDS]]: a frame loop as a program of long life has one. Parameters change with every frame, the plan
 * with every cycle of them; runs go by turns straight and over a queue. Each cycle must give the pixels of the first,
 * and after a tenth of the time the resident memory must not grow any more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "weft/weft.h"

enum { WIDTH = 320, HEIGHT = 180, CHANNELS = 4, ROW = WIDTH * CHANNELS, CYCLE = 120 };
static const double allowed_growth = 1.0; /* MB, for what the system rounds to pages and arenas */

struct soak {
    const char *device_name;
    weft_device *device;
    weft_graph *graph;
    weft_plan *plan;
    weft_parameters *parameters;
    weft_queue *queue;
    void *workspace;
    size_t workspace_size;
    unsigned char in[ROW * HEIGHT], out[ROW * HEIGHT];
    uint64_t expected[CYCLE];
    weft_error error;
};

/* Nodes in order of appearance: 0 is the input. */
static const char graph_text[] = "brightness=0.05,gaussian=2.5,contrast=1.1,split[a][b];[b]gaussian=9[soft];"
                                 "[a][soft]blend_screen=opacity=0.5,saturation=1.2";
enum { NODE_BRIGHTNESS = 1, NODE_CONTRAST = 3 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Resident memory in MB. */
static double resident(void) {
    long total = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static uint64_t digest(const unsigned char *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static void drop_plan(struct soak *soak) {
    weft_parameters_destroy(&soak->parameters);
    weft_plan_destroy(&soak->plan);
}

static bool make_plan(struct soak *soak) {
    weft_image_info info = {
        .width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    drop_plan(soak);
    if (weft_plan_create(soak->device, soak->graph, &options, &soak->plan, &soak->error) != WEFT_OK ||
        weft_parameters_create(soak->plan, &soak->parameters, &soak->error) != WEFT_OK)
        return false;
    /* One workspace for all plans, as who has a frame loop would keep it: given back and asked for again, its place may stay
     * resident beside the new one. Every page of it is touched now: a thread that gets its first turn late would touch its
     * share late, which is no growth either. */
    size_t size = weft_plan_workspace_size(soak->plan);
    if (size > soak->workspace_size || !soak->workspace) {
        free(soak->workspace);
        soak->workspace_size = size;
        soak->workspace = aligned_alloc(64, (size + 64) / 64 * 64);
        if (soak->workspace)
            memset(soak->workspace, 0, size);
    }
    return soak->workspace != NULL;
}

static bool open_soak(struct soak *soak) {
    for (size_t i = 0; i < sizeof soak->in; i++)
        soak->in[i] = (unsigned char)(i * 7919 % 251);
    return weft_device_open(soak->device_name, NULL, &soak->device, &soak->error) == WEFT_OK &&
           weft_graph_parse(graph_text, strlen(graph_text), &soak->graph, &soak->error) == WEFT_OK &&
           weft_queue_create(soak->device, NULL, &soak->queue, &soak->error) == WEFT_OK;
}

static void close_soak(struct soak *soak) {
    weft_queue_destroy(&soak->queue);
    drop_plan(soak);
    free(soak->workspace);
    weft_graph_destroy(&soak->graph);
    weft_device_close(&soak->device);
}

static bool run_frame(struct soak *soak, long frame) {
    double brightness = (frame % CYCLE - CYCLE / 2) / 200.0, contrast = 0.7 + frame % 40 * 0.02;
    weft_image_info info = {
        .width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_run_input input = {.image = {.info = info, .data = soak->in, .stride = ROW}};
    weft_run_output output = {.image = {.info = info, .data = soak->out, .stride = ROW}};
    weft_run run = {.inputs = &input,
                    .input_count = 1,
                    .outputs = &output,
                    .output_count = 1,
                    .parameters = soak->parameters,
                    .workspace = soak->workspace,
                    .workspace_size = soak->workspace_size};
    weft_error *error = &soak->error;
    if (weft_parameters_set(soak->parameters, NODE_BRIGHTNESS, "brightness", &brightness, 1, error) != WEFT_OK ||
        weft_parameters_set(soak->parameters, NODE_CONTRAST, "contrast", &contrast, 1, error) != WEFT_OK)
        return false;
    if (frame / CYCLE % 2)
        return weft_queue_run(soak->queue, soak->plan, &run, error) == WEFT_OK &&
               weft_queue_wait(soak->queue, error) == WEFT_OK;
    return weft_plan_run(soak->plan, &run, error) == WEFT_OK;
}

/* False with a message in the error when pixels differ from those of the first cycle. */
static bool check_frame(struct soak *soak, long frame) {
    uint64_t hash = digest(soak->out, sizeof soak->out), *expected = &soak->expected[frame % CYCLE];
    if (frame < CYCLE)
        *expected = hash;
    if (*expected != hash)
        snprintf(soak->error.message, sizeof soak->error.message, "frame %ld has other pixels than frame %ld", frame,
                 frame % CYCLE);
    return *expected == hash;
}

int main(int argc, char **argv) {
    static struct soak soak;
    soak.device_name = argc > 1 ? argv[1] : "cpu";
    double seconds = argc > 2 ? strtod(argv[2], NULL) : 10, start = now(), said = start, settled = 0, most = 0;
    long frame = 0;
    bool good = open_soak(&soak);
    /* At least three cycles, so that each path is there before memory is looked at. */
    for (; good && (now() - start < seconds || frame < 3 * CYCLE); frame++) {
        good = (frame % CYCLE > 0 || make_plan(&soak)) && run_frame(&soak, frame) && check_frame(&soak, frame);
        if (frame % CYCLE)
            continue;
        double time = now() - start, memory = resident();
        if (time < seconds / 10 || frame <= 2 * CYCLE)
            settled = memory > settled ? memory : settled;
        most = memory > most ? memory : most;
        if (now() - said >= 60) {
            printf("%6.0f s, %ld frames, %.1f MB\n", time, frame, memory);
            fflush(stdout);
            said = now();
        }
    }
    bool flat = most <= settled + allowed_growth;
    if (!good)
        printf("soak: %s: %s\n", soak.device_name, soak.error.message);
    printf("%s: %ld frames and %ld plans in %.0f s; %.1f MB resident after a tenth of that, %.1f MB at most\n",
           soak.device_name, frame, frame / CYCLE, now() - start, settled, most);
    printf("soak: %d passed, %d failed\n", good && flat, !(good && flat));
    close_soak(&soak);
    return good && flat ? 0 : 1;
}
