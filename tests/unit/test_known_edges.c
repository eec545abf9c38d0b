/* SPDX-License-Identifier: MIT
 * Known answers of canny and hysteresis: lines that are connected however they wind, and edges worked out by hand.
 * test_known_edges [DEVICE] */
#include "run_graph.h"

enum { SIDE = 301 };

/* One line of grey from the corner to the middle, its turns 3 pixels apart; *first and *last are its ends. */
static void draw_spiral(unsigned char *image, int64_t *first, int64_t *last) {
    static const int step[4] = {1, SIDE, -1, -SIDE};
    int64_t at = 0, length = SIDE - 1;
    memset(image, 0, (size_t)SIDE * SIDE);
    *first = 0;
    for (int turn = 0; length > 0;) {
        for (int64_t i = 0; i < length; i++, at += step[turn % 4])
            image[*last = at] = 128;
        turn++;
        length -= turn > 2 && turn % 2 ? 3 : 0;
    }
}

/* Bright pixels at one end, at the other, in the middle of the way, and nowhere. */
static void spirals(weft_device *device) {
    static unsigned char image[SIDE * SIDE];
    for (int i = 0; i < 4; i++)
        for (int four = 0; four < 2; four++) {
            int64_t first, last, wrong = 0;
            draw_spiral(image, &first, &last);
            if (i < 3)
                image[i == 0 ? first : i == 1 ? last : 3 * SIDE + 20] = 255;
            unsigned char *out = run_bytes(device, four ? "hysteresis=0.3:0.7:neighbors=4" : "hysteresis=0.3:0.7", SIDE,
                                           SIDE, image);
            for (int64_t k = 0; out && k < SIDE * SIDE; k++)
                wrong += out[k] != (i < 3 && image[k] ? 255 : 0);
            CHECK(out && wrong == 0);
            free(out);
        }
}

/* Pixels that touch at corners alone are connected to 8 neighbors, not to 4. */
static void diagonals(weft_device *device) {
    static unsigned char image[SIDE * SIDE];
    memset(image, 0, sizeof image);
    for (int64_t i = 0; i < SIDE; i++)
        image[i * SIDE + (SIDE - 1 - i)] = i == SIDE / 2 ? 255 : 100;
    for (int four = 0; four < 2; four++) {
        unsigned char *out =
            run_bytes(device, four ? "hysteresis=0.3:0.7:4" : "hysteresis=0.3:0.7", SIDE, SIDE, image);
        int64_t white = 0;
        for (int64_t k = 0; out && k < SIDE * SIDE; k++)
            white += out[k] == 255;
        CHECK(white == (four ? 1 : SIDE));
        free(out);
    }
}

/* A step from 0 to 100 between columns 2 and 3: the gradient is 400 in both, and one of the two is kept, the left one. A
 * step is an edge by itself only above `high`. */
static void steps(weft_device *device) {
    static const struct {
        const char *text;
        int white;
    } cases[] = {
        {"canny=100:399:sigma=0:unit=levels", 1},
        {"canny=100:400:sigma=0:unit=levels", 0},
        {"canny=100:399:sigma=0:unit=levels:norm=l2", 1},
        {"canny=100:400:sigma=0:unit=levels:norm=l2", 0},
        {"canny=399:100:sigma=0:unit=levels", 1},
        {"canny=0.5:1.568:sigma=0", 1}, /* 400 / 255 is 1.5686 */
        {"canny=0.5:1.569:sigma=0", 0},
        {"canny=100:4799:sigma=0:unit=levels:aperture=5", 1}, /* 16 across, 3 along */
        {"canny=100:4800:sigma=0:unit=levels:aperture=5", 0},
        {"canny=100:63999:sigma=0:unit=levels:aperture=7", 1}, /* 64 across, 10 along */
        {"canny=100:64000:sigma=0:unit=levels:aperture=7", 0},
    };
    unsigned char image[6 * 9];
    for (int i = 0; i < 6 * 9; i++)
        image[i] = i % 6 < 3 ? 0 : 100;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char *out = run_bytes(device, cases[i].text, 6, 9, image);
        int wrong = 0;
        for (int k = 0; out && k < 6 * 9; k++)
            wrong += out[k] != (cases[i].white && k % 6 == 2 ? 255 : 0);
        if (!CHECK(out && wrong == 0))
            fprintf(stderr, "%s: %d pixels\n", cases[i].text, wrong);
        free(out);
    }
}

static void test(weft_device *device) {
    spirals(device);
    diagonals(device);
    steps(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test);
    return check_done("known edges");
}
