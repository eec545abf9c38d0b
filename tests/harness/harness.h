/* SPDX-License-Identifier: MIT
 * The harness: every filter of the registry, over formats, channels, alpha, borders, sizes, pitches, threads and
 * contents, on one device against another. It knows the public interface only, but for steady.c. */
#ifndef HARNESS_HARNESS_H
#define HARNESS_HARNESS_H
#include "weft/weft.h"
#include "picture.h"
#include "random.h"

#define HARNESS_IMAGES 4
#define HARNESS_DEVICES 4
#define HARNESS_TEXT 4096

struct harness {
    uint64_t seed;
    const char *filter; /* the only one to try; NULL for all */
    int64_t only_case;  /* -1 for all */
    int part, parts;    /* of the list of filters, graphs and what plans share: 1/2 every second, 2/2 the others */
    int64_t cases;      /* for each filter */
    bool widths;        /* small images of all widths, heights and formats, on every device that is open */
    bool all;           /* then every width in every format */
    int64_t patience;   /* seconds that a case may take */
    const char *device, *against;
    int32_t threads; /* 0: several counts */
    bool verbose;
    weft_device *devices[HARNESS_DEVICES];
    int32_t device_threads[HARNESS_DEVICES];
    const char *device_isas[HARNESS_DEVICES]; /* what WEFT_CPU_ISA was set to for it, or NULL */
    int32_t device_count;
    weft_device *reference;
    bool software; /* the device is a software GPU */
    int64_t passed, failed, refused;
};

/* One thing to try: a graph on given images. */
struct trial {
    const char *name; /* for the line that repeats it */
    int64_t number;
    char graph[HARNESS_TEXT];
    int32_t inputs;
    weft_image_info infos[HARNESS_IMAGES];
    enum content contents[HARNESS_IMAGES];
    weft_type output_type; /* 0: as the first input */
    bool plain;            /* pixels tightly packed */
    bool exact;            /* integers must agree to the bit */
    double tolerance;      /* as a fraction of full scale */
    double steady;         /* of a filter that jumps: the same where it does not */
};

enum outcome { PASSED, FAILED, REFUSED };

/* trial.c: runs a trial on one of the devices and on the reference, compares, prints what differs. */
enum outcome trial_run(struct harness *harness, const struct trial *trial, struct chance *chance);
/* trial_report.c: the command that repeats a trial on a device. */
void trial_command(const struct harness *harness, const struct trial *trial, int32_t which, char *text, size_t size);
/* Prints what a trial runs on and what is to come out. */
void trial_describe(const struct trial *trial);
/* Prints that it failed on device number `which`, why, and the command that repeats it. */
void trial_complain(const struct harness *harness, const struct trial *trial, int32_t which, const char *why);
/* trial.c: counts an outcome. */
void harness_count(struct harness *harness, enum outcome outcome);
/* Makes a plan of graph text; NULL with the error written. `type` is that of the pictures among the outputs, 0 for the
 * first input's. */
weft_plan *harness_plan(weft_device *device, const char *graph, const weft_image_info *infos, int32_t inputs,
                        weft_type type, weft_error *error);

/* Runs a plan into new pictures; false with `why` written. `plain`: outputs tightly packed. */
bool harness_run(const weft_plan *plan, const struct picture *inputs, struct picture *outputs, bool plain,
                 bool own_workspace, struct chance *chance, char *why, size_t size);

/* steady.c: how far each component of an output goes when the steps of the reference are off by what f32 steps may be.
 * `tails`: also by what a blur may leave out, which matters to quotients of what is left. `expected` is what `model`, a plan
 * on the reference, makes of the inputs. */
void find_motion(const weft_plan *model, const struct picture *inputs, const struct picture *expected, int32_t output,
                 bool tails, struct chance *chance, double *motion);

/* compare.c: true when `got` is as near to `expected` as the trial wants; otherwise writes what is wrong. */
struct nearness {
    bool exact;
    double tolerance, steady;
    bool weigh_by_alpha; /* colors matter as much as their alpha: they were divided by it */
    /* How far each component goes by rounding in the steps before, NULL: nowhere. Where a filter jumps, one that goes far is not
     * compared; of quotients (rounding_moves in trial.c) the limit is as much wider. */
    const double *motion;
};
bool pictures_agree(const struct picture *got, const struct picture *expected, const struct nearness *nearness,
                    char *why, size_t size);

/* variation.c: the text of a filter with parameters drawn from its descriptor; all defaults when plain. */
void variation_write(const weft_filter_info *filter, const weft_image_info *info, bool plain, struct chance *chance,
                     char *text, size_t size, bool *respaced);

/* watchdog.c: from here on the trial has so many seconds as the harness has patience; then the process says so and ends. */
void watchdog_start(const struct harness *harness, const struct trial *trial);
/* The device that has it next. */
void watchdog_device(const struct harness *harness, const struct trial *trial, int32_t which);
void watchdog_stop(void);

/* What an image is drawn with; the other inputs of a filter are as large. */
struct shape {
    int64_t width, height;
    weft_type type;
    int32_t channels;
};

/* filters.c */
enum content draw_content(double tolerance, struct chance *chance);
/* A filter with parameters drawn, on images of a shape. plain: all parameters as they are by default. */
void draw_trial(const weft_filter_info *filter, int64_t number, const struct shape *shape, bool plain,
                struct chance *chance, struct trial *trial);

/* widths.c: the images of --widths, by number. */
int64_t widths_count(void);
struct shape widths_shape(const struct harness *harness, int64_t number);
/* Which of them case i of `count` has, by the name of what is tried. */
int64_t widths_number(const struct harness *harness, const char *name, int64_t i);

/* What a run tries, and whether the part of the list that it is for has a turn. */
bool harness_has_turn(const struct harness *harness, int64_t turn); /* main.c */
void try_filters(struct harness *harness);        /* filters.c */
void try_widths(struct harness *harness);         /* widths.c: every filter */
void try_graphs(struct harness *harness);         /* graphs.c */
void try_sharing(struct harness *harness);        /* sharing.c: one plan, many threads; changed parameters; streams */
int bench_filters(const struct harness *harness); /* bench.c */

#endif
