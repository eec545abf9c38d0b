/* SPDX-License-Identifier: MIT
 * How resample_bytes.gpu reads: 8 rows of the input at a time are copied to the ring in shared memory. For that file, which defines
 * PLANES, WORDS, COPY and RING. */
#ifndef KERNELS_GPU_RESAMPLE_BYTES_READ_H
#define KERNELS_GPU_RESAMPLE_BYTES_READ_H

/* Where a thread reads: the first byte of its first pixels of a row, and the rows that there are. */
struct source {
    uint own; /* in the ring */
    int begin, first_row, least_row, most_row;
    bool aligned, inside;
};
/* Where in a row word w of those is. */
FN int word_from(int w) { return w / PLANES * RESAMPLE_BYTES_PART * PLANES + w % PLANES * 4; }
FN_FAR void read_singly(address from, uint own, int group, int begin, int bytes) {
    ROLLED for (int w = 0; w < WORDS; w++) {
        uint v = 0u;
        UNROLL for (int i = 0; i < 4; i++) /* beyond the last pixel weights are 0 */
            v |= read_u8(from, min(begin + word_from(w) + i, bytes - 1)) << (8 * i);
        ring[RING(own, group, w)] = v;
    }
}
FN_FAR void ask_for_some(address from, uint own, int group, int begin, int bytes) {
    UNROLL for (int w = 0; w < WORDS; w += COPY / 4) {
        int left = min(max(bytes - begin - word_from(w), 0), COPY);
        copy_some_ahead(ring[RING(own, group, w)], from + address(left > 0 ? begin + word_from(w) : 0), COPY, left);
    }
}
LFN(void, ask_group, int group, source s) {
    int row = min(max(s.first_row + 8 * group + (THREAD_X >> 2), s.least_row), s.most_row);
    address from = CALL(packed_input, row);
    if (s.inside) {
        UNROLL for (int w = 0; w < WORDS; w += COPY / 4)
            copy_near(ring[RING(s.own, group, w)], from + address(s.begin + word_from(w)), COPY);
    } else if (s.aligned) {
        ask_for_some(from, s.own, group, s.begin, PACKED_IN_BYTES);
    } else {
        read_singly(from, s.own, group, s.begin, PACKED_IN_BYTES);
    }
}

#endif
