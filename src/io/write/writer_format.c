/* SPDX-License-Identifier: MIT
 * Which format a file gets, by its name or by what was asked for, and what that holds. */
#include <string.h>
#include "base/memory.h"
#include "io/profile/profile.h"
#include "io/write/writer.h"

weft_status weft_writer_choose(const char *path, const weft_writer_options *options, char word[16],
                               const weft_codec **codec, weft_error *error) {
    char name[WEFT_NAME_SIZE], list[128];
    const char *given = options ? options->format : NULL, *text = given;
    size_t length = 0;
    if (!path || !*path)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a file to write needs a name");
    if (!text && strcmp(path, "-") == 0)
        text = "pam";
    if (!text) {
        const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
        text = dot ? dot + 1 : "";
    }
    for (; text[length] && length < 15; length++)
        word[length] = (char)(text[length] >= 'A' && text[length] <= 'Z' ? text[length] - 'A' + 'a' : text[length]);
    word[length] = 0;
    *codec = text[length] == 0 ? weft_codec_find(word) : NULL;
    weft_codec_list(list, sizeof list, true);
    weft_name_file(name, path, "standard output");
    if (!*codec && given)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: no file format is called '%.40s'; known are %s", name, given,
                         list);
    if (!*codec && !*text)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: a name without an extension tells no file format; known are %s",
                         name, list);
    if (!*codec || !(*codec)->format.writes)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: no file format has the extension '%.40s'; known are %s", name,
                         text, list);
    return WEFT_OK;
}

weft_status weft_writer_settings(const char *path, const weft_writer_options *options, const weft_codec *codec,
                                 int32_t values[WEFT_OPTIONS], char **profile, weft_error *error) {
    char name[WEFT_NAME_SIZE], *wanted, *rest;
    int32_t quality = options ? options->quality : 0;
    weft_status status;
    if (quality < 0 || quality > 100)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "quality is 1 to 100, not %d", (int)quality);
    weft_name_file(name, path, "standard output");
    status = weft_profile_split(options ? options->settings : NULL, options ? options->color_profile : NULL, name, &wanted, &rest,
                                error);
    if (status == WEFT_OK)
        status =
            weft_settings_read(&codec->format, false, rest, quality, options && options->strip, name, values, error);
    weft_free(rest);
    if (status == WEFT_OK && profile)
        *profile = wanted;
    else
        weft_free(wanted);
    return status;
}

weft_status weft_writer_accepts(const char *path, const weft_writer_options *options, const weft_image_info *wanted,
                                weft_image_info *nearest, weft_error *error) {
    char word[16];
    const weft_codec *codec;
    weft_image_info result;
    int32_t settings[WEFT_OPTIONS];
    weft_status status = weft_writer_choose(path, options, word, &codec, error);
    if (status == WEFT_OK)
        status = weft_writer_settings(path, options, codec, settings, NULL, error);
    if (status != WEFT_OK)
        return status;
    if (!wanted || !nearest || weft_type_size(wanted->format.type) == 0 || wanted->format.channels < 1 ||
        wanted->format.channels > 4)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "no such pixel format to store in a %s file", codec->format.name);
    if (wanted->width > codec->largest_side || wanted->height > codec->largest_side)
        return weft_fail(error, WEFT_ERROR_FORMAT, "a %s file is at most %lld pixels wide and high, not %lldx%lld",
                         codec->format.name, (long long)codec->largest_side, (long long)wanted->width,
                         (long long)wanted->height);
    result = *wanted;
    result.space = codec->linear ? WEFT_SPACE_LINEAR : WEFT_SPACE_ENCODED; /* what every reader takes it for */
    if (result.alpha == WEFT_ALPHA_PREMULTIPLIED && !codec->premultiplied)
        result.alpha = WEFT_ALPHA_STRAIGHT;
    if (result.format.channels % 2 != 0)
        result.alpha = WEFT_ALPHA_NONE;
    status = codec->accepts(word, &result, error);
    if (status == WEFT_OK)
        *nearest = result;
    return status;
}
