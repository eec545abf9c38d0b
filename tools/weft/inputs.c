/* SPDX-License-Identifier: MIT
 * The images that a run reads. */
#define _DEFAULT_SOURCE /* madvise */
#include "inputs.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "formats.h"
#include "message.h"

/* Images from this size on lie in huge pages where the system has them, as the library's own memory does, and NumPy's,
 * in which the images of others lie that weft is measured beside. */
#define LARGE ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

bool images_huge(size_t size) { return size >= LARGE; }

void *images_memory(size_t size, size_t count) {
    size_t page = images_huge(size) ? HUGE_PAGE : 64, total = size * count;
    if (count > 0 && size > (SIZE_MAX - HUGE_PAGE) / count)
        return NULL;
    void *memory = aligned_alloc(page, total ? (total + page - 1) / page * page : page);
#ifdef MADV_HUGEPAGE
    if (memory && page == HUGE_PAGE)
        (void)madvise(memory, total, MADV_HUGEPAGE);
#endif
    return memory;
}

void *image_memory(size_t size) { return images_memory(size, 1); }

int64_t rows_at_once(const weft_image_info *info) {
    int64_t row = info->width * (int64_t)weft_format_size(info->format), rows = (1 << 20) / (row ? row : 1);
    return rows < 1 ? 1 : rows < info->height ? rows : info->height;
}

int inputs_open(struct inputs *inputs, const struct reporting *report, char **paths, int count,
                const struct options *options) {
    weft_reader_options reading = {.pixel_limit = options->pixel_limit, .memory_limit = options->decode_limit};
    size_t room = (size_t)count + 1; /* never zero */
    *inputs = (struct inputs){.report = report,
                              .paths = paths,
                              .count = count,
                              .readers = calloc(room, sizeof *inputs->readers),
                              .infos = calloc(room, sizeof *inputs->infos),
                              .run = calloc(room, sizeof *inputs->run)};
    if (!inputs->readers || !inputs->infos || !inputs->run)
        return report_unable(inputs->report, "not enough memory");
    for (int i = 0; i < count; i++) {
        weft_error error;
        size_t length = formats_input_length(paths[i]), all = strlen(paths[i]);
        char *name = strndup(paths[i], length);
        char *settings = length < all ? strndup(paths[i] + length + 1, all - length - 2) : NULL;
        bool ready = name && (length == all || settings);
        reading.settings = settings;
        weft_status status = ready ? weft_reader_open(name, &reading, &inputs->readers[i], &error) : WEFT_ERROR_MEMORY;
        int result = !ready              ? report_unable(inputs->report, "not enough memory")
                     : status != WEFT_OK ? report_library(inputs->report, &error, name, NULL)
                                         : EXIT_DONE;
        free(name);
        free(settings);
        if (result != EXIT_DONE)
            return result;
        inputs->infos[i] = *weft_reader_info(inputs->readers[i]);
    }
    return EXIT_DONE;
}

void inputs_stream(struct inputs *inputs) {
    for (int i = 0; i < inputs->count; i++)
        inputs->run[i].source = weft_reader_source(inputs->readers[i]);
}

static int read_one(struct inputs *inputs, int index, struct progress *progress) {
    weft_image *image = &inputs->run[index].image;
    weft_error error;
    size_t size;
    image->info = inputs->infos[index];
    if (weft_image_size(&image->info, &size, &error) != WEFT_OK)
        return report_library(inputs->report, &error, inputs->paths[index], NULL);
    image->data = image_memory(size);
    if (!image->data)
        return report_unable(inputs->report, "'%s' does not fit into memory: it takes %.1f MB", inputs->paths[index],
                             (double)size / 1e6);
    image->stride = (ptrdiff_t)(size / (size_t)image->info.height);
    int64_t step = rows_at_once(&image->info), height = image->info.height;
    for (int64_t y = 0; y < height; y += step) {
        int64_t rows = height - y < step ? height - y : step;
        if (weft_reader_read(inputs->readers[index], rows, (char *)image->data + y * image->stride, image->stride,
                             &error) != WEFT_OK)
            return report_library(inputs->report, &error, inputs->paths[index], NULL);
        double done = (double)(y + rows) / (double)height;
        if (!progress_update(progress, (index + done) / inputs->count))
            return EXIT_UNABLE; /* the caller knows of the interrupt */
    }
    return EXIT_DONE;
}

int inputs_read(struct inputs *inputs, struct progress *progress) {
    int status = EXIT_DONE;
    progress_begin(progress, "reading");
    for (int i = 0; i < inputs->count && status == EXIT_DONE; i++)
        status = read_one(inputs, i, progress);
    progress_end(progress);
    return status;
}

int inputs_finish(struct inputs *inputs) {
    for (int i = 0; i < inputs->count; i++) {
        weft_error error;
        if (weft_reader_finish(inputs->readers[i], &error) != WEFT_OK)
            return report_library(inputs->report, &error, inputs->paths[i], NULL);
    }
    return EXIT_DONE;
}

void inputs_tell(const struct inputs *inputs) {
    for (int i = 0; i < inputs->count; i++) {
        long long others = (long long)weft_reader_pictures(inputs->readers[i]) - 1;
        if (others > 0)
            report_note(inputs->report, "'%s' holds %lld pictures: one of them is taken, %lld %s left out",
                        strcmp(inputs->paths[i], "-") ? inputs->paths[i] : "standard input", others + 1, others,
                        others == 1 ? "is" : "are");
    }
}

void inputs_close(struct inputs *inputs) {
    for (int i = 0; i < inputs->count; i++) {
        if (inputs->readers)
            weft_reader_close(&inputs->readers[i]);
        if (inputs->run)
            free(inputs->run[i].image.data);
    }
    free(inputs->readers);
    free(inputs->infos);
    free(inputs->run);
    *inputs = (struct inputs){.count = 0};
}
