/* SPDX-License-Identifier: MIT
 * result = source * Fa + destination * Fb: an operator says the two fractions by the two alphas. */
#define NAME porter_duff
#define SUMMARY "Compose two images with alpha by an operator of Porter and Duff, the second being the source"
#define SOURCE "Porter and Duff 1984, W3C Compositing and Blending Level 1"
#define EXAMPLE "split[a][b];[b]invert,split[c][m];[m]sobel[e];[c][e]alpha_combine[d];[a][d]porter_duff=source_atop"
#define ALPHA PREMULTIPLIED
#define PARAMS                                                                                                         \
    CHOICE(op, 3,                                                                                                      \
           "clear|copy|destination|source_over|destination_over|source_in|destination_in|source_out|destination_out|"  \
           "source_atop|destination_atop|xor|lighter", "which parts of the two are seen")
#include "filter/pixel2.h"

BODY {
    int o = P.op;
    float a = over.w, b = base.w;
    float source = o == 1 || o == 3 || o == 12 ? 1.0f : (o == 5 || o == 9 ? b : 0.0f);
    source = o == 4 || o == 7 || o == 10 || o == 11 ? 1.0f - b : source;
    float backdrop = o == 2 || o == 4 || o == 12 ? 1.0f : (o == 6 || o == 10 ? a : 0.0f);
    backdrop = o == 3 || o == 8 || o == 9 || o == 11 ? 1.0f - a : backdrop;
    float most = o == 12 ? 1.0f : 3e38f;
    return rgba(min(source * over.x + backdrop * base.x, most), min(source * over.y + backdrop * base.y, most),
                min(source * over.z + backdrop * base.z, most), min(source * a + backdrop * b, most));
}
