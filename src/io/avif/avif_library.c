/* SPDX-License-Identifier: MIT
 * libavif, opened when it is needed. Structs have other members in other versions, so only the one that weft was built
 * with will do, which its name tells: cmake/Codecs.cmake looks it up. */
#include "io/avif/avif_library.h"
#include <stdbool.h>
#include "base/library.h"

#ifdef WEFT_AVIF_LIBRARY
weft_status weft_avif_open(struct weft_avif *avif, const char *name, weft_error *error) {
    *avif = (struct weft_avif){.library = weft_library_open(WEFT_AVIF_LIBRARY)};
    if (!avif->library)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "%s: AVIF needs the library %s, which is not installed: install it, or take another format",
                         name, WEFT_AVIF_LIBRARY);
    bool good = true;
#define FIND(function)                                                                                                 \
    good = good && weft_library_find(avif->library, #function, &avif->function, sizeof avif->function);
    WEFT_AVIF(FIND)
#undef FIND
    return good ? WEFT_OK
                : weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: %s lacks functions that weft needs for AVIF", name,
                            WEFT_AVIF_LIBRARY);
}

#else /* linked with */
weft_status weft_avif_open(struct weft_avif *avif, const char *name, weft_error *error) {
    (void)name, (void)error;
#define TAKE(function) .function = function,
    *avif = (struct weft_avif){.library = NULL, WEFT_AVIF(TAKE)};
#undef TAKE
    return WEFT_OK;
}
#endif

void weft_avif_close(struct weft_avif *avif) {
    weft_library_close(avif->library);
    *avif = (struct weft_avif){.library = NULL};
}
