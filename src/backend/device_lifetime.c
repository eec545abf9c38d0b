/* SPDX-License-Identifier: MIT
 * Reference counts of devices, and refusing devices of the parent in the child of a fork. */
#include <unistd.h>
#include "backend/backend.h"
#include "base/status.h"

bool weft_device_is_foreign(const weft_device *device) {
    int64_t process = ((const struct weft_device_base *)(const void *)device)->process;
    return process != 0 && process != (int64_t)getpid();
}

weft_status weft_device_check(const weft_device *device, weft_error *error) {
    if (weft_device_is_foreign(device))
        return weft_fail(error, WEFT_ERROR_DEVICE,
                         "the device was opened before this process was forked: it must be opened again here");
    return WEFT_OK;
}

/* In the child of a fork a GPU's objects are not freed: any call of the driver may never return. */
void weft_device_leave(weft_device *device) {
    const struct weft_backend *backend = weft_backend_of(device);
    if (weft_reference_count_drop(&((struct weft_device_base *)(void *)device)->holders) &&
        (backend->forks || !weft_device_is_foreign(device)))
        backend->close(device);
}
