/* SPDX-License-Identifier: MIT
 * What threshold_edge and threshold_sketch share: the length of the gradient compared with a threshold, inverted with INVERTED. */
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.25, 0, UNBOUNDED, "", "edges are where the gradient is at least this long; 1 is full scale")    \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the gradient")                                                      \
    BORDER_PARAMS
#define FIRST "sobel"
#define FIRST_SETTING {"edge_strength", p->edge_strength}
#define SECOND "luminance_threshold"
#define SECOND_SETTINGS {"threshold", p->threshold}
#include "filters/edge/steps_graph.h"
