/* SPDX-License-Identifier: MIT
 * A descriptor and a body from a program's description. */
#include "filter/catalog/custom.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "filter/catalog/registry.h"

/* ---- bodies: from the calls of the CPU to those of the program */

static void run_pixels(const struct weft_point_call *call) {
    const struct weft_custom *custom = call->user;
    weft_custom_pixels row = {.parameters = call->block,
                              .user = custom->given.user,
                              .colors = call->planes,
                              .alpha = call->rest,
                              .count = call->count,
                              .x = call->x,
                              .y = call->y,
                              .width = call->width,
                              .height = call->height};
    for (int32_t i = 0; i < custom->filter.info.inputs; i++)
        memcpy(row.in[i], call->in[i], sizeof row.in[i]);
    memcpy(row.out, call->out, sizeof row.out);
    custom->given.pixels(&row);
}

static void run_around(const struct weft_stencil_call *call) {
    const struct weft_custom *custom = call->user;
    weft_custom_around row = {
        .parameters = call->block, .user = custom->given.user, .out = call->out, .count = call->count};
    for (int32_t k = 0; k <= 2 * custom->filter.radius; k++)
        row.rows[k] = call->rows[k];
    custom->given.around(&row);
}

/* ---- the descriptor */

/* A copy that lives as long as the filter; "" for NULL. NULL without memory. */
static const char *keep(struct weft_custom *custom, const char *text) {
    if (!text || !*text)
        return "";
    char *copy = weft_duplicate_text(text, strlen(text));
    if (copy)
        custom->texts[custom->text_count++] = copy;
    return copy;
}

/* The default as graph text. */
static void print_default(const weft_parameter_info *info, char *text, size_t size) {
    size_t used = 0;
    for (int32_t i = 0; i < info->count && used < size; i++) {
        if (i > 0 && used + 1 < size)
            text[used++] = '|';
        if (info->automatic && info->defaults[i] == WEFT_AUTO) {
            memcpy(text + used, "auto", sizeof "auto");
            return;
        }
        used += (size_t)weft_text_print_number(text + used, size - used, info->defaults[i],
                                               info->type == WEFT_PARAMETER_FLOAT || info->type == WEFT_PARAMETER_COLOR);
    }
}

static bool add_parameter(struct weft_custom *custom, const weft_custom_parameter *given) {
    struct weft_parameter *parameter = &custom->parameters[custom->filter.info.parameters++];
    weft_parameter_info *info = &parameter->info;
    char text[4 * 32];
    *parameter = (struct weft_parameter){.info = given->info, .offset = given->offset};
    info->count = info->type == WEFT_PARAMETER_COLOR ? 4 : 1;
    if (info->type == WEFT_PARAMETER_BOOL)
        info->minimum = 0, info->maximum = 1;
    print_default(info, text, sizeof text);
    info->name = keep(custom, given->info.name);
    info->default_text = keep(custom, text);
    info->choices = keep(custom, given->info.choices);
    info->unit = keep(custom, given->info.unit);
    info->doc = keep(custom, given->info.doc);
    return info->name && info->default_text && info->choices && info->unit && info->doc;
}

/* The two border parameters are those of weft's own filters, whatever their place in these. */
static void add_border(struct weft_custom *custom) {
    struct weft_filter *filter = &custom->filter;
    for (int32_t i = 0; i < weft_registry_count; i++) {
        const struct weft_filter *other = weft_registry[i];
        if (other->border < 0 || other->kind != WEFT_KIND_STENCIL)
            continue;
        filter->border = filter->info.parameters;
        for (int32_t k = 0; k < 2; k++) {
            custom->parameters[filter->info.parameters] = other->parameters[other->border + k];
            custom->parameters[filter->info.parameters++].offset = filter->block_size;
            filter->block_size += 4;
        }
        return;
    }
}

static bool describe(struct weft_custom *custom, const weft_custom_filter *given) {
    struct weft_filter *filter = &custom->filter;
    bool stencil = given->around != NULL;
    filter->info = (weft_filter_info){.name = keep(custom, given->name),
                                      .family = "custom",
                                      .kind = stencil ? "stencil" : "point",
                                      .summary = keep(custom, given->summary),
                                      .aliases = "",
                                      .source = "",
                                      .step_of = "",
                                      .alpha = stencil ? "colors count by their alpha, which is filtered too"
                                                 : "colors are taken straight, whatever their alpha",
                                      .example = "",
                                      .inputs = given->inputs ? given->inputs : 1,
                                      .tolerance = 1}; /* weft knows nothing of this code's precision */
    filter->kind = stencil ? WEFT_KIND_STENCIL : WEFT_KIND_POINT;
    filter->placed = true; /* it may look at where the pixel is */
    filter->custom = custom;
    filter->channels = given->channels == WEFT_CUSTOM_COLOR  ? WEFT_CHANNELS_COLOR
                       : given->channels == WEFT_CUSTOM_GREY ? WEFT_CHANNELS_GREY
                       : given->luminance                    ? WEFT_CHANNELS_PLANE
                                                             : WEFT_CHANNELS_SAME;
    filter->alpha = stencil ? WEFT_NEED_PREMULTIPLIED : WEFT_NEED_STRAIGHT;
    filter->parameters = custom->parameters;
    filter->block_size = (given->parameter_size + 3) / 4 * 4;
    filter->border = -1;
    filter->luminance = given->luminance;
    filter->radius = given->radius;
    bool complete = filter->info.name && filter->info.summary;
    for (int32_t i = 0; complete && i < given->parameter_count; i++)
        complete = add_parameter(custom, &given->parameters[i]);
    if (complete && stencil)
        add_border(custom);
    if (filter->block_size == 0)
        filter->block_size = 4; /* there is always a block */
    return complete;
}

weft_status weft_custom_make(const weft_custom_filter *filter, struct weft_custom **result, weft_error *error) {
    size_t parameters = (size_t)filter->parameter_count + 2;
    struct weft_custom *custom = weft_allocate(1, sizeof *custom);
    *result = NULL;
    if (custom) {
        custom->given = *filter;
        custom->given.parameters = NULL, custom->given.name = custom->given.summary = NULL;
        custom->body = (struct weft_body){.point = filter->pixels ? run_pixels : NULL,
                                          .stencil = filter->around ? run_around : NULL,
                                          .user = custom};
        custom->parameters = weft_allocate(parameters, sizeof *custom->parameters);
        custom->texts = weft_allocate(2 + 5 * parameters, sizeof *custom->texts);
    }
    if (!custom || !custom->parameters || !custom->texts || !describe(custom, filter)) {
        weft_custom_destroy(custom);
        return weft_fail_memory(error, sizeof *custom, "a filter");
    }
    *result = custom;
    return WEFT_OK;
}

void weft_custom_destroy(struct weft_custom *custom) {
    for (int32_t i = 0; custom && i < custom->text_count; i++)
        weft_free(custom->texts[i]);
    if (custom) {
        weft_free(custom->texts);
        weft_free(custom->parameters);
    }
    weft_free(custom);
}
