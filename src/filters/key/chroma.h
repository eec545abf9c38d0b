/* SPDX-License-Identifier: MIT
 * What the keys by chroma share: how far a color is from the key, whatever its brightness. Chroma is Cr and Cb of BT.601,
 * x and y of a pair. */
#ifndef FILTERS_KEY_CHROMA_H
#define FILTERS_KEY_CHROMA_H

FN float chroma_luma(vec4 c) { return 0.2989f * c.x + 0.5866f * c.y + 0.1145f * c.z; }
FN vec2 chroma_of(vec4 c) {
    float y = chroma_luma(c);
    return xy(0.7132f * (c.x - y), 0.5647f * (c.z - y));
}
/* The distance is computed from differences of components, so that a color equal to the key has distance 0 exactly. */
FN float chroma_apart(vec4 c, vec4 key) {
    vec2 v = chroma_of(rgba(c.x - key.x, c.y - key.y, c.z - key.z, 0.0f));
    return sqrt(v.x * v.x + v.y * v.y);
}

/* 0 where the color is the key's, 1 where it is another, between them a soft edge. */
FN float chroma_unlike(vec4 c, vec4 key, float similarity, float smoothing) {
    return smoothstep(similarity, similarity + smoothing, chroma_apart(c, key));
}

/* The color with some of what its chroma has of the key's taken out; its luma stays, and grays do. */
FN vec4 chroma_without(vec4 c, vec4 key, float share) {
    vec2 v = chroma_of(c), u = chroma_of(key);
    float square = u.x * u.x + u.y * u.y, part = max(v.x * u.x + v.y * u.y, 0.0f) / (square > 1e-12f ? square : 1.0f);
    float red = share * part * u.x * (1.0f / 0.7132f), blue = share * part * u.y * (1.0f / 0.5647f);
    float green = (0.2989f * red + 0.1145f * blue) * (1.0f / 0.5866f);
    return rgba(c.x - red, c.y + green, c.z - blue, c.w);
}

#endif
