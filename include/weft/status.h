/* SPDX-License-Identifier: MIT
 * How every call of the library says whether it worked. */
#ifndef WEFT_STATUS_H
#define WEFT_STATUS_H
#include <stdint.h>

#if defined(__GNUC__) && !defined(WEFT_STATIC)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_ERROR_ARGUMENT,    /* the caller passed something impossible: a null pointer, a negative size */
    WEFT_ERROR_GRAPH,       /* the graph text or its wiring is wrong: unknown filter, loose label, missing input */
    WEFT_ERROR_PARAMETER,   /* a parameter is unknown, not a number, or out of its range */
    WEFT_ERROR_FORMAT,      /* sizes or formats that do not fit together */
    WEFT_ERROR_MEMORY,      /* an allocation failed, or a size does not fit the address space */
    WEFT_ERROR_FILE,        /* a file cannot be read or written, or its contents are not what they claim */
    WEFT_ERROR_UNSUPPORTED, /* well formed, but this build or device cannot do it */
    WEFT_ERROR_DEVICE,      /* the device failed or does not exist */
    WEFT_ERROR_CANCELLED,   /* the caller's progress callback asked to stop */
    WEFT_ERROR_INTERNAL     /* a defect in weft itself */
} weft_status;

/* What went wrong, and where. Every function that can fail takes a `weft_error *`, which may be NULL; it is written
 * only on failure. Names that do not apply are empty strings. */
typedef struct weft_error {
    weft_status status;
    char message[512];  /* one sentence, no full stop, no newline: what is wrong and what would be right */
    char filter[64];    /* the filter concerned */
    char parameter[64]; /* the parameter concerned */
    int32_t node;       /* the node concerned, counted from 0 in order of appearance, or -1 */
    int64_t offset;     /* byte offset into the graph text, or -1 */
    int64_t length;     /* length in bytes of the offending text, 0 when offset is -1 */
} weft_error;

/* The name of a status, as in "parameter"; never NULL. */
WEFT_API const char *weft_status_name(weft_status status);

/* The library's version as "major.minor.patch". */
WEFT_API const char *weft_version(void);

/* Frees a string that the library returned; NULL is allowed. */
WEFT_API void weft_free(void *memory);

#ifdef __cplusplus
}
#endif
#endif
