/* SPDX-License-Identifier: MIT
 * Devices that are nothing but a name: what the null and reference backends open. */
#ifndef BACKEND_PLAIN_H
#define BACKEND_PLAIN_H
#include "backend/backend.h"

/* Describes a device that is always there. */
void weft_plain_describe(const char *backend, const char *name, const char *detail, weft_device_info *info);
weft_status weft_plain_open(const struct weft_backend *backend, weft_device **device, weft_error *error);
void weft_plain_close(weft_device *device);

#endif
