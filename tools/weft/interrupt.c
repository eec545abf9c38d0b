/* SPDX-License-Identifier: MIT
 * Ctrl-C and its relatives, turned into something that a run can ask about. */
#include "interrupt.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t arrived;

static void remember(int number) { arrived = number; }

void interrupt_install(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, action = {.sa_handler = remember};
        /* No SA_RESTART, so that a read from a silent pipe ends; and back to the default, so that a second Ctrl-C
         * always works. What the parent chose to ignore (nohup) stays ignored. */
        action.sa_flags = (int)SA_RESETHAND;
        sigemptyset(&action.sa_mask);
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

int interrupt_signal(void) { return (int)arrived; }
