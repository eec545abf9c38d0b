/* SPDX-License-Identifier: MIT */
#define NAME component_labels
#define SUMMARY "The number of the component of each bright pixel, from 1 on in the order of their first pixels; 0 in dark ones"
#define STEP_OF "connected_components"
#define EXAMPLE "component_labels,exposure=-6"
#define TOLERANCE 1
#include "filters/feature/components.h"
#define PARAMS COMPONENT_PARAMS
#define GLOBAL LABEL
#define INFER infer
#include "filter/global.h"

/* Bytes hold no numbers. */
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.type = WEFT_F32;
    return WEFT_OK;
}
