/* SPDX-License-Identifier: MIT
 * A case that does not end is a failure with a command that repeats it, not a test that hangs. A thread that is in a
 * kernel cannot be got out of it, so the process ends. The time is that of processors, which other work on the machine does not
 * make longer; a case that waits forever takes none, and has ten times as much of the clock. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include "harness.h"

static char verdict[HARNESS_TEXT + 1024];

static void time_is_up(int number) {
    (void)number;
    ssize_t written = write(STDOUT_FILENO, verdict, strlen(verdict));
    (void)written;
    _exit(1);
}

static void describe(const struct trial *trial, const char *command, int64_t seconds) {
    snprintf(
        verdict, sizeof verdict,
        "\nFAILED %s: not at its end after %lld seconds\n  graph   %s\n  again   %s\nharness: ended by its watchdog\n",
        trial->name, (long long)seconds, trial->graph, command);
}

static void allow(int64_t seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = (time_t)seconds}, NULL);
    alarm((unsigned)(10 * seconds));
}

void watchdog_start(const struct harness *harness, const struct trial *trial) {
    static bool installed;
    if (!installed) {
        sigaction(SIGALRM, &(struct sigaction){.sa_handler = time_is_up}, NULL);
        sigaction(SIGPROF, &(struct sigaction){.sa_handler = time_is_up, .sa_flags = SA_RESTART}, NULL);
    }
    installed = true;
    describe(trial, "(the reference)", 10 * harness->patience); /* which is slow by design */
    allow(10 * harness->patience);
}

void watchdog_device(const struct harness *harness, const struct trial *trial, int32_t which) {
    char command[512];
    trial_command(harness, trial, which, command, sizeof command);
    describe(trial, command, harness->patience);
    allow(harness->patience);
}

void watchdog_stop(void) { allow(0); }
