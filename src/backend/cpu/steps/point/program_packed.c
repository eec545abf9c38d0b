/* SPDX-License-Identifier: MIT
 * Programs of one filter that takes pixels of four bytes whole, from image to image in registers: planes between would be
 * written and read again for every component. */
#include "backend/cpu/steps/point/program_run.h"
#include "backend/cpu/pipeline/run.h"

bool weft_program_takes_packed(const struct stage *stage, const struct step *step) {
    const struct program *program = step->data;
    bool packed = program->packed;
    for (int32_t i = 0; i < step->input_count; i++) {
        const struct step *source = &stage->steps[step->inputs[i]];
        packed = packed && source->inlined && weft_source_type(source) == WEFT_U8;
    }
    return packed;
}

/* Pixels taken at a time: what they are made of and what they become stay in a first-level cache. */
#define PIECE 512

static bool store(struct lane *lane, const struct step *step, int64_t y, float *planes, unsigned char *pixels,
                  bool past_caches) {
    unsigned char *made = (unsigned char *)(planes + (size_t)4 * WEFT_CHUNK);
    const struct instruction *instruction = &((const struct program *)step->data)->list[0];
    int64_t columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    const uint8_t *in[WEFT_POINT_INPUTS] = {NULL};
    for (int32_t i = 0; i < instruction->inputs; i++)
        in[i] = weft_source_row(lane, &lane->stage->steps[step->inputs[instruction->in[i][0].index]], y).plane[0];
    for (int64_t x = 0; x < columns; x += PIECE) {
        int64_t count = columns - x < PIECE ? columns - x : PIECE;
        unsigned char *at = pixels + 4 * x;
        struct weft_packed_call call = {.block = lane->run->blocks[instruction->node],
                                       .out = past_caches ? made : at,
                                       .count = (int32_t)count};
        for (int32_t i = 0; i < instruction->inputs; i++) {
            call.in[i] = in[i] + 4 * x;
            weft_prefetch((uintptr_t)(call.in[i] + 4 * count), 4 * count); /* the next ones */
        }
        instruction->body->packed(&call);
        if (past_caches)
            lane->kernels->move_past_caches(made, at, (size_t)(4 * count));
    }
    return true;
}

const struct program_form weft_program_packed = {.store = store};
