/* SPDX-License-Identifier: MIT
 * Labels of pixels, for global filters. A label is CONNECTED, NOT_CONNECTED, or LABEL plus the place of a pixel of the same
 * component, in elements of the image of labels, that does not come after this one; the first one has its own. Seeds are CONNECTED
 * from the beginning, which is smaller than all places, and labels only ever become smaller: components that touch take the smaller
 * label, so that all of a component with a seed becomes CONNECTED. No thread waits for another. */
#ifndef KERNELS_GPU_CONNECT_H
#define KERNELS_GPU_CONNECT_H
#include "kernels/gpu/program/program.h"

#define NOT_CONNECTED 0u
#define CONNECTED 1u
#define LABEL 0x80000000u

/* The root of a label: CONNECTED, or the first known place of the component. */
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
