/* SPDX-License-Identifier: MIT
 * What the steps of bilateral_levels share: how much of a pixel belongs to a level. */
#ifndef FILTERS_BLUR_BILATERAL_SHARE_H
#define FILTERS_BLUR_BILATERAL_SHARE_H

/* Grey is red = green = blue, and alpha that is not there 1: those do not count. */
FN float bilateral_share(vec4 c, float level, float sigma, float red, float green, float blue, float alpha) {
    float sum = red * clamp(c.x, 0.0f, 1.0f) + green * clamp(c.y, 0.0f, 1.0f) + blue * clamp(c.z, 0.0f, 1.0f) +
                alpha * clamp(c.w, 0.0f, 1.0f);
    float apart = (sum - level) / sigma;
    return exp(-apart * apart);
}
#define BILATERAL_SHARE(c)                                                                                             \
    bilateral_share(c, P.level, P.sigma_color, P.counts[0], P.counts[1], P.counts[2], P.counts[3])

#endif
