/* SPDX-License-Identifier: MIT */
#define NAME contrast
#define SUMMARY "Scale the distance of every color from mid grey"
#define EXAMPLE "contrast=1.5"
#define AFFINE true
#define PARAMS FLOAT(contrast, 1, 0, 4, "", "1 keeps the image, 0 makes it grey")
#include "filter/channel.h"

BODY { return (v - 0.5f) * P.contrast + 0.5f; }
