/* SPDX-License-Identifier: MIT
 * A pixel of the coarser grid lies in the middle of four: the one at (i + 1/2) / 2 - 1/2 of the coarser grid is pixel i of the
 * finer one. Each gives its number to the coarse pixels that poisson_enlarge mixes it from, by their weights there: sums over
 * areas stay, and the coarser equation is that of a grid of twice the distance. An axis of one pixel counts it twice. */
#define NAME poisson_halve
#define SUMMARY "Sums over the pixels of a grid of half as many rows and columns"
#define STEP_OF "poisson_blend"
#define EXAMPLE "poisson_halve=0.5"
#define TOLERANCE 2e-5
#define ALPHA STRAIGHT
#define BORDERLESS
#define PARAMS FLOAT(scale, 1, 0, 1, "", "factor of the sums along each axis; 0.5 makes means of them")
#include "filter/resample.h"

#define TAPS 4

/* Of pixel i of `size` how much comes from coarse pixel j of `coarse`. */
static float weight_of(int64_t i, int64_t j, int64_t coarse) {
    int64_t near = i / 2, far = i % 2 ? near + 1 : near - 1;
    far = far < 0 ? 0 : far >= coarse ? coarse - 1 : far;
    return (near == j ? 0.75f : 0) + (far == j ? 0.25f : 0);
}

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    int64_t coarse = (size + 1) / 2, count = size < TAPS ? size : TAPS;
    float scale = ((const struct BLOCK *)block)->scale;
    (void)direction;
    weft_status status = weft_axis_allocate(coarse, count, table, error);
    for (int64_t j = 0; status == WEFT_OK && j < coarse; j++) {
        int64_t first = 2 * j - 1, last = size - count;
        table->first[j] = first = first < 0 ? 0 : first > last ? last : first;
        for (int64_t k = 0; k < count; k++)
            table->weight[j * count + k] = scale * (size == 1 ? 2 : weight_of(first + k, j, coarse));
    }
    return status;
}
