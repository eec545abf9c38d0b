/* SPDX-License-Identifier: MIT
 * weft devices: where graphs can run. */
#include <stdio.h>
#include "command.h"
#include "message.h"

int devices_command(const struct options *options) {
    weft_device_info info;
    if (options->operand_count)
        return message_usage("'weft devices' takes no arguments");
    if (options->json) {
        struct json json = {.file = stdout};
        json_array(&json, NULL);
        for (int32_t i = 0; weft_device_at(i, &info); i++) {
            json_object(&json, NULL);
            json_text(&json, "backend", info.backend);
            json_text(&json, "name", info.name);
            json_text(&json, "detail", info.detail);
            json_bool(&json, "available", info.available);
            json_object_end(&json);
        }
        json_array_end(&json);
        json_end(&json);
        return EXIT_DONE;
    }
    for (int32_t i = 0; weft_device_at(i, &info); i++)
        printf("%-10s %s%s%s%s%s\n", info.backend,
               info.available ? "" : "not available: ", info.available ? info.name : info.detail,
               info.available && info.detail[0] ? " (" : "", info.available ? info.detail : "",
               info.available && info.detail[0] ? ")" : "");
    return EXIT_DONE;
}
