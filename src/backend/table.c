/* SPDX-License-Identifier: MIT
 * All backends, in the order in which tests try them. */
#include "backend/backend.h"

extern const struct weft_backend weft_backend_null, weft_backend_reference, weft_backend_cpu;

const struct weft_backend *const weft_backends[] = {&weft_backend_null, &weft_backend_reference, &weft_backend_cpu,
                                                    NULL};
