/* SPDX-License-Identifier: MIT
 * AV1 pictures by libdav1d, which takes a third of libaom's time and a quarter of its memory. libavif may use it too, but
 * leaves it to print what it finds wrong with a damaged picture. Opened when the first one is read. */
#ifndef IO_AVIF_DAV1D_H
#define IO_AVIF_DAV1D_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

/* How the samples of a picture lie. */
struct weft_av1_layout {
    int64_t width, height;
    int bits;                                /* of a sample; two bytes each above 8 */
    bool colored, halved_across, halved_down; /* three planes; the second and third of half the width and height */
};

struct weft_av1_planes {
    uint8_t *plane[3];
    ptrdiff_t stride[3]; /* bytes */
};

struct weft_dav1d; /* a decoder with its picture */

#ifdef WEFT_HAVE_DAV1D
/* A decoder for the one picture that these bytes are; *decoder is NULL where it cannot be told before decoding that it
 * has this layout, or where the library is not installed. The bytes must stay. */
weft_status weft_dav1d_open(struct weft_dav1d **decoder, const uint8_t *bytes, size_t size,
                            const struct weft_av1_layout *layout, weft_error *error);
/* The planes live until the decoder is closed. Returns false where the bytes are damaged. */
bool weft_dav1d_decode(struct weft_dav1d *decoder, int32_t threads, struct weft_av1_planes *planes);
void weft_dav1d_close(struct weft_dav1d *decoder); /* NULL is no decoder */
#else
static inline weft_status weft_dav1d_open(struct weft_dav1d **decoder, const uint8_t *bytes, size_t size,
                                          const struct weft_av1_layout *layout, weft_error *error) {
    (void)bytes, (void)size, (void)layout, (void)error;
    *decoder = NULL;
    return WEFT_OK;
}
static inline bool weft_dav1d_decode(struct weft_dav1d *decoder, int32_t threads, struct weft_av1_planes *planes) {
    (void)decoder, (void)threads, (void)planes;
    return false;
}
static inline void weft_dav1d_close(struct weft_dav1d *decoder) { (void)decoder; }
#endif

#endif
