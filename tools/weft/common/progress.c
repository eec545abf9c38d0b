/* SPDX-License-Identifier: MIT
 * A bar on the terminal for work that takes long enough to wonder about. */
#include "common/progress.h"
#include <stdio.h>
#include <unistd.h>
#include "common/clock.h"
#include "common/interrupt.h"

static const double patience = 0.5; /* seconds without a bar */
static const double pace = 0.1;     /* seconds between drawings */
enum { BAR = 30 };

void progress_begin(struct progress *progress, const char *label) {
    progress_end(progress);
    progress->label = label;
    progress->start = progress->drawn = clock_now();
    progress->terminal = !progress->quiet && isatty(STDERR_FILENO) == 1;
}

static void draw(const struct progress *progress, double done, double elapsed) {
    char bar[BAR + 1];
    int full = (int)(done * BAR);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = 0;
    fprintf(stderr, "\r%s [%s] %3.0f %%", progress->label, bar, done * 100);
    if (done > 0.02) { /* an earlier estimate would be a guess */
        double left = elapsed * (1 - done) / done;
        if (left < 90)
            fprintf(stderr, ", %.0f s left", left);
        else if (left < 5400)
            fprintf(stderr, ", %.0f min left", left / 60);
        else
            fprintf(stderr, ", %.1f h left", left / 3600);
    }
    fputs("\033[K", stderr);
    fflush(stderr);
}

bool progress_update(void *user, double done) {
    struct progress *progress = user;
    if (progress->terminal) {
        double now = clock_now();
        if (now - progress->start >= patience && now - progress->drawn >= pace) {
            done = done > 0 ? done < 1 ? done : 1 : 0;
            draw(progress, done, now - progress->start);
            progress->drawn = now;
            progress->visible = true;
        }
    }
    return interrupt_signal() == 0;
}

void progress_end(struct progress *progress) {
    if (progress->visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->visible = false;
}
