/* SPDX-License-Identifier: MIT
 * What PNM, PAM and PFM files share: decimal headers, and samples of any maximum stored high byte first. */
#ifndef IO_NETPBM_H
#define IO_NETPBM_H
#include "io/format.h"

static inline bool weft_is_blank(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* The next byte that is neither blank nor in a comment, consumed; -1 at the end of the file. */
int weft_netpbm_token(weft_input *input);
/* A whole number up to `maximum`, and the one blank (or comment) after it. `what` names it in the error. */
weft_status weft_netpbm_number(weft_input *input, const char *what, int64_t maximum, int64_t *number,
                               weft_error *error);
/* The same, at least 1: a width, a height, a maximum. */
weft_status weft_netpbm_positive(weft_input *input, const char *what, int64_t maximum, int64_t *number,
                                 weft_error *error);

/* Samples up to this maximum take one byte and become u8, others two bytes and u16. */
static inline weft_type weft_netpbm_type(int64_t maximum) { return maximum < 256 ? WEFT_U8 : WEFT_U16; }
/* Scales `value` of 0 .. maximum to the full range of its type, to nearest. */
static inline uint32_t weft_netpbm_scale(uint32_t value, uint32_t maximum) {
    const uint64_t full = maximum < 256 ? 255 : 65535;
    return (uint32_t)((2 * full * value + maximum) / (2 * (uint64_t)maximum));
}
/* Makes full range u8 or u16 of `count` samples. */
weft_status weft_netpbm_read(weft_input *input, size_t count, uint32_t maximum, void *row, weft_error *error);

/* A codec's writer of u8 and u16 samples behind a header. */
typedef struct weft_netpbm_writer {
    weft_coding coding;
    weft_type type;
    size_t count; /* samples of a row */
} weft_netpbm_writer;

/* For a codec's open_writer; and its write. */
weft_status weft_netpbm_begin(weft_netpbm_writer *writer, const weft_image_info *info, const char *header,
                              size_t length, weft_error *error);
weft_status weft_netpbm_write_row(void *state, const void *row, weft_error *error);

/* What the codecs of PNM and PAM have in common. */
#define WEFT_NETPBM_CODEC                                                                                                          \
    .followed = true, .largest_side = WEFT_LARGEST_SIDE, .writer_size = sizeof(weft_netpbm_writer), .write = weft_netpbm_write_row

#endif
