/* SPDX-License-Identifier: MIT */
#define NAME hue_rotate
#define SUMMARY "Turn all hues about the grey axis; luma stays"
#define ALIASES "hue"
#define SOURCE "the YIQ of NTSC 1953"
#define EXAMPLE "hue_rotate=120"
#define TOLERANCE 1e-5
#define AFFINE true
#define PARAMS                                                                                                         \
    FLOAT(hue, 0, -360, 360, "degrees", "0 keeps the image; red turns to green, green to blue, blue to red")           \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: matrices of 4 digits there and back, which are not quite inverse")
#include "filter/pixel.h"

BODY {
    float turns = P.hue / 360.0f, turn = 6.2831853f * (turns - floor(turns + 0.5f)), s = sin(turn), k = cos(turn);
    float y = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
    float i = 0.595716f * c.x - 0.274453f * c.y - 0.321263f * c.z;
    float q = 0.211456f * c.x - 0.522591f * c.y + (P.compat != 0 ? 0.31135f : 0.311135f) * c.z;
    float i2 = i * k + q * s, q2 = q * k - i * s;
    return P.compat != 0 ? rgba(y + 0.9563f * i2 + 0.6210f * q2, y - 0.2721f * i2 - 0.6474f * q2,
                                y - 1.1070f * i2 + 1.7046f * q2, c.w)
                         : rgba(y + 0.95629572f * i2 + 0.62102442f * q2,
                                y - 0.2721221f * i2 - 0.6473806f * q2,
                                y - 1.106989f * i2 + 1.704615f * q2, c.w);
}
