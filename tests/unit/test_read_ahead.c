/* SPDX-License-Identifier: MIT
 * Rows that a thread reads before they are asked for: all of them, in order, and an error where the source has it. */
#include "base/status.h"
#include "check.h"
#include "files/read_ahead.h"

enum { ROWS = 3000, LARGEST = 300000, ASKED = 100 };

struct given {
    size_t size;
    int64_t rows, fails; /* at that row, -1 for none */
    bool good;
};

static unsigned char value(int64_t row, size_t i) { return (unsigned char)(row * 7 + (int64_t)i); }

static weft_status give(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    struct given *given = user;
    if (given->fails >= y && given->fails < y + count)
        return weft_fail(error, WEFT_ERROR_FILE, "row %d is wrong", (int)given->fails);
    given->good = given->good && y == given->rows && y + count <= ROWS;
    for (int64_t row = 0; row < count; row++) {
        unsigned char *bytes = (unsigned char *)rows + row * stride;
        bytes[0] = value(y + row, 0), bytes[given->size - 1] = value(y + row, given->size - 1);
    }
    given->rows += count;
    return WEFT_OK;
}

/* Takes `until` rows, `least` of a call; *taken are right. */
static weft_status take(struct given *given, int64_t least, int64_t until, int64_t *taken, weft_error *error) {
    static unsigned char rows[ASKED * (LARGEST + 3)];
    const ptrdiff_t stride = (ptrdiff_t)given->size + 3;
    const weft_source source = {give, given};
    struct weft_ahead *ahead = NULL;
    weft_status status = weft_ahead_open(&source, given->size, ROWS, &ahead, error);
    *taken = 0;
    if (!CHECK(status == WEFT_OK) || !CHECK(ahead != NULL))
        return status;
    for (int64_t y = 0; y < until && status == WEFT_OK; y += least) {
        const int64_t count = until - y < least ? until - y : least;
        status = weft_ahead_read(ahead, count, rows, stride, error);
        for (int64_t row = 0; row < count && status == WEFT_OK; row++)
            *taken += rows[row * stride] == value(y + row, 0) &&
                      rows[row * stride + stride - 4] == value(y + row, given->size - 1);
    }
    if (status != WEFT_OK) /* and again */
        CHECK(weft_ahead_read(ahead, 1, rows, stride, error) == status);
    weft_ahead_close(&ahead);
    weft_ahead_close(&ahead);
    CHECK(ahead == NULL && given->good);
    return status;
}

int main(void) {
    static const size_t sizes[] = {1, 300, 40000, LARGEST};
    weft_error error;
    int64_t taken;
    for (int i = 0; i < 4; i++)
        for (int64_t least = 1; least <= ASKED; least += 33) {
            struct given given = {.size = sizes[i], .fails = -1, .good = true};
            CHECK(take(&given, least, ROWS, &taken, &error) == WEFT_OK && taken == ROWS && given.rows == ROWS);
            given = (struct given){.size = sizes[i], .fails = 2000 + i, .good = true};
            CHECK(take(&given, least, ROWS, &taken, &error) == WEFT_ERROR_FILE && taken <= 2000 + i);
            CHECK(error.message[4] == '2' && error.message[7] == '0' + i);
            given = (struct given){.size = sizes[i], .fails = -1, .good = true};
            CHECK(take(&given, least, 100, &taken, &error) == WEFT_OK && taken == 100 &&
                  (size_t)given.rows * sizes[i] <= 100 * sizes[i] + weft_ahead_bytes(sizes[i]) + weft_ahead_bytes(sizes[i]) / 4);
        }
    return check_done("ahead");
}
