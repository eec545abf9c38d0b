/* SPDX-License-Identifier: MIT */
#define NAME product_of
#define SUMMARY "The product of two images, color by color; alpha is the first's"
#define EXAMPLE "split[a][b];[a][b]product_of"
#include "filter/pixel2.h"

BODY { return rgba(base.x * over.x, base.y * over.y, base.z * over.z, base.w); }
