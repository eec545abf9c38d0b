/* SPDX-License-Identifier: MIT
 * wrap_buffer: filters a part of a picture that lies in the program's own memory, where it lies: rows with padding, four
 * channels with alpha, a rectangle of it in and a rectangle of another buffer out. Prints a pixel before and after. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft/weft.h"

enum { WIDTH = 300, HEIGHT = 200, STRIDE = 1280 /* bytes: 320 pixels, of which the last 20 are none */ };

/* What a program may have drawn: a red square in the middle of nothing. */
static void draw(uint8_t *pixels) {
    for (int y = 75; y < 125; y++)
        for (int x = 125; x < 175; x++)
            memcpy(pixels + y * STRIDE + 4 * x, (const uint8_t[]){200, 0, 0, 255}, 4);
}

static void show(const char *when, const uint8_t *pixel) {
    printf("%s: red %d green %d blue %d alpha %d\n", when, pixel[0], pixel[1], pixel[2], pixel[3]);
}

int main(void) {
    const char *text = "gaussian=6";
    weft_graph *graph = NULL;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_error error = {.message = "there is not enough memory"};
    uint8_t *canvas = calloc(HEIGHT, STRIDE), *result = calloc(HEIGHT, STRIDE);

    /* The whole buffer as an image, which owns nothing; and the part of it that is to be filtered. */
    weft_image whole = {.info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT},
                        .data = canvas,
                        .stride = STRIDE};
    weft_image target = whole, from, to;
    target.data = result;
    bool done = canvas && result && weft_image_region(&whole, 100, 50, 100, 100, &from, &error) == WEFT_OK &&
                weft_image_region(&target, 100, 50, 100, 100, &to, &error) == WEFT_OK;
    weft_plan_options options = {.inputs = &from.info, .input_count = 1};
    weft_run run = {.inputs = &(weft_run_input){.image = done ? from : whole},
                    .input_count = 1,
                    .outputs = &(weft_run_output){.image = done ? to : target},
                    .output_count = 1};
    if (done) {
        draw(canvas);
        done = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
               weft_device_open("auto", NULL, &device, &error) == WEFT_OK &&
               weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
               weft_plan_run(plan, &run, &error) == WEFT_OK;
    }
    if (done) {
        show("before, at the square's edge", canvas + 100 * STRIDE + 4 * 124);
        show("after", result + 100 * STRIDE + 4 * 124);
        show("outside of the part", result + 10 * STRIDE + 4 * 10);
    } else {
        fprintf(stderr, "wrap_buffer: %s\n", error.message);
    }
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    weft_graph_destroy(&graph);
    free(canvas);
    free(result);
    return done ? 0 : 1;
}
