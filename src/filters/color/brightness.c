/* SPDX-License-Identifier: MIT */
#define NAME brightness
#define SUMMARY "Add the same amount to every color"
#define EXAMPLE "brightness=0.2"
#define AFFINE true
#define PARAMS FLOAT(brightness, 0, -1, 1, "", "0 keeps the image, 1 makes it white, -1 black")
#include "filter/channel.h"

BODY { return v + P.brightness; }
