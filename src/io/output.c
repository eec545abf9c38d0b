/* SPDX-License-Identifier: MIT
 * Bytes that are written: to files, and to pipes, where what is written again waits in memory or a temporary file. */
#include "io/stream.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary.h"

enum { PIECE = 1 << 16, SPOOLED_IN_MEMORY = 16 << 20 };

/* Writes at an offset of the file, or where the descriptor stands when it is negative. */
static bool write_all(weft_output *output, const unsigned char *bytes, size_t size, int64_t offset) {
    while (size > 0 && !output->failure) {
        ssize_t count = offset < 0 ? write(output->descriptor, bytes, size)
                                   : pwrite(output->descriptor, bytes, size, (off_t)offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            output->failure = count < 0 ? errno : EIO;
            break;
        }
        bytes += count;
        size -= (size_t)count;
        if (offset >= 0)
            offset += count;
    }
    return !output->failure;
}

/* What was written out of order and lies in a file, from its beginning to its end. */
static bool write_spool(weft_output *output, size_t size) {
    unsigned char *bytes = weft_reallocate(NULL, PIECE, 1);
    if (!bytes)
        output->failure = ENOMEM;
    for (size_t at = 0; at < size && !output->failure;) {
        const size_t wanted = size - at < PIECE ? size - at : PIECE;
        const ssize_t count = pread(output->spool_file - 1, bytes, wanted, (off_t)at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            output->failure = count < 0 ? errno : EIO;
        else if (write_all(output, bytes, (size_t)count, -1))
            at += (size_t)count;
    }
    weft_free(bytes);
    return !output->failure;
}

/* From here on what is written out of order goes to a file. */
static bool spool_in_file(weft_output *output) {
    struct weft_temporary file;
    weft_error error;
    if (weft_temporary_open(&file, 0, &error) != WEFT_OK ||
        weft_temporary_write(&file, 0, output->spool, output->spool_size, &error) != WEFT_OK) {
        weft_temporary_close(&file);
        output->failure = ENOSPC;
        return false;
    }
    output->spool_file = file.descriptor + 1;
    weft_free(output->spool);
    output->spool = NULL;
    output->spool_capacity = 0;
    return true;
}

void weft_output_drop(weft_output *output) {
    if (output->spool_file)
        close(output->spool_file - 1);
    weft_free(output->spool);
    output->spool = NULL;
    output->spool_file = 0;
}

bool weft_output_flush(weft_output *output) {
    size_t used = output->used, spooled = output->spool_size;
    output->used = output->spool_size = 0;
    if (!write_all(output, output->buffer, used, -1))
        return false;
    return output->spool_file ? write_spool(output, spooled) : write_all(output, output->spool, spooled, -1);
}

bool weft_output_write(weft_output *output, const void *bytes, size_t size) {
    if (output->failure)
        return false;
    if (size > output->capacity - output->used && !weft_output_flush(output))
        return false;
    if (size >= output->capacity)
        return write_all(output, bytes, size, -1);
    if (size > 0)
        memcpy(output->buffer + output->used, bytes, size);
    output->used += size;
    return true;
}

bool weft_output_write_at(weft_output *output, int64_t offset, const void *bytes, size_t size) {
    size_t end;
    if (output->seekable)
        return write_all(output, bytes, size, offset);
    if (output->failure || size == 0)
        return !output->failure;
    if (offset < 0 || !weft_add((size_t)offset, size, &end)) {
        output->failure = EFBIG;
        return false;
    }
    if (!output->spool_file && end > SPOOLED_IN_MEMORY && !spool_in_file(output))
        return false;
    if (output->spool_file) {
        struct weft_temporary file = {.descriptor = output->spool_file - 1};
        weft_error error;
        if (weft_temporary_write(&file, (size_t)offset, bytes, size, &error) != WEFT_OK)
            output->failure = ENOSPC;
        output->spool_size = end > output->spool_size ? end : output->spool_size;
        return !output->failure;
    }
    if (end > output->spool_capacity) {
        size_t capacity = output->spool_capacity > SIZE_MAX / 2 ? end : 2 * output->spool_capacity;
        capacity = capacity < end ? end : capacity;
        unsigned char *larger = weft_reallocate(output->spool, capacity, 1);
        if (!larger) {
            output->failure = ENOMEM;
            return false;
        }
        output->spool = larger;
        output->spool_capacity = capacity;
    }
    if (end > output->spool_size) { /* what lies between has not been written, so it is what a file would have there */
        memset(output->spool + output->spool_size, 0, end - output->spool_size);
        output->spool_size = end;
    }
    memcpy(output->spool + offset, bytes, size);
    return true;
}

weft_status weft_output_fail(const weft_output *output, weft_error *error) {
    return weft_fail_system(error, "write", output->name, output->failure);
}
