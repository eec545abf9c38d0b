/* SPDX-License-Identifier: MIT
 * What weft_filter_files makes: pictures that go to files, streamed or from memory, and numbers for the caller. */
#include <string.h>
#include <sys/stat.h>
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "files/write_behind.h"
#include "files/convert.h"
#include "files/files.h"
#include "graph/graph.h"
#include "io/profile/profile.h"

static bool standard(const struct weft_files_out *output) { return strcmp(output->path, "-") == 0; }

/* Gives the paths to the outputs: one each, or one for each picture. */
static weft_status give_paths(struct weft_files_job *job, weft_error *error) {
    int32_t pictures = 0, count = job->files->output_count;
    for (int32_t i = 0; i < job->output_count; i++)
        pictures += !job->outputs[i].values;
    if (count == 0 && pictures > 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "the graph makes %d output%s and no name of a file is given for %s", (int)job->output_count,
                         job->output_count == 1 ? "" : "s", job->output_count == 1 ? "it" : "them");
    if (count != job->output_count && count != pictures)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the graph makes %d output%s and %d %s given",
                         (int)job->output_count, job->output_count == 1 ? "" : "s", (int)count,
                         count == 1 ? "is" : "are");
    for (int32_t i = 0, next = 0; i < job->output_count; i++) {
        struct weft_files_out *output = &job->outputs[i];
        bool given = count == job->output_count || !output->values;
        output->path = "-";
        if (output->values && weft_graph_profile_at(job->asked, -1 - i))
            return weft_fail(error, WEFT_ERROR_GRAPH, "output %d of the graph is numbers, which have no color profile: remove it",
                             (int)i);
        if (!given)
            continue;
        output->path = job->files->outputs[next].path;
        output->writing = job->files->outputs[next].writing;
        output->asked = job->files->outputs[next++].type;
        weft_status status =
            weft_profile_ask(&output->writing.color_profile, weft_graph_profile_at(job->asked, -1 - i), output->path, error);
        if (status != WEFT_OK)
            return status;
        if (!output->writing.metadata && job->input_count > 0)
            output->writing.metadata = weft_reader_metadata(job->inputs[0].reader);
    }
    return WEFT_OK;
}

static weft_status check_paths(const struct weft_files_job *job, weft_error *error) {
    bool picture = false;
    for (int32_t i = 0; i < job->output_count; i++) {
        const struct weft_files_out *output = &job->outputs[i];
        if (output->values && !job->files->numbers)
            return weft_fail(error, WEFT_ERROR_ARGUMENT,
                             "output %d of the graph is numbers, and there is no function to take them", (int)i);
        for (int32_t k = 0; k < i; k++) {
            const char *path = output->path, *other = job->outputs[k].path;
            struct stat one, two;
            if (!standard(output) &&
                (strcmp(path, other) == 0 || (stat(path, &one) == 0 && stat(other, &two) == 0 && S_ISREG(one.st_mode) &&
                                              one.st_dev == two.st_dev && one.st_ino == two.st_ino)))
                return weft_fail(error, WEFT_ERROR_ARGUMENT, "two outputs would go to one file, '%s'", path);
        }
        if (standard(output) && !output->values && picture)
            return weft_fail(error, WEFT_ERROR_ARGUMENT, "standard output can hold only one picture");
        picture = picture || (standard(output) && !output->values);
    }
    return WEFT_OK;
}

/* Asks the file what it can hold, and so decides what the plan has to make. */
static weft_status match_picture(const struct weft_files_job *job, struct weft_files_out *output, bool linear,
                                 weft_error *error) {
    weft_image_info wanted = output->made;
    if (output->asked)
        wanted.format.type = output->asked;
    weft_status status = weft_writer_accepts(output->path, &output->writing, &wanted, &output->held, error);
    if (status != WEFT_OK)
        return weft_files_name(output->path, status, error);
    if (output->asked && output->held.format.type != output->asked)
        return weft_fail(error, WEFT_ERROR_FORMAT, "'%s' cannot hold %s, only %s", output->path,
                         weft_type_name(output->asked), weft_type_name(output->held.format.type));
    /* Who decodes a picture of encoded light wants these numbers in the file; light of a linear file is encoded. */
    if (!linear && output->held.space == WEFT_SPACE_ENCODED)
        output->made.space = WEFT_SPACE_ENCODED;
    const char *obstacle = weft_convert_obstacle(&output->made, &output->held);
    if (obstacle)
        return weft_fail(error, WEFT_ERROR_FORMAT, "'%s' %s", output->path, obstacle);
    output->converts = weft_convert_needed(&output->made, &output->held);
    output->type = output->converts ? WEFT_F32 : output->held.format.type;
    if (output->made.alpha != WEFT_ALPHA_NONE && output->held.alpha == WEFT_ALPHA_NONE)
        weft_log_print(&job->files->log, WEFT_LOG_WARNING, "'%s' cannot hold alpha; the picture is put on black",
                       output->path);
    return WEFT_OK;
}

weft_status weft_files_match_outputs(struct weft_files_job *job, weft_error *error) {
    bool linear = false;
    for (int32_t i = 0; i < job->input_count; i++)
        linear = linear || job->infos[i].space == WEFT_SPACE_LINEAR;
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < job->output_count && status == WEFT_OK; i++) {
        job->outputs[i].values = weft_plan_output_is_values(job->plan, i);
        status = weft_plan_output_info(job->plan, i, &job->outputs[i].made, error);
    }
    if (status == WEFT_OK)
        status = give_paths(job, error);
    if (status == WEFT_OK)
        status = check_paths(job, error);
    for (int32_t i = 0; i < job->output_count && status == WEFT_OK; i++)
        if (!job->outputs[i].values)
            status = match_picture(job, &job->outputs[i], linear, error);
    return status;
}

static size_t row_size(const weft_image_info *info) { return (size_t)info->width * weft_format_size(info->format); }

/* Says what goes lost of a picture that lies in a larger frame. */
static void tell_frame(const struct weft_files_job *job, const struct weft_files_out *output) {
    const weft_frame *frame = output->writing.metadata ? &output->writing.metadata->frame : NULL;
    bool keeps = weft_writer_format(output->writer)->frames;
    if (!frame || frame->width == 0 ||
        (keeps && frame->picture_width == output->held.width && frame->picture_height == output->held.height))
        return;
    weft_log_print(&job->files->log, WEFT_LOG_WARNING,
                   "the input lies at %lld, %lld of a frame of %lldx%lld from %lld, %lld; '%s', %s, does not say so",
                   (long long)frame->x, (long long)frame->y, (long long)frame->width, (long long)frame->height,
                   (long long)frame->left, (long long)frame->top, output->path,
                   keeps ? "of another size" : "of a format without such");
}

static weft_status start_file(const struct weft_files_job *job, struct weft_files_out *output, weft_error *error) {
    weft_status status = weft_writer_open(output->path, &output->writing, &output->held, &output->writer, error);
    if (status != WEFT_OK)
        return weft_files_name(output->path, status, error);
    tell_frame(job, output);
    if (output->converts) {
        output->row = weft_allocate_aligned(row_size(&output->held));
        if (!output->row)
            return weft_fail_memory(error, row_size(&output->held), output->path);
    }
    return WEFT_OK;
}

static weft_status convert_rows(struct weft_files_out *output, int64_t count, const void *rows, ptrdiff_t stride,
                                weft_error *error) {
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < count && status == WEFT_OK; i++) {
        const void *row = (const unsigned char *)rows + (ptrdiff_t)i * stride;
        weft_convert_row(&output->made, &output->held, row, output->row);
        status = weft_writer_write(output->writer, 1, output->row, (ptrdiff_t)row_size(&output->held), error);
    }
    return status;
}

/* The sink of a picture: converts where the file asks for it. */
static weft_status write_rows(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                              weft_error *error) {
    struct weft_files_out *output = user;
    const double start = weft_seconds();
    (void)y; /* rows come in order */
    weft_status status = output->converts ? convert_rows(output, count, rows, stride, error)
                                          : weft_writer_write(output->writer, count, rows, stride, error);
    output->seconds += weft_seconds() - start;
    return status;
}

/* The same by a thread of its own, so that it goes on beside what follows. */
static weft_status write_in_background(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                                       weft_error *error) {
    struct weft_files_out *output = user;
    return weft_background_write(output->background, y, count, rows, stride, error);
}

/* Makes a file a sink of the run. What a single thread may do it does in turn. */
static weft_status start_sink(struct weft_files_out *output, weft_sink *sink, weft_error *error) {
    weft_status status = WEFT_OK;
    *sink = (weft_sink){write_rows, output};
    if (output->writing.threads != 1)
        status = weft_background_open(sink, row_size(&output->made), &output->background, error);
    if (output->background)
        sink->write = write_in_background;
    return status;
}

void weft_files_tell_times(const struct weft_files_job *job) {
    for (int32_t i = 0; i < job->input_count; i++)
        weft_log_print(&job->files->log, WEFT_LOG_DEBUG, "decoding '%s' took %.2f ms", job->inputs[i].path,
                       1e3 * job->inputs[i].seconds);
    for (int32_t i = 0; i < job->output_count; i++)
        if (!job->outputs[i].values)
            weft_log_print(&job->files->log, WEFT_LOG_DEBUG, "encoding '%s' took %.2f ms", job->outputs[i].path,
                           1e3 * job->outputs[i].seconds);
}

weft_status weft_files_open_outputs(struct weft_files_job *job, bool stream, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < job->output_count && status == WEFT_OK; i++) {
        struct weft_files_out *output = &job->outputs[i];
        weft_image *image = &job->run_outputs[i].image;
        bool sink = stream && !output->values;
        status = weft_plan_output_info(job->plan, i, &output->made, error);
        /* Files start before the run, so that a folder that cannot be written to is known early. Standard output does
         * so only for streams: once begun it cannot be taken back. */
        if (status == WEFT_OK && (sink || (!output->values && !standard(output))))
            status = start_file(job, output, error);
        image->info = output->made;
        if (status == WEFT_OK && sink)
            status = start_sink(output, &job->run_outputs[i].sink, error);
        else if (status == WEFT_OK)
            status = weft_files_memory(image, output->path, error);
    }
    return status;
}

static weft_status write_picture(struct weft_files_job *job, int32_t index, weft_error *error) {
    struct weft_files_out *output = &job->outputs[index];
    const weft_image *image = &job->run_outputs[index].image;
    int64_t height = output->made.height, step = weft_files_rows(&output->made);
    weft_status status = output->writer ? WEFT_OK : start_file(job, output, error);
    for (int64_t y = 0; y < height && status == WEFT_OK; y += step) {
        int64_t rows = height - y < step ? height - y : step;
        const void *from = (const unsigned char *)image->data + (ptrdiff_t)y * image->stride;
        double done = (index + (double)(y + rows) / (double)height) / job->output_count;
        status = weft_files_name(output->path, write_rows(output, y, rows, from, image->stride, error), error);
        if (status == WEFT_OK)
            status = weft_files_progress(job, WEFT_FILES_WRITING, done, error);
    }
    return status;
}

weft_status weft_files_write_outputs(struct weft_files_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < job->output_count && status == WEFT_OK; i++)
        if (job->outputs[i].background)
            status = weft_background_finish(&job->outputs[i].background, error);
    for (int32_t i = 0; i < job->output_count && status == WEFT_OK; i++)
        if (!job->outputs[i].values && !job->run_outputs[i].sink.write)
            status = write_picture(job, i, error);
    return status == WEFT_OK ? weft_files_progress(job, WEFT_FILES_WRITING, 1, error) : status;
}

weft_status weft_files_finish_outputs(struct weft_files_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < job->output_count && status == WEFT_OK; i++) {
        struct weft_files_out *output = &job->outputs[i];
        const double start = weft_seconds();
        if (output->writer)
            status = weft_files_name(output->path, weft_writer_finish(&output->writer, error), error);
        output->seconds += weft_seconds() - start;
    }
    for (int32_t i = 0; i < job->output_count && status == WEFT_OK; i++)
        if (job->outputs[i].values)
            status = job->files->numbers(job->files->user, i, job->outputs[i].path, &job->outputs[i].made,
                                         job->run_outputs[i].image.data, error);
    return status;
}
