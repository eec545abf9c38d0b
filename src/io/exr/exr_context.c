/* SPDX-License-Identifier: MIT
 * What reading and writing OpenEXR share: the library's context with its bytes and reports, and the rows of a chunk. */
#include "io/exr/exr.h"
#include <string.h>
#include "base/memory.h"

static void on_error(exr_const_context_t context, exr_result_t code, const char *message) {
    void *user = NULL;
    (void)code;
    if (exr_get_user_data(context, &user) == EXR_ERR_SUCCESS && user)
        weft_coding_note(user, "%s", message);
}

static int64_t on_size(exr_const_context_t context, void *user) {
    const weft_exr_state *state = user;
    (void)context;
    return state->coding.input->size;
}

/* As many bytes as there are: the library looks further than short files go. */
static int64_t on_read(exr_const_context_t context, void *user, void *bytes, uint64_t size, uint64_t offset,
                       exr_stream_error_func_ptr_t report) {
    weft_exr_state *state = user;
    weft_input *input = state->coding.input;
    const uint64_t left = offset < (uint64_t)input->size ? (uint64_t)input->size - offset : 0;
    size = size < left ? size : left;
    if (size > 0 && !weft_input_read_at(input, (int64_t)offset, bytes, size)) {
        report(context, EXR_ERR_READ_IO, "unreadable");
        return -1;
    }
    return (int64_t)size;
}

static int64_t on_write(exr_const_context_t context, void *user, const void *bytes, uint64_t size, uint64_t offset,
                        exr_stream_error_func_ptr_t report) {
    weft_exr_state *state = user;
    (void)context, (void)report; /* which would wait for the lock of the context that writes */
    bool written = offset <= INT64_MAX && weft_output_write_at(state->coding.output, (int64_t)offset, bytes, size);
    return written ? (int64_t)size : -1;
}

exr_context_initializer_t weft_exr_initializer(weft_exr_state *state) {
    exr_context_initializer_t result = EXR_DEFAULT_CONTEXT_INITIALIZER;
    result.user_data = state;
    result.error_handler_fn = on_error;
    result.read_fn = on_read;
    result.size_fn = on_size;
    result.write_fn = on_write;
    return result;
}

weft_status weft_exr_failed(weft_exr_state *state, exr_result_t code, weft_error *error) {
    weft_coding_note(&state->coding, "%s", exr_get_default_error_message(code));
    return weft_coding_failed(&state->coding, error);
}

void weft_exr_place(const weft_exr_state *state, exr_coding_channel_info_t *channel, unsigned char *rows) {
    const size_t size = weft_type_size(state->info.format.type);
    channel->decode_to_ptr = NULL;
    for (int32_t c = 0; c < state->info.format.channels; c++)
        if (strcmp(channel->channel_name, state->names[c]) == 0)
            channel->decode_to_ptr = rows + (size_t)c * size;
    channel->user_bytes_per_element = (int16_t)size;
    channel->user_data_type = size == 2 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = (int32_t)(size * (size_t)state->info.format.channels);
    channel->user_line_stride = (int32_t)state->row_size;
}

weft_status weft_exr_get_rows(weft_exr_state *state, weft_error *error) {
    const int64_t rows = state->chunk < state->info.height ? state->chunk : state->info.height;
    state->rows = weft_reallocate(NULL, state->row_size, (size_t)rows);
    if (!state->rows)
        return weft_fail_memory(error, state->row_size * (size_t)rows, "rows of an OpenEXR image");
    return WEFT_OK;
}

exr_result_t weft_exr_close_context(weft_exr_state *state) {
    exr_result_t code = EXR_ERR_SUCCESS;
    if (state->prepared && state->coding.input)
        exr_decoding_destroy(state->context, &state->decoding);
    else if (state->prepared)
        exr_encoding_destroy(state->context, &state->encoding);
    state->prepared = false;
    if (state->context)
        code = exr_finish(&state->context);
    state->context = NULL;
    return code;
}

void weft_exr_close_state(void *pointer) {
    weft_exr_state *state = pointer;
    weft_exr_close_context(state);
    weft_free(state->rows);
}
