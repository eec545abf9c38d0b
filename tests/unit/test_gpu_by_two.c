/* SPDX-License-Identifier: MIT
 * Images of 16 and 32 bits halved and doubled on GPUs, into the same type, against the reference: four methods, one and four
 * channels, rows that are a whole number of what threads read and rows that are not, narrower and wider than a block, and so wide
 * that on a device with few multiprocessors a block walks from the first row to the last.
 * test_gpu_by_two [DEVICE] */
#include <math.h>
#include "gpu_devices.h"
#include "run_graph.h"

static const struct { int width, height; } shapes[] = {{6, 10}, {64, 38}, {528, 70}, {2602, 18}, {2608, 16}, {12000, 10}};
static const char *const methods[] = {"bilinear", "bicubic", "lanczos3", "area"};
static const double scales[] = {0.5, 2};
static const int channels[] = {1, 4};
static const weft_type types[] = {WEFT_U16, WEFT_F16, WEFT_F32};
#define COUNT(list) (sizeof(list) / sizeof *(list))
union number {
    uint16_t u16;
    float f32;
};

/* Whole numbers of all sizes; half floats, and floats, of 0.125 to 1. */
static union number number_of(weft_type type, uint32_t *state) {
    *state = *state * 1664525 + 1013904223;
    if (type == WEFT_F32)
        return (union number){.f32 = (float)(0.125 + 0.875 * ldexp((double)(*state >> 8), -24))};
    return (union number){.u16 = (uint16_t)(type == WEFT_U16 ? *state >> 16 : 0x3000 + (*state >> 16) % 0xc00)};
}

/* How far numbers i are apart: in steps of 16 bits, those of half floats too, or as they are. */
static double apart(weft_type type, const void *a, const void *b, size_t i) {
    if (type == WEFT_F32)
        return fabs((double)((const float *)a)[i] - (double)((const float *)b)[i]);
    return abs(((const uint16_t *)a)[i] - ((const uint16_t *)b)[i]);
}

static void try_case(weft_device *device, weft_device *reference, double scale, const char *method, int planes, weft_type type,
                     int shape) {
    if (!has_turn())
        return;
    weft_image_info info = {.width = shapes[shape].width, .height = shapes[shape].height,
                            .format = {type, planes}, .alpha = WEFT_ALPHA_NONE};
    weft_image_info of_got = {0}, of_expected = {0};
    size_t count = (size_t)(info.width * info.height * planes), size = type == WEFT_F32 ? 4 : 2, wrong = 0;
    unsigned char *pixels = malloc(count * size);
    uint32_t state = 11;
    char text[60];
    for (size_t i = 0; pixels && i < count; i++) {
        union number number = number_of(type, &state);
        memcpy(pixels + i * size, &number, size);
    }
    snprintf(text, sizeof text, "resize=scale=%g:method=%s", scale, method);
    void *got = pixels ? run_graph(device, text, &info, (void *[]){pixels}, 1, type, &of_got) : NULL;
    void *expected = pixels ? run_graph(reference, text, &info, (void *[]){pixels}, 1, type, &of_expected) : NULL;
    size_t results = (size_t)(of_got.width * of_got.height * of_got.format.channels);
    CHECK((double)of_got.width == scale * (double)info.width && (double)of_got.height == scale * (double)info.height &&
          of_got.format.channels == planes);
    for (size_t i = 0; got && expected && i < results; i++)
        if (!(apart(type, got, expected, i) <= (type == WEFT_F32 ? 4e-6 : 1)) && wrong++ == 0)
            fprintf(stderr, "%s, type %d, channels %d, %dx%d: wrong at %zu\n", text, (int)type, planes, shapes[shape].width,
                    shapes[shape].height, i);
    CHECK(got && expected && wrong == 0);
    free(pixels);
    free(got);
    free(expected);
}

static void try_gpu(weft_device *device, const char *name) {
    weft_device *reference = NULL;
    weft_error error = {0};
    bool software = is_software(device); /* compiles long for each type and method */
    (void)name;
    if (!CHECK(weft_device_open("reference", NULL, &reference, &error) == WEFT_OK))
        return;
    for (size_t m = 0; m < COUNT(scales) * COUNT(methods); m++)
        for (size_t c = 0; c < COUNT(channels); c++)
            for (size_t t = 0; t < COUNT(types); t++)
                for (size_t s = 0; s < COUNT(shapes) && (!software || (m + c + t) % 3 == 0); s++)
                    try_case(device, reference, scales[m / COUNT(methods)], methods[m % COUNT(methods)], channels[c], types[t],
                             (int)s);
    weft_device_close(&reference);
}

int main(int argc, char **argv) { return check_gpus("test_gpu_by_two", argc, argv, try_gpu); }
