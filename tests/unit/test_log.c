/* SPDX-License-Identifier: MIT
 * The log says what was chosen and planned, to those who ask for it, and nothing to others. */
#include <stdio.h>
#include <string.h>
#include "check.h"
#include "weft/weft.h"

struct heard {
    int messages;
    char last[512];
};

static void hear(void *user, weft_log_level level, const char *message) {
    struct heard *heard = user;
    (void)level;
    heard->messages++;
    snprintf(heard->last, sizeof heard->last, "%s", message);
}

static int plan_with(weft_log_level level, struct heard *heard) {
    weft_device_options options = {.threads = 1, .log = {hear, heard, level}};
    weft_image_info info = {.width = 8, .height = 8, .format = {WEFT_U8, 1}};
    weft_plan_options plan_options = {.inputs = &info, .input_count = 1};
    weft_device *device = NULL;
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    CHECK(weft_device_open("auto", &options, &device, NULL) == WEFT_OK);
    CHECK(weft_graph_parse("invert", 6, &graph, NULL) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &plan_options, &plan, NULL) == WEFT_OK);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    weft_device_close(&device);
    return heard->messages;
}

int main(void) {
    struct heard all = {0}, some = {0}, none = {0};
    CHECK(plan_with(WEFT_LOG_DEBUG, &all) == 3);
    CHECK(strstr(all.last, "1 passes") != NULL);
    CHECK(plan_with(WEFT_LOG_INFO, &some) == 1);
    CHECK(strstr(some.last, "auto") != NULL); /* what was chosen, or that it is still open */
    CHECK(plan_with(WEFT_LOG_WARNING, &none) == 0);
    return check_done("log");
}
