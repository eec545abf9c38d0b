/* SPDX-License-Identifier: MIT
 * Component types, pixel formats, sizes and rectangles. */
#include <stdint.h>
#include <string.h>
#include "check.h"
#include "weft/image.h"

static void test_types(void) {
    CHECK(weft_type_size(WEFT_U8) == 1 && weft_type_size(WEFT_U16) == 2 && weft_type_size(WEFT_F16) == 2);
    CHECK(weft_type_size(WEFT_F32) == 4 && weft_type_size(WEFT_F64) == 8);
    CHECK(weft_type_size((weft_type)0) == 0 && weft_type_size((weft_type)6) == 0);
    CHECK(strcmp(weft_type_name(WEFT_U8), "u8") == 0 && strcmp(weft_type_name(WEFT_F64), "f64") == 0);
    CHECK(strcmp(weft_type_name((weft_type)0), "?") == 0 && strcmp(weft_type_name((weft_type)99), "?") == 0);
    CHECK(weft_format_size((weft_format){WEFT_U16, 3}) == 6);
    CHECK(weft_format_size((weft_format){WEFT_F64, 4}) == 32);
    CHECK(weft_format_size((weft_format){WEFT_U8, 0}) == 0 && weft_format_size((weft_format){WEFT_U8, -1}) == 0);
}

static void test_text(void) {
    static const char *const wrong[] = {
        "",      "u",     "u9",    "u8x",   "u8x0",
        "u8x5",  "u8x33", "u8x3 ", " u8",   "U8",
        "f32x-", "u16 x", "f64y",  "u88",   "8",
        "f",     "u8xx",  "x3u8",  "u8x03", "a much longer text than any pixel format has, by far"};
    weft_error error;
    weft_format format;
    for (int type = WEFT_U8; type <= WEFT_F64; type++)
        for (int channels = 1; channels <= 4; channels++) {
            char text[16];
            weft_format_print((weft_format){(weft_type)type, channels}, text, sizeof text);
            format = (weft_format){0};
            CHECK(weft_format_parse(text, &format, &error) == WEFT_OK);
            CHECK((int)format.type == type && format.channels == channels);
        }
    CHECK(weft_format_parse("f32", &format, NULL) == WEFT_OK && format.type == WEFT_F32 && format.channels == 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        error.message[0] = 0;
        CHECK(weft_format_parse(wrong[i], &format, &error) == WEFT_ERROR_ARGUMENT);
        CHECK(error.status == WEFT_ERROR_ARGUMENT && error.message[0]);
        CHECK(format.type == WEFT_F32 && format.channels == 1);
    }
    CHECK(weft_format_parse(NULL, &format, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_format_parse("u8", NULL, NULL) == WEFT_ERROR_ARGUMENT);
}

static void test_size(void) {
    weft_image_info info = {7, 5, {WEFT_U16, 3}, WEFT_ALPHA_NONE, WEFT_SPACE_ENCODED}, bad = info;
    size_t size = 0;
    CHECK(weft_image_size(&info, &size, NULL) == WEFT_OK && size == 210);
    info = (weft_image_info){.width = INT64_C(1) << 40, .height = 1, .format = {WEFT_U8, 1}};
    CHECK(weft_image_size(&info, &size, NULL) == WEFT_OK && size == (size_t)1 << 40);
    info.height = INT64_C(1) << 40;
    CHECK(weft_image_size(&info, &size, NULL) == WEFT_ERROR_MEMORY);
    info = (weft_image_info){.width = INT64_MAX, .height = 1, .format = {WEFT_U8, 1}};
    CHECK(weft_image_size(&info, &size, NULL) == WEFT_OK && size == (size_t)INT64_MAX);
    info.format.channels = 2;
    CHECK(weft_image_size(&info, &size, NULL) == WEFT_ERROR_MEMORY);
    info = (weft_image_info){.width = INT64_C(1) << 31, .height = INT64_C(1) << 31, .format = {WEFT_F32, 1}};
    CHECK(weft_image_size(&info, &size, NULL) == WEFT_ERROR_MEMORY);
    bad.width = 0;
    CHECK(weft_image_size(&bad, &size, NULL) == WEFT_ERROR_FORMAT);
    bad.width = -1;
    bad.height = -1;
    CHECK(weft_image_size(&bad, &size, NULL) == WEFT_ERROR_FORMAT);
    bad = (weft_image_info){.width = 1, .height = 1, .format = {WEFT_U8, 5}};
    CHECK(weft_image_size(&bad, &size, NULL) == WEFT_ERROR_FORMAT);
    bad.format = (weft_format){(weft_type)0, 1};
    CHECK(weft_image_size(&bad, &size, NULL) == WEFT_ERROR_FORMAT);
    CHECK(weft_image_size(NULL, &size, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_image_size(&bad, NULL, NULL) == WEFT_ERROR_ARGUMENT);
}

static void test_region(void) {
    static const int64_t outside[][4] = {{-1, 0, 2, 2}, {0, -1, 2, 2},        {0, 0, 0, 1},         {0, 0, 1, 0},
                                         {9, 0, 2, 1},  {0, 5, 1, 2},         {0, 0, 11, 1},        {0, 0, 1, 7},
                                         {10, 0, 1, 1}, {INT64_MAX, 0, 1, 1}, {1, 1, INT64_MAX, 1}, {0, 0, -1, 1}};
    unsigned char pixels[6 * 40];
    weft_image image = {.info = {10, 6, {WEFT_U8, 3}, WEFT_ALPHA_NONE, WEFT_SPACE_LINEAR}, .data = pixels, .stride = 40}, region;
    CHECK(weft_image_region(&image, 2, 3, 4, 2, &region, NULL) == WEFT_OK);
    CHECK(region.data == pixels + 3 * 40 + 6 && region.stride == 40);
    CHECK(region.info.width == 4 && region.info.height == 2 && region.info.space == WEFT_SPACE_LINEAR);
    CHECK(weft_image_region(&image, 0, 0, 10, 6, &region, NULL) == WEFT_OK && region.data == pixels);
    CHECK(weft_image_region(&region, 9, 5, 1, 1, &region, NULL) == WEFT_OK); /* in place */
    CHECK(region.data == pixels + 5 * 40 + 27 && region.info.width == 1);
    image.data = pixels + 5 * 40; /* upside down */
    image.stride = -40;
    CHECK(weft_image_region(&image, 1, 5, 1, 1, &region, NULL) == WEFT_OK && region.data == pixels + 3);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        CHECK(weft_image_region(&image, outside[i][0], outside[i][1], outside[i][2], outside[i][3], &region, NULL) ==
              WEFT_ERROR_ARGUMENT);
    CHECK(weft_image_region(NULL, 0, 0, 1, 1, &region, NULL) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_image_region(&image, 0, 0, 1, 1, NULL, NULL) == WEFT_ERROR_ARGUMENT);
}

/* A region in a buffer is further into it; elsewhere its pixels are elsewhere. */
static void test_regions_of_memory(void) {
    unsigned char pixels[12 * 40];
    weft_image image = {.info = {.width = 10, .height = 12, .format = {WEFT_U16, 2}}, .data = pixels, .stride = 40};
    weft_image region;
    CHECK(weft_image_region(&image, 3, 2, 4, 5, &region, NULL) == WEFT_OK);
    CHECK(region.data == pixels + 92 && region.offset == 0 && region.stride == 40);
    image.memory = WEFT_MEMORY_VULKAN;
    image.offset = 1000;
    CHECK(weft_image_region(&image, 3, 2, 4, 5, &region, NULL) == WEFT_OK);
    CHECK(region.data == pixels && region.offset == 1092 && region.info.width == 4 && region.info.height == 5);
}

int main(void) {
    test_types();
    test_text();
    test_size();
    test_region();
    test_regions_of_memory();
    return check_done("image");
}
