/* SPDX-License-Identifier: MIT
 * Devices that are nothing but a name: what the null and reference backends open. */
#ifndef BACKEND_STATELESS_DEVICE_H
#define BACKEND_STATELESS_DEVICE_H
#include "backend/backend.h"

/* Describes a device that is always there. */
void weft_stateless_describe(const char *backend, const char *name, const char *detail, weft_device_info *info);
weft_status weft_stateless_open(const struct weft_backend *backend, weft_device **device, weft_error *error);
void weft_stateless_close(weft_device *device);

#endif
