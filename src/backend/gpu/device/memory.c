/* SPDX-License-Identifier: MIT
 * Images in the device's memory, and copies of them. Copies within the device run on the compute queue, in order with runs;
 * those from and to the host go through staging memory and a piece of device memory, so that any memory that can be
 * imported can be reached. */
#include <string.h>
#include "backend/gpu/device/memory.h"
#include "backend/gpu/run/values.h"
#include "base/memory.h"
#include "base/status.h"

#define PIECE ((size_t)16 << 20)
#define COPIES 64 /* that may be under way at a time */

struct own_image {
    struct own_image *next;
    struct gpu_memory memory;
    const void *data;
};

struct copy {
    struct gpu_list *list; /* as long as copies have the same grid; what else they need is in the launch */
    uint32_t grid[3];
    bool travels; /* to or from the host, with copies of a size of their own */
    struct gpu_point done;
};

struct gpu_copier {
    pthread_mutex_t lock;
    struct own_image *images;
    const struct gpu_kernel *kernel;
    struct gpu_memory launches, staging, bounce;
    struct copy copies[COPIES];
    int32_t next;
};

static struct gpu_device_base *base_of(weft_device *device) { return (struct gpu_device_base *)(void *)device; }

weft_status weft_gpu_copier_create(struct gpu_copier **copier, weft_error *error) {
    *copier = weft_allocate(1, sizeof **copier);
    if (*copier && pthread_mutex_init(&(*copier)->lock, NULL) == 0)
        return WEFT_OK;
    weft_free(*copier);
    *copier = NULL;
    return weft_fail_memory(error, sizeof **copier, "the device");
}

void weft_gpu_copier_destroy(struct gpu_device *device, struct gpu_copier *c) {
    const struct gpu_driver *driver = ((struct gpu_device_base *)(void *)device)->driver;
    if (!c)
        return;
    for (int32_t i = 0; i < COPIES; i++)
        if (c->copies[i].list) {
            driver->wait(device, c->copies[i].done, NULL);
            driver->list_destroy(device, c->copies[i].list);
        }
    if (c->kernel)
        driver->kernel_release(device, c->kernel);
    while (c->images) { /* what the caller forgot */
        struct own_image *image = c->images;
        c->images = image->next;
        driver->memory_destroy(device, &image->memory);
        weft_free(image);
    }
    struct gpu_memory *all[] = {&c->launches, &c->staging, &c->bounce};
    for (int i = 0; i < 3; i++)
        if (all[i]->handle)
            driver->memory_destroy(device, all[i]);
    pthread_mutex_destroy(&c->lock);
    weft_free(c);
}

/* What copies need, made for the first one. */
static weft_status prepare(weft_device *device, struct gpu_copier *c, weft_error *error) {
    const struct gpu_driver *driver = base_of(device)->driver;
    struct gpu_device *gpu = (struct gpu_device *)(void *)device;
    int32_t row = 0;
    weft_status status = WEFT_OK;
    if (c->kernel)
        return WEFT_OK;
    while (weft_gpu_kernels[row].name && strcmp(weft_gpu_kernels[row].name, "copy") != 0)
        row++;
    if (!c->launches.handle)
        status = driver->memory_create(gpu, GPU_MEMORY_LAUNCH, COPIES * GPU_LAUNCH_STRIDE, &c->launches, error);
    if (status == WEFT_OK && !c->staging.handle)
        status = driver->memory_create(gpu, GPU_MEMORY_STAGING, PIECE, &c->staging, error);
    if (status == WEFT_OK && !c->bounce.handle)
        status = driver->memory_create(gpu, GPU_MEMORY_DEVICE, PIECE, &c->bounce, error);
    if (status == WEFT_OK)
        status = driver->kernel_get(gpu, row, &(struct gpu_wanted){0}, &c->kernel, error);
    return status;
}

/* ---- images */

weft_status weft_gpu_image_create(weft_device *device, weft_image *image, weft_error *error) {
    struct gpu_device_base *base = base_of(device);
    struct gpu_device *gpu = (struct gpu_device *)(void *)device;
    size_t row = (size_t)image->info.width * weft_format_size(image->info.format), size;
    struct own_image *own = weft_allocate(1, sizeof *own);
    row = (row + 63) / 64 * 64;
    if (!own)
        return weft_fail_memory(error, sizeof *own, "an image");
    weft_status status = weft_multiply(row, (size_t)image->info.height, &size) && size < SIZE_MAX - 256
                             ? base->driver->memory_create(gpu, GPU_MEMORY_DEVICE, size + 16, &own->memory, error)
                             : weft_fail_memory(error, SIZE_MAX, "an image");
    if (status != WEFT_OK) {
        weft_free(own);
        return status;
    }
    image->memory = base->driver->memory;
    image->data = base->driver->memory_export(&own->memory);
    image->offset = 0;
    image->stride = (ptrdiff_t)row;
    own->data = image->data;
    pthread_mutex_lock(&base->copier->lock);
    own->next = base->copier->images;
    base->copier->images = own;
    pthread_mutex_unlock(&base->copier->lock);
    return WEFT_OK;
}

void weft_gpu_image_destroy(weft_device *device, weft_image *image) {
    struct gpu_device_base *base = base_of(device);
    weft_gpu_drain(device, NULL);
    pthread_mutex_lock(&base->copier->lock);
    for (struct own_image **at = &base->copier->images; *at; at = &(*at)->next)
        if ((*at)->data == image->data) {
            struct own_image *own = *at;
            *at = own->next;
            base->driver->memory_destroy((struct gpu_device *)(void *)device, &own->memory);
            weft_free(own);
            break;
        }
    pthread_mutex_unlock(&base->copier->lock);
}

/* ---- copies */

/* Some rows of bytes that lie `pitch` apart. */
struct block_of_rows {
    uint64_t address;
    int64_t pitch;
};

static void fill_launch(const struct block_of_rows *from, const struct block_of_rows *to, size_t row, int64_t rows,
                        const struct gpu_limits *limits, struct gpu_launch *launch, uint32_t *grid) {
    uint64_t all = from->address | to->address | (uint64_t)from->pitch | (uint64_t)to->pitch;
    memset(launch, 0, sizeof *launch);
    launch->image[0].first = from->address, launch->image[0].pitch = from->pitch;
    launch->image[1].first = to->address, launch->image[1].pitch = to->pitch;
    launch->point.pieces = (int32_t)((row + 15) / 16);
    launch->point.rest = (int32_t)(row % 16);
    launch->point.aligned = all % 16 == 0;
    launch->height = (int32_t)rows;
    grid[0] = (uint32_t)((launch->point.pieces + 255) / 256);
    grid[1] = (uint32_t)(rows < limits->grid[1] ? rows : limits->grid[1]);
    grid[2] = 1;
}

/* Starts a copy of rows within the device, with an upload into `bounce` before it or a download out of it behind it. */
static weft_status start(weft_device *device, struct gpu_copier *c, const struct block_of_rows *from,
                         const struct block_of_rows *to, size_t row, int64_t rows, size_t upload, size_t download,
                         struct gpu_point *done, weft_error *error) {
    const struct gpu_driver *driver = base_of(device)->driver;
    struct gpu_device *gpu = (struct gpu_device *)(void *)device;
    struct copy *copy = &c->copies[c->next];
    size_t offset = (size_t)c->next * GPU_LAUNCH_STRIDE;
    struct gpu_launch *launch = (struct gpu_launch *)(void *)(c->launches.host + offset);
    struct gpu_command commands[3] = {{.kind = GPU_LAUNCH}};
    int32_t count = 0;
    uint32_t grid[3];
    weft_status status = driver->wait(gpu, copy->done, error); /* the oldest */
    if (status != WEFT_OK)
        return status;
    fill_launch(from, to, row, rows, &base_of(device)->limits, launch, grid);
    bool same = copy->list && !copy->travels && !upload && !download && memcmp(grid, copy->grid, sizeof grid) == 0;
    if (copy->list && !same) {
        driver->list_destroy(gpu, copy->list);
        copy->list = NULL;
    }
    memcpy(copy->grid, grid, sizeof grid);
    copy->travels = upload || download;
    if (upload)
        commands[count++] = (struct gpu_command){.kind = GPU_COPY, .from = &c->staging, .to = &c->bounce, .size = upload};
    commands[count] = (struct gpu_command){.kind = GPU_LAUNCH, .kernel = c->kernel, .launch = launch,
                                           .launches = &c->launches, .launch_offset = offset};
    memcpy(commands[count++].grid, grid, sizeof grid);
    if (download)
        commands[count++] = (struct gpu_command){.kind = GPU_COPY, .from = &c->bounce, .to = &c->staging, .size = download};
    if (!same)
        status = driver->list_create(gpu, GPU_QUEUE_COMPUTE, commands, count, &copy->list, error);
    if (status == WEFT_OK)
        status = driver->submit(gpu, copy->list, NULL, 0, NULL, &copy->done, error);
    *done = copy->done;
    c->next = (c->next + 1) % COPIES;
    return status;
}

/* A copy of an image's rows on the device; rows without gaps go as rows of a megabyte, whatever the image's width. */
static weft_status start_image(weft_device *device, const weft_image *from, const weft_image *to, struct gpu_point *done,
                               weft_error *error) {
    const struct gpu_driver *driver = base_of(device)->driver;
    struct gpu_device *gpu = (struct gpu_device *)(void *)device;
    size_t row = (size_t)from->info.width * weft_format_size(from->info.format), size = row * (size_t)from->info.height;
    int64_t rows = from->info.height;
    struct block_of_rows a = {0, (int64_t)from->stride}, b = {0, (int64_t)to->stride};
    weft_status status = driver->import(gpu, from, &a.address, error);
    if (status == WEFT_OK)
        status = driver->import(gpu, to, &b.address, error);
    if (status == WEFT_OK && (size_t)a.pitch == row && (size_t)b.pitch == row && size % ((size_t)1 << 20) == 0) {
        row = (size_t)1 << 20;
        a.pitch = b.pitch = (int64_t)row;
        rows = (int64_t)(size / row);
    }
    if (status == WEFT_OK)
        status = start(device, base_of(device)->copier, &a, &b, row, rows, 0, 0, done, error);
    return status;
}

weft_status weft_gpu_image_copy_start(weft_device *device, const weft_image *from, const weft_image *to,
                                      weft_error *error) {
    struct gpu_copier *c = base_of(device)->copier;
    struct gpu_point done;
    pthread_mutex_lock(&c->lock);
    weft_status status = prepare(device, c, error);
    if (status == WEFT_OK)
        status = start_image(device, from, to, &done, error);
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* Between host and device, in pieces. */
static weft_status travel(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error) {
    const struct gpu_driver *driver = base_of(device)->driver;
    struct gpu_device *gpu = (struct gpu_device *)(void *)device;
    struct gpu_copier *c = base_of(device)->copier;
    bool up = from->memory == WEFT_MEMORY_HOST;
    const weft_image *host = up ? from : to, *there = up ? to : from;
    size_t row = (size_t)host->info.width * weft_format_size(host->info.format), pitch = (row + 15) / 16 * 16;
    struct block_of_rows bounce = {c->bounce.address, (int64_t)pitch}, image = {0, (int64_t)there->stride};
    uint64_t first = 0;
    weft_status status = driver->import(gpu, there, &first, error);
    if (status == WEFT_OK && pitch > PIECE)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a row of %zu bytes cannot be copied; at most %zu can", row, PIECE);
    for (int64_t y = 0; status == WEFT_OK && y < host->info.height;) {
        int64_t rows = host->info.height - y < (int64_t)(PIECE / pitch) ? host->info.height - y : (int64_t)(PIECE / pitch);
        unsigned char *at = (unsigned char *)host->data + (ptrdiff_t)y * host->stride;
        struct gpu_point done = {0};
        for (int64_t i = 0; up && i < rows; i++)
            memcpy(c->staging.host + (size_t)i * pitch, at + (ptrdiff_t)i * host->stride, row);
        image.address = first + (uint64_t)(y * (int64_t)there->stride);
        status = up ? start(device, c, &bounce, &image, row, rows, (size_t)rows * pitch, 0, &done, error)
                    : start(device, c, &image, &bounce, row, rows, 0, (size_t)rows * pitch, &done, error);
        if (status == WEFT_OK)
            status = driver->wait(gpu, done, error);
        for (int64_t i = 0; status == WEFT_OK && !up && i < rows; i++)
            memcpy(at + (ptrdiff_t)i * host->stride, c->staging.host + (size_t)i * pitch, row);
        y += rows;
    }
    return status;
}

weft_status weft_gpu_image_copy(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error) {
    struct gpu_copier *c = base_of(device)->copier;
    struct gpu_point done = {0};
    pthread_mutex_lock(&c->lock);
    weft_status status = prepare(device, c, error);
    if (status == WEFT_OK && (from->memory == WEFT_MEMORY_HOST || to->memory == WEFT_MEMORY_HOST))
        status = travel(device, from, to, error);
    else if (status == WEFT_OK)
        status = start_image(device, from, to, &done, error);
    if (status == WEFT_OK)
        status = base_of(device)->driver->wait((struct gpu_device *)(void *)device, done, error);
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* The compute queue runs in order: when an empty list has run, all before it has, and its numbers are there. */
weft_status weft_gpu_drain(weft_device *device, weft_error *error) {
    const struct gpu_driver *driver = base_of(device)->driver;
    struct gpu_device *gpu = (struct gpu_device *)(void *)device;
    struct gpu_list *list = NULL;
    struct gpu_point done = {0};
    weft_status status = driver->list_create(gpu, GPU_QUEUE_COMPUTE, NULL, 0, &list, error);
    if (status == WEFT_OK)
        status = driver->submit(gpu, list, NULL, 0, NULL, &done, error);
    if (status == WEFT_OK)
        status = driver->wait(gpu, done, error);
    if (status == WEFT_OK)
        weft_gpu_values_passed(gpu, done.value);
    if (list)
        driver->list_destroy(gpu, list);
    return status;
}
