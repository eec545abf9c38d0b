/* SPDX-License-Identifier: MIT
 * Where a codec's bytes come from or go to, and the one way out of a library that reports errors through a function
 * that must not return. What must survive that way lives in the state, never in a local variable. */
#ifndef IO_CODEC_ERROR_H
#define IO_CODEC_ERROR_H
#include <setjmp.h>
#include "io/settings.h"
#include "io/stream.h"

typedef struct weft_coding {
    weft_input *input;   /* of a reader */
    weft_output *output; /* of a writer */
    jmp_buf jump;        /* set by reader.c and writer.c around every step of a codec */
    char message[160];
    const char *settings; /* of a reader, while its header is read; and the values of its format's options in them */
    int32_t values[WEFT_OPTIONS];
    int32_t threads; /* that may work at it */
} weft_coding;

/* Keeps the message for weft_coding_failed. Neither returns nor frees: the step ends here. */
_Noreturn void weft_coding_fail(weft_coding *coding, const char *message);
/* Keeps the message of a library that returns after it has reported an error. The first one stays: what follows from an
 * error says less about it. */
void weft_coding_note(weft_coding *coding, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The error of a step that left by weft_coding_fail, or that has left a note. */
weft_status weft_coding_failed(weft_coding *coding, weft_error *error);

/* The value of an option of a reader's that is any text, NULL where it is not given. */
const char *weft_coding_text(const weft_coding *coding, int option, size_t *length);
/* The value of one, called `name`, that is a color; `color` stays as it is where none is given. */
weft_status weft_coding_color(const weft_coding *coding, int option, const char *name, double *color, weft_error *error);

#endif
