/* SPDX-License-Identifier: MIT
 * Ctrl-C and its relatives, turned into something that a run can ask about. */
#ifndef TOOL_INTERRUPT_H
#define TOOL_INTERRUPT_H

/* From now on the first SIGINT, SIGTERM or SIGHUP is remembered. The second, or five seconds, end the process wherever
 * it is. */
void interrupt_install(void);
/* The signal that came, or 0. */
int interrupt_signal(void);

/* How many seconds what runs has to come to its end after a signal, for work that must be ended well. */
void interrupt_patience(int seconds);

#endif
