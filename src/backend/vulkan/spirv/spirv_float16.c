/* SPDX-License-Identifier: MIT
 * Half floats as IEEE has them: a module says that conversions to and from 16 bits round to nearest, keep what is below
 * 2^-14, and infinity, where the device takes that declaration. */
#include <string.h>
#include "backend/vulkan/spirv/spirv.h"
#include "base/memory.h"

#define EXECUTION_MODE 16
#define CAPABILITY 17
#define MODES 3
static const uint32_t modes[MODES] = {4459, 4461, 4462}; /* DenormPreserve SignedZeroInfNanPreserve RoundingModeRTE */
static const uint32_t capabilities[MODES] = {4464, 4466, 4467}; /* what allows them */

uint32_t *weft_spirv_halves(const uint32_t *words, size_t count, size_t *result_count) {
    size_t first = SPIRV_HEADER, at = 0; /* of the capabilities, and of the first execution mode */
    for (size_t i = first; !at && i < count && spirv_length(words[i]); i += spirv_length(words[i]))
        if (spirv_opcode(words[i]) == EXECUTION_MODE && i + 1 < count)
            at = i;
    uint32_t *result = at ? weft_allocate(count + MODES * 6, sizeof *result) : NULL;
    if (!result)
        return NULL;
    uint32_t *next = result;
    memcpy(next, words, first * sizeof *words);
    next += first;
    for (int i = 0; i < MODES; i++, next += 2)
        next[0] = 2u << 16 | CAPABILITY, next[1] = capabilities[i];
    memcpy(next, words + first, (at - first) * sizeof *words);
    next += at - first;
    for (int i = 0; i < MODES; i++, next += 4)
        next[0] = 4u << 16 | EXECUTION_MODE, next[1] = words[at + 1], next[2] = modes[i], next[3] = 16;
    memcpy(next, words + at, (count - at) * sizeof *words);
    *result_count = count + MODES * 6;
    return result;
}
