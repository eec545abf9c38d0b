/* SPDX-License-Identifier: MIT
 * Which runs are of videos: by names, by options, or by what standard input begins with. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/extension.h"
#include "show/formats.h"
#include "video/video.h"
#include "weft/video.h"

/* Whether standard input is y4m, without taking any of it. */
static bool pipe_begins_so(void) {
    static const char mark[] = "YUV4MPEG2";
    char bytes[sizeof mark] = "";
    size_t length = sizeof mark - 1;
    struct stat status;
    if (fstat(STDIN_FILENO, &status) != 0)
        return false;
    if (S_ISREG(status.st_mode)) {
        off_t place = lseek(STDIN_FILENO, 0, SEEK_CUR);
        return pread(STDIN_FILENO, bytes, length, place < 0 ? 0 : place) == (ssize_t)length &&
               !memcmp(bytes, mark, length);
    }
#ifdef __linux__
    int copy[2];
    if (S_ISFIFO(status.st_mode) && pipe(copy) == 0) {
        ssize_t count = tee(STDIN_FILENO, copy[1], length, 0);
        ssize_t got = count > 0 ? read(copy[0], bytes, (size_t)count) : 0;
        close(copy[0]);
        close(copy[1]);
        return got > 4 && !memcmp(bytes, mark, (size_t)got);
    }
#endif
    return false;
}

/* The first picture of an animation is read without FFmpeg. */
static bool is_picture(const char *name) {
    weft_reader *reader = NULL;
    bool good = weft_reader_open(name, NULL, &reader, NULL) == WEFT_OK;
    weft_reader_close(&reader);
    return good;
}

static bool is_video(const char *word) {
    char name[4096];
    size_t length = formats_name_length(word);
    if (length >= sizeof name)
        return false;
    memcpy(name, word, length);
    name[length] = 0;
    if (word[length] && weft_video_settings(word + length + 1))
        return true;
    return weft_video_name(name) && (weft_video_available(NULL, 0) ||
                                     !((extension_known(name) && !strchr(name, '%')) || is_picture(name)));
}

bool video_asked(const struct operands *operands, const struct options *options) {
    bool asked = options->video.given, standard = false;
    for (int i = 0; i < operands->input_count; i++) {
        asked = asked || is_video(operands->inputs[i]);
        standard = standard || !strcmp(operands->inputs[i], "-");
    }
    for (int i = 0; i < operands->output_count; i++)
        asked = asked || is_video(operands->outputs[i]);
    return asked || (standard && pipe_begins_so());
}
