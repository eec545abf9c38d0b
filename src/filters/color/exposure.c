/* SPDX-License-Identifier: MIT */
#define NAME exposure
#define SUMMARY "Brighten or darken by photographic stops; true to a camera in space=linear"
#define EXAMPLE "exposure=0.7:space=linear"
#define AFFINE true
#define PARAMS FLOAT(exposure, 0, -10, 10, "EV", "stops: 1 doubles every value, -1 halves it")
#include "filter/channel.h"

BODY { return v * exp2(P.exposure); }
