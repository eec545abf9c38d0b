/* SPDX-License-Identifier: MIT
 * libdav1d without its messages. Its structs have other members in other versions, so only the one that weft was built with
 * will do, which its name tells: cmake/Codecs.cmake looks it up. */
#include "io/avif/dav1d.h"
#include <dav1d/dav1d.h>
#include <errno.h>
#include "base/library.h"
#include "base/memory.h"

#define DAV1D_FUNCTIONS(F)                                                                                             \
    F(dav1d_default_settings)                                                                                          \
    F(dav1d_parse_sequence_header)                                                                                     \
    F(dav1d_open) F(dav1d_data_wrap) F(dav1d_send_data) F(dav1d_data_unref) F(dav1d_get_picture) F(dav1d_picture_unref) \
        F(dav1d_close)

struct weft_dav1d {
    void *library; /* of weft_library_open; NULL where it is linked with */
#define DAV1D_MEMBER(name) __typeof__(&name) name;
    DAV1D_FUNCTIONS(DAV1D_MEMBER)
#undef DAV1D_MEMBER
    const uint8_t *bytes;
    size_t size;
    struct weft_av1_layout layout;
    Dav1dPicture picture;
};

#ifdef WEFT_DAV1D_LIBRARY
static const struct weft_library_function functions[] = {
#define DAV1D_ROW(name) {#name, offsetof(struct weft_dav1d, name)},
    DAV1D_FUNCTIONS(DAV1D_ROW)
#undef DAV1D_ROW
};

static bool load(struct weft_dav1d *decoder) {
    decoder->library = weft_library_open(WEFT_DAV1D_LIBRARY);
    return decoder->library && !weft_library_find_all(decoder->library, functions, sizeof functions / sizeof *functions, decoder);
}
#else
static bool load(struct weft_dav1d *decoder) {
#define DAV1D_TAKE(name) decoder->name = name;
    DAV1D_FUNCTIONS(DAV1D_TAKE)
#undef DAV1D_TAKE
    return true;
}
#endif

static bool has_layout(enum Dav1dPixelLayout stored, const struct weft_av1_layout *layout) {
    return layout->colored == (stored != DAV1D_PIXEL_LAYOUT_I400) &&
           layout->halved_across == (stored == DAV1D_PIXEL_LAYOUT_I420 || stored == DAV1D_PIXEL_LAYOUT_I422) &&
           layout->halved_down == (stored == DAV1D_PIXEL_LAYOUT_I420);
}

static bool is_plain(const struct weft_dav1d *decoder) {
    Dav1dSequenceHeader header;
    return decoder->dav1d_parse_sequence_header(&header, decoder->bytes, decoder->size) == 0 &&
           header.max_width == decoder->layout.width && header.max_height == decoder->layout.height &&
           8 + 2 * header.hbd == decoder->layout.bits && has_layout(header.layout, &decoder->layout) &&
           header.num_operating_points == 1;
}

weft_status weft_dav1d_open(struct weft_dav1d **decoder, const uint8_t *bytes, size_t size,
                            const struct weft_av1_layout *layout, weft_error *error) {
    *decoder = weft_allocate(1, sizeof **decoder);
    if (!*decoder)
        return weft_fail_memory(error, sizeof **decoder, "a decoder of AV1");
    (*decoder)->bytes = bytes;
    (*decoder)->size = size;
    (*decoder)->layout = *layout;
    if (!load(*decoder) || !is_plain(*decoder)) {
        weft_dav1d_close(*decoder);
        *decoder = NULL;
    }
    return WEFT_OK;
}

static void keep_bytes(const uint8_t *bytes, void *user) { (void)bytes, (void)user; } /* they are the input's */

/* Feeds the bytes until there is a picture. */
static bool get_picture(struct weft_dav1d *decoder, Dav1dContext *context) {
    Dav1dData data = {0};
    int code = decoder->dav1d_data_wrap(&data, decoder->bytes, decoder->size, keep_bytes, NULL);
    bool fed = false, there = false;
    while (!there && !fed && (code == 0 || code == DAV1D_ERR(EAGAIN))) {
        fed = data.sz == 0; /* all that it was fed before, so what it has now is all there will be */
        code = fed ? 0 : decoder->dav1d_send_data(context, &data);
        if (code == 0 || code == DAV1D_ERR(EAGAIN))
            code = decoder->dav1d_get_picture(context, &decoder->picture);
        there = code == 0;
    }
    if (data.sz > 0)
        decoder->dav1d_data_unref(&data);
    return there;
}

bool weft_dav1d_decode(struct weft_dav1d *decoder, int32_t threads, struct weft_av1_planes *planes) {
    const struct weft_av1_layout *layout = &decoder->layout;
    const Dav1dPicture *picture = &decoder->picture;
    Dav1dContext *context = NULL;
    Dav1dSettings settings;
    decoder->dav1d_default_settings(&settings);
    settings.n_threads = threads < DAV1D_MAX_THREADS ? threads : DAV1D_MAX_THREADS; /* it refuses more, and prints so */
    settings.max_frame_delay = 1;
    settings.all_layers = 0;
    settings.frame_size_limit = (unsigned)(layout->width * layout->height);
    settings.logger.callback = NULL;
    if (decoder->dav1d_open(&context, &settings) != 0)
        return false;
    const bool decoded = get_picture(decoder, context);
    decoder->dav1d_close(&context);
    if (!decoded || picture->p.w != layout->width || picture->p.h != layout->height || picture->p.bpc != layout->bits ||
        !has_layout(picture->p.layout, layout))
        return false;
    for (int i = 0; i < 3; i++) {
        planes->plane[i] = picture->data[i];
        planes->stride[i] = picture->stride[i > 0];
    }
    return true;
}

void weft_dav1d_close(struct weft_dav1d *decoder) {
    if (decoder && decoder->picture.ref)
        decoder->dav1d_picture_unref(&decoder->picture);
    if (decoder)
        weft_library_close(decoder->library);
    weft_free(decoder);
}
