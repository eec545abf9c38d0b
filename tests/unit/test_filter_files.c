/* SPDX-License-Identifier: MIT
 * weft_filter_files: graphs that stream and graphs that need images, conversions to what a file holds, numbers, what a
 * caller may stop, and that nothing is left of what failed. Pictures are written and read here, byte by byte. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "check.h"
#include "weft/weft.h"

enum { WIDTH = 8, HEIGHT = 6 };

/* Writes a file; its pixels are what the header says. */
static void put(const char *path, const char *header, const unsigned char *pixels, size_t size) {
    FILE *file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        fputs(header, file);
        fwrite(pixels, 1, size, file);
        fclose(file);
    }
}

/* The last `size` bytes of a file: the pixels of PNM and PAM. */
static bool get(const char *path, unsigned char *pixels, size_t size) {
    FILE *file = fopen(path, "rb");
    bool good = file && fseek(file, -(long)size, SEEK_END) == 0 && fread(pixels, 1, size, file) == size;
    if (file)
        fclose(file);
    return good;
}

static bool there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

/* What callbacks saw. */
struct seen {
    weft_files_step stop_at;
    bool stops, refuses;
    int planned, numbers, notes, steps[3];
    double mean;
};

static bool progress(void *user, weft_files_step step, double done) {
    struct seen *seen = user;
    CHECK(done >= 0 && done <= 1);
    seen->steps[step]++;
    return !seen->stops || step != seen->stop_at;
}

static weft_status planned(void *user, const weft_plan *plan, weft_error *error) {
    struct seen *seen = user;
    seen->planned++;
    CHECK(weft_plan_input_count(plan) == 1);
    if (seen->refuses)
        *error = (weft_error){.status = WEFT_ERROR_CANCELLED, .message = "not this plan"};
    return seen->refuses ? WEFT_ERROR_CANCELLED : WEFT_OK;
}

static weft_status numbers(void *user, int32_t index, const char *path, const weft_image_info *info,
                           const double *values, weft_error *error) {
    struct seen *seen = user;
    (void)error;
    CHECK(index == 0 && strcmp(path, "-") == 0 && info->format.type == WEFT_F64);
    seen->numbers++;
    seen->mean = values[0];
    return WEFT_OK;
}

static void note(void *user, weft_log_level level, const char *message) {
    struct seen *seen = user;
    seen->notes += level == WEFT_LOG_WARNING && strstr(message, "on black");
}

static weft_status filter(const char *in, const char *text, const char *out, struct seen *seen, weft_error *error) {
    weft_files_input input = {.path = in};
    weft_files_output output = {.path = out};
    weft_files files = {.inputs = &input,
                        .input_count = 1,
                        .outputs = &output,
                        .output_count = out ? 1 : 0,
                        .text = text,
                        .log = {note, seen, WEFT_LOG_WARNING},
                        .progress = progress,
                        .planned = planned,
                        .numbers = numbers,
                        .user = seen};
    return weft_filter_files(&files, error);
}

static bool writes(const char *name) {
    const weft_file_format *format;
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++)
        if (strcmp(format->name, name) == 0)
            return format->writes;
    return false;
}

static void ordinary(void) {
    unsigned char pixels[WIDTH * HEIGHT * 3], back[WIDTH * HEIGHT * 3];
    struct seen seen = {.stops = false};
    weft_error error = {.message = ""};
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (unsigned char)(i * 37);
    put("in.ppm", "P6\n8 6\n255\n", pixels, sizeof pixels);
    CHECK(filter("in.ppm", "invert", "out.ppm", &seen, &error) == WEFT_OK && get("out.ppm", back, sizeof back));
    for (size_t i = 0; i < sizeof back; i++)
        if (!CHECK(back[i] == 255 - pixels[i]))
            break;
    CHECK(seen.planned == 1 && seen.notes == 0);
    /* Of the last row, first: only an image can give that. */
    CHECK(filter("in.ppm", "flip=y", "flipped.ppm", &seen, &error) == WEFT_OK && get("flipped.ppm", back, sizeof back));
    CHECK(memcmp(back, pixels + WIDTH * (HEIGHT - 1) * 3, WIDTH * 3) == 0);
    CHECK(filter("in.ppm", "canny", "edges.pgm", &seen, &error) == WEFT_OK && there("edges.pgm"));
    CHECK(seen.steps[WEFT_FILES_READING] > 0 && seen.steps[WEFT_FILES_WRITING] > 0);
    CHECK(filter("in.ppm", "invert", "in.ppm", &seen, &error) == WEFT_OK && get("in.ppm", back, sizeof back));
    CHECK(back[5] == 255 - pixels[5]); /* an output may be the input */
}

/* What alpha becomes: on black where the file has none, which is said once. */
static void conversions(void) {
    unsigned char pixels[WIDTH * HEIGHT * 4], back[WIDTH * HEIGHT * 3];
    struct seen seen = {.stops = false};
    weft_error error = {.message = ""};
    for (size_t i = 0; i < sizeof pixels; i += 4)
        memcpy(pixels + i, (unsigned char[]){200, 100, 40, 51}, 4); /* a fifth */
    put("alpha.pam", "P7\nWIDTH 8\nHEIGHT 6\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", pixels, sizeof pixels);
    CHECK(filter("alpha.pam", "brightness=0", "black.ppm", &seen, &error) == WEFT_OK &&
          get("black.ppm", back, sizeof back));
    CHECK(back[0] == 40 && back[1] == 20 && back[2] == 8 && seen.notes == 1);
    if (writes("jpeg"))
        CHECK(filter("alpha.pam", "gaussian=1", "alpha.jpg", &seen, &error) == WEFT_OK && there("alpha.jpg"));
    if (writes("exr")) {
        CHECK(filter("alpha.pam", "gaussian=1", "alpha.exr", &seen, &error) == WEFT_OK && there("alpha.exr"));
        weft_files_input input = {.path = "alpha.exr"};
        weft_files_output output = {.path = "again.pam", .type = WEFT_U8};
        weft_files files = {
            .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .text = "brightness=0"};
        CHECK(weft_filter_files(&files, &error) == WEFT_OK);
        CHECK(get("again.pam", pixels, sizeof pixels) && abs(pixels[0] - 200) <= 1 && pixels[3] == 51);
    }
    CHECK(filter("alpha.pam", "grayscale", "gray.ppm", &seen, &error) == WEFT_OK); /* grey is red, green and blue */
    CHECK(get("gray.ppm", back, sizeof back) && back[0] == back[1] && back[1] == back[2]);
}

static void measured(void) {
    unsigned char pixels[WIDTH * HEIGHT];
    struct seen seen = {.stops = false};
    weft_error error = {.message = ""};
    weft_files_input input = {.path = "flat.pgm"};
    memset(pixels, 51, sizeof pixels);
    put("flat.pgm", "P5\n8 6\n255\n", pixels, sizeof pixels);
    CHECK(filter("flat.pgm", "mean", NULL, &seen, &error) == WEFT_OK && seen.numbers == 1);
    CHECK(seen.mean > 0.19999 && seen.mean < 0.20001);
    weft_files files = {.inputs = &input, .input_count = 1, .text = "mean"};
    CHECK(weft_filter_files(&files, &error) == WEFT_ERROR_ARGUMENT && strstr(error.message, "numbers"));
}

/* Whatever ends the work, no file is left, and a file of that name is untouched. */
static void failures(void) {
    static const char *const graphs[] = {"invert", "canny"};
    struct seen seen;
    weft_error error;
    for (int g = 0; g < 2; g++)
        for (int step = WEFT_FILES_READING; step <= WEFT_FILES_WRITING; step++) {
            seen = (struct seen){.stops = true, .stop_at = (weft_files_step)step};
            weft_status status = filter("flat.pgm", graphs[g], "stopped.pgm", &seen, &error);
            bool stopped = seen.steps[step] > 0;
            CHECK(status == (stopped ? WEFT_ERROR_CANCELLED : WEFT_OK));
            CHECK(there("stopped.pgm") == !stopped);
            remove("stopped.pgm");
        }
    seen = (struct seen){.refuses = true};
    CHECK(filter("flat.pgm", "invert", "no.pgm", &seen, &error) == WEFT_ERROR_CANCELLED && !there("no.pgm"));
    CHECK(strcmp(error.message, "not this plan") == 0);
    seen = (struct seen){.refuses = false};
    CHECK(filter("missing.pgm", "invert", "no.pgm", &seen, &error) == WEFT_ERROR_FILE &&
          strstr(error.message, "missing.pgm"));
    CHECK(filter("flat.pgm", "inverd", "no.pgm", &seen, &error) == WEFT_ERROR_GRAPH && error.offset == 0);
    CHECK(filter("flat.pgm", "invert", "no.thing", &seen, &error) == WEFT_ERROR_FILE &&
          strstr(error.message, "no.thing"));
    CHECK(filter("flat.pgm", "invert", "folder/no.pgm", &seen, &error) == WEFT_ERROR_FILE);
    CHECK(filter("flat.pgm", "split[a][b];[a]invert;[b]invert", "no.pgm", &seen, &error) == WEFT_ERROR_ARGUMENT);
    weft_files_input input = {.path = "flat.pgm"};
    weft_files_output outputs[2] = {{.path = "no.pgm"}, {.path = "no.pgm"}};
    weft_files files = {.inputs = &input,
                        .input_count = 1,
                        .outputs = outputs,
                        .output_count = 2,
                        .text = "split[a][b];[a]invert;[b]invert"};
    CHECK(weft_filter_files(&files, &error) == WEFT_ERROR_ARGUMENT && !there("no.pgm"));
    outputs[1] = (weft_files_output){.path = "deep.pgm", .type = WEFT_F32};
    CHECK(weft_filter_files(&files, &error) == WEFT_ERROR_FORMAT && strstr(error.message, "f32") && !there("no.pgm"));
    outputs[1].type = WEFT_U16;
    CHECK(weft_filter_files(&files, &error) == WEFT_OK && there("no.pgm") && there("deep.pgm"));
}

int main(void) {
    static const char *const made[] = {"in.ppm",    "out.ppm",   "flipped.ppm", "edges.pgm", "alpha.pam",
                                       "black.ppm", "alpha.jpg", "alpha.exr",   "gray.ppm",  "again.pam",
                                       "flat.pgm",  "no.pgm",    "deep.pgm"};
    char folder[] = "/tmp/weft-filter-files-XXXXXX";
    if (!CHECK(mkdtemp(folder) != NULL) || !CHECK(chdir(folder) == 0))
        return check_done("filter_files");
    ordinary();
    conversions();
    measured();
    failures();
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        remove(made[i]);
    CHECK(rmdir(folder) == 0); /* nothing else was left */
    return check_done("filter_files");
}
