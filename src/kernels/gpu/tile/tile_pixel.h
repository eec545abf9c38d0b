/* SPDX-License-Identifier: MIT
 * Pixels of the shared memory `tile`, planes of numbers `plane` apart; included where a kernel has declared it. What the
 * image has no channel for is not touched, and comes as 0. */

FN void tile_put(int at, int plane, int channels, vec4 v) {
    tile[at] = v.x;
    if (channels > 1)
        tile[at + plane] = v.y;
    if (channels > 2)
        tile[at + 2 * plane] = v.z;
    if (channels > 3)
        tile[at + 3 * plane] = v.w;
}

FN vec4 tile_pixel(int at, int plane, int channels) {
    vec4 v = rgba(tile[at], 0.0f, 0.0f, 0.0f);
    if (channels > 1)
        v.y = tile[at + plane];
    if (channels > 2)
        v.z = tile[at + 2 * plane];
    if (channels > 3)
        v.w = tile[at + 3 * plane];
    return v;
}
