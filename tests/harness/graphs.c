/* SPDX-License-Identifier: MIT
 * Whole graphs: chains, forks and joins, several outputs, other sizes, bound parameters, and what fusing could get
 * wrong. */
#include <stdio.h>
#include <string.h>
#include "harness.h"

static const struct {
    const char *name, *text;
    double tolerance;
    int32_t inputs;
    bool exact;
} graphs[] = {
    {"point_chain", "brightness=0.1,contrast=1.3,saturation=0.5,gamma=0.8,invert", 1e-5, 1, false},
    {"blur_chain", "gaussian=2,gaussian=1.5,box=3", 2e-4, 1, false},
    {"edge_chain", "grayscale,gaussian=1.2,sobel,invert", 2e-4, 1, false},
    {"point_blur_point", "brightness=-0.1,gaussian=3:border=replicate,contrast=1.5,dilate=2", 2e-4, 1, false},
    {"fork_join", "split[a][b];[b]gaussian=2[c];[a][c]blend_subtract", 2e-4, 1, false},
    {"fork_join_uneven", "split[a][b];[b]gaussian=4,box=2,sobel[c];[a][c]blend_screen=0.7", 2e-4, 1, false},
    {"two_outputs", "split[a][b];[a]gaussian=1.5;[b]sobel", 2e-4, 1, false},
    {"three_outputs", "split=3[a][b][c];[a]invert;[b]dilate=3;[c]histogram", 2e-6, 1, false},
    {"two_inputs", "[0]gaussian=1[a];[a][1]blend_multiply,contrast=1.2", 2e-4, 2, false},
    {"swapped_inputs", "[1][0]blend_source_over", 1e-5, 2, false},
    {"sizes", "split[a][b];[a]crop=x=1:y=1:width=3:height=2;[b]transpose", 0, 1, true},
    {"resize_chain", "resize=width=33:height=21,gaussian=1,flip", 2e-4, 1, false},
    {"crop_then_blur", "crop=x=0:y=0:width=4:height=3,gaussian=5:border=wrap", 2e-4, 1, false},
    {"wrap_chain", "gaussian=2:border=wrap,box=2:border=wrap,sobel=border=wrap", 2e-4, 1, false},
    {"border_changes",
     "box=2:border=wrap,box=3:border=mirror,box=1:border=constant:border_value=0.7,box=2:border=shrink", 2e-5, 1,
     false},
    {"large_radius", "box=40,gaussian=15,dilate=25", 2e-4, 1, false},
    {"large_radius_wrap", "box=50:border=wrap,erode=33:border=wrap", 2e-5, 1, false},
    {"large_radius_shrink", "box=30:border=shrink,median=2:border=shrink", 2e-5, 1, false},
    {"morphology", "opening=2,closing=1,median=1", 0, 1, true},
    /* Luminance and colors times alpha, made of what a kernel stored that takes no programs. */
    {"edges_of_medians", "gaussian=1,median=1,sobel", 2e-4, 1, false},
    {"means_of_medians", "dilate=1,median=1,gaussian=1.5,median=1:border=wrap,box=2", 2e-4, 1, false},
    {"exact_chain", "invert,dilate=1,flip,transpose,crop=x=0:y=0:width=1:height=1", 0, 1, true},
    {"canny", "canny", 1, 1, false},
    /* More than Vulkan folds into a pipeline, around filters that only move components. */
    {"long_program",
     "alpha_extract,split[a][b];[b]gaussian=1[c];[a][c]alpha_combine,alpha_extract,brightness=0.01,contrast=0.9,invert,"
     "brightness=0.02,contrast=0.95,invert,brightness=0.03,contrast=1.1,invert,brightness=0.01,contrast=0.9,invert,"
     "brightness=0.02,contrast=0.95,invert,brightness=0.03",
     2e-4, 1, false},
    {"outside_of_weights",
     "convolve_separable=row=0.5:column=0.2|0.3|0.2|0.3|0.2:border=constant:border_value=0.4", 2e-4, 1, false},
    {"curve", "tone_curve=0|0|0.25|0.15|0.75|0.85|1|1,gaussian=1", 2e-4, 1, false},
    {"curves", "tone_curve=red=0.1|0.2|0.3|0.5|0.45|0.4|0.8|0.9:blue=1|0|0|1:all=0|0.1|0.6|1", 1e-4, 1, false},
    {"path_chain", "gaussian=1,motion_blur=1.5:70:border=wrap,contrast=1.3,zoom_blur=3", 5e-3, 1, false},
    {"pad_chain", "box=1,pad=5:2:-1:9:wrap,gaussian=1.5,pad=-3:0:0:-2", 2e-4, 1, false},
    {"bound_threshold", "average_luminance_threshold", 1, 1, false},
    {"bound_by_hand", "split[a][b];[b]reduce=mean[m];[a]brightness=@m*0.5", 1e-5, 1, false},
    {"bound_number", "split[a][b];[b]histogram=bins=8[h];[a]contrast=@h[3]*0.001", 1e-4, 1, false},
    {"bound_twice", "split=3[a][b][c];[b]gaussian=2,reduce=max[m];[c]reduce=min[n];[a]brightness=@m*0.2,contrast=@n",
     2e-4, 1, false},
    {"generator_blend", "checkerboard=width=31:height=17[g];[0]resize=width=31:height=17[i];[i][g]blend_screen", 2e-4,
     1, false},
    {"linear_light", "gaussian=2:space=linear,brightness=0.1", 3e-3, 1, false},
    {"hidden", "gaussian=1,drop_hidden", 2e-4, 1, false},
    {"alpha_mix", "gaussian=1.5,contrast=1.2,gaussian=1", 2e-4, 1, false},
    {"unsharp", "unsharp=2", 2e-4, 1, false},
    {"harris", "harris=result=response", 1e-5, 1, false},
    {"harris_box", "harris=result=response:radius=2:border=wrap:k=0.06", 1e-5, 1, false},
    {"noble", "noble=result=response", 1e-5, 1, false},
    {"shi_tomasi", "shi_tomasi=result=response", 2e-5, 1, false},
    {"corners", "shi_tomasi=quality=0.1:result=mask,dilate=1", 1, 1, false},
};

static const struct { int64_t width, height; } sizes[] = {{4, 4}, {7, 3}, {31, 17}, {64, 50}, {129, 65}, {300, 40}};

/* A graph with a filter that this build does not have is left out. */
static bool known(const char *text) {
    weft_graph *graph = NULL;
    weft_error error = {0};
    bool is =
        weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK || !strstr(error.message, "unknown filter");
    weft_graph_destroy(&graph);
    return is;
}

void try_graphs(struct harness *harness) {
    static const weft_type types[] = {WEFT_U8, WEFT_F32, WEFT_U16, WEFT_F16};
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        if (!harness_has_turn(harness, weft_filter_count() + (int64_t)i) ||
            (harness->filter && strcmp(harness->filter, graphs[i].name) != 0))
            continue;
        if (!known(graphs[i].text)) {
            printf("left out %s: %s\n", graphs[i].name, graphs[i].text);
            continue;
        }
        for (int64_t turn = 0; turn < harness->cases; turn++) {
            int64_t number = harness->widths ? widths_number(harness, graphs[i].name, turn) : turn;
            if (harness->only_case >= 0 && number != harness->only_case)
                continue;
            struct chance chance = chance_of(harness->seed, graphs[i].name, number);
            struct trial trial = {.name = graphs[i].name,
                                  .number = number,
                                  .inputs = graphs[i].inputs,
                                  .exact = graphs[i].exact,
                                  .tolerance = graphs[i].tolerance,
                                  .steady = 1e-5};
            int64_t size = chance_below(&chance, (int64_t)(sizeof sizes / sizeof *sizes));
            struct shape shape = {sizes[size].width, sizes[size].height, types[number % 4], 0};
            if (harness->widths)
                shape = widths_shape(harness, number);
            snprintf(trial.graph, sizeof trial.graph, "%s", graphs[i].text);
            for (int32_t k = 0; k < trial.inputs; k++) {
                int32_t drawn = 1 + (int32_t)chance_below(&chance, 4), channels = shape.channels ? shape.channels : drawn;
                weft_alpha alpha = channels % 2                 ? WEFT_ALPHA_NONE
                                   : chance_once_in(&chance, 2) ? WEFT_ALPHA_STRAIGHT
                                                                : WEFT_ALPHA_PREMULTIPLIED;
                trial.infos[k] = (weft_image_info){.width = shape.width,
                                                   .height = shape.height,
                                                   .format = {shape.type, channels},
                                                   .alpha = alpha};
                trial.contents[k] = draw_content(trial.tolerance, &chance);
            }
            trial.exact &= type_steps(trial.infos[0].format.type) > 0;
            if (!trial.exact && trial.tolerance == 0)
                trial.tolerance = 2e-6;
            harness_count(harness, trial_run(harness, &trial, &chance));
        }
    }
}
