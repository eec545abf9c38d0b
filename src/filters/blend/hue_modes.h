/* SPDX-License-Identifier: MIT
 * What the blend modes of whole colors share: luminosity and saturation as W3C Compositing and Blending Level 1 has
 * them, and the compositing. GPU kernels hold these functions once. */
#ifndef FILTERS_BLEND_HUE_MODES_H
#define FILTERS_BLEND_HUE_MODES_H

FN float mode_highest(vec4 c) { return max(c.x, max(c.y, c.z)); }
FN float mode_lowest(vec4 c) { return min(c.x, min(c.y, c.z)); }
FN float mode_luminosity(vec4 c) { return 0.3f * c.x + 0.59f * c.y + 0.11f * c.z; }
FN float mode_saturation(vec4 c) { return mode_highest(c) - mode_lowest(c); }

/* The color with another luminosity; where that leaves [0, 1] it moves towards the grey, which it becomes where the
 * luminosity itself is outside. Alpha stays. */
FN vec4 mode_set_luminosity(vec4 c, float light) {
    float change = light - mode_luminosity(c);
    float low = mode_lowest(c) + change, high = mode_highest(c) + change;
    float up = low < 0.0f ? max(light, 0.0f) / (light > low ? light - low : 1.0f) : 1.0f;
    float down = high > 1.0f ? max(1.0f - light, 0.0f) / (high > light ? high - light : 1.0f) : 1.0f;
    float share = up * down, start = change - light;
    return rgba(light + (c.x + start) * share, light + (c.y + start) * share, light + (c.z + start) * share, c.w);
}

/* The color with another saturation and 0 as its lowest channel. GPUImage drops the middle channel where it is red,
 * below blue, and leaves green as it is; and it drops the color where green and blue are the highest. */
FN vec4 mode_set_saturation(vec4 c, float saturation, int compat) {
    float low = mode_lowest(c), span = mode_highest(c) - low;
    float share = span > 0.0f ? saturation / span : 0.0f;
    float slip = compat != 0 && c.z >= c.x && c.x > c.y ? 1.0f : 0.0f;
    share = compat != 0 && c.y == c.z && c.z >= c.x ? 0.0f : share;
    float red = slip > 0.0f ? 0.0f : (c.x - low) * share;
    float green = slip > 0.0f ? c.y : (c.y - low) * share;
    return rgba(red, green, (c.z - low) * share, c.w);
}

/* `mixed`, the mode's function of both colors, over the backdrop by both alphas. */
FN vec4 mode_composite(vec4 base, vec4 over, vec4 mixed, float opacity, int compat) {
    float source = over.w * opacity, backdrop = base.w;
    float alpha = compat != 0 ? backdrop : source + backdrop * (1.0f - source);
    float scale = 1.0f / (alpha > 0.0f ? alpha : 1.0f);
    float of_base = compat != 0 ? 1.0f - source : (1.0f - source) * backdrop * scale;
    float of_over = compat != 0 ? 0.0f : (1.0f - backdrop) * source * scale;
    float of_both = compat != 0 ? source : source * backdrop * scale;
    return rgba(of_base * base.x + of_over * over.x + of_both * mixed.x,
                of_base * base.y + of_over * over.y + of_both * mixed.y,
                of_base * base.z + of_over * over.z + of_both * mixed.z, alpha);
}

#endif
