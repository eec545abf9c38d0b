/* SPDX-License-Identifier: MIT
 * How steps of codecs fail. */
#include "io/codec_error.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"

void weft_coding_fail(weft_coding *coding, const char *message) {
    weft_coding_note(coding, "%s", message);
    longjmp(coding->jump, 1);
}

void weft_coding_note(weft_coding *coding, const char *format, ...) {
    va_list arguments;
    if (*coding->message)
        return;
    va_start(arguments, format);
    vsnprintf(coding->message, sizeof coding->message, format, arguments);
    va_end(arguments);
    for (char *c = coding->message; *c; c++) /* a library may quote bytes of the file */
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}

weft_status weft_coding_failed(weft_coding *coding, weft_error *error) {
    const char *message = *coding->message ? coding->message : "damaged";
    if (coding->input)
        return weft_input_fail(coding->input, error, "%s", message);
    if (coding->output->failure)
        return weft_output_fail(coding->output, error);
    return weft_fail(error, WEFT_ERROR_FILE, "cannot write %s: %s", coding->output->name, message);
}

const char *weft_coding_text(const weft_coding *coding, int option, size_t *length) {
    const int32_t place = coding->values[option];
    const char *text = place > 0 ? coding->settings + place : NULL;
    *length = text ? strcspn(text, ",") : 0;
    return text;
}

weft_status weft_coding_color(const weft_coding *coding, int option, const char *name, double *color, weft_error *error) {
    size_t length;
    const char *text = weft_coding_text(coding, option, &length);
    char quote[WEFT_QUOTE_SIZE];
    if (!text || weft_text_color(text, length, color))
        return WEFT_OK;
    return weft_fail(error, WEFT_ERROR_PARAMETER, "%s: %s is a color as white, #rrggbb or #rrggbbaa, not '%s'",
                     coding->input->name, name, weft_text_quote(quote, text, length));
}
