/* SPDX-License-Identifier: MIT */
#define NAME chroma_join
#define SUMMARY "Two planes as the two channels of one image: the chroma that yuv_to_rgb takes"
#define EXAMPLE "yuv_encode,split[a][b];[a]take_channel=1[u];[b]take_channel=2[v];[u][v]chroma_join,swizzle=0:3:0:3"
#define CHANNELS PAIR
#define EXACT true
#include "filter/pixel2.h"

BODY { return rgba(base.x, base.x, base.x, over.x); }
