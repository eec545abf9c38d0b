/* SPDX-License-Identifier: MIT
 * The weights of a step that decimates bytes: rounded, and where the kernels want them. */
#include "backend/cpu/steps/multirate/decimate.h"
#include <math.h>
#include <stdlib.h>
#include "backend/cpu/steps/resample/resample_fixed.h"
#include "base/memory.h"

#define MOST_OFF 1.6e-4   /* of weights: 0.02 steps, of the 0.05 of which interpolate.c may take the rest */
#define MOST_SHIFT 22     /* sums stay below 2^31 */
#define MOST_WEIGHT 32639 /* two bytes, of which the low one has a sign */

bool weft_decimate_round(const struct weft_axis *axis, int16_t *whole, int32_t *shift) {
    float most = 0, magnitude = 0;
    for (int32_t k = 0; k < axis->count; k++) {
        most = fmaxf(most, fabsf(axis->weight[k]));
        magnitude += fabsf(axis->weight[k]);
    }
    for (*shift = MOST_SHIFT; *shift > 0 && ldexpf(most, *shift) > MOST_WEIGHT; --*shift)
        ;
    double off = weft_resample_round(axis->weight, axis->count, ldexp(1, *shift), (int32_t)1 << *shift, whole);
    for (int32_t k = 0; k < axis->count; k++)
        if (abs(whole[k]) > MOST_WEIGHT)
            return false;
    return magnitude < 1.9f && off <= MOST_OFF;
}

bool weft_decimate_lay_out(struct decimate *d, const int16_t *whole) {
    struct weft_decimation *of = &d->of;
    int32_t planes = of->channels == 3 ? 4 : of->channels;
    of->halves = of->step > WEFT_DECIMATION_STEP / 2 ? 2 : 1;
    int32_t half = 16 / of->halves, block = half / planes, taps = 4 * of->halves;
    of->count = (int32_t)((d->taps + taps - 1) / taps);
    of->from = of->count;
    of->weights = weft_allocate((size_t)of->count, 128);
    if (!of->weights)
        return false;
    for (int32_t lane = 0; lane < 16; lane++)
        for (int32_t j = 0; j < 4; j++) {
            int32_t channel = lane % half / block, output = lane % block, tap = lane / half * 4 + j;
            channel = channel < of->channels ? channel : 0;
            of->place[4 * lane + j] = (uint8_t)((output * of->step + tap) * of->channels + channel);
            for (int32_t n = 0; n < of->count; n++) {
                int32_t k = n * taps + tap, w = k < d->taps ? whole[k] : 0, high = (w + 128) >> 8;
                of->weights[128 * n + 4 * lane + j] = (int8_t)(w - 256 * high);
                of->weights[128 * n + 64 + 4 * lane + j] = (int8_t)high;
                if (high != 0) {
                    of->from = n < of->from ? n : of->from;
                    of->to = n + 1 > of->to ? n + 1 : of->to;
                }
            }
        }
    of->from = of->from < of->to ? of->from : of->to;
    return true;
}

bool weft_decimate_lay_out_u16(struct decimate *d, const int16_t *whole) {
    struct weft_decimation_u16 *w = &d->of.u16;
    int32_t channels = d->of.channels;
    w->halves = channels == 2 || (channels == 1 && d->of.step > WEFT_DECIMATION_STEP / 2) ? 2 : 1;
    w->outputs = channels == 1 ? 4 / w->halves : 1;
    int32_t taps = 4 * w->halves;
    w->count = (int32_t)((d->taps + taps - 1) / taps);
    w->weights = weft_allocate((size_t)w->count, 16 * sizeof *w->weights);
    if (!w->weights)
        return false;
    for (int32_t part = 0; part < 2; part++)
        for (int32_t i = 0; i < 8; i++) {
            int32_t lane = i / 2, half = channels == 1 ? lane % w->halves : channels == 2 ? lane / 2 : 0;
            int32_t output = channels == 1 ? lane / w->halves : 0, channel = channels == 1 ? 0 : channels == 2 ? lane % 2 : lane;
            int32_t tap = 2 * w->halves * part + 2 * half + i % 2;
            bool there = channel < channels;
            w->place[part][2 * i] = there ? (uint8_t)((output * d->of.step + tap) * channels + channel) : 128;
            w->place[part][2 * i + 1] = 128;
            for (int32_t n = 0; n < w->count; n++)
                w->weights[16 * n + 8 * part + i] = there && n * taps + tap < d->taps ? whole[n * taps + tap] : 0;
        }
    return true;
}
