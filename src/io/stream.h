/* SPDX-License-Identifier: MIT
 * Bytes in and out of files and pipes. The libraries' own stdio paths are not used: they cannot look ahead on a pipe,
 * and say neither where nor why a read failed. */
#ifndef IO_STREAM_H
#define IO_STREAM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

enum { WEFT_NAME_SIZE = 256 };

typedef struct weft_input {
    int descriptor;
    bool owned;            /* close it; standard input is not ours */
    bool ended;            /* nothing follows what is in the buffer */
    bool gathered;         /* a pipe, the rest of which is in the buffer */
    int failure;           /* errno of the read that failed, or 0 */
    unsigned char *buffer; /* bytes position .. end-1 are still to be consumed */
    size_t capacity, position, end;
    int64_t base;              /* how many bytes of the file came before buffer[0] */
    int64_t start;             /* where in the descriptor's file our first byte lies */
    int64_t size;              /* bytes in all, or -1 while unknown (a pipe) */
    int64_t sought;            /* where weft_input_read_at looked last, -1 before */
    int64_t row, rows;         /* for messages: the row at work, -1 in the header; and how many there are */
    char name[WEFT_NAME_SIZE]; /* for messages */
} weft_input;

weft_status weft_input_open(weft_input *input, const char *path, weft_error *error);
/* An input of the bytes of `text`, which is `length` long; the name is for messages. */
weft_status weft_input_open_text(weft_input *input, const char *name, const char *text, size_t length, weft_error *error);
void weft_input_close(weft_input *input);

/* Looks at the next bytes without consuming them: at least `wanted` (few) unless the file ends first. */
size_t weft_input_peek(weft_input *input, const unsigned char **bytes, size_t wanted);
/* Consumes bytes into `memory`; fewer than `size` only at the end of the file or on a failure. */
size_t weft_input_read(weft_input *input, void *memory, size_t size);
/* Consumes everything in the buffer, filling it when empty; 0 at the end of the file or on a failure. Until the next
 * call, the last `count` bytes may be given back with weft_input_return. */
size_t weft_input_chunk(weft_input *input, const unsigned char **bytes);
static inline void weft_input_return(weft_input *input, size_t count) { input->position -= count; }

/* Slow path of weft_input_get. */
int weft_input_get_next(weft_input *input);
/* Consumes one byte; -1 at the end of the file or on a failure. */
static inline int weft_input_get(weft_input *input) {
    return input->position < input->end ? input->buffer[input->position++] : weft_input_get_next(input);
}
static inline int64_t weft_input_offset(const weft_input *input) { return input->base + (int64_t)input->position; }

/* Reads bytes at `offset` of a file whose size is known, from the start or by weft_input_gather, after which what was
 * consumed before is gone; false when they are not all there. */
bool weft_input_read_at(weft_input *input, int64_t offset, void *memory, size_t size);
/* Pulls the rest of a pipe into memory, or where it is long into a temporary file, so that its size is known before anything is
 * allocated on a header's word. */
weft_status weft_input_gather(weft_input *input, weft_error *error);

/* Pulls all of the file that has not been consumed into memory, which grows as bytes come. They stay, unconsumed, as
 * long as nothing else is done with the input. */
weft_status weft_input_load(weft_input *input, const unsigned char **bytes, size_t *size, weft_error *error);

/* "NAME: MESSAGE (row 3, byte 99)", or why reading failed if it did. */
weft_status weft_input_fail(weft_input *input, weft_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct weft_output {
    int descriptor;
    bool seekable; /* a file of our own, where bytes may be written in any order */
    int failure;   /* errno of the write that failed, or 0 */
    unsigned char *buffer;
    size_t capacity, used;
    unsigned char *spool; /* what was written out of order and waits in memory, because the file is not seekable */
    size_t spool_capacity, spool_size;
    int spool_file;       /* a temporary file where that is long, plus 1; 0: in memory */
    char name[WEFT_NAME_SIZE];
} weft_output;

/* All return false when this or an earlier write failed. A file is written by one of the two, in order or by offsets
 * from its start. */
bool weft_output_write(weft_output *output, const void *bytes, size_t size);
bool weft_output_write_at(weft_output *output, int64_t offset, const void *bytes, size_t size);
/* Everything is written then, as far as the system knows. */
bool weft_output_flush(weft_output *output);
/* Frees what was written out of order. */
void weft_output_drop(weft_output *output);
/* "cannot write NAME: REASON" after a false. */
weft_status weft_output_fail(const weft_output *output, weft_error *error);

/* Makes `path` fit for a message: printable, and its end when it is long. "-" is called `standard`. */
void weft_name_file(char name[WEFT_NAME_SIZE], const char *path, const char *standard);
/* "cannot VERB NAME: REASON" for an errno. */
weft_status weft_fail_system(weft_error *error, const char *verb, const char *name, int number);

#endif
