/* SPDX-License-Identifier: MIT
 * One matrix: brightness times saturation times a turn about the grey axis that keeps 0.3 r + 0.59 g + 0.11 b. The turn
 * is J + cos (I - J) + sin K, J's rows being those three weights; K is the turn of a quarter in the plane of one
 * luminance, sheared back so that the plane is across the grey axis. */
#define NAME hsb_adjust
#define SUMMARY "Turn all hues, then scale the saturation, then the brightness; a turn keeps the luminance"
#define ALIASES "hsb"
#define SOURCE "Haeberli 1993"
#define EXAMPLE "hsb_adjust=150:1.3:1.1"
#define TOLERANCE 1e-5
#define AFFINE true
#define PARAMS                                                                                                         \
    FLOAT(hue, 0, -360, 360, "degrees", "0 keeps the hues; red turns to green, green to blue, blue to red")            \
    FLOAT(saturation, 1, 0, 2, "", "1 keeps it, 0 makes grey")                                                         \
    FLOAT(brightness, 1, 0, 2, "", "factor on every channel")
#include "filter/pixel.h"

BODY {
    float turns = P.hue / 360.0f, turn = 6.2831853f * (turns - floor(turns + 0.5f)), s = sin(turn), k = cos(turn);
    float grey = 0.3f * c.x + 0.59f * c.y + 0.11f * c.z;
    float r = grey + k * (c.x - grey) + s * (-0.277128f * c.x - 0.467654f * c.y + 0.744782f * c.z);
    float g = grey + k * (c.y - grey) + s * (0.300222f * c.x + 0.109697f * c.y - 0.409919f * c.z);
    float b = grey + k * (c.z - grey) + s * (-0.854478f * c.x + 0.687047f * c.y + 0.167432f * c.z);
    return rgba(P.brightness * mix(grey, r, P.saturation), P.brightness * mix(grey, g, P.saturation),
                P.brightness * mix(grey, b, P.saturation), c.w);
}
