/* SPDX-License-Identifier: MIT
 * libtiff's handlers of errors, and of reading, writing and seeking. */
#include "io/tiff/tiff_stream.h"
#include <stdarg.h>
#include <stdio.h>

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    char message[160];
    (void)tiff;
    (void)module;
    vsnprintf(message, sizeof message, format, arguments);
    weft_coding_note(user, "%s", message);
    return 1;
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

static int64_t sought(int64_t position, int64_t size, toff_t offset, int whence) {
    int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : size, result;
    return __builtin_add_overflow(from, (int64_t)offset, &result) || result < 0 ? -1 : result;
}

static tmsize_t on_read(thandle_t handle, void *bytes, tmsize_t size) {
    weft_tiff_place *place = handle;
    weft_input *input = place->coding->input;
    int64_t left = input->size - place->position;
    left = left < 0 ? 0 : left < size ? left : size;
    if (left > 0 && !weft_input_read_at(input, place->position, bytes, (size_t)left))
        return -1;
    place->position += left;
    return left;
}

static toff_t on_seek_input(thandle_t handle, toff_t offset, int whence) {
    weft_tiff_place *place = handle;
    int64_t to = sought(place->position, place->coding->input->size, offset, whence);
    if (to >= 0)
        place->position = to;
    return (toff_t)to;
}

static toff_t on_size_input(thandle_t handle) {
    const weft_tiff_place *place = handle;
    return (toff_t)place->coding->input->size;
}

static tmsize_t on_write_nothing(thandle_t handle, void *bytes, tmsize_t size) {
    (void)handle, (void)bytes, (void)size;
    return -1;
}

static tmsize_t on_read_nothing(thandle_t handle, void *bytes, tmsize_t size) {
    (void)handle, (void)bytes, (void)size;
    return -1;
}

tmsize_t weft_tiff_write(thandle_t handle, void *bytes, tmsize_t size) {
    weft_tiff_place *place = handle;
    if (!weft_output_write_at(place->coding->output, place->position, bytes, (size_t)size))
        return -1;
    place->position += size;
    place->end = place->position > place->end ? place->position : place->end;
    return size;
}

static toff_t on_seek_output(thandle_t handle, toff_t offset, int whence) {
    weft_tiff_place *place = handle;
    int64_t to = sought(place->position, place->end, offset, whence);
    if (to >= 0)
        place->position = to;
    return (toff_t)to;
}

static toff_t on_size_output(thandle_t handle) {
    const weft_tiff_place *place = handle;
    return (toff_t)place->end;
}

static int on_close(thandle_t handle) {
    (void)handle;
    return 0;
}

TIFF *weft_tiff_open(weft_tiff_place *place, const char *mode) {
    weft_coding *coding = place->coding;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    TIFF *tiff;
    if (!options)
        return NULL;
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, coding);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, coding);
    tiff = coding->input ? TIFFClientOpenExt(coding->input->name, mode, place, on_read, on_write_nothing,
                                             on_seek_input, on_close, on_size_input, NULL, NULL, options)
                         : TIFFClientOpenExt(coding->output->name, mode, place, on_read_nothing, weft_tiff_write,
                                             on_seek_output, on_close, on_size_output, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}
