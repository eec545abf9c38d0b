/* SPDX-License-Identifier: MIT
 * The writing front: checks what callers give, takes a codec through its steps, and keeps the first error. */
#include <string.h>
#include "base/memory.h"
#include "base/threads.h"
#include "io/metadata/fit.h"
#include "io/metadata/resolution.h"
#include "io/profile/profile.h"
#include "io/write/writer.h"

enum { LARGEST_OFFSET = 1 << 30 };

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

/* What the option of that name says; formats without it carry none of what it is about. */
static int32_t exif_choice(const weft_writer *writer) {
    const weft_file_format *format = &writer->codec->format;
    for (int32_t i = 0; i < format->option_count; i++)
        if (strcmp(format->options[i].name, "exif") == 0)
            return writer->writing.settings[i];
    return WEFT_EXIF_OFF;
}

/* A copy that may be changed, with room for it to grow; NULL stays NULL. */
static weft_status copy(unsigned char **target, const void *bytes, size_t size, weft_error *error) {
    if (!bytes || size == 0)
        return WEFT_OK;
    *target = weft_reallocate(NULL, size > SIZE_MAX - WEFT_XMP_GROWTH ? SIZE_MAX : size + WEFT_XMP_GROWTH, 1);
    if (!*target)
        return weft_fail_memory(error, size, "metadata");
    memcpy(*target, bytes, size);
    return WEFT_OK;
}

/* Makes EXIF, XMP and IPTC true of the picture. */
static weft_status fit_metadata(weft_writer *writer, weft_metadata *metadata, int32_t choice, weft_error *error) {
    const weft_fit fit = {.width = writer->writing.info.width,
                          .height = writer->writing.info.height,
                          .orientation = weft_exif_orientation(metadata->exif, metadata->exif_size),
                          .no_place = choice == WEFT_EXIF_NO_GPS};
    weft_status status = copy(&writer->exif, metadata->exif, metadata->exif_size, error);
    if (status == WEFT_OK)
        status = copy(&writer->xmp, metadata->xmp, metadata->xmp_size, error);
    if (status == WEFT_OK)
        status = copy(&writer->iptc, metadata->iptc, metadata->iptc_size, error);
    if (status == WEFT_OK && writer->exif)
        status = weft_exif_fit(writer->exif, &metadata->exif_size, &fit, error);
    if (status != WEFT_OK)
        return status;
    if (writer->xmp)
        weft_xmp_fit(writer->xmp, &metadata->xmp_size, &fit);
    if (writer->iptc)
        weft_iptc_fit(writer->iptc, &metadata->iptc_size);
    metadata->exif = metadata->exif_size > 0 ? writer->exif : NULL;
    metadata->xmp = metadata->xmp_size > 0 ? writer->xmp : NULL;
    metadata->iptc = metadata->iptc_size > 0 ? writer->iptc : NULL;
    return WEFT_OK;
}

/* All numbers are so small that sums of two of them fit into 32 bits. */
static bool keeps_frame(const weft_writer *writer, const weft_frame *frame) {
    const weft_image_info *info = &writer->writing.info;
    const int64_t numbers[] = {frame->x, frame->y, frame->left, frame->top, frame->width, frame->height};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i] <= -LARGEST_OFFSET || numbers[i] >= LARGEST_OFFSET)
            return false;
    return writer->codec->format.frames && frame->width > 0 && frame->height > 0 && info->width < LARGEST_OFFSET &&
           info->height < LARGEST_OFFSET && frame->picture_width == info->width &&
           frame->picture_height == info->height;
}

/* What of the metadata the file gets. */
static weft_status choose_metadata(weft_writer *writer, const weft_metadata *given, weft_error *error) {
    weft_metadata *metadata = &writer->writing.metadata;
    const int32_t choice = exif_choice(writer);
    weft_status status;
    *metadata = *given;
    if (!weft_profile_fits(metadata->profile, metadata->profile_size, writer->writing.info.format.channels))
        metadata->profile = NULL, metadata->profile_size = 0;
    if (!keeps_frame(writer, &metadata->frame))
        metadata->frame = (weft_frame){.width = 0};
    if (choice == WEFT_EXIF_OFF) {
        metadata->exif = metadata->xmp = metadata->iptc = NULL;
        metadata->exif_size = metadata->xmp_size = metadata->iptc_size = 0;
        return WEFT_OK;
    }
    status = fit_metadata(writer, metadata, choice, error);
    if (status == WEFT_OK && writer->codec->unmeasured && !metadata->exif) {
        weft_free(writer->exif);
        writer->exif = NULL;
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
    *(weft_coding *)writer->state = (weft_coding){.output = &writer->output, .threads = writer->threads};
    status = metadata ? choose_metadata(writer, metadata, error) : WEFT_OK;
    if (status == WEFT_OK && writer->profile)
        status = weft_profile_open(writer->profile, writer->output.name, &writer->writing.info,
                                   &writer->writing.metadata, &writer->change, error);
    return status == WEFT_OK ? open_header(writer, error) : status;
}

static weft_status check_metadata(const weft_metadata *given, weft_error *error) {
    const char *missing = !given->profile && given->profile_size > 0 ? "profile"
                          : !given->exif && given->exif_size > 0     ? "exif"
                          : !given->xmp && given->xmp_size > 0       ? "xmp"
                          : !given->iptc && given->iptc_size > 0     ? "iptc"
                                                                     : NULL;
    if (missing)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the %s of the metadata is NULL, but its size is not 0", missing);
    return WEFT_OK;
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
        status = weft_writer_choose(path, options, word, &codec, error);
    if (status == WEFT_OK && options && options->metadata)
        status = check_metadata(options->metadata, error);
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
    (*writer)->threads = options && options->threads > 0 ? options->threads : weft_thread_count();
    (*writer)->codec = codec;
    status = weft_writer_settings(path, options, codec, (*writer)->writing.settings, &(*writer)->profile, error);
    if (status == WEFT_OK)
        status = weft_writer_open_file(*writer, path, error);
    if (status == WEFT_OK)
        status = open_codec(*writer, options ? options->metadata : NULL, error);
    if (status != WEFT_OK)
        weft_writer_abandon(writer);
    return status;
}

const weft_file_format *weft_writer_format(const weft_writer *writer) { return writer ? &writer->codec->format : NULL; }

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
        weft_status status;
        if (writer->change)
            row = weft_profile_row(writer->change, row, writer->writing.info.width);
        status =
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
    return weft_writer_finish_file(writer, error);
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
    weft_profile_close(&(*writer)->change);
    weft_free((*writer)->profile);
    weft_free((*writer)->exif);
    weft_free((*writer)->xmp);
    weft_free((*writer)->iptc);
    weft_free((*writer)->pixels);
    weft_writer_close_file(*writer);
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

weft_sink weft_writer_sink(weft_writer *writer) { return (weft_sink){writer ? write_sink : NULL, writer}; }
