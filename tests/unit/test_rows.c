/* SPDX-License-Identifier: MIT
 * Two older programs' definitions, written out as loops: the average of the N x N patch over the pixels inside,
 * truncated (8 bits), and the separable convolution with a flipped kernel of any odd length (f32; outside 0, or the
 * nearest pixel). And two promises about color: transparent pixels do not bleed, and light is averaged as light. */
#include <math.h>
#include "run_graph.h"

enum { MOST = 64 * 40 };
static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {5, 3}, {16, 16}, {33, 31}, {64, 40}, {61, 17}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static unsigned char noise(int i) { return (unsigned char)((unsigned)(i + 1) * 2654435761u >> 24); }

static void patch_averages(weft_device *device) {
    static const int radii[] = {0, 1, 2, 3, 7, 20};
    static unsigned char in[MOST];
    for (int i = 0; i < MOST; i++)
        in[i] = noise(i);
    for (int s = 0; s < SIZES; s++)
        for (size_t r = 0; r < sizeof radii / sizeof *radii; r++)
            for (int down = 0; down < 2; down++) {
                int width = sizes[s][0], height = sizes[s][1], radius = radii[r], wrong = 0;
                char text[96];
                snprintf(text, sizeof text, "box=radius=%d:border=shrink:rounding=%s", radius,
                         down ? "down" : "nearest");
                unsigned char *out = run_bytes(device, text, width, height, in);
                for (int y = 0; y < height && out; y++)
                    for (int x = 0; x < width; x++) {
                        int sum = 0, count = 0;
                        for (int v = y - radius; v <= y + radius; v++)
                            for (int u = x - radius; u <= x + radius; u++)
                                if (u >= 0 && v >= 0 && u < width && v < height)
                                    sum += in[v * width + u], count++;
                        wrong += out[y * width + x] != (down ? sum / count : (2 * sum + count) / (2 * count));
                    }
                if (!CHECK(wrong == 0))
                    fprintf(stderr, "%s of %dx%d: %d wrong pixels\n", text, width, height, wrong);
                free(out);
            }
}

static double at(const float *in, int width, int height, int x, int y, bool replicate) {
    bool inside = x >= 0 && y >= 0 && x < width && y < height;
    if (!inside && !replicate)
        return 0;
    x = x < 0 ? 0 : x >= width ? width - 1 : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    return (double)in[y * width + x];
}

static int print_kernel(char *text, size_t size, const double *kernel, int radius) {
    int length = 0;
    for (int k = 0; k <= 2 * radius; k++)
        length += snprintf(text + length, size - (size_t)length, "%s%.17g", k ? "|" : "", kernel[k]);
    return length;
}

static void convolutions(weft_device *device) {
    static const int radii[][2] = {{8, 8}, {1, 0}, {0, 3}, {4, 13}};
    static float in[MOST];
    for (int i = 0; i < MOST; i++)
        in[i] = noise(i) / 255.0f;
    for (int s = 0; s < SIZES; s++)
        for (size_t r = 0; r < sizeof radii / sizeof *radii; r++)
            for (int how = 0; how < 4; how++) {
                bool replicate = how & 1, flipped = how & 2;
                int width = sizes[s][0], height = sizes[s][1], rx = radii[r][0], ry = radii[r][1];
                double row[32], column[32], worst = 0;
                char text[2048];
                for (int k = 0; k < 32; k++) {
                    row[k] = (noise(1000 + k) - 100) / 1000.0;
                    column[k] = (noise(2000 + k) - 90) / 1000.0;
                }
                int length = snprintf(text, sizeof text,
                                      "%s=border=%s:row=", flipped ? "convolve_separable" : "correlate_separable",
                                      replicate ? "replicate" : "constant");
                length += print_kernel(text + length, sizeof text - (size_t)length, row, rx);
                length += snprintf(text + length, sizeof text - (size_t)length, ":column=");
                print_kernel(text + length, sizeof text - (size_t)length, column, ry);
                float *out = run_floats(device, text, width, height, 1, in);
                for (int y = 0; y < height && out; y++)
                    for (int x = 0; x < width; x++) {
                        double sum = 0;
                        for (int v = -ry; v <= ry; v++)
                            for (int u = -rx; u <= rx; u++)
                                sum += row[flipped ? rx - u : rx + u] * column[flipped ? ry - v : ry + v] *
                                       at(in, width, height, x + u, y + v, replicate);
                        worst = fmax(worst, fabs(sum - (double)out[y * width + x]));
                    }
                if (!CHECK(worst < 2e-6))
                    fprintf(stderr, "%.60s... of %dx%d: off by %g\n", text, width, height, worst);
                free(out);
            }
}

/* Half of what is around is transparent green, which must not show. */
static void transparency(weft_device *device) {
    static const float in[4 * 4] = {1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0};
    static const char *const filters[] = {"box=1:border=wrap", "gaussian=1", "resize=2:1:method=area",
                                          "bilateral=2:10"};
    for (int f = 0; f < 4; f++) {
        float *out = run_floats(device, filters[f], 4, 1, 4, in);
        if (out && !CHECK(fabsf(out[4] - 1) < 1e-5f && fabsf(out[5]) < 1e-5f && out[7] > 0.2f && out[7] < 0.8f))
            fprintf(stderr, "%s: %g %g %g %g\n", filters[f], out[4], out[5], out[6], out[7]);
        free(out);
    }
}

/* The mean of black and white is 1/2 as light, which is stored as 0.7354; as stored values it is 1/2. */
static void light(weft_device *device) {
    static const unsigned char in[2] = {0, 255};
    unsigned char *out = run_bytes(device, "resize=1:1:method=area:space=linear", 2, 1, in);
    CHECK(out && out[0] == 188);
    free(out);
    out = run_bytes(device, "resize=1:1:method=area", 2, 1, in);
    CHECK(out && out[0] == 128);
    free(out);
    out = run_bytes(device, "exposure=1:space=linear", 2, 1, (const unsigned char[]){60, 188});
    CHECK(out && out[0] == 85 && out[1] == 255);
    free(out);
}

static void test(weft_device *device) {
    patch_averages(device);
    convolutions(device);
    transparency(device);
    light(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("rows");
}
