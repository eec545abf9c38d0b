/* SPDX-License-Identifier: MIT */
#define NAME glass_sphere
#define SUMMARY "Show the image in a sphere of glass that shines, black around it"
#define EXAMPLE "glass_sphere=0.5|0.5:0.35"
#define ZOOM -2
#define SHINES 1
#include "filters/geometry/sphere_graph.h"
