/* SPDX-License-Identifier: MIT
 * Ctrl-C and its relatives, turned into something that a run can ask about. */
#include "common/interrupt.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* How long what runs has to come to its end after a signal. */
enum { SECONDS_TO_END = 5 };
static volatile sig_atomic_t patience = SECONDS_TO_END;

static volatile sig_atomic_t arrived;

/* Ends the process at once, for runs that do not check whether they should stop. A file that was being written has no name yet and
 * disappears (on file systems without unnamed files it is left as `.NAME.xxxxxx`). */
static void end_at_once(void) {
    static const char message[] = "weft: stopped at once; what was being written is lost\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(128 + (int)arrived);
}

/* A reader that waits for an empty pipe, or a writer for a full one, would wait again. So both descriptors are replaced by a device
 * that never blocks; what is then read or written is discarded. All calls are async-signal-safe. */
static void remember(int number) {
    int saved = errno, null;
    if (arrived)
        end_at_once();
    null = open("/dev/null", O_RDWR);
    arrived = number;
    alarm((unsigned)patience);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        close(null);
    }
    errno = saved;
}

static void time_is_up(int number) {
    (void)number;
    if (arrived)
        end_at_once();
}

void interrupt_install(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction late = {.sa_handler = time_is_up};
    sigfillset(&late.sa_mask);
    sigaction(SIGALRM, &late, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, action = {.sa_handler = remember};
        /* No SA_RESTART, so that a call that waits ends. What the parent chose to ignore (nohup) stays ignored. */
        sigfillset(&action.sa_mask);
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

void interrupt_patience(int seconds) { patience = seconds; }

int interrupt_signal(void) { return (int)arrived; }
