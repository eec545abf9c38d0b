/* SPDX-License-Identifier: MIT
 * rank_block.c for one width of ranks: RANK; NAME(x) is a function's name. No include guard: it is included for each.
 */

/* Flips the bits of `count` pixels that leave the window and of as many that enter it, `stride` apart. */
static inline void NAME(turn)(struct work *w, const RANK *leave, const RANK *enter, int64_t count, int64_t stride) {
    uint64_t *bits = w->bits;
    uint32_t first = (uint32_t)w->word * 64;
    int32_t below = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t out = leave[i * stride], in = enter[i * stride];
        bits[out >> 6] ^= UINT64_C(1) << (out & 63);
        bits[in >> 6] ^= UINT64_C(1) << (in & 63);
        below += (in < first) - (out < first);
    }
    w->below += below;
}

static void NAME(slide)(struct work *w, int64_t count, void (*put)(void *out, uint32_t key), size_t size) {
    const struct weft_rank_block *b = w->block;
    int64_t window = 2 * b->radius + 1, rows = w->rows, inside_x = window, inside_y = window;
    RANK *ranks = w->ranks;
    if (!b->outside) { /* the first window; then they are counted as it moves */
        inside_x = inside_y = 0;
        for (int64_t i = 0; i < window; i++)
            inside_x += b->map[i] >= 0, inside_y += b->rows[i] != NULL;
    }
    for (int64_t i = 0; count < w->size && i < w->size; i++)
        ranks[i] = (RANK)w->size;
    for (int64_t i = 0; i < count; i++)
        ranks[(uint32_t)w->pairs[i]] = (RANK)i;
    memset(w->bits, 0, (size_t)(w->size / 64 + 2) * sizeof *w->bits);
    w->word = w->below = 0;
    for (int64_t i = 0; i < window; i++)
        for (int64_t j = 0; j < window; j++) {
            uint32_t rank = ranks[i * rows + j];
            w->bits[rank >> 6] ^= UINT64_C(1) << (rank & 63);
        }
    for (int64_t y = 0, x = 0; y < b->height; y++) {
        /* To the right in even rows, to the left in odd ones. */
        int64_t step = y & 1 ? -1 : 1, end = y & 1 ? -1 : b->width;
        if (y > 0) {
            NAME(turn)(w, ranks + x * rows + y - 1, ranks + x * rows + y + window - 1, window, rows);
            if (!b->outside)
                inside_y += (b->rows[y + window - 1] != NULL) - (b->rows[y - 1] != NULL);
        }
        for (;;) {
            put((char *)b->out + (size_t)y * b->out_stride + (size_t)x * size, find(w, inside_x * inside_y / 2));
            if (x + step == end)
                break;
            int64_t leave = step > 0 ? x : x + window - 1, enter = step > 0 ? x + window : x - 1;
            NAME(turn)(w, ranks + leave * rows + y, ranks + enter * rows + y, window, 1);
            if (!b->outside)
                inside_x += (b->map[enter] >= 0) - (b->map[leave] >= 0);
            x += step;
        }
    }
}
#undef RANK
#undef NAME
