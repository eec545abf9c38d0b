/* SPDX-License-Identifier: MIT
 * Kind: composite, a sub-graph of other filters, fused like one written by hand. The file defines INPUTS where it is not
 * 1, and `expand` (filter/filter.h), which adds the sub-graph with the public calls of weft/graph.h. */
#define EXPAND expand
#define KIND_DYNAMIC false
#ifndef INPUTS
#define INPUTS 1
#endif
#ifndef ALPHA_DOC
#define ALPHA_DOC "as in the filters that it is made of"
#endif
#include "filter/template.h"
DESCRIPTOR("composite", INPUTS)
    .kind = WEFT_KIND_COMPOSITE, .border = -1 };
