/* SPDX-License-Identifier: MIT
 * frame_loop WIDTH HEIGHT [FRAMES]: raw frames of 8-bit RGB from standard input to standard output, softened a little
 * and faded in over the first FRAMES (25). The plan is made once; every frame only changes a parameter of it, and
 * nothing is allocated in the loop.
 *
 *     ffmpeg -i in.mp4 -f rawvideo -pix_fmt rgb24 - | frame_loop 640 360 | ffplay -f rawvideo -pixel_format rgb24 \
 *         -video_size 640x360 - */
#include <stdio.h>
#include <stdlib.h>
#include "weft/builders.h"
#include "weft/weft.h"

/* Input, a soft blur, and levels whose upper end goes up with time: *fade is the node that changes. */
static weft_status make_graph(weft_graph **graph, weft_node *fade, weft_error *error) {
    weft_node frame, soft;
    weft_status status = weft_graph_create(graph, error);
    if (status == WEFT_OK)
        status = weft_graph_input(*graph, &frame, error);
    if (status == WEFT_OK)
        status = weft_add_gaussian(*graph, frame, WEFT_GAUSSIAN(.sigma = 0.8), &soft, error);
    if (status == WEFT_OK)
        status = weft_add_levels(*graph, soft, WEFT_LEVELS(.out_max = {0, 0, 0, 1}), fade, error);
    if (status == WEFT_OK)
        status = weft_graph_output(*graph, *fade, error);
    return status;
}

/* Frame after frame until there are no more. */
static weft_status run_frames(const weft_plan *plan, weft_parameters *parameters, weft_node fade, const weft_run *run,
                              size_t frame_size, int frames, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK; i++) {
        if (fread(run->inputs[0].image.data, frame_size, 1, stdin) != 1)
            return WEFT_OK;
        double brightness = i + 1 < frames ? (i + 1.0) / frames : 1;
        status = weft_parameters_set(parameters, fade, "out_max", &brightness, 1, error);
        if (status == WEFT_OK)
            status = weft_plan_run(plan, run, error);
        if (status == WEFT_OK && fwrite(run->outputs[0].image.data, frame_size, 1, stdout) != 1) {
            fputs("frame_loop: standard output cannot be written\n", stderr);
            return WEFT_ERROR_FILE;
        }
    }
    return status;
}

int main(int argc, char **argv) {
    weft_graph *graph = NULL;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_parameters *parameters = NULL;
    weft_node fade = 0;
    weft_error error = {.message = ""};
    weft_image_info frame = {.format = {WEFT_U8, 3}};
    weft_plan_options options = {.inputs = &frame, .input_count = 1};
    size_t size = 0;

    if (argc < 3 || argc > 4) {
        fputs("usage: frame_loop WIDTH HEIGHT [FRAMES]\n", stderr);
        return 2;
    }
    frame.width = strtol(argv[1], NULL, 10);
    frame.height = strtol(argv[2], NULL, 10);
    weft_status status = make_graph(&graph, &fade, &error);
    if (status == WEFT_OK)
        status = weft_device_open("cpu", NULL, &device, &error);
    if (status == WEFT_OK)
        status = weft_plan_create(device, graph, &options, &plan, &error);
    if (status == WEFT_OK)
        status = weft_parameters_create(plan, &parameters, &error);
    if (status == WEFT_OK)
        status = weft_image_size(&frame, &size, &error);
    if (status == WEFT_OK) {
        size_t workspace = (weft_plan_workspace_size(plan) + 63) / 64 * 64;
        weft_image in = {.info = frame, .data = malloc(size), .stride = (ptrdiff_t)frame.width * 3}, out = in;
        out.data = malloc(size);
        weft_run run = {.inputs = &(weft_run_input){.image = in},
                        .input_count = 1,
                        .outputs = &(weft_run_output){.image = out},
                        .output_count = 1,
                        .parameters = parameters,
                        .workspace = aligned_alloc(64, workspace ? workspace : 64),
                        .workspace_size = workspace};
        if (in.data && out.data && run.workspace)
            status = run_frames(plan, parameters, fade, &run, size, argc > 3 ? atoi(argv[3]) : 25, &error);
        else
            status = WEFT_ERROR_MEMORY;
        free(in.data);
        free(out.data);
        free(run.workspace);
    }
    if (status != WEFT_OK)
        fprintf(stderr, "frame_loop: %s\n", error.message[0] ? error.message : weft_status_name(status));
    weft_parameters_destroy(&parameters);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    weft_graph_destroy(&graph);
    return status == WEFT_OK ? 0 : 1;
}
