/* SPDX-License-Identifier: MIT
 * What the keys by chroma share: how far a color is from the key, whatever its brightness. */
#ifndef FILTERS_KEY_CHROMA_H
#define FILTERS_KEY_CHROMA_H

/* 0 where the color is the key's, 1 where it is another, between them a soft edge. */
FN float chroma_unlike(vec4 c, vec4 key, float threshold, float smoothing) {
    float y = 0.2989f * (c.x - key.x) + 0.5866f * (c.y - key.y) + 0.1145f * (c.z - key.z);
    float cr = 0.7132f * (c.x - key.x - y), cb = 0.5647f * (c.z - key.z - y);
    return smoothstep(threshold, threshold + smoothing, sqrt(cr * cr + cb * cb));
}

#endif
