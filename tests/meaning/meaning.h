/* SPDX-License-Identifier: MIT
 * Filters and pictures for the properties of graphs: drawn, run, reported. */
#ifndef MEANING_H
#define MEANING_H
#include "harness/harness.h"

#define TEXT 2200

struct meaning {
    weft_device *device, *others; /* the second of other threads, or of little memory */
    const char *name;
    struct chance chance;
    int64_t number, passed, failed;
    bool verbose;
};

/* A filter of one input with parameters. */
struct drawn {
    const weft_filter_info *filter;
    char text[1024];
    bool picture; /* makes one, no numbers */
    bool alpha;   /* which has alpha */
    bool even;    /* makes an even picture of an even one */
    bool apart;   /* makes each pixel of that pixel alone, wherever it is */
};

/* How near is near enough; all: colors under an alpha of 0 count too. */
struct close {
    double tolerance, range; /* the range of what was on the way, 0 for none */
    bool all;
};

bool meaning_open(struct meaning *m, const char *device);
void meaning_close(struct meaning *m);
/* A picture of any shape and content; colors are straight and hidden ones are 0. */
bool meaning_picture(struct meaning *m, struct picture *picture);
/* A filter that does not jump, for pictures like `info`. */
void meaning_draw(struct meaning *m, const weft_image_info *info, struct drawn *drawn);
/* Runs graph text on a picture, into one of the same type; false where no plan can be made. */
bool meaning_run(struct meaning *m, weft_device *device, const char *text, const struct picture *in,
                 struct picture *out);
void meaning_count(struct meaning *m, bool good, const char *what, const struct picture *picture, const char *text,
                   const char *other, const char *why);

/* Copies: with each number a little moved; with colors multiplied by alpha, or divided. */
bool picture_moved(struct meaning *m, const struct picture *from, struct picture *to);
bool picture_multiplied(struct meaning *m, const struct picture *from, struct picture *to);
bool picture_divided(struct meaning *m, const struct picture *from, struct picture *to);

#endif
