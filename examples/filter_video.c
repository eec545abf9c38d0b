/* SPDX-License-Identifier: MIT
 * filter_video IN OUT: a video that is blurred less and less and fades in over its first two seconds: parameters that
 * follow curves. The plan takes luma and chroma in and gives them out; sound goes along.
 *
 *     filter_video in.mp4 out.mp4 */
#include <stdio.h>
#include <string.h>
#include "weft/weft.h"

static bool progress(void *user, const weft_video_progress *done) {
    (void)user;
    if (done->frames % 100 == 0)
        fprintf(stderr, "%lld frames\n", (long long)done->frames);
    return true; /* false would end the video here */
}

int main(int argc, char **argv) {
    static const char text[] = "gaussian=6,levels";
    static const double seconds[] = {0, 2}, sigma[] = {6, 0}, bright[] = {0, 1};
    const weft_video_curve curves[] = {
        /* sigma decides the plan: a new one is made for each value; out_max is a number that the plan looks up */
        {.filter = "gaussian", .parameter = "sigma", .seconds = seconds, .values = sigma, .count = 2},
        {.filter = "levels", .parameter = "out_max", .seconds = seconds, .values = bright, .count = 2}};
    weft_error error = {.message = "usage: filter_video IN OUT"};
    weft_video_input input = {.path = argc == 3 ? argv[1] : NULL};
    weft_video_output output = {.path = argc == 3 ? argv[2] : NULL};
    weft_graph *graph = NULL;

    weft_status status = argc == 3 ? weft_graph_parse(text, strlen(text), &graph, &error) : WEFT_ERROR_ARGUMENT;
    weft_video video = {.inputs = &input,
                        .input_count = 1,
                        .outputs = &output,
                        .output_count = 1,
                        .graph = graph,
                        .curves = curves,
                        .curve_count = 2,
                        .progress = progress};
    if (status == WEFT_OK)
        status = weft_filter_video(&video, &error);
    weft_graph_destroy(&graph);
    if (status != WEFT_OK)
        fprintf(stderr, "%s\n", error.message);
    return status == WEFT_OK ? 0 : 1;
}
