/* SPDX-License-Identifier: MIT
 * What the ends of file names say: the formats of this build know. */
#include "common/extension.h"
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include "show/formats.h"
#include "weft/weft.h"

/* True when `extension`, so long, is one of the words of `list`. */
static bool listed(const char *list, const char *extension, size_t length) {
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
    /* An output's options may follow its name, and have dots. */
    size_t end = reading ? strlen(path) : formats_name_length(path), dot = end;
    const weft_file_format *format;
    while (dot > 0 && path[dot - 1] != '.')
        dot--;
    if (dot == 0)
        return false;
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++)
        if ((!reading || format->reads) && listed(format->extensions, path + dot, end - dot))
            return true;
    return !reading && listed("csv json txt", path + dot, end - dot);
}

bool extension_known(const char *path) { return in_formats(path, false); }
bool extension_reads(const char *path) { return in_formats(path, true); }
