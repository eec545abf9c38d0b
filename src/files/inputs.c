/* SPDX-License-Identifier: MIT
 * The images that weft_filter_files reads. */
#include <string.h>
#include <sys/stat.h>
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "files/read_ahead.h"
#include "files/files.h"
#include "graph/graph.h"
#include "graph/reduced/reduced.h"
#include "io/profile/profile.h"
#include "io/read/reduced_decoding.h"

#define LEAST_PIXELS ((int64_t)1 << 19)

weft_status weft_files_open_inputs(struct weft_files_job *job, weft_error *error) {
    for (int32_t i = 0; i < job->input_count; i++) {
        const weft_files_input *given = &job->files->inputs[i];
        struct weft_files_in *input = &job->inputs[i];
        weft_reader_options reading = given->reading;
        weft_status status =
            weft_profile_ask(&reading.color_profile, weft_graph_profile_at(job->asked, i), given->path, error);
        const double start = weft_seconds();
        if (status == WEFT_OK)
            status = weft_reader_open(given->path, &reading, &input->reader, error);
        input->seconds = weft_seconds() - start;
        if (status != WEFT_OK)
            return weft_files_name(given->path, status, error);
        input->path = given->path;
        job->infos[i] = *weft_reader_info(input->reader);
    }
    return WEFT_OK;
}

weft_status weft_files_reduce_inputs(struct weft_files_job *job, bool *reduced, weft_error *error) {
    weft_status status = WEFT_OK;
    *reduced = false;
    for (int32_t i = 0; i < job->input_count && status == WEFT_OK; i++) {
        weft_graph *fixed = NULL;
        int32_t times = 1;
        if (weft_reader_can_reduce(job->inputs[i].reader))
            status = weft_graph_reduced(job->graph, job->infos, i, &times, &fixed, error);
        if (status != WEFT_OK || times == 1 || !weft_reader_reduce(job->inputs[i].reader, times)) {
            weft_graph_destroy(&fixed);
            continue;
        }
        weft_graph_destroy(&job->fixed);
        job->graph = job->fixed = fixed;
        job->infos[i] = *weft_reader_info(job->inputs[i].reader);
        *reduced = true;
    }
    return status;
}

static weft_status read_rows(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    struct weft_files_in *input = user;
    const weft_source source = weft_reader_source(input->reader);
    const double start = weft_seconds();
    weft_status status = source.read(source.user, y, count, rows, stride, error);
    input->seconds += weft_seconds() - start;
    return status;
}

/* The same by a thread of its own, so that it goes on beside what precedes. */
static weft_status read_ahead(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    struct weft_files_in *input = user;
    (void)y; /* rows are asked for in order */
    return weft_ahead_read(input->ahead, count, rows, stride, error);
}

/* A thread is worth its start for pictures of some size, whose rows take a small part of the memory that a run may take.
 * Reading from a pipe may block for long, and a run that is cancelled would wait for the thread: pipes are read without one. */
static bool worth_a_thread(const struct weft_files_job *job, int32_t index) {
    const weft_image_info *info = &job->infos[index];
    const int64_t pixels = info->width * info->height; /* the reader has looked at that */
    const uint64_t rows = weft_ahead_bytes((size_t)info->width * weft_format_size(info->format)), most = job->files->memory / 16;
    struct stat file;
    return job->files->inputs[index].reading.threads != 1 && pixels >= LEAST_PIXELS && (most == 0 || rows <= most) &&
           stat(job->inputs[index].path, &file) == 0 && S_ISREG(file.st_mode);
}

weft_status weft_files_stream_inputs(struct weft_files_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < job->input_count && status == WEFT_OK; i++) {
        struct weft_files_in *input = &job->inputs[i];
        const weft_source source = {read_rows, input};
        if (worth_a_thread(job, i))
            status = weft_ahead_open(&source, (size_t)job->infos[i].width * weft_format_size(job->infos[i].format),
                                     job->infos[i].height, &input->ahead, error);
        job->run_inputs[i].source = input->ahead ? (weft_source){read_ahead, input} : source;
    }
    return status;
}

static weft_status read_one(struct weft_files_job *job, int32_t index, weft_error *error) {
    weft_image *image = &job->run_inputs[index].image;
    image->info = job->infos[index];
    weft_status status = weft_files_memory(image, job->inputs[index].path, error);
    int64_t step = weft_files_rows(&image->info), height = image->info.height;
    for (int64_t y = 0; y < height && status == WEFT_OK; y += step) {
        int64_t rows = height - y < step ? height - y : step;
        status = read_rows(&job->inputs[index], y, rows, (unsigned char *)image->data + (ptrdiff_t)y * image->stride,
                           image->stride, error);
        double done = (double)(y + rows) / (double)height;
        if (status != WEFT_OK)
            return weft_files_name(job->inputs[index].path, status, error);
        status = weft_files_progress(job, WEFT_FILES_READING, (index + done) / job->input_count, error);
    }
    return status;
}

weft_status weft_files_read_inputs(struct weft_files_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < job->input_count && status == WEFT_OK; i++)
        status = read_one(job, i, error);
    return status;
}

weft_status weft_files_finish_inputs(struct weft_files_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < job->input_count; i++)
        weft_ahead_close(&job->inputs[i].ahead);
    for (int32_t i = 0; i < job->input_count && status == WEFT_OK; i++)
        status = weft_files_name(job->inputs[i].path, weft_reader_finish(job->inputs[i].reader, error), error);
    if (status == WEFT_OK)
        status = weft_files_check_replaced(job, error);
    for (int32_t i = 0; i < job->input_count && status == WEFT_OK; i++) {
        long long others = (long long)weft_reader_pictures(job->inputs[i].reader) - 1;
        const char *path = job->inputs[i].path;
        if (others > 0 && !weft_reader_chosen(job->inputs[i].reader))
            weft_log_print(&job->files->log, WEFT_LOG_WARNING,
                           "'%s' holds %lld pictures: one of them is taken, %lld %s left out",
                           strcmp(path, "-") ? path : "standard input", others + 1, others, others == 1 ? "is" : "are");
    }
    return status;
}

static bool one_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

weft_status weft_files_check_replaced(const struct weft_files_job *job, weft_error *error) {
    for (int32_t i = 0; i < job->input_count; i++)
        for (int32_t k = 0; k < job->output_count; k++) {
            long long pictures = (long long)weft_reader_pictures(job->inputs[i].reader);
            if (pictures > 1 && one_file(job->inputs[i].path, job->outputs[k].path))
                return weft_fail(error, WEFT_ERROR_ARGUMENT,
                                 "'%s' holds %lld pictures, and one of them would take its place: give the output "
                                 "another name",
                                 job->inputs[i].path, pictures);
        }
    return WEFT_OK;
}
