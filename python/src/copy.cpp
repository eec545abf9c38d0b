/* SPDX-License-Identifier: MIT
 * Pixels that do not lie as the C library takes them: planes, steps between pixels, rows that overlap. */
#include "core.h"
#include <cstring>

/* One component after the other; `in` says whether to rows without gaps or from them. */
template <typename T, bool in> static void move(const View &view, char *place, char *packed) {
    const int64_t width = view.info.width, channels = view.info.format.channels;
    T *line = reinterpret_cast<T *>(packed);
    for (int64_t y = 0; y < view.info.height; y++, line += width * channels)
        for (int64_t c = 0; c < channels; c++) {
            char *at = place + y * view.row + c * view.channel;
            for (int64_t x = 0; x < width; x++, at += view.pixel) {
                if (in)
                    memcpy(&line[x * channels + c], at, sizeof(T));
                else
                    memcpy(at, &line[x * channels + c], sizeof(T));
            }
        }
}

template <bool in> static void move_any(const View &view, int64_t batch, char *packed) {
    char *place = view.place(batch);
    switch (weft_type_size(view.info.format.type)) {
    case 1: move<uint8_t, in>(view, place, packed); break;
    case 2: move<uint16_t, in>(view, place, packed); break;
    default: move<uint32_t, in>(view, place, packed); break;
    }
}

void gather(const View &view, int64_t batch, char *packed) { move_any<true>(view, batch, packed); }
void scatter(const char *packed, const View &view, int64_t batch) {
    move_any<false>(view, batch, const_cast<char *>(packed));
}
