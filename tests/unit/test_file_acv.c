/* SPDX-License-Identifier: MIT
 * .acv files: curves as SciPy's CubicSpline of bc_type='natural' has them; broken ones are refused. WEFT_SEED=N changes the damage
 * done to files. */
#include <math.h>
#include "file_fixture.h"

#define PATH "look.acv"
#define NUMBERS 64

/* Saves numbers of 16 bits, the higher byte first, and reads the file. */
static weft_status reads(const int *numbers, size_t count, size_t bytes) {
    unsigned char file[2 * NUMBERS];
    const char *path = in_directory(PATH);
    for (size_t i = 0; i < count; i++)
        file[2 * i] = (unsigned char)(numbers[i] >> 8), file[2 * i + 1] = (unsigned char)numbers[i];
    save(path, file, bytes);
    weft_status status = read_got(path, 0);
    unlink(path);
    return status;
}

/* Color k at 0 to 255. */
static double got_at(double x, int k) {
    float value;
    memcpy(&value, (const unsigned char *)got.pixels + ((size_t)(16 * x) * 3 + (size_t)k) * sizeof value, sizeof value);
    return (double)value * 255;
}

static const int whole[] = {4, 5,  4, 0,  0,   38, 64,  217, 191, 255, 255,      /* all */
                            3, 20, 10, 30, 100, 250, 200,                        /* red */
                            2, 0,  0, 255, 255, 2,  255, 0,   0,   255, 2, 0, 0}; /* green, blue, and half of a fifth */
#define COUNT (sizeof whole / sizeof *whole)

static void test_curves(void) {
    static const struct {
        double x, y;
        int color;
    } known[] = {{0, 0, 1},
                 {16, 6.429133858267715, 1},
                 {32, 14.086614173228345, 1},
                 {100.5, 84.95203999783, 1},
                 {128, 128.30628061256124, 1},
                 {224, 241.45120647760825, 1},
                 {255, 255, 1},
                 {50, 3.3630096912390592, 0},
                 {150, 114.4424302496563, 0},
                 {3, 8.180364173228345, 0}, /* before the first point and behind the last */
                 {230, 253.04862435408464, 0},
                 {223, 14.086614173228345, 2}};
    if (!CHECK(reads(whole, COUNT, 2 * COUNT) == WEFT_OK))
        return;
    CHECK(got.info.width == 4081 && got.info.height == 1 && got.info.format.type == WEFT_F32 && got.info.format.channels == 3);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!CHECK(fabs(got_at(known[i].x, known[i].color) - known[i].y) < 1e-4))
            fprintf(stderr, "  color %d at %g is %.8g, not %.8g\n", known[i].color, known[i].x,
                    got_at(known[i].x, known[i].color), known[i].y);
    static const int one[] = {1, 1, 2, 255, 0, 0, 255};
    CHECK(reads(one, 7, 14) == WEFT_OK && fabs(got_at(100, 0) - 155) < 1e-4 && fabs(got_at(0, 2) - 255) < 1e-4);
}

static void test_refusals(void) {
    static const struct {
        int numbers[9];
        size_t bytes;
        const char *message;
    } files[] = {{{4, 2, 2, 0, 0, 255, 255, 1}, 16, "curve 2 has 1 points; there are 2 to 19"},
                 {{4, 2, 2, 0, 0, 255, 255, 20}, 16, "curve 2 has 20 points"},
                 {{4, 1, 2, 0, 0, 255, 256}, 14, "point 2 of curve 1 is 256,255; both lie between 0 and 255"},
                 {{4, 1, 2, 0, 0, 300, 255}, 14, "point 2 of curve 1 is 255,300"},
                 {{4, 1, 2, 0, 100, 255, 100}, 14, "point 2 of curve 1 at 100 does not follow that at 100"},
                 {{4, 1, 3, 0, 0, 255, 255}, 14, "truncated"},
                 {{4, 2, 2, 0, 0, 255, 255}, 14, "truncated"},
                 {{4, 1, 3, 0, 0, 255, 255, 1}, 15, "truncated"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!CHECK(reads(files[i].numbers, 9, files[i].bytes) == WEFT_ERROR_FILE && strstr(error.message, files[i].message) &&
                   strstr(error.message, PATH)))
            fprintf(stderr, "  file %zu: %s\n", i, error.message);
}

static void test_damage(void) {
    const char *given = getenv("WEFT_SEED");
    const uint32_t seed = given ? (uint32_t)strtoul(given, NULL, 10) : 20240607;
    uint32_t random = seed | 1;
    for (size_t length = 0; length < 2 * COUNT - 6; length++) /* the fifth curve is not read */
        if (!CHECK(reads(whole, COUNT, length) == WEFT_ERROR_FILE && strlen(error.message) > 8))
            fprintf(stderr, "  cut to %zu bytes: %s\n", length, error.message);
    for (int i = 0; i < 2000; i++) {
        int copy[COUNT];
        memcpy(copy, whole, sizeof whole);
        for (int flips = 0; flips < 1 + i % 3; flips++) {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            copy[random / 16 % COUNT] ^= 1 << random % 16;
        }
        weft_status status = reads(copy, COUNT, 2 * COUNT);
        bool sound = status == WEFT_OK || (error.status == status && strlen(error.message) > 8 && !strchr(error.message, '\n'));
        for (size_t x = 0; sound && status == WEFT_OK && x < 3 * 4081; x++)
            sound = ((const float *)(const void *)got.pixels)[x] >= 0 && ((const float *)(const void *)got.pixels)[x] <= 1;
        if (!CHECK(sound))
            fprintf(stderr, "  flip %d of seed %u: %s\n", i, seed, error.message);
    }
}

static void test_acv(void) {
    test_curves();
    test_refusals();
    test_damage();
}

int main(void) { return run_in_directory("file_acv", test_acv); }
