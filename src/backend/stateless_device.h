/* SPDX-License-Identifier: MIT
 * Devices that are nothing but a name: what the null and reference backends open. */
#ifndef BACKEND_STATELESS_DEVICE_H
#define BACKEND_STATELESS_DEVICE_H
#include "backend/backend.h"

/* For a backend's `at`: describes its only device, which is always there. */
bool weft_stateless_at(int32_t index, const char *backend, const char *name, const char *detail, weft_device_info *info);
weft_status weft_stateless_open(const struct weft_backend *backend, weft_device **device, weft_error *error);
void weft_stateless_close(weft_device *device);
void weft_stateless_describe(const weft_device *device, weft_device_info *info);
/* For plans that are the typed graph itself, and runs without a workspace. */
void weft_stateless_destroy(void *compiled);
size_t weft_stateless_workspace_size(const void *compiled);

#endif
