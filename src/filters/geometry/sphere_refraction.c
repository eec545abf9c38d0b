/* SPDX-License-Identifier: MIT */
#define NAME sphere_refraction
#define SUMMARY "Show the image upside down in a sphere of glass, black around it"
#define EXAMPLE "sphere_refraction=0.5|0.5:0.35"
#define ZOOM 1
#define SHINES 0
#include "filters/geometry/sphere_graph.h"
