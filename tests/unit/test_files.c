/* SPDX-License-Identifier: MIT
 * Image files: what is written comes back, foreign forms are read right, and broken ones are refused. */
#include "file_fixture.h"

static const int64_t sizes[][2] = {{1, 1}, {1, 7}, {7, 1}, {13, 5}};

static void test_round_trips(void) {
    for (int e = 0; e < EXTENSIONS; e++)
        for (int variant = 0; variant < 5 * 4 * 3 * 4; variant++) {
            char name[32];
            /* The edges of these pictures ring in JPEG XL, as they may; test_file_safety writes calmer ones. */
            const bool asked = strcmp(extensions[e], "jxl") == 0, lossy = is_lossy(extensions[e]) && !asked;
            const bool floats = strcmp(extensions[e], "pfm") == 0;
            const weft_writer_options options = {.settings = asked ? "lossless" : NULL};
            const weft_image_info wanted = {sizes[variant % 4][0],
                                            sizes[variant % 4][1],
                                            {(weft_type)(1 + variant / 4 % 5), 1 + variant / 20 % 4},
                                            (weft_alpha)(variant / 80),
                                            WEFT_SPACE_ENCODED};
            weft_image_info nearest, again;
            snprintf(name, sizeof name, "round.%s", extensions[e]);
            if (weft_writer_accepts(name, NULL, &wanted, &nearest, &error) == WEFT_ERROR_FILE)
                continue; /* not a format of this build */
            CHECK(weft_writer_accepts(name, NULL, &wanted, &nearest, &error) == WEFT_OK);
            CHECK(weft_writer_accepts(name, NULL, &nearest, &again, &error) == WEFT_OK);
            CHECK(memcmp(&nearest, &again, sizeof nearest) == 0);
            make_picture(nearest, variant % 3 * 5, lossy);
            CHECK(write_made(in_directory(name), &options) == WEFT_OK);
            CHECK(read_got(in_directory(name), variant % 2 * 3) == WEFT_OK);
            /* The colors of wide samples are less smooth than those of bytes. */
            CHECK(same_picture(!lossy ? 0 : nearest.format.type == WEFT_U16 ? 12 : 6));
            CHECK(floats || got.info.alpha == nearest.alpha);
            CHECK(got.info.space == nearest.space);
            CHECK(unlink(in_directory(name)) == 0);
        }
    CHECK(count_files() == 0);
}

static void check_accepts(const char *path, weft_format from, weft_alpha alpha, weft_format to, weft_alpha expected) {
    weft_image_info wanted = {4, 4, from, alpha, WEFT_SPACE_LINEAR}, nearest;
    if (CHECK(weft_writer_accepts(path, NULL, &wanted, &nearest, &error) == WEFT_OK))
        CHECK(nearest.format.type == to.type && nearest.format.channels == to.channels && nearest.alpha == expected &&
              nearest.space == WEFT_SPACE_ENCODED && nearest.width == 4);
}

static void test_accepts(void) {
    const weft_alpha none = WEFT_ALPHA_NONE, straight = WEFT_ALPHA_STRAIGHT, multiplied = WEFT_ALPHA_PREMULTIPLIED;
    const weft_writer_options pgm = {.format = "pgm"}, bad = {.format = "bmp"};
    weft_image_info info = {4, 4, {WEFT_U8, 4}, none, WEFT_SPACE_ENCODED}, nearest;
    weft_writer *writer;
    if (has_format("png")) {
        check_accepts("a.PNG", (weft_format){WEFT_F32, 3}, none, (weft_format){WEFT_U16, 3}, none);
        check_accepts("a.png", (weft_format){WEFT_U8, 2}, none, (weft_format){WEFT_U8, 2}, straight);
        check_accepts("a.png", (weft_format){WEFT_F16, 4}, multiplied, (weft_format){WEFT_U16, 4}, straight);
    }
    if (has_format("jpeg")) {
        check_accepts("a.jpeg", (weft_format){WEFT_U16, 4}, straight, (weft_format){WEFT_U8, 3}, none);
        check_accepts("a.jpg", (weft_format){WEFT_F32, 2}, straight, (weft_format){WEFT_U8, 1}, none);
        info.width = 70000;
        CHECK(weft_writer_accepts("a.jpg", NULL, &info, &nearest, &error) == WEFT_ERROR_FORMAT);
        info.width = 4;
    }
    check_accepts("a.b/c.pgm", (weft_format){WEFT_U8, 4}, straight, (weft_format){WEFT_U8, 1}, none);
    check_accepts("a.ppm", (weft_format){WEFT_U16, 1}, none, (weft_format){WEFT_U16, 3}, none);
    check_accepts("a.pnm", (weft_format){WEFT_F64, 2}, none, (weft_format){WEFT_U16, 3}, none);
    check_accepts("a.pnm", (weft_format){WEFT_U8, 1}, none, (weft_format){WEFT_U8, 1}, none);
    check_accepts("-", (weft_format){WEFT_F32, 2}, none, (weft_format){WEFT_U16, 2}, none);
    check_accepts("a.pam", (weft_format){WEFT_U8, 4}, multiplied, (weft_format){WEFT_U8, 4}, straight);
    check_accepts("a.pfm", (weft_format){WEFT_U8, 2}, straight, (weft_format){WEFT_F32, 4}, straight);
    CHECK(weft_writer_accepts("a.xyz", &pgm, &info, &nearest, &error) == WEFT_OK && nearest.format.channels == 1);
    CHECK(weft_writer_accepts("a.pbm", NULL, &info, &nearest, &error) == WEFT_ERROR_FILE);
    CHECK(weft_writer_accepts("a.png", &bad, &info, &nearest, &error) == WEFT_ERROR_FILE);
    CHECK(weft_writer_accepts("a.xyz", NULL, &info, &nearest, &error) == WEFT_ERROR_FILE);
    CHECK(strstr(error.message, "pam") && strstr(error.message, "xyz") && strstr(error.message, "ppm"));
    CHECK(weft_writer_accepts("dir.pam/name", NULL, &info, &nearest, &error) == WEFT_ERROR_FILE);
    CHECK(weft_writer_accepts("", NULL, &info, &nearest, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_writer_accepts(NULL, NULL, &info, &nearest, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_writer_open(in_directory("a.pgm"), NULL, &info, &writer, &error) == WEFT_ERROR_FORMAT && !writer);
    CHECK(count_files() == 0);
}

/* Reads `bytes` and compares with tightly packed pixels. */
static void check_reads(const char *bytes, size_t size, weft_image_info expected, const void *pixels) {
    const char *path = in_directory("literal");
    size_t length;
    save(path, bytes, size);
    if (CHECK(read_got(path, 0) == WEFT_OK)) {
        CHECK(got.info.width == expected.width && got.info.height == expected.height);
        CHECK(got.info.format.type == expected.format.type && got.info.format.channels == expected.format.channels);
        CHECK(got.info.alpha == expected.alpha);
        CHECK(weft_image_size(&got.info, &length, NULL) == WEFT_OK && memcmp(got.pixels, pixels, length) == 0);
    } else {
        fprintf(stderr, "  %.20s: %s\n", bytes, error.message);
    }
    unlink(path);
}
#define LITERAL(text) text, sizeof text - 1

static void test_forms(void) {
    check_reads(LITERAL("P1\n# bits\n3 2\n10 1\n0#end\n01"), INFO(3, 2, WEFT_U8, 1, 0), "\0\xff\0\xff\xff\0");
    check_reads(LITERAL("P4 9 2\n\x80\x80\x7f\x7f"), INFO(9, 2, WEFT_U8, 1, 0),
                "\0\xff\xff\xff\xff\xff\xff\xff\0\xff\0\0\0\0\0\0\0\xff");
    check_reads(LITERAL("P2#c\n3 1 #c\n7\n0 3 7"), INFO(3, 1, WEFT_U8, 1, 0), "\0\x6d\xff");
    check_reads(LITERAL("P3\r\n1 1\r\n1000\r\n0 500 1000 trailing"), INFO(1, 1, WEFT_U16, 3, 0),
                (const uint16_t[]){0, 32768, 65535});
    check_reads(LITERAL("P5\n2 1\n100\n\x32\x64"), INFO(2, 1, WEFT_U8, 1, 0), "\x80\xff");
    check_reads(LITERAL("P5\n2 1\n255\n\n garbage after it"), INFO(2, 1, WEFT_U8, 1, 0), "\n ");
    check_reads(LITERAL("P6\n1 1\n65535\n\x01\x02\x03\x04\x05\x06"), INFO(1, 1, WEFT_U16, 3, 0),
                (const uint16_t[]){0x102, 0x304, 0x506});
    check_reads(LITERAL("P5 1 1 256\n\x01\0"), INFO(1, 1, WEFT_U16, 1, 0), (const uint16_t[]){65535});
    check_reads(LITERAL("P7\n#c\n\nHEIGHT 1\nWIDTH 2\r\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\nabcd"),
                INFO(2, 1, WEFT_U8, 2, WEFT_ALPHA_STRAIGHT), "abcd");
    check_reads(LITERAL("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\nabcd"),
                INFO(1, 1, WEFT_U8, 4, 0), "abcd");
    check_reads(LITERAL("P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\0\x01"),
                INFO(2, 1, WEFT_U8, 1, 0), "\0\xff");
    check_reads(LITERAL("Pf\n1 2\n1.0\n\x3f\x80\0\0\xc0\0\0\0"), INFO(1, 2, WEFT_F32, 1, 0),
                (const float[]){-2.0f, 1.0f});
    check_reads(LITERAL("PF\n1 1\n-0.5e+1\n\0\0\x80\x3f\0\0\0\x40\0\0\x80\xbf"), INFO(1, 1, WEFT_F32, 3, 0),
                (const float[]){1.0f, 2.0f, -1.0f});
    check_reads(LITERAL("PF4\n1 1\n-1\n\0\0\x80\x3f\0\0\0\x40\0\0\x80\xbf\0\0\0\0"), INFO(1, 1, WEFT_F32, 4, 0),
                (const float[]){1.0f, 2.0f, -1.0f, 0.0f});
}

static void test_refusals(void) {
    static const struct {
        const char *text, *message;
    } files[] = {{"", "empty"},
                 {"GIF89a", "47 49 46 38"},
                 {"hello, world, this is text", "\"hello, w\""},
                 {"P", "it could be"},
                 {"P5\n", "truncated"},
                 {"P5\n0 1\n255\n", "width is 0"},
                 {"P5\n1 0\n255\n", "height is 0"},
                 {"P5\n1 1\n0\n", "maximum is 0"},
                 {"P5\n1 1\n65536\n", "more than 65535"},
                 {"P5\n-1 1\n255\n", "number was expected"},
                 {"P5\n1x1\n255\n", "blank was expected"},
                 {"P5\n2147483648 1\n255\n", "more than 2147483647"},
                 {"P5\n99999999999999999999 1\n255\n", "more than 2147483647"},
                 {"P5\n1 2\n255\na", "row 1"},
                 {"P5\n1 1\n100\n\xff", "above the maximum"},
                 {"P2\n1 1\n100\n101", "more than 100"},
                 {"P2\n2 1\n100\n1", "truncated"},
                 {"P1\n2 1\n12", "a bit is 0 or 1"},
                 {"P4\n1 2\n\1", "truncated (row 1"},
                 {"P6\n3 2147483647\n65535\n", "truncated"},
                 {"P6\n2147483647 2147483647\n65535\n", "image size"},
                 {"P7\nWIDTH 1\nENDHDR\n", "no HEIGHT"},
                 {"P7\nWIDTH 0\n", "WIDTH is '0'"},
                 {"P7\nCOLOR 1\n", "unknown header line"},
                 {"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nabcde", "5 channels"},
                 {"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabc", "does not go with 3"},
                 {"PF\n1 1\n0\n", "scale is '0'"},
                 {"PF\n1 1\nnan\n", "scale is 'nan'"},
                 {"PF\n1 1\n-1\nabc", "truncated"},
                 {"PF\n1 2147483647\n-1\nabc", "truncated"},
                 {"PF\n2147483647 2147483647\n-1\nabc", "image size"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = in_directory("literal.pgm");
        save(path, files[i].text, strlen(files[i].text));
        CHECK(read_got(path, 0) != WEFT_OK);
        if (!CHECK(strstr(error.message, files[i].message) && strstr(error.message, "literal.pgm")))
            fprintf(stderr, "  %zu: %s\n", i, error.message);
        unlink(path);
    }
    CHECK(weft_reader_open(in_directory("absent.png"), NULL, &(weft_reader *){NULL}, &error) == WEFT_ERROR_FILE);
    CHECK(strstr(error.message, "absent.png: No such file") != NULL);
    CHECK(weft_reader_open(directory, NULL, &(weft_reader *){NULL}, &error) == WEFT_ERROR_FILE);
    CHECK(weft_reader_open(NULL, NULL, &(weft_reader *){NULL}, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_reader_open("x", NULL, NULL, NULL) == WEFT_ERROR_ARGUMENT);
}

/* What a reader should make of a sample of make_png. */
static uint32_t expected_png(const png_form *form, int x, int y, int channel, int channels) {
    const uint32_t index = png_sample(form, x, y, 0);
    if (form->color == 3)
        return png_palette(index, channel);
    if (form->transparent && channel == channels - 1) {
        for (int c = 0; c < png_channels(form->color); c++)
            if (png_sample(form, x, y, c) != png_sample(form, 0, 0, c))
                return form->depth == 16 ? 65535 : 255;
        return 0;
    }
    return form->depth < 8 ? index * 255 / ((1u << form->depth) - 1) : png_sample(form, x, y, channel);
}

static void test_png(void) {
    static sample_file file;
    for (int color = 0; color <= 6; color++)
        for (int depth = 1; depth <= 16; depth *= 2)
            for (int variant = 0; variant < 16; variant++) {
                const png_form form = {
                    (int)sizes[variant / 4][0], (int)sizes[variant / 4][1], depth, color, variant & 1,
                    (variant & 2) && color < 4};
                const int channels = color == 3 ? 3 + form.transparent : png_channels(color) + form.transparent;
                bool right = true;
                if (color == 1 || color == 5 || (color == 3 && depth > 8) || (color != 0 && color != 3 && depth < 8))
                    continue;
                make_png(&file, &form);
                save(in_directory("form"), file.bytes, file.size);
                if (!CHECK(read_got(in_directory("form"), 0) == WEFT_OK)) {
                    fprintf(stderr, "  %s\n", error.message);
                    continue;
                }
                CHECK(got.info.width == form.width && got.info.height == form.height);
                CHECK(got.info.format.channels == channels && (got.info.format.type == WEFT_U16) == (depth == 16));
                CHECK((got.info.alpha == WEFT_ALPHA_STRAIGHT) == (channels % 2 == 0));
                for (int i = 0; i < form.width * form.height * channels; i++) {
                    int pixel = i / channels;
                    uint32_t value =
                        expected_png(&form, pixel % form.width, pixel / form.width, i % channels, channels);
                    uint16_t wide;
                    memcpy(&wide, got.pixels + 2 * (size_t)i, 2);
                    right = right && value == (depth == 16 ? wide : got.pixels[i]);
                }
                CHECK(right);
            }
    /* Headers that claim far more than the file holds. */
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        png_form form = {13, 5, 16, 6, interlaced, false};
        make_png(&file, &form);
        memcpy(file.bytes + 16, "\x7f\xff\xff\xff\x7f\xff\xff\xff", 8);
        {
            uint32_t crc = checksum(file.bytes + 12, 17);
            for (int i = 0; i < 4; i++)
                file.bytes[29 + i] = (unsigned char)(crc >> (24 - 8 * i));
        }
        save(in_directory("form"), file.bytes, file.size);
        CHECK(read_got(in_directory("form"), 0) == WEFT_ERROR_FILE);
    }
    unlink(in_directory("form"));
}

static void test_jpeg(void) {
    static const struct {
        int components, adobe, values[4], channels, expected[3];
    } forms[] = {{1, -1, {77, 0, 0, 0}, 1, {77, 77, 77}},      {3, -1, {100, 128, 128, 0}, 3, {100, 100, 100}},
                 {3, 0, {10, 200, 255, 0}, 3, {10, 200, 255}}, {4, -1, {0, 100, 255, 51}, 3, {204, 124, 0}},
                 {4, 0, {255, 155, 0, 204}, 3, {204, 124, 0}}, {4, 2, {155, 128, 128, 255}, 3, {100, 100, 100}},
                 {4, 2, {155, 128, 128, 51}, 3, {20, 20, 20}}, {2, -1, {1, 2, 0, 0}, 0, {0, 0, 0}}};
    static sample_file file;
    for (size_t n = 0; n < 2 * sizeof forms / sizeof *forms; n++) {
        const size_t i = n / 2;
        make_jpeg(&file, forms[i].components, forms[i].values, forms[i].adobe, n % 2 != 0);
        save(in_directory("form"), file.bytes, file.size);
        if (forms[i].channels == 0) {
            CHECK(read_got(in_directory("form"), 0) == WEFT_ERROR_UNSUPPORTED);
            continue;
        }
        if (!CHECK(read_got(in_directory("form"), 0) == WEFT_OK)) {
            fprintf(stderr, "  %s\n", error.message);
            continue;
        }
        CHECK(got.info.width == 8 && got.info.height == 8 && got.info.format.channels == forms[i].channels);
        for (int p = 0; p < 64; p++)
            for (int c = 0; c < forms[i].channels; c++)
                if (!CHECK(got.pixels[p * forms[i].channels + c] == forms[i].expected[c]))
                    fprintf(stderr, "  form %zu channel %d: %d\n", i, c, got.pixels[p * forms[i].channels + c]);
    }
    unlink(in_directory("form"));
    /* One of several scans that claims more blocks than the file has bits. */
    make_jpeg(&file, 3, forms[1].values, -1, true);
    memcpy((unsigned char *)memchr(file.bytes, 0xC0, file.size) + 4, "\xff\x00\xff\x00", 4);
    save(in_directory("form"), file.bytes, file.size);
    CHECK(read_got(in_directory("form"), 0) == WEFT_ERROR_FILE && strstr(error.message, "cannot hold"));
    unlink(in_directory("form"));
    /* Quality is obeyed. */
    make_picture(INFO(64, 64, WEFT_U8, 3, 0), 0, false);
    CHECK(write_made(in_directory("low.jpg"), &(weft_writer_options){.quality = 10}) == WEFT_OK);
    CHECK(write_made(in_directory("high.jpg"), &(weft_writer_options){.quality = 100}) == WEFT_OK);
    CHECK(load(in_directory("low.jpg"), got.pixels, PICTURE) * 2 < load(in_directory("high.jpg"), got.pixels, PICTURE));
    CHECK(write_made(in_directory("x.jpg"), &(weft_writer_options){.quality = 101}) == WEFT_ERROR_ARGUMENT);
    unlink(in_directory("low.jpg"));
    unlink(in_directory("high.jpg"));
}

/* Planes behind one another, in strips of any height, come out as pixels. */
static void test_planes(void) {
    static sample_file file;
    for (int rows = 1; rows <= 8; rows++) {
        bool same = true;
        make_planar_tiff(&file, 13, 7, rows);
        save(in_directory("planes.tif"), file.bytes, file.size);
        CHECK(read_got(in_directory("planes.tif"), 0) == WEFT_OK);
        CHECK(got.info.width == 13 && got.info.height == 7 && got.info.format.channels == 3);
        for (int i = 0; i < 7 * 13 * 3; i++)
            same = same && got.pixels[i] == planar_sample(i / 3 % 13, i / 39, i % 3);
        CHECK(same);
    }
    unlink(in_directory("planes.tif"));
}

static void test_calls(void) {
    weft_reader *reader = NULL;
    weft_writer *writer = NULL;
    weft_source source;
    weft_sink sink;
    unsigned char row[64];
    const char *path = in_directory("calls.pgm");
    make_picture(INFO(4, 3, WEFT_U8, 1, 0), 0, false);
    CHECK(weft_writer_open(path, NULL, &made.info, &writer, &error) == WEFT_OK);
    sink = weft_writer_sink(writer);
    CHECK(sink.write(sink.user, 1, 1, made.pixels, 4, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(sink.write(sink.user, 0, 1, made.pixels, 4, &error) == WEFT_OK);
    CHECK(sink.write(sink.user, 1, 2, made.pixels + 4, 4, &error) == WEFT_OK);
    CHECK(weft_writer_finish(&writer, &error) == WEFT_OK && !writer);
    CHECK(weft_reader_open(path, NULL, &reader, &error) == WEFT_OK);
    source = weft_reader_source(reader);
    CHECK(source.read(source.user, 1, 1, row, 4, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(source.read(source.user, 0, 2, row + 4, -4, &error) == WEFT_OK); /* bottom up */
    CHECK(memcmp(row + 4, made.pixels, 4) == 0 && memcmp(row, made.pixels + 4, 4) == 0);
    CHECK(weft_reader_finish(reader, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_reader_read(reader, 2, row, 4, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_reader_read(reader, 2, row, 3, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_reader_read(reader, 0, NULL, 0, &error) == WEFT_OK);
    CHECK(weft_reader_read(reader, 1, row, 0, &error) == WEFT_OK);
    CHECK(weft_reader_finish(reader, &error) == WEFT_OK && weft_reader_finish(reader, &error) == WEFT_OK);
    weft_reader_close(&reader);
    weft_reader_close(&reader);
    weft_reader_close(NULL);
    weft_writer_abandon(&writer);
    weft_writer_abandon(NULL);
    CHECK(weft_writer_finish(&writer, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_reader_info(NULL) == NULL && weft_file_format_at(-1) == NULL && weft_file_format_at(99) == NULL);
    CHECK(has_format("pnm") && has_format("pam") && has_format("pfm"));
    unlink(path);
}

static void test_files(void) {
    test_round_trips();
    test_accepts();
    test_forms();
    test_refusals();
    if (has_format("png"))
        test_png();
    if (has_format("jpeg"))
        test_jpeg();
    if (has_format("tiff"))
        test_planes();
    test_calls();
}

int main(void) { return run_in_directory("files", test_files); }
