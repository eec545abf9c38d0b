/* SPDX-License-Identifier: MIT
 * weft devices: where graphs can run. */
#include <stdio.h>
#include <string.h>
#include "command.h"
#include "common/message.h"

/* What --device takes: the backend's name, with a number where it has several devices. */
static void device_name(int32_t index, const weft_device_info *info, char *name, size_t size) {
    weft_device_info other;
    int before = 0, all = 0;
    for (int32_t i = 0; weft_device_at(i, &other); i++) {
        bool same = !strcmp(other.backend, info->backend);
        before += same && i < index;
        all += same;
    }
    if (all > 1)
        snprintf(name, size, "%s:%d", info->backend, before);
    else
        snprintf(name, size, "%s", info->backend);
}

int devices_command(const struct options *options) {
    weft_device_info info;
    char name[64];
    if (options->operand_count)
        return message_usage("'weft devices' takes no arguments");
    if (options->json) {
        struct json json = {.file = stdout};
        json_array(&json, NULL);
        for (int32_t i = 0; weft_device_at(i, &info); i++) {
            device_name(i, &info, name, sizeof name);
            json_object(&json, NULL);
            json_text(&json, "device", name);
            json_text(&json, "backend", info.backend);
            json_text(&json, "name", info.name);
            json_text(&json, "detail", info.detail);
            json_bool(&json, "available", info.available);
            json_bool(&json, "software", info.software);
            json_object_end(&json);
        }
        json_array_end(&json);
        json_end(&json);
        return EXIT_DONE;
    }
    for (int32_t i = 0; weft_device_at(i, &info); i++) {
        device_name(i, &info, name, sizeof name);
        printf("%-10s %s%s%s%s%s\n", name,
               info.available ? "" : "not available: ", info.available ? info.name : info.detail,
               info.available && info.detail[0] ? " (" : "", info.available ? info.detail : "",
               info.available && info.detail[0] ? ")" : "");
    }
    return EXIT_DONE;
}
