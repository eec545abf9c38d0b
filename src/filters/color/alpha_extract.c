/* SPDX-License-Identifier: MIT */
#define NAME alpha_extract
#define SUMMARY "Make the image's alpha a grey image; white where there is none"
#define ALIASES "alphaextract alpha_show"
#define EXAMPLE "chroma_key_matte=0.45|0.6|0.1|1:0.08:0.06,alpha_extract"
#define CHANNELS PLANE
#define ALPHA_DOC "only alpha counts; the result has none"
#define EXACT true
#define AFFINE true
#include "filter/pixel.h"

BODY { return rgba(c.w, c.w, c.w, 1.0f); }
