/* SPDX-License-Identifier: MIT
 * Which names are videos'. */
#include <string.h>
#include <strings.h>
#include "weft/video.h"

/* Endings by which a video is meant. Others, as .webp, are pictures; a video of another ending may be piped. */
static const char *const endings[] = {"mp4", "m4v", "mov",  "mkv", "webm", "avi", "gif", "apng", "y4m", "mpg",  "mpeg",
                                      "ts",  "mts", "m2ts", "flv", "wmv",  "ogv", "3gp", "mxf",  "nut", "m3u8", "ivf"};

/* "%d" or "%05d" */
static bool numbered(const char *path) {
    for (const char *at = strchr(path, '%'); at; at = strchr(at + 1, '%')) {
        size_t digits = strspn(at + 1, "0123456789");
        if (digits < 4 && at[1 + digits] == 'd')
            return true;
    }
    return false;
}

bool weft_video_settings(const char *settings) {
    for (const char *at = settings; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (!strncmp(at, "container=", 10) || !strncmp(at, "codec=", 6))
            return true;
    return false;
}

bool weft_video_name(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(dot + 1, endings[i]))
            return true;
    return path && numbered(path);
}
