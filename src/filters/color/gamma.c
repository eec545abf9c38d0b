/* SPDX-License-Identifier: MIT */
#define NAME gamma
#define SUMMARY "Raise every color to a power"
#define EXAMPLE "gamma=0.6"
#define PARAMS FLOAT(gamma, 1, 0, 3, "", "the exponent; below 1 brightens")
#include "filter/channel.h"

BODY { return pow(v, P.gamma); }
