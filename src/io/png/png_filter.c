/* SPDX-License-Identifier: MIT
 * The sum of what is left, as numbers of either sign, tells of each filter how well a row will be compressed. Loops are
 * written for vectors of bytes. */
#include "io/png/png_filter.h"
#include <stdint.h>
#include <string.h>

enum { PART = 4096, FILTERS = 5 }; /* so many bytes are summed in 32 bits */

static void subtract(const unsigned char *restrict row, const unsigned char *restrict from, size_t size,
                     unsigned char *restrict target) {
    for (size_t i = 0; i < size; i++)
        target[i] = (unsigned char)(row[i] - from[i]);
}

static void subtract_mean(const unsigned char *restrict row, const unsigned char *restrict left,
                          const unsigned char *restrict above, size_t size, unsigned char *restrict target) {
    for (size_t i = 0; i < size; i++)
        target[i] = (unsigned char)(row[i] - ((left[i] + above[i]) >> 1));
}

/* The Paeth filter: subtracts the one of left, above and corner (above left) that is nearest to left + above - corner; the
 * first of them where several are equally near. */
static void subtract_nearest(const unsigned char *restrict row, const unsigned char *restrict left,
                             const unsigned char *restrict above, const unsigned char *restrict corner, size_t size,
                             unsigned char *restrict target) {
    for (size_t i = 0; i < size; i++) {
        const int16_t a = left[i], b = above[i], c = corner[i];
        const int16_t by_a = (int16_t)(b - c), by_b = (int16_t)(a - c), by_c = (int16_t)(by_a + by_b);
        const int16_t far_a = by_a < 0 ? (int16_t)-by_a : by_a, far_b = by_b < 0 ? (int16_t)-by_b : by_b;
        const int16_t far_c = by_c < 0 ? (int16_t)-by_c : by_c;
        const int16_t other = far_b <= far_c ? b : c;
        const int16_t near_other = far_b <= far_c ? far_b : far_c;
        target[i] = (unsigned char)(row[i] - (far_a <= near_other ? a : other));
    }
}

static uint64_t rest(const unsigned char *bytes, size_t size) {
    uint64_t sum = 0;
    for (size_t done = 0; done < size; done += PART) {
        const size_t part = size - done < PART ? size - done : PART;
        uint32_t some = 0;
        for (size_t i = 0; i < part; i++) {
            const unsigned char byte = bytes[done + i], back = (unsigned char)-byte;
            some += byte < back ? byte : back;
        }
        sum += some;
    }
    return sum;
}

void weft_png_filter(const unsigned char *row, const unsigned char *above, size_t size, size_t step,
                     unsigned char *work, unsigned char *target) {
    const unsigned char *made[FILTERS] = {row, work, work + size, work + 2 * size, work + 3 * size};
    const unsigned char *left = row - step, *corner = above - step;
    uint64_t least = UINT64_MAX;
    int best = 0;
    subtract(row, left, size, work);
    subtract(row, above, size, work + size);
    subtract_mean(row, left, above, size, work + 2 * size);
    subtract_nearest(row, left, above, corner, size, work + 3 * size);
    for (int i = 0; i < FILTERS; i++) {
        const uint64_t sum = rest(made[i], size);
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    target[0] = (unsigned char)best;
    memcpy(target + 1, made[best], size);
}
