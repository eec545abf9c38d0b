/* SPDX-License-Identifier: MIT
 * What the ends of file names say: the formats of this build know. */
#include "extension.h"
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include "weft/weft.h"

/* True when `extension` is one of the words of `list`. */
static bool listed(const char *list, const char *extension) {
    size_t length = strlen(extension);
    while (*list) {
        size_t size = strcspn(list, " ");
        if (size == length && !strncasecmp(list, extension, size))
            return true;
        list += size;
        list += strspn(list, " ");
    }
    return false;
}

static bool in_formats(const char *path, bool reading) {
    const char *dot = strrchr(path, '.');
    const weft_file_format *format;
    if (!dot)
        return false;
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++)
        if ((!reading || format->reads) && listed(format->extensions, dot + 1))
            return true;
    return !reading && listed("csv json txt", dot + 1);
}

bool extension_known(const char *path) { return in_formats(path, false); }
bool extension_reads(const char *path) { return in_formats(path, true); }
