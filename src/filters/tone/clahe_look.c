/* SPDX-License-Identifier: MIT
 * Of pixels side by side between the middles of the same four tiles, which of the tables count how much down the image is the
 * same for all: they become one table of pairs, what a level is at the left middle and how it grows to the right one. Looking
 * into four tables for each pixel, clahe of u8x1 took 5 times as long. */
#define NAME clahe_look
#define SUMMARY "A place and its level by the tables of the four tiles around it"
#define STEP_OF "clahe"
#define SOURCE "OpenCV's createCLAHE"
#define EXAMPLE "split[a][b];[a]place_map[m];[b]resize=256:4[t];[m][t]clahe_look=2:2:640:480"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    INT(across, 8, 1, 32, "", "tiles from left to right")                                                              \
    INT(down, 8, 1, 32, "", "tiles from top to bottom")                                                                \
    FLOAT(width, 16, 1, 16777216, "px", "of a tile")                                                                   \
    FLOAT(height, 16, 1, 16777216, "px", "of a tile")
#define CHANNELS GREY
#define FORMS 1
#define ROWS
#include "filter/lookup.h"

FORM { return 0; }
SETUP { return rgba(to_float(table.width), 1.0f / P.width, 1.0f / P.height, 0.0f); }
BODY {
    float x = c.x * setup0.y - 0.5f, y = c.y * setup0.z - 0.5f, left = floor(x), top = floor(y);
    float u = x - left, v = y - top, last_x = to_float(P.across) - 1.0f, last_y = to_float(P.down) - 1.0f;
    float bin = clamp(c.z, 0.0f, 1.0f) * (setup0.x - 1.0f), low = min(floor(bin), setup0.x - 2.0f), part = bin - low;
    float x0 = clamp(left, 0.0f, last_x), x1 = clamp(left + 1.0f, 0.0f, last_x);
    float y0 = clamp(top, 0.0f, last_y) * (last_x + 1.0f), y1 = clamp(top + 1.0f, 0.0f, last_y) * (last_x + 1.0f);
    int at = to_int(low), a = to_int(y0 + x0), b = to_int(y0 + x1), d = to_int(y1 + x0), e = to_int(y1 + x1);
    float one = mix(TABLE(at, a).x, TABLE(at + 1, a).x, part), two = mix(TABLE(at, b).x, TABLE(at + 1, b).x, part);
    float three = mix(TABLE(at, d).x, TABLE(at + 1, d).x, part), four = mix(TABLE(at, e).x, TABLE(at + 1, e).x, part);
    float level = mix(mix(one, two, u), mix(three, four, u), v);
    return rgba(level, level, level, 1.0f);
}

#ifdef PART_ROWS
#include "filters/tone/piece_of_map.h"
#define MOST_BINS 512
#define LEAST_WIDTH 64.0f /* of tiles: narrower ones have a table for few pixels */
#define BLOCK_PIXELS 128
struct pair {
    float level, growth;
};

/* The tables of a row of tiles, `above` and `below` a place that is `down` of the way between their middles. */
struct between {
    const float *left_above, *left_below, *right_above, *right_below;
    float down;
};
static void make_pairs(const struct between *of, int bins, struct pair *pairs) {
    const float *a = of->left_above, *b = of->right_above, *d = of->left_below, *e = of->right_below;
    const float down = of->down;
    VECTOR_LOOP
    for (int i = 0; i < bins; i++) {
        const float left = mix(a[i], d[i], down), right = mix(b[i], e[i], down);
        pairs[i].level = left, pairs[i].growth = right - left;
    }
}

/* Levels of `count` pixels, the first of which is `u` of the way from left to right, each `step` farther. */
static void look_up(const struct pair *pairs, int bins, const float *in, float *out, int count, float u, float step) {
    const float last = (float)(bins - 1);
    for (int begin = 0; begin < count; begin += BLOCK_PIXELS) {
        const int n = count - begin < BLOCK_PIXELS ? count - begin : BLOCK_PIXELS;
        int at[BLOCK_PIXELS], parts = 0;
        struct pair here[BLOCK_PIXELS], next[BLOCK_PIXELS];
        float part[BLOCK_PIXELS];
        _Pragma("omp simd reduction(| : parts)") for (int i = 0; i < n; i++) {
            const float v = in[begin + i], low = v > 0.0f ? v : 0.0f, bin = (low < 1.0f ? low : 1.0f) * last;
            const int nearest = (int)(bin + 0.5f);
            const float off = bin - (float)nearest;
            parts |= (off > 1e-4f) | (off < -1e-4f);
            at[i] = nearest;
        }
        for (int i = 0; i < n; i++)
            here[i] = pairs[at[i]];
        if (!parts) { /* levels that have a bin of their own, as bytes do */
            VECTOR_LOOP
            for (int i = 0; i < n; i++)
                out[begin + i] = here[i].level + here[i].growth * (u + step * (float)(begin + i));
            continue;
        }
        for (int i = 0; i < n; i++) {
            const float v = in[begin + i], bin = clamp(v, 0.0f, 1.0f) * last, low = min(floor(bin), last - 1.0f);
            here[i] = pairs[(int)low], next[i] = pairs[(int)low + 1], part[i] = bin - low;
        }
        VECTOR_LOOP
        for (int i = 0; i < n; i++) {
            const float across = u + step * (float)(begin + i);
            const float first = here[i].level + here[i].growth * across, second = next[i].level + next[i].growth * across;
            out[begin + i] = mix(first, second, part[i]);
        }
    }
}

static bool rows_of(const struct weft_lookup_call *call, const struct BLOCK *p) {
    const struct weft_table *table = call->table;
    const int bins = table->width, last_x = p->across - 1, last_y = p->down - 1;
    const float step = 1.0f / p->width, y = call->in[1][0] * (1.0f / p->height) - 0.5f, top = floor(y);
    if (!piece_of_map(call) || bins < 2 || bins > MOST_BINS || table->height != p->across * p->down || p->width < LEAST_WIDTH)
        return false;
    const int above = (int)clamp(top, 0.0f, (float)last_y), below = (int)clamp(top + 1.0f, 0.0f, (float)last_y);
    for (int i = 0, n; i < call->count; i += n) {
        struct pair pairs[MOST_BINS];
        const float x = call->in[0][i] * step - 0.5f, left = floor(x);
        const int first = (int)clamp(left, 0.0f, (float)last_x), second = (int)clamp(left + 1.0f, 0.0f, (float)last_x);
        const float rest = (left + 1.0f - x) * p->width; /* pixels to the next middle */
        n = rest < (float)(call->count - i) ? (int)rest : call->count - i;
        n = n > 1 ? n : 1;
        make_pairs(&(struct between){table_row(table, above * p->across + first), table_row(table, below * p->across + first),
                                     table_row(table, above * p->across + second),
                                     table_row(table, below * p->across + second), y - top},
                   bins, pairs);
        look_up(pairs, bins, call->in[2] + i, call->out[0] + i, n, x - left, step);
    }
    finish_grey(call);
    return true;
}
#endif
