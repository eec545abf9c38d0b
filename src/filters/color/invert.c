/* SPDX-License-Identifier: MIT */
#define NAME invert
#define SUMMARY "Make the negative: every color becomes 1 minus itself"
#define ALIASES "negate"
#define EXACT true
#define AFFINE true
#include "filter/channel.h"

BODY { return 1.0f - v; }
