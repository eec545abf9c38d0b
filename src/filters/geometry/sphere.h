/* SPDX-License-Identifier: MIT
 * What the filters of a glass sphere share: where on the sphere a pixel is. */
#ifndef FILTERS_GEOMETRY_SPHERE_H
#define FILTERS_GEOMETRY_SPHERE_H

/* The sphere's normal at a pixel, z towards the eye, and in w 1 within the circle, 0 outside. The radius is a share of
 * the width; pixels on the rim, which rounding alone would decide, are within. GPUImage measures y about the middle of the
 * image, so that its circle is not about the center. */
FN vec4 sphere_normal(place at, float center_x, float center_y, float radius, int compat) {
    float wide = to_float(at.width), high = to_float(at.height);
    float moved = compat != 0 ? (center_y - 0.5f) * (high - wide) : 0.0f, size = radius > 0.0f ? radius * wide : 1.0f;
    float x = (to_float(at.x) + 0.5f - center_x * wide) / size;
    float y = (to_float(at.y) + 0.5f - center_y * high + moved) / size, square = x * x + y * y;
    return rgba(x, y, sqrt(max(1.0f - square, 0.0f)), radius > 0.0f && square <= 1.000001f ? 1.0f : 0.0f);
}

#endif
