/* SPDX-License-Identifier: MIT
 * How convolve_cooperative.gpu reads: the values of a step come from the image or from between the axes to the ring in shared
 * memory, as half floats. For that file, which defines FROM, DOWN, CHANNELS, REACH, STEP, WARPS, PARTS, ONE, MIDDLE and RING_AT. */
#ifndef KERNELS_GPU_CONVOLVE_COOPERATIVE_READ_H
#define KERNELS_GPU_CONVOLVE_COOPERATIVE_READ_H

/* Down columns a thread has half a unit of a row, along rows two pixels of four channels or eight of one. */
#define THREAD (THREAD_Y * 32 + THREAD_X)
#define READ_ROW (CHANNELS == 1 && !DOWN ? THREAD / 2 : THREAD / 8)
#define READ_FIRST (CHANNELS == 1 ? THREAD % 2 * 8 : THREAD % 8 * 2)
#define READ_UNIT (THREAD % 8 / 2)
#define READ_HALF (THREAD % 2)

address unit_at(int image, int row, int unit, int parts) {
    return row_of(L.image[image].first, L.image[image].pitch, row) + address(unit * parts * UNIT_BYTES);
}
int row_there(int y) {
    return border_place(least(most(y, L.from_y - L.radius_y), L.to_y - 1 + L.radius_y), L.in_height, border_known);
}
eight_raw read_down(int place_there) {
    int row = row_there(place_there + READ_ROW), units = L.in_width / 16 * CHANNELS;
    eight_raw raw;
    float outside = L.border_value * ONE - MIDDLE;
    uint upper = PARTS == 2 ? halves_above(outside, outside) : halves_of(outside, outside);
    uint left = halves_left(outside, outside);
    raw.a = words(upper, upper, upper, upper);
    raw.b = words(left, left, left, left);
    if (row >= 0) {
        address at = unit_at(0, row, least(BLOCK_X * WARPS + READ_UNIT, units - 1), PARTS) + address(READ_HALF * 16);
        raw.a = read_u32x4(at, 0);
        if (PARTS == 2)
            raw.b = read_u32x4(at, UNIT_BYTES / 16);
    }
    return raw;
}
eight_raw read_along(int place_there, int rows) {
    int row = least(most(rows + READ_ROW, L.from_y), L.to_y - 1); /* others need not be there */
    address first = L.image[0].first, at = row_of(first, L.image[0].pitch, row);
    eight_raw raw;
    raw.a = raw.b = words(0u, 0u, 0u, 0u);
    if (place_there >= 0 && place_there + STEP <= L.in_width && lies_on(first, L.image[0].pitch, 16)) {
        int i = (place_there + READ_FIRST) * CHANNELS / 8;
        if (NUMBER_BYTES == 1)
            raw.a = read_u32x2(at, i);
        else
            raw.a = read_u32x4(at, i);
        return raw;
    }
    uint outside = bits_of_number(border_known == BORDER_CONSTANT ? L.border_value : 0.0f, FROM);
    UNROLL for (int i = 0; i < 8; i++) {
        int column = border_place(least(place_there + READ_FIRST + i / CHANNELS, L.in_width + REACH), L.in_width, border_known);
        uint bits = column >= 0 ? read_bits(at, column * CHANNELS + i % CHANNELS, FROM) : outside;
        if (NUMBER_BYTES == 1)
            raw.a[i / 4] |= bits << 8 * (i % 4);
        else
            raw.a[i / 2] |= bits << 16 * (i % 2);
    }
    return raw;
}
/* Two numbers of a step as words of matrices. */
void put_two(int at, int word, uint a, uint b) {
    if (FROM == TYPE_F16) {
        ring[at][word] = a | b << 16;
    } else if (FROM == TYPE_U8) {
        ring[at][word] = halves_of(to_float(int(a)) - MIDDLE, to_float(int(b)) - MIDDLE);
    } else {
        float x = to_float(int(a)) * (1.0f / 256.0f) - MIDDLE, y = to_float(int(b)) * (1.0f / 256.0f) - MIDDLE;
        ring[at][word] = halves_above(x, y);
        ring[at + LINES_OF_PART][word] = halves_left(x, y);
    }
}
uint number_of_raw(eight_raw raw, int i) {
    return NUMBER_BYTES == 1 ? raw.a[i / 4] >> 8 * (i % 4) & 255u : raw.a[i / 2] >> 16 * (i % 2) & 65535u;
}
void put_step(eight_raw raw, int stage) {
    if (DOWN) {
        int at = RING_AT(stage, 0, READ_UNIT, READ_ROW) + READ_HALF;
        ring[at] = raw.a;
        if (PARTS == 2)
            ring[at + LINES_OF_PART] = raw.b;
    } else if (CHANNELS == 1) {
        UNROLL for (int i = 0; i < 8; i += 2)
            put_two(RING_AT(stage, 0, READ_ROW / 16, READ_ROW % 16) + READ_HALF, i / 2, number_of_raw(raw, i),
                    number_of_raw(raw, i + 1));
    } else {
        UNROLL for (int c = 0; c < 4; c++)
            put_two(RING_AT(stage, 0, c, READ_ROW) + THREAD % 8 / 4, THREAD % 4, number_of_raw(raw, c),
                    number_of_raw(raw, c + 4));
    }
}

#endif
