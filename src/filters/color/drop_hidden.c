/* SPDX-License-Identifier: MIT */
#define NAME drop_hidden
#define SUMMARY "Make pixels whose alpha is next to nothing transparent black"
#define STEP_OF "every warp that mixes pixels"
#define ROLE DROP_HIDDEN
#define ALPHA ANY
#include "filter/pixel.h"
#include "filter/help/hidden.h"

BODY {
    float alpha = seen_alpha(c.w), kept = alpha == 0.0f ? 0.0f : 1.0f;
    return rgba(c.x * kept, c.y * kept, c.z * kept, alpha);
}
