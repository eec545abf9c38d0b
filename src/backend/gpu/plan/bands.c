/* SPDX-License-Identifier: MIT
 * Bands: an image that does not fit device memory is made piece by piece, from top to bottom. Which rows of what a band
 * needs is found from the last pass back to the first. */
#include "backend/gpu/plan/plan.h"
#include "base/memory.h"
#include "base/status.h"

static void widen(struct gpu_rows *rows, struct gpu_rows more) {
    if (more.first >= more.end)
        return;
    if (rows->first >= rows->end) {
        *rows = more;
        return;
    }
    rows->first = more.first < rows->first ? more.first : rows->first;
    rows->end = more.end > rows->end ? more.end : rows->end;
}

/* The rows of an image of `height` that stand for rows low .. high, both included, some of which may lie outside. */
static struct gpu_rows around(int64_t low, int64_t high, int64_t height, int32_t border) {
    struct gpu_rows rows = {low > 0 ? low : 0, high < height - 1 ? high + 1 : height}, whole = {0, height};
    int64_t above = low < 0 ? -low : 0, below = high > height - 1 ? high - (height - 1) : 0;
    if (above >= height || below >= height || (border == BORDER_WRAP && (above > 0 || below > 0)))
        return whole;
    if (rows.first > height - 1)
        rows.first = height - 1;
    if (rows.end < 1)
        rows.end = 1;
    if (border == BORDER_MIRROR || border == BORDER_SYMMETRIC) { /* what lies as far inside as they do outside */
        if (above > 0 && rows.end < above + 1)
            rows.end = above + 1;
        if (below > 0 && rows.first > height - 1 - below)
            rows.first = height - 1 - below;
    }
    return rows;
}

static struct gpu_rows needed(const struct gpu_pass *pass, struct gpu_rows made) {
    int64_t height = pass->launch.in_height, low = made.first, high = made.end - 1;
    if (pass->need == GPU_NEED_WHOLE)
        return (struct gpu_rows){0, height};
    if (pass->need == GPU_NEED_AROUND)
        return around(low - pass->reach, high + pass->reach, height, pass->launch.border);
    low = INT64_MAX, high = INT64_MIN;
    for (int64_t y = made.first; y < made.end; y++) {
        low = pass->first_row[y] < low ? pass->first_row[y] : low;
        high = pass->first_row[y] + pass->row_count - 1 > high ? pass->first_row[y] + pass->row_count - 1 : high;
    }
    return around(low, high, height, pass->launch.border);
}

static void read_operand(const struct gpu_pass *pass, int32_t operand, struct gpu_rows rows, struct gpu_rows *of) {
    if (operand >= OPERAND_IMAGE && operand != 255)
        widen(&of[pass->picture[operand - OPERAND_IMAGE]], rows);
}

static struct gpu_rows share(int64_t height, int32_t index, int32_t count) {
    return (struct gpu_rows){height * index / count, height * (index + 1) / count};
}

void weft_gpu_cut(const struct gpu_builder *b, struct gpu_stage *stage, int32_t index) {
    struct gpu_band *band = &stage->bands[index];
    int32_t last = stage->first_pass + stage->pass_count - 1;
    int32_t stage_index = b->units[b->passes[stage->first_pass]->unit].stage;
    for (int32_t p = 0; p < b->picture_count; p++) {
        const struct gpu_picture *picture = &b->pictures[p];
        band->rows[p] = (struct gpu_rows){0, 0};
        if (picture->stage == stage_index && (picture->role == GPU_OUTPUT || picture->role == GPU_KEPT))
            band->rows[p] = share(picture->height, index, stage->band_count);
    }
    for (int32_t p = last; p >= stage->first_pass; p--) {
        const struct gpu_pass *pass = b->passes[p];
        struct gpu_rows made = {0, 0};
        for (int32_t i = 0; i < pass->launch.store_count; i++) {
            const struct gpu_instruction *instruction = &pass->launch.store[i];
            if (instruction->op == OP_STORE)
                widen(&made, band->rows[pass->picture[(instruction->operands >> 8 & 255) - OPERAND_IMAGE]]);
            else if (instruction->op == OP_REDUCE)
                widen(&made, share(pass->launch.height, index, stage->band_count));
        }
        if (pass->in_place)
            widen(&made, band->rows[pass->picture[0]]);
        band->made[p - stage->first_pass] = made;
        if (made.first >= made.end)
            continue;
        for (int32_t i = 0; i < pass->launch.store_count; i++) {
            const struct gpu_instruction *instruction = &pass->launch.store[i];
            read_operand(pass, instruction->operands & 255, made, band->rows);
            if (instruction->op != OP_STORE && instruction->op != OP_REDUCE)
                read_operand(pass, instruction->operands >> 8 & 255, made, band->rows);
            else if (instruction->op == OP_STORE) {
                int32_t to = pass->picture[(instruction->operands >> 8 & 255) - OPERAND_IMAGE];
                if (b->pictures[to].scratch)
                    widen(&band->rows[to], made);
            }
        }
        if (pass->aside >= 0) {
            int64_t rows = (made.end - made.first + pass->aside_step - 1) / pass->aside_step * pass->aside_step;
            widen(&band->rows[pass->picture[pass->aside]], (struct gpu_rows){made.first, made.first + rows});
        }
        struct gpu_rows in = needed(pass, made);
        if (pass->launch.load_count == 0 && pass->launch.in_channels > 0)
            widen(&band->rows[pass->picture[0]], in);
        if (pass->beside >= 0)
            widen(&band->rows[pass->picture[pass->beside]], (struct gpu_rows){in.first, in.end + pass->beside_more});
        if (pass->table_image >= 0)
            widen(&band->rows[pass->picture[pass->table_image]],
                  (struct gpu_rows){0, pass->launch.image[pass->table_image].height});
        for (int32_t i = 0; i < pass->launch.load_count; i++) {
            read_operand(pass, pass->launch.load[i].operands & 255, in, band->rows);
            read_operand(pass, pass->launch.load[i].operands >> 8 & 255, in, band->rows);
        }
    }
}

weft_status weft_gpu_bands_create(const struct gpu_builder *b, struct gpu_stage *stage, int32_t count,
                                  weft_error *error) {
    size_t size = (size_t)b->picture_count + (size_t)stage->pass_count + 1;
    stage->band_count = count;
    stage->bands = weft_allocate((size_t)count, sizeof *stage->bands);
    for (int32_t i = 0; stage->bands && i < count; i++) {
        stage->bands[i].rows = weft_allocate(size, sizeof(struct gpu_rows));
        if (!stage->bands[i].rows)
            break;
        stage->bands[i].made = stage->bands[i].rows + b->picture_count;
        weft_gpu_cut(b, stage, i);
    }
    if (!stage->bands || !stage->bands[count - 1].rows)
        return weft_fail_memory(error, (size_t)count * size * sizeof(struct gpu_rows), "the plan's bands");
    return WEFT_OK;
}

void weft_gpu_bands_clear(struct gpu_stage *stage) {
    for (int32_t i = 0; stage->bands && i < stage->band_count; i++)
        weft_free(stage->bands[i].rows);
    weft_free(stage->bands);
    stage->bands = NULL;
    stage->band_count = 0;
}
