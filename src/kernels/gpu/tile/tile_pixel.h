/* SPDX-License-Identifier: MIT
 * Pixels of the shared memory `tile`, planes of numbers `plane` apart; included where a kernel has declared it. What the
 * image has no channel for is not touched, and comes as 0. TILE_BITS and TILE_NUMBER: a number as it lies there, and back. */
#ifndef TILE_BITS
#define TILE_BITS(v) (v)
#define TILE_NUMBER(v) (v)
#endif

FN void tile_put(int at, int plane, int channels, vec4 v) {
    tile[at] = TILE_BITS(v.x);
    if (channels > 1)
        tile[at + plane] = TILE_BITS(v.y);
    if (channels > 2)
        tile[at + 2 * plane] = TILE_BITS(v.z);
    if (channels > 3)
        tile[at + 3 * plane] = TILE_BITS(v.w);
}

FN vec4 tile_pixel(int at, int plane, int channels) {
    vec4 v = rgba(TILE_NUMBER(tile[at]), 0.0f, 0.0f, 0.0f);
    if (channels > 1)
        v.y = TILE_NUMBER(tile[at + plane]);
    if (channels > 2)
        v.z = TILE_NUMBER(tile[at + 2 * plane]);
    if (channels > 3)
        v.w = TILE_NUMBER(tile[at + 3 * plane]);
    return v;
}
