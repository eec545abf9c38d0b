/* SPDX-License-Identifier: MIT
 * .cube files: tables of one and three dimensions, in the forms that programs write them in; broken ones are refused with
 * the line's number; what is written comes back. WEFT_SEED=N changes the damage done to files. */
#include "file_fixture.h"

#define COLORS8 "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"

/* Reads text; true when it is an image of that size whose first numbers are these. */
static bool reads(const char *text, int64_t width, int64_t height, const float *numbers, int count) {
    const char *path = in_directory("table.cube");
    bool right;
    save(path, text, strlen(text));
    right = read_got(path, 0) == WEFT_OK;
    unlink(path);
    if (!right) {
        fprintf(stderr, "  %s\n", error.message);
        return false;
    }
    return got.info.width == width && got.info.height == height && got.info.format.type == WEFT_F32 &&
           got.info.format.channels == 3 && got.info.alpha == WEFT_ALPHA_NONE &&
           memcmp(got.pixels, numbers, (size_t)count * sizeof *numbers) == 0;
}

static void test_forms(void) {
    static const float plain[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    static const float ends[30] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, -1, 0, 0.5f, 2, 3, 4};
    static const float curves[15] = {0.5f, -1, 1e-5f, 0.25f, 2, 3, 1, 1, 1, -0.5f, -0.5f, -0.5f, 1.5f, 1.5f, 1.5f};
    char text[4096];
    CHECK(reads("LUT_3D_SIZE 2\n" COLORS8, 2, 4, plain, 24));
    CHECK(reads("\xef\xbb\xbfTITLE \"a # b\"\r\nLUT_3D_SIZE 2\r\nDOMAIN_MIN 0 0 0\r\nDOMAIN_MAX 1.0 1.0 1.0\r\n\r\n" COLORS8, 2,
                4, plain, 24));
    CHECK(reads("# Created by hand\n\n  LUT_3D_SIZE\t2  \nLUT_3D_INPUT_RANGE 0 1\n#\n" COLORS8 "\n# end\n  \n", 2, 4, plain, 24));
    CHECK(reads("DOMAIN_MAX 2 3 4\nDOMAIN_MIN -1 0 .5\nLUT_3D_SIZE 2\n" COLORS8, 2, 5, ends, 30));
    CHECK(reads("LUT_1D_SIZE 3\n.5 -1. 1e-5\n0.25 +2 3.0E0\n1 1 1", 3, 1, curves, 9));
    CHECK(reads("LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE -0.5 1.5\n.5 -1. 1e-5\n0.25 +2 3.0E0\n1 1 1", 3, 2, curves, 15));
    snprintf(text, sizeof text, "#%0*d\nLUT_3D_SIZE 2\n%s", 2000, 1, COLORS8);
    CHECK(reads(text, 2, 4, plain, 24));
}

static void test_refusals(void) {
    static const struct {
        const char *text, *message;
    } files[] = {{"LUT_3D_SIZE 1\n0 0 0\n", "line 1, 'LUT_3D_SIZE 1', is no size"},
                 {"LUT_3D_SIZE 257\n", "from 2 to 256"},
                 {"LUT_3D_SIZE 2.5\n", "is no size"},
                 {"LUT_3D_SIZE\n", "is no size"},
                 {"LUT_3D_SIZE 2 2\n", "is no size"},
                 {"LUT_3D_SIZE nan\n", "is no size"},
                 {"LUT_1D_SIZE 65537\n", "from 2 to 65536"},
                 {"LUT_1D_SIZE 1e30\n", "is no size"},
                 {"LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", "line 2, 'LUT_3D_SIZE 2', is a second size"},
                 {"# nothing\n", "no LUT_3D_SIZE"},
                 {"TITLE \"x\"\n0 0 0\n", "line 2, '0 0 0', comes before the size"},
                 {"LUT_3D_SIZE 2\nDOMAIN_MIN 0 0\n", "needs three numbers"},
                 {"LUT_3D_SIZE 2\nDOMAIN_MAX 1 0 1\n" COLORS8, "the domain of green"},
                 {"LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 1\n", "needs two numbers"},
                 {"LUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\n" COLORS8, "nor a keyword"},
                 {"LUT_3D_SIZE 2\n0 0 0\n", "truncated, 1 of 8 colors"},
                 {"LUT_3D_SIZE 2\n", "truncated, 0 of 8 colors"},
                 {"LUT_3D_SIZE 2\n0 0 0\n0 0\n", "line 3, '0 0', is no color"},
                 {"LUT_3D_SIZE 2\n0 0 0 0\n", "is no color"},
                 {"LUT_3D_SIZE 2\n0 0 inf\n", "is no color"},
                 {"LUT_3D_SIZE 2\n0 0 1e39\n", "is no color"},
                 {"LUT_3D_SIZE 2\n0 0 0\nTITLE \"late\"\n", "is no color"},
                 {"LUT_3D_SIZE 2\n" COLORS8 "1 1 1\n", "line 10, '1 1 1', follows the last color"},
                 {"LUT_3D_SIZE 256\n0 0 0\n", "truncated, 1 of 16777216 colors"}};
    static char longer[1024];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = in_directory("bad.cube");
        save(path, files[i].text, strlen(files[i].text));
        CHECK(read_got(path, 0) == WEFT_ERROR_FILE);
        if (!CHECK(strstr(error.message, files[i].message) && strstr(error.message, "bad.cube")))
            fprintf(stderr, "  %zu: %s\n", i, error.message);
        unlink(path);
    }
    memset(longer, '1', sizeof longer);
    memcpy(longer, "LUT_3D_SIZE 2\n", 14);
    save(in_directory("bad.cube"), longer, sizeof longer);
    CHECK(read_got(in_directory("bad.cube"), 0) == WEFT_ERROR_FILE && strstr(error.message, "too long"));
    CHECK(!strchr(error.message, '\n') && strlen(error.message) < 300);
    unlink(in_directory("bad.cube"));
}

static void test_writing(void) {
    static const float numbers[8][3] = {{0, 1, 0.1f}, {1e-9f, -3, 1e30f}, {0.333333343f, 1, 1}, {5, 5, 5},
                                        {0, 0, 0},    {0, 0, 1},         {0, 1, 1},            {1, 1, 1}};
    static const int64_t none[][2] = {{2, 2}, {1, 1}, {2, 5}, {257, 257 * 257}, {65537, 1}};
    weft_image_info wanted = INFO(2, 4, WEFT_U8, 4, WEFT_ALPHA_STRAIGHT), nearest;
    const char *path = in_directory("made.cube");
    float odd[3] = {0, 0, 0};
    CHECK(weft_writer_accepts(path, NULL, &wanted, &nearest, &error) == WEFT_OK);
    CHECK(nearest.format.type == WEFT_F32 && nearest.format.channels == 3 && nearest.alpha == WEFT_ALPHA_NONE);
    make_picture(nearest, 0, false);
    memcpy(made.pixels, numbers, sizeof numbers);
    CHECK(write_made(path, NULL) == WEFT_OK && read_got(path, 0) == WEFT_OK && same_picture(0));
    odd[0] = (float)1e39, odd[1] = -odd[0], odd[2] = odd[0] - odd[0];
    memcpy(made.pixels, odd, sizeof odd);
    CHECK(write_made(path, NULL) == WEFT_OK && read_got(path, 0) == WEFT_OK);
    memcpy(odd, got.pixels, sizeof odd);
    CHECK(odd[0] > 3.3e38f && odd[1] < -3.3e38f && odd[2] == 0);
    unlink(path);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        wanted.width = none[i][0], wanted.height = none[i][1];
        CHECK(weft_writer_accepts(path, NULL, &wanted, &nearest, &error) == WEFT_ERROR_FORMAT);
        CHECK(strstr(error.message, "n x n*n") != NULL);
    }
}

static void test_damage(void) {
    static const char text[] = "TITLE \"damage\"\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 2 1\nLUT_3D_SIZE 2\n" COLORS8;
    const char *path = in_directory("damaged.cube"), *given = getenv("WEFT_SEED");
    const uint32_t seed = given ? (uint32_t)strtoul(given, NULL, 10) : 20240607;
    uint32_t random = seed | 1;
    for (size_t length = 0; length + 2 < sizeof text - 1; length++) { /* the last blank may be missing */
        save(path, text, length);
        if (!CHECK(read_got(path, 0) == WEFT_ERROR_FILE && strlen(error.message) > 10))
            fprintf(stderr, "  cut to %zu bytes: %s\n", length, error.message);
    }
    for (int i = 0; i < 2000; i++) {
        char copy[sizeof text];
        weft_status status;
        memcpy(copy, text, sizeof text);
        for (int flips = 0; flips < 1 + i % 3; flips++) {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            copy[random / 8 % (sizeof text - 1)] ^= (char)(1 << random % 8);
        }
        save(path, copy, sizeof text - 1);
        status = read_got(path, 0);
        if (!CHECK(status == WEFT_OK || (error.status == status && strlen(error.message) > 10 && !strchr(error.message, '\n'))))
            fprintf(stderr, "  flip %d of seed %u: %s\n", i, seed, error.message);
    }
    unlink(path);
}

static void test_cube(void) {
    test_forms();
    test_refusals();
    test_writing();
    test_damage();
}

int main(void) { return run_in_directory("file_cube", test_cube); }
