/* SPDX-License-Identifier: MIT
 * Rows that a thread writes while those that follow are made: all of them, in order, and its error comes back. */
#include <string.h>
#include "base/status.h"
#include "check.h"
#include "files/write_behind.h"

enum { ROWS = 5000, LARGEST = 40000 };

struct seen {
    size_t size;
    int64_t rows, fails; /* at that row, -1 for none */
    bool good;
};

static unsigned char value(int64_t row, size_t i) { return (unsigned char)(row * 7 + (int64_t)i); }

static weft_status take(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride, weft_error *error) {
    struct seen *seen = user;
    if (seen->fails >= y && seen->fails < y + count)
        return weft_fail(error, WEFT_ERROR_FILE, "row %d is wrong", (int)seen->fails);
    seen->good = seen->good && y == seen->rows;
    for (int64_t row = 0; row < count; row++) {
        const unsigned char *bytes = (const unsigned char *)rows + row * stride;
        seen->good =
            seen->good && bytes[0] == value(y + row, 0) && bytes[seen->size - 1] == value(y + row, seen->size - 1);
    }
    seen->rows += count;
    return WEFT_OK;
}

/* `least`: rows of a call. */
static weft_status give(struct seen *seen, int64_t least, bool finish, weft_error *error) {
    static unsigned char rows[100 * (LARGEST + 3)];
    const ptrdiff_t stride = (ptrdiff_t)seen->size + 3;
    const weft_sink sink = {take, seen};
    struct weft_background *background = NULL;
    weft_status status = weft_background_open(&sink, seen->size, &background, error);
    if (!CHECK(status == WEFT_OK) || !CHECK(background != NULL))
        return status;
    for (int64_t y = 0; y < ROWS && status == WEFT_OK; y += least) {
        const int64_t count = ROWS - y < least ? ROWS - y : least;
        for (int64_t row = 0; row < count; row++)
            for (size_t i = 0; i<seen->size; i += seen->size> 1 ? seen->size - 1 : 1)
                rows[row * stride + (ptrdiff_t)i] = value(y + row, i);
        status = weft_background_write(background, y, count, rows, stride, error);
    }
    if (finish && status == WEFT_OK)
        status = weft_background_finish(&background, error);
    weft_background_close(&background);
    CHECK(background == NULL);
    return status;
}

int main(void) {
    static const size_t sizes[] = {1, 300, LARGEST};
    weft_error error;
    for (int i = 0; i < 3; i++)
        for (int64_t least = 1; least <= 100; least += 33) {
            struct seen seen = {.size = sizes[i], .fails = -1, .good = true};
            CHECK(give(&seen, least, true, &error) == WEFT_OK);
            CHECK(seen.good && seen.rows == ROWS);
            seen = (struct seen){.size = sizes[i], .fails = 3000 + i, .good = true};
            CHECK(give(&seen, least, true, &error) == WEFT_ERROR_FILE);
            CHECK(strncmp(error.message, "row 300", 7) == 0 && seen.good && seen.rows <= 3000 + i);
            seen = (struct seen){.size = sizes[i], .fails = -1, .good = true};
            CHECK(give(&seen, least, false, &error) == WEFT_OK);
            CHECK(seen.good && seen.rows <= ROWS);
        }
    return check_done("background");
}
