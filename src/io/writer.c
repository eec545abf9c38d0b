/* SPDX-License-Identifier: MIT
 * The writing front: chooses the format by name, and makes files appear whole or not at all: rows go to a file
 * without a name, or a temporary one, in the same directory, which takes the real name only when everything has been
 * written. */
#undef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"
#include "io/format.h"
#include "io/resolution.h"
#include "io/unnamed.h"

enum { OUTPUT_BUFFER = 1 << 16 };

struct weft_writer {
    weft_output output;
    const weft_codec *codec;
    void *state;
    weft_writing writing;
    unsigned char *exif;   /* for a resolution that has no other place */
    unsigned char *pixels; /* of an image that is encoded as a whole */
    int64_t next;          /* the row to be written next */
    bool owned;            /* close the descriptor; standard output is not ours */
    char *path;            /* what the temporary file will be called */
    char *temporary;       /* what it is called now; NULL when it has no name, and for pipes and devices */
    bool unnamed;
    bool failed;
    weft_error failure;
};

/* Finds the format, and the word that chose it, in lower case. */
static weft_status choose(const char *path, const weft_writer_options *options, char word[16], const weft_codec **codec,
                          weft_error *error) {
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

static weft_status read_settings(const char *path, const weft_writer_options *options, const weft_codec *codec,
                                 int32_t values[WEFT_OPTIONS], weft_error *error) {
    char name[WEFT_NAME_SIZE];
    int32_t quality = options ? options->quality : 0;
    if (quality < 0 || quality > 100)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "quality is 1 to 100, not %d", (int)quality);
    weft_name_file(name, path, "standard output");
    return weft_settings_read(&codec->format, options ? options->settings : NULL, quality, name, values, error);
}

weft_status weft_writer_accepts(const char *path, const weft_writer_options *options, const weft_image_info *wanted,
                                weft_image_info *nearest, weft_error *error) {
    char word[16];
    const weft_codec *codec;
    weft_image_info result;
    int32_t settings[WEFT_OPTIONS];
    weft_status status = choose(path, options, word, &codec, error);
    if (status == WEFT_OK)
        status = read_settings(path, options, codec, settings, error);
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

/* Opens a new file `.NAME.xxxxxx` beside `path`. Not mkstemp: its files are private, and the mask that says how public
 * they should be can only be asked for by changing it, under the feet of other threads. */
/* A temporary name beside the real one, for a new file or for the one that has none. */
static weft_status name_temporary(weft_writer *writer, weft_error *error) {
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    const char *slash = strrchr(writer->path, '/'), *base = slash ? slash + 1 : writer->path;
    int directory = (int)(base - writer->path), number = EEXIST;
    size_t size = strlen(writer->path) + 16;
    struct timespec now;
    uint64_t seed;
    writer->temporary = weft_allocate(size, 1);
    if (!writer->temporary)
        return weft_fail_memory(error, size, "a file name");
    clock_gettime(CLOCK_REALTIME, &now);
    seed = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)getpid() << 40 ^ (uint64_t)(uintptr_t)writer;
    for (int attempt = 0; attempt < 100 && number == EEXIST; attempt++) {
        char suffix[7] = "";
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        for (int i = 0; i < 6; i++)
            suffix[i] = digits[seed >> (30 + 5 * i) & 31];
        /* A name of 255 bytes is allowed, so the temporary one keeps only its beginning. */
        snprintf(writer->temporary, size, "%.*s.%.200s.%s", directory, writer->path, base, suffix);
        if (writer->unnamed && weft_unnamed_name(writer->output.descriptor, writer->temporary))
            return WEFT_OK;
        if (!writer->unnamed)
            writer->output.descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (!writer->unnamed && writer->output.descriptor >= 0)
            return WEFT_OK;
        number = errno;
    }
    weft_free(writer->temporary); /* nothing of that name is ours to remove */
    writer->temporary = NULL;
    return weft_fail_system(error, "write", writer->output.name, number);
}

static weft_status open_output(weft_writer *writer, const char *path, weft_error *error) {
    weft_output *output = &writer->output;
    struct stat existing, link;
    weft_status status;
    bool exists;
    weft_name_file(output->name, path, "standard output");
    output->capacity = OUTPUT_BUFFER;
    output->buffer = weft_reallocate(NULL, OUTPUT_BUFFER, 1);
    if (!output->buffer)
        return weft_fail_memory(error, OUTPUT_BUFFER, "an output buffer");
    if (strcmp(path, "-") == 0) {
        fflush(stdout); /* what the program printed before comes first */
        output->descriptor = STDOUT_FILENO;
        return WEFT_OK;
    }
    exists = stat(path, &existing) == 0;
    if (exists && S_ISDIR(existing.st_mode))
        return weft_fail_system(error, "write", output->name, EISDIR);
    if (exists && access(path, W_OK) != 0) /* a protected file is not to be replaced by way of its directory */
        return weft_fail_system(error, "write", output->name, errno);
    if (exists && !S_ISREG(existing.st_mode)) {
        output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        if (output->descriptor < 0)
            return weft_fail_system(error, "write", output->name, errno);
        writer->owned = true;
        return WEFT_OK;
    }
    /* A symbolic link stays: the file that it leads to is replaced. */
    bool linked = exists && lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
    writer->path = linked ? realpath(path, NULL) : weft_duplicate_text(path, strlen(path));
    if (!writer->path && linked)
        return weft_fail_system(error, "write", output->name, errno);
    if (!writer->path)
        return weft_fail_memory(error, strlen(path), "a file name");
    output->descriptor = weft_unnamed_open(writer->path);
    writer->unnamed = output->descriptor >= 0;
    if (!writer->unnamed && (status = name_temporary(writer, error)) != WEFT_OK)
        return status;
    writer->owned = true;
    output->seekable = true;
    if (exists) /* failing to copy a mode, on a file system without them, spoils no picture */
        (void)fchmod(output->descriptor, existing.st_mode & 0777);
    return WEFT_OK;
}

/* The steps of a codec, each with the way out for libraries that leave by a jump. */
static weft_status open_header(weft_writer *writer, weft_error *error) {
    weft_coding *coding = writer->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return writer->codec->open_writer(writer->state, &writer->writing, error);
}

static weft_status write_row(weft_writer *writer, const void *row, weft_error *error) {
    weft_coding *coding = writer->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return writer->codec->write(writer->state, row, error);
}

static weft_status encode(weft_writer *writer, size_t stride, weft_error *error) {
    weft_coding *coding = writer->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return writer->codec->encode(writer->state, writer->pixels, stride, error);
}

static weft_status finish(weft_writer *writer, weft_error *error) {
    weft_coding *coding = writer->state;
    if (!writer->codec->finish_writer)
        return WEFT_OK;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return writer->codec->finish_writer(writer->state, error);
}

/* Keeps a row for a codec that wants all of them at once. */
static weft_status keep_row(weft_writer *writer, const void *row, weft_error *error) {
    const size_t stride = weft_row_size(&writer->writing.info), height = (size_t)writer->writing.info.height;
    if (!writer->pixels)
        writer->pixels = weft_reallocate(NULL, stride, height);
    if (!writer->pixels)
        return weft_fail_memory(error, stride * height, writer->output.name);
    memcpy(writer->pixels + (size_t)writer->next * stride, row, stride);
    return WEFT_OK;
}

/* What of the metadata the file gets. */
static weft_status choose_metadata(weft_writer *writer, const weft_metadata *given, weft_error *error) {
    weft_metadata *metadata = &writer->writing.metadata;
    weft_status status = WEFT_OK;
    *metadata = *given;
    if (!weft_profile_fits(metadata->profile, metadata->profile_size, writer->writing.info.format.channels))
        metadata->profile = NULL, metadata->profile_size = 0;
    if (writer->codec->unmeasured && !metadata->exif) {
        status = weft_resolution_write(metadata, &writer->exif, &metadata->exif_size, error);
        metadata->exif = writer->exif;
    }
    return status;
}

static weft_status open_codec(weft_writer *writer, const weft_metadata *metadata, weft_error *error) {
    weft_status status;
    writer->state = weft_allocate(1, writer->codec->writer_size);
    if (!writer->state)
        return weft_fail_memory(error, writer->codec->writer_size, "a writer");
    *(weft_coding *)writer->state = (weft_coding){.output = &writer->output};
    status = metadata ? choose_metadata(writer, metadata, error) : WEFT_OK;
    return status == WEFT_OK ? open_header(writer, error) : status;
}

weft_status weft_writer_open(const char *path, const weft_writer_options *options, const weft_image_info *info,
                             weft_writer **writer, weft_error *error) {
    char word[16];
    const weft_codec *codec;
    weft_image_info nearest;
    weft_status status;
    size_t size;
    if (!writer)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the place for the writer must not be null");
    *writer = NULL;
    status = weft_writer_accepts(path, options, info, &nearest, error);
    if (status == WEFT_OK)
        status = weft_image_size(info, &size, error);
    if (status == WEFT_OK)
        status = choose(path, options, word, &codec, error);
    if (status != WEFT_OK)
        return status;
    if (nearest.format.type != info->format.type || nearest.format.channels != info->format.channels ||
        nearest.alpha != info->alpha)
        return weft_fail(error, WEFT_ERROR_FORMAT, "a %s file does not hold %sx%d like this, but %sx%d%s", word,
                         weft_type_name(info->format.type), (int)info->format.channels,
                         weft_type_name(nearest.format.type), (int)nearest.format.channels,
                         nearest.alpha == WEFT_ALPHA_NONE       ? ""
                         : nearest.alpha == WEFT_ALPHA_STRAIGHT ? " with straight alpha"
                                                                : " with premultiplied alpha");
    *writer = weft_allocate(1, sizeof **writer);
    if (!*writer)
        return weft_fail_memory(error, sizeof **writer, "a writer");
    (*writer)->writing.info = nearest;
    (*writer)->codec = codec;
    status = read_settings(path, options, codec, (*writer)->writing.settings, error);
    if (status == WEFT_OK)
        status = open_output(*writer, path, error);
    if (status == WEFT_OK)
        status = open_codec(*writer, options ? options->metadata : NULL, error);
    if (status != WEFT_OK)
        weft_writer_abandon(writer);
    return status;
}

static weft_status keep(weft_writer *writer, weft_status status, weft_error *error) {
    writer->failed = true;
    writer->failure.status = status;
    if (error)
        *error = writer->failure;
    return status;
}

weft_status weft_writer_write(weft_writer *writer, int64_t count, const void *rows, ptrdiff_t stride,
                              weft_error *error) {
    if (!writer || count < 0 || (count > 0 && !rows))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "writing rows needs a writer, a count and the rows");
    if (writer->failed)
        return keep(writer, writer->failure.status, error);
    if (count > writer->writing.info.height - writer->next)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: %lld rows given, %lld are missing", writer->output.name,
                         (long long)count, (long long)(writer->writing.info.height - writer->next));
    for (int64_t i = 0; i < count; i++) {
        const void *row = (const unsigned char *)rows + (ptrdiff_t)i * stride;
        weft_status status =
            writer->codec->encode ? keep_row(writer, row, &writer->failure) : write_row(writer, row, &writer->failure);
        if (status != WEFT_OK)
            return keep(writer, status, error);
        writer->next++;
    }
    return WEFT_OK;
}

/* Everything that can still fail before the file gets its name. */
static weft_status complete(weft_writer *writer, weft_error *error) {
    weft_status status;
    if (writer->failed)
        return keep(writer, writer->failure.status, error);
    if (writer->next < writer->writing.info.height)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: %lld rows are missing", writer->output.name,
                         (long long)(writer->writing.info.height - writer->next));
    status = writer->codec->encode ? encode(writer, weft_row_size(&writer->writing.info), error) : WEFT_OK;
    if (status == WEFT_OK)
        status = finish(writer, error);
    if (status != WEFT_OK)
        return status;
    if (!weft_output_flush(&writer->output))
        return weft_output_fail(&writer->output, error);
    if (writer->unnamed && (status = name_temporary(writer, error)) != WEFT_OK)
        return status;
    if (writer->owned) {
        writer->owned = false;
        if (close(writer->output.descriptor) != 0) /* network file systems report a full disk here */
            return weft_fail_system(error, "write", writer->output.name, errno);
    }
    if (writer->temporary && rename(writer->temporary, writer->path) != 0)
        return weft_fail_system(error, "write", writer->output.name, errno);
    weft_free(writer->temporary);
    writer->temporary = NULL;
    return WEFT_OK;
}

weft_status weft_writer_finish(weft_writer **writer, weft_error *error) {
    weft_status status;
    if (!writer || !*writer)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "no writer to finish");
    status = complete(*writer, error);
    weft_writer_abandon(writer);
    return status;
}

void weft_writer_abandon(weft_writer **writer) {
    if (!writer || !*writer)
        return;
    if ((*writer)->state && (*writer)->codec->close_writer)
        (*writer)->codec->close_writer((*writer)->state);
    weft_free((*writer)->state);
    weft_free((*writer)->exif);
    weft_free((*writer)->pixels);
    if ((*writer)->owned)
        close((*writer)->output.descriptor);
    if ((*writer)->temporary)
        unlink((*writer)->temporary);
    weft_free((*writer)->temporary);
    weft_free((*writer)->path);
    weft_free((*writer)->output.buffer);
    weft_free((*writer)->output.spool);
    weft_free(*writer);
    *writer = NULL;
}

static weft_status write_sink(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                              weft_error *error) {
    weft_writer *writer = user;
    if (!writer->failed && y != writer->next)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: row %lld given, row %lld is next", writer->output.name,
                         (long long)y, (long long)writer->next);
    return weft_writer_write(writer, count, rows, stride, error);
}

weft_sink weft_writer_sink(weft_writer *writer) { return (weft_sink){write_sink, writer}; }
