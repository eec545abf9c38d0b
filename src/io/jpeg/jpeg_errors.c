/* SPDX-License-Identifier: MIT
 * What libjpeg reports: what ends a step of the codec, and what is no more than an oddity. */
#include "io/jpeg/jpeg.h"
#include <jerror.h>

void weft_jpeg_return_bytes(weft_jpeg_reader *reader) {
    weft_input_return(reader->coding.input, reader->source.bytes_in_buffer);
    reader->source.bytes_in_buffer = 0;
}

_Noreturn void weft_jpeg_fail(j_common_ptr common, const char *message) {
    if (common->is_decompressor)
        weft_jpeg_return_bytes(common->client_data);
    weft_coding_fail(common->client_data, message); /* with which a state begins */
}

_Noreturn static void on_error(j_common_ptr common) {
    char message[JMSG_LENGTH_MAX];
    common->err->format_message(common, message);
    weft_jpeg_fail(common, message);
}

/* libjpeg only warns of corrupt data and makes up the pixels. Pixels that were made up are a failure here; harmless
 * oddities, which cameras do produce, are not. */
static void on_message(j_common_ptr common, int level) {
    const int code = common->err->msg_code;
    if (level < 0 && code != JWRN_EXTRANEOUS_DATA && code != JWRN_ADOBE_XFORM && code != JWRN_TOO_MUCH_DATA &&
        code != JWRN_JFIF_MAJOR && code != JWRN_BOGUS_ICC)
        on_error(common);
}

static void on_print(j_common_ptr common) { (void)common; }

struct jpeg_error_mgr *weft_jpeg_start_errors(struct jpeg_error_mgr *errors) {
    jpeg_std_error(errors);
    errors->error_exit = on_error;
    errors->emit_message = on_message;
    errors->output_message = on_print;
    return errors;
}
