/* SPDX-License-Identifier: MIT */
#define NAME decibels
#define SUMMARY "Minus ten times the logarithm of each number, 300 at most"
#define STEP_OF "compare"
#define EXAMPLE "decibels,exposure=-3"
#define TOLERANCE 1e-4
#include "filter/channel.h"

BODY { return -3.0102999f * log2(max(v, 1e-30f)); }
