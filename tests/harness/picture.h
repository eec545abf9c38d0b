/* SPDX-License-Identifier: MIT
 * Images for tests: with guard bytes before, after and between the rows, any pitch and any offset that its type allows.
 */
#ifndef HARNESS_PICTURE_H
#define HARNESS_PICTURE_H
#include "weft/weft.h"
#include "random.h"

struct picture {
    weft_image image;
    unsigned char *memory;
    size_t size;
};

enum content {
    CONTENT_RANDOM,
    CONTENT_EXTREMES,
    CONTENT_CONSTANT,
    CONTENT_IMPULSE,
    CONTENT_RAMP,
    CONTENT_WIDE,
    CONTENTS,
    CONTENT_WIDE_COLORS = CONTENTS /* wide but for the last channel; drawn only in place of CONTENT_WIDE */
};
const char *content_name(enum content content);

/* Memory for an image, all of it guard bytes. plain: tightly packed. False without memory. */
bool picture_create(const weft_image_info *info, bool plain, struct chance *chance, struct picture *picture);
void picture_destroy(struct picture *picture);
/* Draws pixels; premultiplied colors do not exceed their alpha. */
void picture_fill(struct picture *picture, enum content content, struct chance *chance);
/* The number of guard bytes that are no longer what they were. */
size_t picture_damage(const struct picture *picture);

/* Component c of pixel x, y, integers by full scale. */
double picture_get(const struct picture *picture, int64_t x, int64_t y, int32_t c);
void picture_set(struct picture *picture, int64_t x, int64_t y, int32_t c, double value);
/* 255, 65535, or 0 for a type that has no steps. */
double type_steps(weft_type type);
/* The distance between neighbouring binary16 numbers at a value. */
double half_spacing(double value);

#endif
