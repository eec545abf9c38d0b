/* SPDX-License-Identifier: MIT
 * Devices: where plans run. */
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H
#include <stdbool.h>
#include "weft/log.h"
#include "weft/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_device weft_device;

typedef struct weft_device_options {
    int32_t threads; /* CPU threads; 0 for one per core that this process may use */
    weft_log log;    /* of the device and its plans; zero for silence */
} weft_device_options;

typedef struct weft_device_info {
    const char *backend; /* "cpu", "reference", "null" */
    char name[128];      /* the processor, in words */
    char detail[128];    /* "x86-64-v4, 2 threads" */
    bool available;      /* false: `detail` says why not */
} weft_device_info;

/* Opens a device by name: "cpu"; "auto" for the best one; "reference", the slow double precision model that the others
 * are tested against; "null", which runs nothing. `options` may be NULL. A name that cannot be opened is an error, never
 * another device. The environment variable WEFT_CPU_ISA=x86-64-v2 (or v3, v4) limits the CPU's instruction set.
 * A device may be used by several threads at a time and must outlive its plans. */
WEFT_API weft_status weft_device_open(const char *name, const weft_device_options *options, weft_device **device,
                                      weft_error *error);
/* Closes a device and sets *device to NULL; NULL is allowed. */
WEFT_API void weft_device_close(weft_device **device);
/* Describes an open device; NULL is one that is not available. */
WEFT_API void weft_device_describe(const weft_device *device, weft_device_info *info);

/* Describes device `index` of this machine without opening it; false past the end. */
WEFT_API bool weft_device_at(int32_t index, weft_device_info *info);

#ifdef __cplusplus
}
#endif
#endif
