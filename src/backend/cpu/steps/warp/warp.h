/* SPDX-License-Identifier: MIT
 * What a warp step knows, and a piece of a row in work. */
#ifndef CPU_WARP_H
#define CPU_WARP_H
#include "backend/cpu/choose/warp.h"
#include "backend/cpu/pipeline/pipeline.h"
#include "backend/cpu/pipeline/whole_image.h"

#define WEFT_WARP_PIECE 256 /* pixels */

struct warp {
    struct whole whole;
    const struct weft_body *body;
    weft_border border;
    bool nearest;
    enum cpu_warp_kernel kernel;
    int32_t spread; /* pixels along each axis that are mixed by weights, or 0 */
    size_t steep; /* of that kernel, bytes of a component of the image; otherwise 0 */
};

/* The pixels around each place. Nearest has only the first of each pair. */
struct warp_piece {
    float from_x[WEFT_WARP_PIECE], from_y[WEFT_WARP_PIECE], weight[WEFT_WARP_PIECE];
    int32_t x[2][WEFT_WARP_PIECE], y[2][WEFT_WARP_PIECE];
    float right[WEFT_WARP_PIECE], down[WEFT_WARP_PIECE];
    ptrdiff_t offsets[4][WEFT_WARP_PIECE];
    int count;
};

/* Whether a border stands for pixels inside, so that places outside are others inside. */
static inline bool weft_warp_goes_on(weft_border border) {
    return border != WEFT_BORDER_CONSTANT && border != WEFT_BORDER_SHRINK;
}
/* warp.c: the two pixels around a place of a line, as weft_border_map has them, and the share of the second. */
float weft_warp_around(float from, int64_t size, weft_border border, bool nearest, int64_t *places);
/* Puts the right pixels in place of those that the kernels have replicated. */
void weft_warp_map(const float *from, int64_t size, const struct warp *warp, int32_t (*at)[WEFT_WARP_PIECE], int count);

/* warp_level.c: mixes the pixels around the places of a piece that lie side by side in the input, out[k] being planes of
 * f32; false, and nothing is done, where they do not. */
bool weft_warp_level(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                     struct warp_piece *piece, void *const *out);

/* warp.c: mixes the pixels around the places of a piece, whatever they are. */
void weft_warp_piece_any(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                         enum weft_row_type type, struct warp_piece *piece, float value, void *const *out);
/* warp_bytes.c: the same into planes of f32, for kernels of bytes; false, and nothing is done, for others, and where
 * the image lies in tiles or is too large. */
bool weft_warp_bytes(const struct lane *lane, const struct warp *warp, const struct pixels *pixels, struct warp_piece *piece,
                     float value, void *const *out);

/* warp_spread.c: mixes so many pixels around the places of a piece, whatever they are; and of bytes, where all are inside. */
void weft_warp_spread_any(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                          const struct warp_piece *piece, float value, void *const *out);
void weft_warp_spread_bytes(const struct lane *lane, const struct warp *warp, const struct pixels *pixels, const float *from_x,
                            const float *from_y, float *const *out, int count);

/* warp.c: asks the body where pixels x .. x + piece->count of row y come from, for place k of `places`. */
void weft_warp_ask_body(const struct step *step, const void *block, struct warp_piece *piece, int64_t x, int64_t y, int32_t k,
                        int32_t places);
/* The pixels around these places, with the border; true where some lie outside. */
bool weft_warp_find_pixels(const struct lane *lane, const struct warp *warp, const struct pixels *pixels,
                           struct warp_piece *piece);

/* warp_steep.c: whether a row of the output runs down the input: by the middle of the output, with the parameters that the
 * plan begins with. */
bool weft_warp_is_steep(const struct step *step, const void *block);
/* Makes row y of a steep warp. */
void weft_warp_run_steep(struct lane *lane, const struct step *step, const struct pixels *pixels, int64_t y,
                         const struct row *out);
size_t weft_warp_steep_state_size(const struct step *step, int64_t columns, int64_t in_columns);

#endif
