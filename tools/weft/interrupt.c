/* SPDX-License-Identifier: MIT
 * Ctrl-C and its relatives, turned into something that a run can ask about. */
#include "interrupt.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t arrived;

/* A reader that waits for a silent pipe, or a writer for a full one, would go back to waiting. So both get a device
 * that never makes anyone wait; what they then read or write is of no use and is thrown away. All calls are allowed
 * here. */
static void remember(int number) {
    int saved = errno, null = open("/dev/null", O_RDWR);
    arrived = number;
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        close(null);
    }
    errno = saved;
}

void interrupt_install(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, action = {.sa_handler = remember};
        /* No SA_RESTART, so that a call that waits ends; and back to the default, so that a second Ctrl-C always works.
         * What the parent chose to ignore (nohup) stays ignored. */
        action.sa_flags = (int)SA_RESETHAND;
        sigemptyset(&action.sa_mask);
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

int interrupt_signal(void) { return (int)arrived; }
