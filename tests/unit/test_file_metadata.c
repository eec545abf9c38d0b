/* SPDX-License-Identifier: MIT
 * What files hold beside pixels: profiles, EXIF and resolutions come back, pictures come upright, and options of
 * formats are read. */
#include <math.h>
#include "file_fixture.h"

enum { PROFILE = 400, EXIF = 26 };

static void put_number(unsigned char *bytes, uint32_t number) {
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* A profile of three primaries and a gamma, for those who look into it, and of what is none of it behind them. */
static void make_profile(unsigned char profile[PROFILE], const char *space) {
    static const char *const tags[] = {"rXYZ", "gXYZ", "bXYZ", "wtpt", "rTRC", "gTRC", "bTRC"};
    static const uint32_t colors[4][3] = {
        {0x9c18, 0x4fa5, 0x04fc}, {0x348d, 0xa02c, 0x0f95}, {0x2631, 0x102f, 0xbe9c}, {0xf6d6, 0x10000, 0xd32d}};
    enum { TAGS = 7, COLORS = 128 + 4 + 12 * TAGS, GAMMA = COLORS + 4 * 20, TAIL = GAMMA + 16 };
    memset(profile, 0, PROFILE);
    put_number(profile, PROFILE);
    profile[8] = 2;
    memcpy(profile + 12, "mntr", 4);
    memcpy(profile + 16, space, 4);
    memcpy(profile + 20, "XYZ ", 4);
    memcpy(profile + 36, "acsp", 4);
    memcpy(profile + 68, "\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d", 12); /* D50 */
    put_number(profile + 128, TAGS);
    for (int i = 0; i < TAGS; i++) {
        memcpy(profile + 132 + 12 * i, tags[i], 4);
        put_number(profile + 132 + 12 * i + 4, (uint32_t)(i < 4 ? COLORS + 20 * i : GAMMA));
        put_number(profile + 132 + 12 * i + 8, i < 4 ? 20 : 14);
    }
    for (int i = 0; i < 4; i++) {
        memcpy(profile + COLORS + 20 * i, "XYZ ", 4);
        for (int k = 0; k < 3; k++)
            put_number(profile + COLORS + 20 * i + 8 + 4 * k, colors[i][k]);
    }
    memcpy(profile + GAMMA, "curv\0\0\0\0\0\0\0\1\2\x33", 14); /* 2.2 */
    for (int i = TAIL; i < PROFILE; i++)
        profile[i] = (unsigned char)(i * i * 37 >> 3);
}

/* EXIF of one entry, in either byte order. */
static void make_exif(unsigned char exif[EXIF], int orientation, bool big) {
    memcpy(exif, big ? "MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1" : "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0", 18);
    memset(exif + 18, 0, EXIF - 18);
    exif[big ? 19 : 18] = (unsigned char)orientation;
}

/* JPEG XL has the profile of what it makes of the pixels unless nothing of them is lost. */
static weft_status write_with(const char *name, const weft_metadata *metadata) {
    const char *settings = strcmp(name, "m.jxl") == 0 ? "lossless" : NULL;
    return write_made(in_directory(name), &(weft_writer_options){.metadata = metadata, .settings = settings});
}

static bool holds(const void *bytes, size_t size, const void *expected, size_t expected_size) {
    return size == expected_size && bytes && memcmp(bytes, expected, size) == 0;
}

static const char *const rich[] = {"m.png", "m.jpg", "m.tif", "m.webp", "m.avif", "m.heic", "m.jxl"};

/* Formats hold the one or the other; what they hold comes back. */
static void test_round_trips(void) {
    unsigned char profile[PROFILE], gray[PROFILE], exif[EXIF];
    make_profile(profile, "RGB ");
    make_profile(gray, "GRAY");
    make_exif(exif, 1, false);
    make_picture(INFO(13, 5, WEFT_U8, 3, 0), 0, true);
    for (size_t i = 0; i < sizeof rich / sizeof *rich; i++) {
        const char *path = in_directory(rich[i]);
        const bool tiff = strcmp(rich[i], "m.tif") == 0;
        const weft_metadata metadata = {.profile = profile,
                                        .profile_size = PROFILE,
                                        .exif = exif,
                                        .exif_size = EXIF,
                                        .x_resolution = 300,
                                        .y_resolution = 150};
        const weft_metadata resolution = {.x_resolution = 300, .y_resolution = 118.11};
        const weft_metadata misfit = {.profile = gray, .profile_size = PROFILE};
        const weft_metadata *found;
        weft_reader *reader = NULL;
        weft_image_info nearest;
        if (weft_writer_accepts(path, NULL, &made.info, &nearest, NULL) != WEFT_OK)
            continue;
        CHECK(write_with(rich[i], &metadata) == WEFT_OK);
        CHECK(read_got(path, 0) == WEFT_OK && same_picture(6));
        if (CHECK(weft_reader_open(path, NULL, &reader, &error) == WEFT_OK)) {
            found = weft_reader_metadata(reader);
            CHECK(holds(found->profile, found->profile_size, profile, PROFILE));
            CHECK(tiff || holds(found->exif, found->exif_size, exif, EXIF));
            weft_reader_close(&reader);
        }
        /* Where there is no other place for a resolution, EXIF says it. */
        CHECK(write_with(rich[i], &resolution) == WEFT_OK);
        if (CHECK(weft_reader_open(path, NULL, &reader, &error) == WEFT_OK)) {
            found = weft_reader_metadata(reader);
            CHECK(fabs(found->x_resolution - 300) < 0.02 && fabs(found->y_resolution - 118.11) < 0.2);
            weft_reader_close(&reader);
        }
        /* A profile for gray images is not put into a color one. */
        CHECK(write_with(rich[i], &misfit) == WEFT_OK);
        if (CHECK(weft_reader_open(path, NULL, &reader, &error) == WEFT_OK)) {
            found = weft_reader_metadata(reader);
            CHECK(!found->profile && !found->exif && found->x_resolution == 0);
            weft_reader_close(&reader);
        }
        CHECK(unlink(path) == 0);
    }
    CHECK(weft_reader_metadata(NULL) == NULL);
}

/* XMP and IPTC come back where a format has room for them, and none of them nor EXIF where they are stripped. */
static void test_text(void) {
    static const char xmp[] = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><dc:title>loom</dc:title></x:xmpmeta>";
    static const char iptc[] = "\x1c\2\x78\0\7caption\x1c\2\x5a\0\5Lyons";
    unsigned char profile[PROFILE], exif[EXIF];
    make_profile(profile, "RGB ");
    make_exif(exif, 1, true);
    make_picture(INFO(13, 5, WEFT_U8, 3, 0), 0, true);
    for (size_t i = 0; i < sizeof rich / sizeof *rich; i++) {
        const char *path = in_directory(rich[i]);
        const bool room = strcmp(rich[i], "m.jpg") == 0 || strcmp(rich[i], "m.tif") == 0; /* for IPTC */
        const weft_metadata metadata = {.profile = profile,
                                        .profile_size = PROFILE,
                                        .exif = exif,
                                        .exif_size = EXIF,
                                        .xmp = xmp,
                                        .xmp_size = sizeof xmp - 1,
                                        .iptc = iptc,
                                        .iptc_size = sizeof iptc - 1};
        weft_image_info nearest;
        if (weft_writer_accepts(path, NULL, &made.info, &nearest, NULL) != WEFT_OK)
            continue;
        for (int strip = 0; strip < 2; strip++) {
            const weft_writer_options options = {
                .metadata = &metadata, .strip = strip, .settings = strcmp(rich[i], "m.jxl") ? "" : "lossless"};
            weft_reader *reader = NULL;
            CHECK(write_made(path, &options) == WEFT_OK);
            CHECK(weft_reader_open(path, NULL, &reader, &error) == WEFT_OK);
            const weft_metadata *found = weft_reader_metadata(reader);
            if (CHECK(found != NULL)) {
                CHECK(holds(found->profile, found->profile_size, profile, PROFILE));
                CHECK(strip ? !found->xmp : holds(found->xmp, found->xmp_size, xmp, sizeof xmp - 1));
                CHECK(strip || !room ? !found->iptc : found->iptc && !memcmp(found->iptc, iptc, sizeof iptc - 1));
                CHECK(!strip || !found->exif);
                CHECK(weft_reader_pictures(reader) == 1);
            }
            weft_reader_close(&reader);
        }
        CHECK(unlink(path) == 0);
    }
    CHECK(weft_reader_pictures(NULL) == 0 && weft_writer_format(NULL) == NULL);
}

/* Where a picture lies comes back from OpenEXR, unless the picture is another one or the numbers are absurd. */
static void test_frame(void) {
    const weft_frame good = {-3, 7, -10, 0, 100, 50, 13, 5};
    for (int form = 0; form < 4 && has_format("exr"); form++) {
        weft_metadata metadata = {.frame = good};
        const weft_writer_options options = {.metadata = &metadata};
        weft_reader *reader = NULL;
        metadata.frame.picture_width += form == 1;
        metadata.frame.left = form == 2 ? INT64_MIN : metadata.frame.left;
        metadata.frame.width = form == 3 ? INT64_MAX : metadata.frame.width;
        make_picture((weft_image_info){13, 5, {WEFT_F32, 3}, WEFT_ALPHA_NONE, WEFT_SPACE_LINEAR}, 0, false);
        CHECK(write_made(in_directory("m.exr"), &options) == WEFT_OK);
        CHECK(read_got(in_directory("m.exr"), 0) == WEFT_OK && same_picture(0));
        CHECK(weft_reader_open(in_directory("m.exr"), NULL, &reader, &error) == WEFT_OK);
        const weft_metadata *found = weft_reader_metadata(reader);
        if (CHECK(found != NULL))
            CHECK(form ? found->frame.width == 0 : memcmp(&found->frame, &good, sizeof good) == 0);
        weft_reader_close(&reader);
        CHECK(unlink(in_directory("m.exr")) == 0);
    }
}

/* EXIF with a line of text, a resolution, a camera's directory, which points to another one, and one of the place, all
 * in the order of their tags: what a TIFF file gives back, then in this machine's byte order. */
enum { RICH_EXIF = 8 + (2 + 12 * 7 + 4) + 6 + 8 + 8 + (2 + 12 * 4 + 4) + 8 + 6 + (2 + 12 + 4) + (2 + 12 * 2 + 4) + 24 };

static size_t put_in_order(unsigned char *bytes, size_t at, uint32_t number, size_t size, bool big) {
    for (size_t i = 0; i < size; i++)
        bytes[at + i] = (unsigned char)(number >> 8 * (big ? size - 1 - i : i));
    return at + size;
}

static size_t put_entry(unsigned char *bytes, size_t at, uint32_t tag, uint32_t type, uint32_t count, bool big) {
    at = put_in_order(bytes, at, tag, 2, big);
    at = put_in_order(bytes, at, type, 2, big);
    return put_in_order(bytes, at, count, 4, big);
}

static void make_rich_exif(unsigned char exif[RICH_EXIF], bool big) {
    size_t at = 8, camera = 8 + 90 + 22, inner = camera + 54 + 14, place = inner + 18;
    memset(exif, 0, RICH_EXIF);
    memcpy(exif, big ? "MM\0*\0\0\0\x08" : "II*\0\x08\0\0\0", 8);
    at = put_in_order(exif, at, 7, 2, big);
    at = put_in_order(exif, put_entry(exif, at, 271, 2, 6, big), 98, 4, big); /* make */
    memcpy(exif + 98, "loom\x7f", 6);
    for (uint32_t i = 0; i < 2; i++) { /* 300 and 150 per inch */
        at = put_in_order(exif, put_entry(exif, at, 282 + i, 5, 1, big), 104 + 8 * i, 4, big);
        put_in_order(exif, 104 + 8 * i, i ? 150 : 300, 4, big);
        put_in_order(exif, 108 + 8 * i, 1, 4, big);
    }
    at = put_entry(exif, at, 296, 3, 1, big) + 4;
    put_in_order(exif, at - 4, 2, 2, big);
    at = put_entry(exif, at, 305, 2, 4, big) + 4; /* software, short enough to stand in its entry */
    memcpy(exif + at - 4, "saw", 4);
    at = put_in_order(exif, put_entry(exif, at, 34665, 4, 1, big), (uint32_t)camera, 4, big);
    put_in_order(exif, put_entry(exif, at, 34853, 4, 1, big), (uint32_t)place, 4, big);
    at = put_in_order(exif, camera, 4, 2, big);
    at = put_in_order(exif, put_entry(exif, at, 33434, 5, 1, big), (uint32_t)camera + 54, 4, big); /* exposure */
    put_in_order(exif, camera + 54, 1, 4, big);
    put_in_order(exif, camera + 58, 250, 4, big);
    at = put_entry(exif, at, 34855, 3, 2, big) + 4; /* sensitivities */
    put_in_order(exif, at - 4, 100, 2, big);
    put_in_order(exif, at - 2, 3200, 2, big);
    at = put_in_order(exif, put_entry(exif, at, 37500, 7, 5, big), (uint32_t)camera + 62, 4, big); /* maker's note */
    memcpy(exif + camera + 62, "\0\1\2\3\xff", 5);
    put_in_order(exif, put_entry(exif, at, 40965, 4, 1, big), (uint32_t)inner, 4, big);
    at = put_entry(exif, put_in_order(exif, inner, 1, 2, big), 1, 2, 4, big);
    memcpy(exif + at, "R98", 4);
    at = put_entry(exif, put_in_order(exif, place, 2, 2, big), 1, 2, 2, big) + 4;
    memcpy(exif + at - 4, "N", 2);
    put_in_order(exif, put_entry(exif, at, 2, 5, 3, big), (uint32_t)place + 30, 4, big); /* degrees of latitude */
    for (uint32_t i = 0; i < 6; i++)
        put_in_order(exif, place + 30 + 4 * i, i % 2 ? 1 : 40 + i, 4, big);
}

/* Directories of EXIF become directories of a TIFF file, and come back. */
static void test_tiff_exif(void) {
    const uint16_t one = 1;
    const bool here = *(const unsigned char *)&one == 0;
    unsigned char exif[RICH_EXIF], expected[RICH_EXIF], copy[RICH_EXIF];
    make_rich_exif(expected, here);
    make_picture(INFO(13, 5, WEFT_U8, 3, 0), 0, true);
    for (int form = 0; form < 8 && has_format("tiff"); form++) {
        const char *const settings[] = {"", "big=on", "tile=16,compression=lzw", "compression=deflate"};
        weft_reader *reader = NULL;
        make_rich_exif(exif, form % 2);
        const weft_metadata metadata = {.exif = exif, .exif_size = RICH_EXIF, .x_resolution = 300, .y_resolution = 150};
        const weft_writer_options options = {.settings = settings[form / 2], .metadata = &metadata};
        CHECK(write_made(in_directory("e.tif"), &options) == WEFT_OK);
        CHECK(read_got(in_directory("e.tif"), 0) == WEFT_OK && same_picture(0));
        if (CHECK(weft_reader_open(in_directory("e.tif"), NULL, &reader, &error) == WEFT_OK)) {
            const weft_metadata *found = weft_reader_metadata(reader);
            CHECK(holds(found->exif, found->exif_size, expected, RICH_EXIF));
            weft_reader_close(&reader);
        }
    }
    /* EXIF that ends anywhere, or in which any number is another, stops no picture. */
    for (int form = 0; form < 2 * RICH_EXIF && has_format("tiff"); form++) {
        const weft_metadata metadata = {.exif = copy, .exif_size = form < RICH_EXIF ? (size_t)form : RICH_EXIF};
        memcpy(copy, expected, RICH_EXIF);
        if (form >= RICH_EXIF)
            copy[form - RICH_EXIF] ^= 0xFF;
        CHECK(write_with("e.tif", &metadata) == WEFT_OK);
        CHECK(read_got(in_directory("e.tif"), 0) == WEFT_OK && same_picture(0));
    }
    if (has_format("tiff"))
        unlink(in_directory("e.tif"));
}

/* What abc over def, held in each of the eight ways, is when it is upright. */
static void test_orientations(void) {
    static const char *const upright[] = {"abcdef", "cbafed", "fedcba", "defabc",
                                          "adbecf", "daebfc", "fcebda", "cfbead"};
    for (int form = 0; form < 16 && has_format("png"); form++) {
        const int orientation = form / 2 + 1;
        unsigned char exif[EXIF], reset[EXIF];
        const weft_metadata metadata = {.exif = exif, .exif_size = EXIF, .x_resolution = 300, .y_resolution = 150};
        weft_reader *reader = NULL;
        make_exif(exif, orientation, form % 2 != 0);
        make_exif(reset, 1, form % 2 != 0);
        make_picture(INFO(3, 2, WEFT_U8, 1, 0), 0, false);
        memcpy(made.pixels, "abcdef", 6);
        CHECK(write_with("turned.png", &metadata) == WEFT_OK);
        CHECK(read_got(in_directory("turned.png"), 0) == WEFT_OK);
        CHECK(got.info.width == (orientation < 5 ? 3 : 2) && got.info.height == (orientation < 5 ? 2 : 3));
        CHECK(memcmp(got.pixels, upright[orientation - 1], 6) == 0);
        if (CHECK(weft_reader_open(in_directory("turned.png"), NULL, &reader, &error) == WEFT_OK)) {
            const weft_metadata *found = weft_reader_metadata(reader);
            CHECK(holds(found->exif, found->exif_size, reset, EXIF));
            CHECK(fabs(found->x_resolution - (orientation < 5 ? 300 : 150)) < 0.02);
            weft_reader_close(&reader);
        }
    }
    /* EXIF that ends anywhere, or whose directory lies anywhere, turns nothing unless it says so. */
    for (int form = 0; form < 2 * EXIF && has_format("png"); form++) {
        unsigned char exif[EXIF];
        const weft_metadata metadata = {.exif = exif, .exif_size = form < EXIF ? (size_t)form : EXIF};
        make_exif(exif, 6, false);
        if (form >= EXIF)
            exif[form - EXIF] ^= 0xFF;
        CHECK(write_with("turned.png", &metadata) == WEFT_OK);
        CHECK(read_got(in_directory("turned.png"), 0) == WEFT_OK);
        CHECK(form >= 20 || got.info.width == 3);
    }
    if (has_format("png"))
        unlink(in_directory("turned.png"));
}

static void check_setting(const char *path, const char *settings, const char *message) {
    const weft_image_info info = INFO(13, 5, WEFT_U8, 3, 0);
    const weft_writer_options options = {.settings = settings};
    weft_image_info nearest;
    weft_writer *writer = NULL;
    weft_status expected = message ? WEFT_ERROR_PARAMETER : WEFT_OK;
    CHECK(weft_writer_accepts(path, &options, &info, &nearest, &error) == expected);
    if (message && !CHECK(strstr(error.message, message) != NULL))
        fprintf(stderr, "  [%s]: %s\n", settings, error.message);
    CHECK(weft_writer_open(in_directory(path), &options, &info, &writer, &error) == expected);
    weft_writer_abandon(&writer);
    CHECK(count_files() == 0);
}

static void test_settings(void) {
    check_setting("a.ppm", "", NULL);
    check_setting("a.ppm", "quality=3", "no option 'quality'; it has none");
    if (has_format("jpeg")) {
        check_setting("a.jpg", "quality=3,subsampling=422", NULL);
        check_setting("a.jpg", "progressive", NULL);
        check_setting("a.jpg", "progressive=off,progressive=on", NULL);
        check_setting("a.jpg", "qualty=3", "no option 'qualty'; it has quality, subsampling");
        check_setting("a.jpg", "quality", "from 1 to 100, not ''");
        check_setting("a.jpg", "quality=0", "from 1 to 100, not '0'");
        check_setting("a.jpg", "quality=101", "from 1 to 100, not '101'");
        check_setting("a.jpg", "quality=99999999999999999999", "from 1 to 100");
        check_setting("a.jpg", "quality=-1", "from 1 to 100, not '-1'");
        check_setting("a.jpg", "subsampling=4", "one of auto 444 422 420, not '4'");
        check_setting("a.jpg", "quality=90,,", "no option ''");
    }
    if (has_format("tiff"))
        check_setting("a.tif", "compression=lzw,tile=64,big=on", NULL);
}

/* Every combination of a format's first choices, and the ends of its numbers, makes a file that comes back. */
static void test_options(void) {
    const weft_file_format *format;
    for (int32_t f = 0; (format = weft_file_format_at(f)); f++)
        for (int32_t i = 0; i < format->option_count; i++)
            for (int side = 0; side < 2; side++) {
                const weft_file_option *option = &format->options[i];
                const char *last = option->choices ? strrchr(option->choices, ' ') : NULL;
                char settings[64], name[32];
                weft_image_info wanted = INFO(37, 23, WEFT_U8, 3, 0), nearest;
                if (option->choices)
                    snprintf(settings, sizeof settings, "%s=%.*s", option->name,
                             (int)(side ? strlen(last + 1) : strcspn(option->choices, " ")),
                             side ? last + 1 : option->choices);
                else
                    snprintf(settings, sizeof settings, "%s=%d", option->name,
                             (int)(side && option->maximum < 16384 ? option->maximum : option->minimum + side));
                snprintf(name, sizeof name, "option.%.*s", (int)strcspn(format->extensions, " "), format->extensions);
                CHECK(weft_writer_accepts(name, NULL, &wanted, &nearest, &error) == WEFT_OK);
                make_picture(nearest, 0, strcmp(settings, "lossless=on") != 0); /* noise hides no rounding */
                if (!CHECK(write_made(in_directory(name), &(weft_writer_options){.settings = settings}) == WEFT_OK))
                    fprintf(stderr, "  %s [%s]: %s\n", name, settings, error.message);
                CHECK(read_got(in_directory(name), 0) == WEFT_OK);
                CHECK(got.info.width == 37 && got.info.height == 23 && got.info.format.channels == 3);
                if (!is_lossy(strrchr(name, '.') + 1) || strcmp(settings, "lossless=on") == 0)
                    CHECK(same_picture(0));
                unlink(in_directory(name));
            }
}

static void test_metadata(void) {
    test_round_trips();
    test_text();
    test_frame();
    test_tiff_exif();
    test_orientations();
    test_settings();
    test_options();
}

int main(void) { return run_in_directory("file_metadata", test_metadata); }
