/* SPDX-License-Identifier: MIT
 * Bytes that are read: buffered, from files, pipes and text, with errors that say where. */
#include "io/stream.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/temporary.h"

enum { INPUT_BUFFER = 1 << 16, GATHERED_IN_MEMORY = 16 << 20 };

static bool is_control(char c) { return (unsigned char)c < ' ' || c == 127; }

void weft_name_file(char name[WEFT_NAME_SIZE], const char *path, const char *standard) {
    const char *text = strcmp(path, "-") == 0 ? standard : path;
    size_t length = strlen(text), used = 0;
    if (length >= WEFT_NAME_SIZE) {
        text += length - (WEFT_NAME_SIZE - 4);
        while ((*text & 0xC0) == 0x80) /* not in the middle of a UTF-8 character */
            text++;
        used = (size_t)snprintf(name, WEFT_NAME_SIZE, "...");
    }
    for (; *text && used < WEFT_NAME_SIZE - 1; text++)
        name[used++] = is_control(*text) ? '?' : *text;
    name[used] = 0;
}

weft_status weft_fail_system(weft_error *error, const char *verb, const char *name, int number) {
    char reason[128];
    if (strerror_r(number, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", number);
    return weft_fail(error, WEFT_ERROR_FILE, "cannot %s %s: %s", verb, name, reason);
}

weft_status weft_input_open(weft_input *input, const char *path, weft_error *error) {
    struct stat status;
    *input = (weft_input){.descriptor = STDIN_FILENO, .size = -1, .sought = -1, .row = -1, .rows = -1};
    weft_name_file(input->name, path, "standard input");
    input->buffer = weft_reallocate(NULL, INPUT_BUFFER, 1);
    if (!input->buffer)
        return weft_fail_memory(error, INPUT_BUFFER, "an input buffer");
    input->capacity = INPUT_BUFFER;
    if (strcmp(path, "-") != 0) {
        input->descriptor = open(path, O_RDONLY | O_CLOEXEC);
        if (input->descriptor < 0) {
            int number = errno;
            weft_input_close(input);
            return weft_fail_system(error, "read", input->name, number);
        }
        input->owned = true;
    }
    /* Files under /proc claim to be regular and empty: their size is as unknown as a pipe's. */
    if (fstat(input->descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        off_t start = lseek(input->descriptor, 0, SEEK_CUR);
        if (start >= 0 && start <= status.st_size) {
            input->start = start;
            input->size = status.st_size - start;
        }
    }
    return WEFT_OK;
}

weft_status weft_input_open_text(weft_input *input, const char *name, const char *text, size_t length, weft_error *error) {
    *input = (weft_input){.descriptor = -1, .ended = true, .gathered = true, .size = (int64_t)length, .sought = -1,
                          .row = -1, .rows = -1};
    weft_name_file(input->name, name, name);
    input->buffer = weft_reallocate(NULL, length + 1, 1);
    if (!input->buffer)
        return weft_fail_memory(error, length + 1, "text");
    memcpy(input->buffer, text, length);
    input->capacity = length + 1;
    input->end = length;
    return WEFT_OK;
}

void weft_input_close(weft_input *input) {
    if (input->owned)
        close(input->descriptor);
    input->owned = false;
    weft_free(input->buffer);
    input->buffer = NULL;
    input->capacity = input->position = input->end = 0;
    input->ended = true;
}

/* One read into `memory`; 0 at the end of the file or on a failure. */
static size_t read_some(weft_input *input, void *memory, size_t size) {
    ssize_t count;
    if (input->ended || input->failure)
        return 0;
    do
        count = read(input->descriptor, memory, size);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        input->failure = errno;
    if (count <= 0)
        input->ended = true;
    return count > 0 ? (size_t)count : 0;
}

/* Appends to the buffer, making room first; false when nothing came. */
static bool fill(weft_input *input) {
    size_t count;
    if (input->position > 0 && !input->ended) {
        input->base += (int64_t)input->position;
        input->end -= input->position;
        memmove(input->buffer, input->buffer + input->position, input->end);
        input->position = 0;
    }
    if (input->end == input->capacity)
        return false;
    count = read_some(input, input->buffer + input->end, input->capacity - input->end);
    input->end += count;
    return count > 0;
}

size_t weft_input_peek(weft_input *input, const unsigned char **bytes, size_t wanted) {
    while (input->end - input->position < wanted && fill(input))
        continue;
    *bytes = input->buffer + input->position;
    return input->end - input->position;
}

size_t weft_input_read(weft_input *input, void *memory, size_t size) {
    unsigned char *target = memory;
    size_t done = 0;
    while (done < size) {
        size_t ready = input->end - input->position, count = size - done < ready ? size - done : ready;
        if (count > 0) {
            memcpy(target + done, input->buffer + input->position, count);
            input->position += count;
        } else if (size - done >= INPUT_BUFFER) { /* large rows need no second copy */
            count = read_some(input, target + done, size - done);
            if (count == 0)
                break;
            input->base += (int64_t)count;
        } else if (!fill(input)) {
            break;
        }
        done += count;
    }
    return done;
}

size_t weft_input_chunk(weft_input *input, const unsigned char **bytes) {
    size_t count = weft_input_peek(input, bytes, 1);
    input->position = input->end;
    return count;
}

int weft_input_get_next(weft_input *input) {
    return input->position < input->end || fill(input) ? input->buffer[input->position++] : -1;
}

bool weft_input_read_at(weft_input *input, int64_t offset, void *memory, size_t size) {
    size_t done = 0;
    input->sought = offset;
    if (input->gathered) {
        const int64_t place = offset - input->base, ready = (int64_t)input->end;
        if (place < 0 || place > ready || size > (size_t)(ready - place))
            return false;
        if (size > 0)
            memcpy(memory, input->buffer + place, size);
        return true;
    }
    while (done < size) {
        ssize_t count = pread(input->descriptor, (unsigned char *)memory + done, size - done,
                              (off_t)(input->start + offset + (int64_t)done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            input->failure = errno;
        if (count <= 0)
            return false;
        done += (size_t)count;
    }
    return true;
}

/* Makes room for more when the buffer is full. */
static weft_status grow(weft_input *input, weft_error *error) {
    if (input->end < input->capacity || input->position > 0)
        return WEFT_OK;
    unsigned char *larger = weft_reallocate(input->buffer, input->capacity, 2);
    if (!larger)
        return weft_fail_memory(error, input->capacity, input->name);
    input->buffer = larger;
    input->capacity *= 2;
    return WEFT_OK;
}

weft_status weft_input_load(weft_input *input, const unsigned char **bytes, size_t *size, weft_error *error) {
    while (!input->ended) {
        weft_status status = grow(input, error);
        if (status != WEFT_OK)
            return status;
        fill(input);
    }
    if (input->failure)
        return weft_input_fail(input, error, "unreadable");
    *bytes = input->buffer + input->position;
    *size = input->end - input->position;
    return WEFT_OK;
}

/* What is in the buffer and what follows goes to a temporary file, which takes the pipe's place. */
static weft_status gather_in_file(weft_input *input, weft_error *error) {
    struct weft_temporary file;
    size_t at = 0;
    weft_status status = weft_temporary_open(&file, 0, error);
    if (status != WEFT_OK)
        return status;
    const int64_t start = weft_input_offset(input);
    while (status == WEFT_OK) {
        const size_t count = input->end - input->position;
        status = weft_temporary_write(&file, at, input->buffer + input->position, count, error);
        at += count;
        input->position = input->end;
        if (status == WEFT_OK && !fill(input))
            break;
    }
    if (status == WEFT_OK && input->failure)
        status = weft_input_fail(input, error, "unreadable");
    if (status != WEFT_OK) {
        weft_temporary_close(&file);
        return status;
    }
    if (input->owned)
        close(input->descriptor);
    input->descriptor = file.descriptor;
    input->owned = true;
    input->start = -start;
    input->size = start + (int64_t)at;
    input->base = start; /* and goes on there, from the beginning of the file */
    input->position = input->end = 0;
    input->ended = false;
    return WEFT_OK;
}

weft_status weft_input_gather(weft_input *input, weft_error *error) {
    if (input->size >= 0)
        return WEFT_OK;
    while (!input->ended && input->end - input->position < GATHERED_IN_MEMORY) {
        weft_status status = grow(input, error);
        if (status != WEFT_OK)
            return status;
        fill(input);
    }
    if (!input->ended)
        return gather_in_file(input, error);
    if (input->failure)
        return weft_input_fail(input, error, "unreadable");
    input->gathered = true;
    input->size = input->base + (int64_t)input->end;
    return WEFT_OK;
}

weft_status weft_input_fail(weft_input *input, weft_error *error, const char *format, ...) {
    char message[160], place[64];
    va_list arguments;
    if (input->failure)
        return weft_fail_system(error, "read", input->name, input->failure);
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    for (char *c = message; *c; c++) /* a message may quote the file, and goes to terminals */
        *c = is_control(*c) ? '?' : *c;
    if (input->row < 0)
        snprintf(place, sizeof place, "in the header");
    else if (input->row >= input->rows && input->rows >= 0)
        snprintf(place, sizeof place, "after the last row");
    else
        snprintf(place, sizeof place, "row %lld", (long long)input->row);
    return weft_fail(error, WEFT_ERROR_FILE, "%s: %s (%s, byte %lld)", input->name, message, place,
                     (long long)(input->sought >= 0 ? input->sought : weft_input_offset(input)));
}
