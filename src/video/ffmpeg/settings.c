/* SPDX-License-Identifier: MIT
 * The settings of a video that is written: "codec=libx264,crf=18". weft takes four of them; the others are options of
 * the encoder or of the container, whose names FFmpeg knows. */
#include <stdio.h>
#include <string.h>
#include "base/status.h"
#include "video/ffmpeg/writer.h"

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && !memcmp(text, word, length);
}

weft_status weft_video_read_settings(struct weft_video_writer *writer, weft_error *error) {
    const char *text = writer->options.settings;
    while (text && *text) {
        size_t length = strcspn(text, ","), key = strcspn(text, "=,");
        char name[64], value[256];
        if (key == 0 || key == length || length == key + 1 || key >= sizeof name || length - key - 1 >= sizeof value)
            return weft_fail(error, WEFT_ERROR_PARAMETER,
                             "'%s': settings of a video are name=value, as in codec=libx264,crf=18, not '%.60s'",
                             writer->name, text);
        snprintf(name, sizeof name, "%.*s", (int)key, text);
        snprintf(value, sizeof value, "%.*s", (int)(length - key - 1), text + key + 1);
        char *own = is(name, key, "codec")       ? writer->codec_name
                    : is(name, key, "pixels")    ? writer->pixels_name
                    : is(name, key, "container") ? writer->container
                    : is(name, key, "rate")      ? writer->rate
                                                 : NULL;
        if (own)
            snprintf(own, 32, "%.31s", value);
        else if (writer->av.av_dict_set(&writer->settings, name, value, 0) < 0)
            return weft_fail_memory(error, length, "settings");
        text += length;
        text += *text == ',';
    }
    return WEFT_OK;
}

weft_status weft_video_check_settings(const struct weft_video_writer *writer, weft_error *error) {
    const AVDictionaryEntry *left = writer->av.av_dict_get(writer->settings, "", NULL, AV_DICT_IGNORE_SUFFIX);
    if (!left)
        return WEFT_OK;
    return weft_fail(
        error, WEFT_ERROR_PARAMETER,
        "'%s': neither the encoder %s nor the container %s has an option '%.60s'; weft's own are codec, pixels, "
        "container and rate",
        writer->name, writer->codec->name, writer->context->oformat->name, left->key);
}
