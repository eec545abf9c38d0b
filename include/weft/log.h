/* SPDX-License-Identifier: MIT
 * What the library has to say beyond errors goes to a callback of the caller's; without one it is silent. */
#ifndef WEFT_LOG_H
#define WEFT_LOG_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_log_level {
    WEFT_LOG_DEBUG, /* how a plan was made */
    WEFT_LOG_INFO,  /* which device was chosen, and why */
    WEFT_LOG_WARNING /* it works, but not as well as it could */
} weft_log_level;

/* Gets messages of one line without a newline, from any thread that uses the device, several at once. */
typedef struct weft_log {
    void (*write)(void *user, weft_log_level level, const char *message); /* NULL: nothing is said */
    void *user;
    weft_log_level level; /* the least that is wanted */
} weft_log;

#ifdef __cplusplus
}
#endif
#endif
