/* SPDX-License-Identifier: MIT */
#define NAME guided_solve
#define SUMMARY "Solve for colors by the triangle that guided_factor makes: the first image's is L, or L turned over"
#define STEP_OF "guided_filter"
#define EXAMPLE "split[a][b];[a][b]guided_solve"
#define CHANNELS COLOR
#define TOLERANCE 1e-5
#define PARAMS CHOICE(way, 0, "down|up", "by L from red on, or by L turned over from blue on")
#include "filter/pixel2.h"

BODY {
    float green = over.y - base.x * over.x, blue = over.z - base.z * over.x - base.y * green;
    float up_green = over.y - base.y * over.z, up_red = over.x - base.x * up_green - base.z * over.z;
    bool down = P.way == 0;
    return rgba(down ? over.x : up_red, down ? green : up_green, down ? blue : over.z, 1.0f);
}
