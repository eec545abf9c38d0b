/* SPDX-License-Identifier: MIT */
#define NAME premultiply
#define SUMMARY "Multiply the colors by alpha; an image without alpha stays as it is"
#define ROLE PREMULTIPLY
#define ALPHA ANY
#define INFER multiplied
#include "filter/pixel.h"
#include "filters/color/alpha_form.h"

BODY { return rgba(c.x * c.w, c.y * c.w, c.z * c.w, c.w); }
