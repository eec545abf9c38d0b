/* SPDX-License-Identifier: MIT
 * PNG files that weft writes, as libpng and zlib read them: pictures of every kind that compression treats differently,
 * in all depths, channels and levels, and in strips of several threads, which must not show. */
#include "file_fixture.h"

enum { LARGEST = 3 << 20 };
static unsigned char wide[LARGEST], back[LARGEST], files[2][2 * LARGEST];

static uint32_t random_state = 1;
static uint32_t draw(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(random_state >> 8) * below >> 24);
}

enum kind { NOISE, FLAT, GRADIENT, PATTERN, SPARSE, LONG_RUNS, FAR_REPEATS, KINDS };

static void fill(enum kind kind, size_t size, size_t row) {
    unsigned char tile[61];
    for (size_t i = 0; i < sizeof tile; i++)
        tile[i] = (unsigned char)draw(256);
    for (size_t i = 0; i < size; i++)
        switch (kind) {
        case FLAT:
            wide[i] = 77;
            break;
        case GRADIENT:
            wide[i] = (unsigned char)(i % row + i / row + draw(3));
            break;
        case PATTERN:
            wide[i] = tile[(i + i / row) % sizeof tile];
            break;
        case SPARSE:
            wide[i] = draw(50) ? 0 : (unsigned char)draw(256);
            break;
        case LONG_RUNS:
            wide[i] = i > 0 && draw(900) ? wide[i - 1] : (unsigned char)draw(256);
            break;
        case FAR_REPEATS: /* as far back as deflate can point, and further */
            wide[i] = i > 33000 && draw(64) ? wide[i - 32700 - draw(200)] : (unsigned char)draw(256);
            break;
        default:
            wide[i] = (unsigned char)draw(256);
        }
}

static size_t write_file(const weft_image_info *info, int level, int32_t threads, unsigned char *bytes) {
    char settings[32];
    const char *path = in_directory("a.png");
    const ptrdiff_t row = (ptrdiff_t)(info->width * (int64_t)weft_format_size(info->format));
    weft_writer *writer = NULL;
    snprintf(settings, sizeof settings, "compression=%d", level);
    weft_writer_options options = {.settings = settings, .threads = threads};
    bool good = CHECK(weft_writer_open(path, &options, info, &writer, &error) == WEFT_OK) &&
                CHECK(weft_writer_write(writer, info->height, wide, row, &error) == WEFT_OK) &&
                CHECK(weft_writer_finish(&writer, &error) == WEFT_OK);
    weft_writer_abandon(&writer);
    return good ? load(path, bytes, sizeof files[0]) : 0;
}

static bool reads_back(const weft_image_info *info, size_t size) {
    weft_reader *reader = NULL;
    bool good = CHECK(weft_reader_open(in_directory("a.png"), NULL, &reader, &error) == WEFT_OK) &&
                CHECK(weft_reader_read(reader, info->height, back, (ptrdiff_t)(size / (size_t)info->height), &error) ==
                      WEFT_OK) &&
                CHECK(weft_reader_finish(reader, &error) == WEFT_OK) && CHECK(memcmp(wide, back, size) == 0);
    weft_reader_close(&reader);
    return good;
}

static bool check_picture(weft_format format, int64_t width, int64_t height, int level, enum kind kind) {
    const weft_image_info info = {.width = width,
                                  .height = height,
                                  .format = format,
                                  .alpha = format.channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT};
    const size_t row = (size_t)width * weft_format_size(format), size = row * (size_t)height;
    size_t one, several;
    fill(kind, size, row);
    several = write_file(&info, level, 3, files[1]);
    one = write_file(&info, level, 1, files[0]);
    return reads_back(&info, size) && CHECK(one == several && memcmp(files[0], files[1], one) == 0) &&
           CHECK(one < size + (size_t)height + size / 1000 + 200);
}

static void run_cases(void) {
    for (int i = 0; i < 220; i++) {
        const weft_format format = {draw(2) ? WEFT_U8 : WEFT_U16, 1 + (int32_t)draw(4)};
        const bool large = i % 11 == 0;
        const int64_t width = 1 + draw(large ? 900 : 70), height = 1 + draw(large ? 400 : 70);
        const int level = (int)draw(10), kind = i % KINDS;
        if (check_picture(format, width, height, level, (enum kind)kind))
            continue;
        fprintf(stderr, "  case %d: %lldx%lld, type %d, %d channels, level %d, kind %d: %s\n", i, (long long)width,
                (long long)height, (int)format.type, (int)format.channels, level, kind, error.message);
    }
    /* A row that is longer than a strip and than what is compressed at once. */
    CHECK(check_picture((weft_format){WEFT_U16, 4}, 170000, 2, 6, GRADIENT));
    CHECK(check_picture((weft_format){WEFT_U8, 3}, 1000000, 1, 6, NOISE));
}

static void test_png(void) {
    if (!has_format("png"))
        return;
    run_cases();
    unlink(in_directory("a.png"));
}

int main(void) { return run_in_directory("file_png", test_png); }
