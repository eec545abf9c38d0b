/* SPDX-License-Identifier: MIT
 * Reconstruction by widest paths (Boruvka 1926). A path from the marker to a pixel is as wide as the least of the marker's value
 * where it begins and of the mask along it; the result is the width of the widest path. Components of pixels, at first single
 * pixels, find the widest edge that leaves them: to the marker, with the marker's value as its width, or to a neighbor, with the
 * smaller mask value. No pixel of the component has a wider path than that, and the component is joined with what the edge leads
 * to. A round at least halves the number of components that are not joined with the marker yet, so the number of rounds depends on
 * the image's size alone.
 *
 * A pixel's state is RECONSTRUCT_WORDS words, which lie `width` words apart in its row. Values are whole numbers in their order. */
#ifndef KERNELS_GPU_RECONSTRUCT_H
#define KERNELS_GPU_RECONSTRUCT_H

#define RECONSTRUCT_WORDS 7
#define STATE_MASK 0
#define STATE_MARKER 1
#define STATE_RESULT 2 /* the least of the widths so far */
#define STATE_LABEL 3  /* JOINED, or COMPONENT and where the component's first pixel has its state */
#define STATE_TARGET 4 /* of the first pixel: the least label behind the widest edges */
/* And their width; then the label that it gets. Rounds use this word and the next alternately; the other one is set to 0. */
#define STATE_WIDTH 5

#if defined(GLSL) || defined(__CUDACC__)
#include "kernels/gpu/global/global_launch.h"
#include "kernels/gpu/program/program.h"
#include "kernels/gpu/rank/sortable_keys.h"

#define JOINED 1u
#define COMPONENT 0x80000000u
#define NO_TARGET 0xffffffffu
#define LOWEST 0x007fffffu /* the key of what is below all numbers */

FN uint upward_key(float v, bool erosion) {
    uint key = key_of(v == 0.0f ? 0.0f : v);
    return is_nan(v) ? LOWEST : erosion ? ~key : key;
}
FN float value_of_upward(uint key, bool erosion) { return value_of(erosion ? ~key : key); }

/* A thread's pixel. */
struct spot {
    address state;
    int at, pitch, width, x, y, height, edge;
    bool inside, four;
};
LFN(spot, spot_of, int x, int y) {
    spot p;
    p.state = L.image[0].first;
    p.pitch = int(L.image[0].pitch / long_int(4));
    p.width = L.global.width;
    p.edge = STATE_WIDTH + L.global.odd_round;
    p.x = x;
    p.y = y;
    p.height = L.in_height;
    p.at = y * p.pitch + x;
    p.inside = x < p.width && y < L.to_y;
    p.four = read_u32(BLOCK_ADDRESS(L.block), 1) != 0u;
    return p;
}
FN uint state_of(spot p, int at, int word) { return read_changing_u32(p.state, at + word * p.width); }
FN void set_state(spot p, int word, uint v) { write_u32(p.state, p.at + word * p.width, v); }

/* The width of the edge to the neighbor, and its label; 0 where there is none or it is of the same component. */
FN uint edge_to(spot p, int dx, int dy, uint mask, uint own, INOUT(uint) label) {
    bool there = p.x + dx >= 0 && p.x + dx < p.width && p.y + dy >= 0 && p.y + dy < p.height && !(p.four && dx != 0 && dy != 0);
    int at = there ? p.at + dy * p.pitch + dx : p.at;
    label = state_of(p, at, STATE_LABEL);
    return label != own ? min(mask, state_of(p, at, STATE_MASK)) : 0u;
}
#endif

#endif
