/* SPDX-License-Identifier: MIT
 * Labels of pixels, for global filters. A label is CONNECTED, NOT_CONNECTED, or LABEL plus the place of a pixel of the same
 * component, in elements of the image of labels, that does not come after this one; the first one has its own. Seeds are
 * CONNECTED from the beginning, which is smaller than all places, and labels only ever become smaller: components that meet
 * take the smaller label, so one with a seed becomes CONNECTED whole. No thread waits for another. */
#ifndef KERNELS_GPU_CONNECT_H
#define KERNELS_GPU_CONNECT_H
#include "kernels/gpu/program/program.h"

#define NOT_CONNECTED 0u
#define CONNECTED 1u
#define LABEL 0x80000000u

/* What a label leads to: CONNECTED, or the first place of a component as far as it is known. */
FN uint label_of(address labels, uint label) {
    bool more = label >= LABEL;
    while (more) {
        uint next = read_changing_u32(labels, int(label - LABEL));
        more = next != label && next >= LABEL;
        label = next;
    }
    return label;
}

#endif
