/* SPDX-License-Identifier: MIT
 * Four pixels of bytes, of PLANES channels, side by side: words as stored, and words of one channel each. */
#ifndef KERNELS_GPU_CHANNELS_H
#define KERNELS_GPU_CHANNELS_H
#include "kernels/gpu/dialect/packed.h"

/* Turn the words of four pixels side by side, as stored, into one word for each channel, and back. */
FN void channels_apart(INOUT(uint) a, INOUT(uint) b, INOUT(uint) c, INOUT(uint) d) {
    if (PLANES == 4) {
        transpose_bytes(a, b, c, d);
    } else if (PLANES == 3) {
        uint first = a, second = b;
        a = pick_bytes(pick_bytes(first, second, 0x0630u), c, 0x5210u);
        b = pick_bytes(pick_bytes(first, second, 0x0741u), c, 0x6210u);
        c = pick_bytes(pick_bytes(first, second, 0x0052u), c, 0x7410u);
    }
}
FN void channels_together(INOUT(uint) a, INOUT(uint) b, INOUT(uint) c, INOUT(uint) d) {
    if (PLANES == 4) {
        transpose_bytes(a, b, c, d);
    } else if (PLANES == 3) {
        uint lower = pick_bytes(a, b, 0x5140u), upper = pick_bytes(a, b, 0x7362u);
        a = pick_bytes(lower, c, 0x2410u);
        b = pick_bytes(pick_bytes(lower, c, 0x0053u), upper, 0x5410u);
        c = pick_bytes(upper, c, 0x7326u);
    }
}

#endif
