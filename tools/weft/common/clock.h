/* SPDX-License-Identifier: MIT
 * Time that never jumps. Not called time.h, which would hide the system's header of that name. */
#ifndef TOOL_CLOCK_H
#define TOOL_CLOCK_H

/* Seconds since some fixed moment. */
double clock_now(void);

#endif
