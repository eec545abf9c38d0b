/* SPDX-License-Identifier: MIT
 * Parameters by number and by text, in any locale; and names that are nearly right. */
#include "check.h"
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "graph/graph.h"

static double number(const char *text) {
    double value = NAN;
    return weft_text_number(text, strlen(text), &value) == WEFT_NUMBER_GOOD ? value : NAN;
}

static void test_numbers(void) {
    static const char *const good[] = {"0",
                                       "1",
                                       "-1",
                                       "+2.5",
                                       "0.1",
                                       ".5",
                                       "5.",
                                       "1e3",
                                       "1E-3",
                                       "1e+22",
                                       "1e23",
                                       "8.5e-324",
                                       "1e400",
                                       "0e9999",
                                       "-0.0",
                                       "123456789012345678901234567890",
                                       "1e-400",
                                       "3.4028235e38",
                                       "9007199254740993",
                                       "2.2250738585072011e-308"};
    static const char *const bad[] = {"",      "+",    "-",  ".",  "e5", "1e",  "1e+",
                                      "1.2.3", "0x10", "1 ", " 1", "1f", "--1", "1,5"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double truth = strtod(good[i], NULL), value = number(good[i]);
        CHECK(isinf(truth) ? isnan(value) : value == truth);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(isnan(number(bad[i])));
    double value;
    CHECK(weft_text_number("1e999", 5, &value) == WEFT_NUMBER_TOO_LARGE);
    CHECK(weft_text_number("1e99999999999999999999", 22, &value) == WEFT_NUMBER_TOO_LARGE);
    CHECK(weft_text_number("-Infinity", 9, &value) == WEFT_NUMBER_NOT_FINITE);
    CHECK(weft_text_number("NaN", 3, &value) == WEFT_NUMBER_NOT_FINITE);
    /* Half way between two doubles, but for a digit far behind. */
    char text[1200] = "1.00000000000000011102230246251565404236316680908203125";
    CHECK(number(text) == 1);
    size_t length = strlen(text);
    memset(text + length, '0', 1000);
    text[length + 1000] = '1';
    CHECK(number(text) == 1 + DBL_EPSILON);
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        char printed[64];
        double back;
        random = random * 6364136223846793005u + 1442695040888963407u;
        memcpy(&back, &random, sizeof back);
        if (!isfinite(back))
            continue;
        int used = weft_text_print_number(printed, sizeof printed, back, false);
        if (!CHECK(used == (int)strlen(printed) && number(printed) == back))
            fprintf(stderr, "  %s\n", printed);
    }
    CHECK(weft_text_print_number(text, sizeof text, 0.1f, true) == 3 && strcmp(text, "0.1") == 0);
    CHECK(weft_text_print_number(text, 3, 1234567, true) == 7 && strcmp(text, "12") == 0);
}

/* Programs that use weft may have set a locale with a decimal comma. */
static void test_locale(void) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8", "de_DE"};
    char text[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i])) {
            CHECK(number("1.5") == 1.5 && isnan(number("1,5")));
            weft_text_print_number(text, sizeof text, -1.5e-20, true);
            CHECK(strcmp(text, "-1.5e-20") == 0);
        }
    setlocale(LC_ALL, "C");
}

static void test_quote(void) {
    char quote[WEFT_QUOTE_SIZE];
    CHECK(strcmp(weft_text_quote(quote, "a\n\x7f\xc3\xa9\xff\xc3", 7), "a??\xc3\xa9??") == 0);
    CHECK(strcmp(weft_text_quote(quote, "\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80", 9), "?????????") == 0);
    CHECK(strcmp(weft_text_quote(quote, "\xf0\x9f\x8e\xa8\xc2\x9b", 6), "\xf0\x9f\x8e\xa8??") == 0);
    for (size_t length = 50; length < 100; length++) {
        char text[100];
        memset(text, 'x', sizeof text);
        CHECK(strlen(weft_text_quote(quote, text, length)) < WEFT_QUOTE_SIZE);
    }
}

static int32_t distance(const char *typed, const char *name) {
    return weft_text_distance(typed, strlen(typed), name, strlen(name));
}

static void test_nearest(void) {
    CHECK(distance("sobel", "sobel") == 0);
    CHECK(distance("soble", "sobel") == 1); /* a swap is one mistake */
    CHECK(distance("Blend-Multiply", "blend_multiply") == 0);
    CHECK(distance("bilaterl", "bilateral") == 1);
    CHECK(distance("bilat", "bilateral") != WEFT_TEXT_FAR);
    CHECK(distance("gamma_filter", "gamma") != WEFT_TEXT_FAR);
    CHECK(distance("ab", "cd") == WEFT_TEXT_FAR && distance("", "gamma") == WEFT_TEXT_FAR);
    CHECK(distance("x", "y") == WEFT_TEXT_FAR);
    CHECK(distance("bilat", "bilateral") > distance("bilaterl", "bilateral"));
    CHECK(weft_filter_find("gamma") && !weft_filter_find("gamm") && !weft_filter_find("") && !weft_filter_find(NULL));
    CHECK(weft_filter_nearest("gama") == weft_filter_find("gamma"));
    CHECK(weft_filter_nearest("satuartion") == weft_filter_find("saturation"));
    CHECK(weft_filter_nearest("qqqqqqqqq") == NULL && weft_filter_nearest(NULL) == NULL);
    const struct weft_filter *sobel = weft_registry_find("sobel!", 5);
    if (CHECK(sobel)) {
        CHECK(weft_parameter_find(sobel, "edge_strength", 13) == 1 && weft_parameter_find(sobel, "edge", 4) == -1);
        CHECK(weft_parameter_nearest(sobel, "edgestrength", 12) == &sobel->parameters[1]);
        CHECK(weft_parameter_nearest(sobel, "quux", 4) == NULL);
    }
}

/* The catalogue can be walked, names and aliases are found, and default texts mean the defaults. */
static void test_catalogue(void) {
    CHECK(weft_filter_count() > 0 && !weft_filter_at(-1) && !weft_filter_at(weft_filter_count()));
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *info = weft_filter_at(i);
        const struct weft_filter *filter = weft_registry[i];
        CHECK(weft_filter_find(info->name) == info);
        CHECK(i == 0 || strcmp(weft_filter_at(i - 1)->name, info->name) < 0);
        for (const char *alias = info->aliases; *alias; alias += strspn(alias, " ")) {
            size_t length = strcspn(alias, " ");
            CHECK(weft_registry_find(alias, length) == filter);
            alias += length;
        }
        void *block = weft_block_create(filter);
        if (!CHECK(block))
            continue;
        for (int32_t k = 0; k < info->parameters; k++) {
            const weft_parameter_info *parameter = weft_filter_parameter(info, k);
            char before[512], after[512];
            weft_error error = {.status = WEFT_OK};
            weft_block_print(filter, block, k, before, sizeof before);
            bool empty = parameter->type == WEFT_PARAMETER_CHOICE ||
                         (parameter->type == WEFT_PARAMETER_LIST && !parameter->default_text[0]);
            bool good = empty || weft_block_set_text(filter, block, k, parameter->default_text,
                                                     strlen(parameter->default_text), &error) == WEFT_OK;
            weft_block_print(filter, block, k, after, sizeof after);
            if (!CHECK(good && strcmp(before, after) == 0))
                fprintf(stderr, "  %s.%s: %s, %s, %s %s\n", info->name, parameter->name, parameter->default_text,
                        before, after, error.message);
            /* What is printed is graph text. */
            good = empty || weft_block_set_text(filter, block, k, before, strlen(before), &error) == WEFT_OK;
            weft_block_print(filter, block, k, after, sizeof after);
            CHECK(good && strcmp(before, after) == 0);
        }
        CHECK(!weft_filter_parameter(info, -1) && !weft_filter_parameter(info, info->parameters));
        void *copy = weft_block_copy(filter, block);
        weft_block_destroy(filter, block);
        weft_block_destroy(filter, copy);
    }
}

/* Sets by text and prints; the message when that failed. */
static const char *set(const char *name, const char *parameter, const char *text) {
    static char result[512];
    const struct weft_filter *filter = weft_registry_find(name, strlen(name));
    void *block = filter ? weft_block_create(filter) : NULL;
    weft_error error = {.status = WEFT_OK};
    if (!CHECK(block))
        return "";
    int32_t index = weft_parameter_find(filter, parameter, strlen(parameter));
    if (weft_block_set_text(filter, block, index, text, strlen(text), &error) == WEFT_OK) {
        weft_block_print(filter, block, index, result, sizeof result);
    } else {
        snprintf(result, sizeof result, "%s", error.message);
        CHECK(strcmp(error.filter, name) == 0 && strcmp(error.parameter, parameter) == 0);
    }
    weft_block_destroy(filter, block);
    return result;
}
#define SET(filter, parameter, text, outcome)                                                                          \
    do {                                                                                                               \
        const char *found_ = set(filter, parameter, text);                                                             \
        if (!CHECK(strcmp(found_, outcome) == 0))                                                                      \
            fprintf(stderr, "  %s: %s\n", text, found_);                                                               \
    } while (0)

static void test_texts(void) {
    SET("gamma", "gamma", " 2.5 ", "2.5");
    SET("gamma", "gamma", "3", "3");
    SET("gamma", "gamma", "3.0000001", "3"); /* the same float */
    SET("gamma", "gamma", "3.001", "gamma must be from 0 to 3, not 3.001");
    SET("gamma", "gamma", "-1e-30", "gamma must be from 0 to 3, not -1e-30");
    SET("gamma", "gamma", "1e300", "gamma must be from 0 to 3, not 1e+300");
    SET("gamma", "gamma", "auto", "gamma takes a number, not 'auto'");
    SET("gamma", "gamma", "", "gamma has an empty value");
    SET("gamma", "gamma", "1|", "a number of gamma is missing");
    SET("bilateral", "radius", "AUTO", "auto");
    SET("bilateral", "radius", "-2147483647", "auto");
    SET("bilateral", "radius", "7", "7");
    SET("bilateral", "radius", "-1", "radius must be from 0 to 1000 px or auto, not -1");
    SET("bilateral", "radius", "1.5", "radius must be a whole number, not 1.5");
    SET("bilateral", "border", "cv:reflect101", "mirror");
    SET("bilateral", "border", "np:edge", "replicate");
    SET("bilateral", "border", "scipy:reflect", "symmetric");
    SET("bilateral", "border", "torch:reflect",
        "'torch:reflect' is no choice of border: there are "
        "replicate|mirror|symmetric|wrap|constant|shrink");
    SET("sobel", "component", "y", "y");
    SET("sobel", "component", "1", "'1' is no choice of component: there are magnitude|x|y");
    SET("sobel", "component", "0.5", "'0.5' is no choice of component: there are magnitude|x|y");
    SET("canny", "aperture", "5", "5");
    SET("canny", "aperture", "1", "'1' is no choice of aperture: there are 3|5|7");
    SET("pad", "border", "shrink", "'shrink' is no choice of border: there are replicate|mirror|symmetric|wrap|constant");
    SET("crop", "border", "np:edge", "replicate");
    SET("sobel", "component", "cv:wrap", "'cv:wrap' is no choice of component: there are magnitude|x|y");
    SET("transpose", "flip_x", "Yes", "1");
    SET("transpose", "flip_x", "off", "0");
    SET("solid_color", "color", "#F80", "1|0.53333336|0|1");
    SET("solid_color", "color", "#ff000000", "1|0|0|0");
    SET("solid_color", "color", "White", "1|1|1|1");
    SET("solid_color", "color", "transparent", "0|0|0|0");
    SET("solid_color", "color", "0.25", "0.25|0.25|0.25|1");
    SET("solid_color", "color", "1, 2 | 3 4", "1|2|3|4");
    SET("solid_color", "color", "1 2 3", "1|2|3|1");
    SET("solid_color", "color", "1|2", "color takes 1, 3 or 4 numbers, 2 given");
    SET("resize", "fit", "320x200", "320|200");
    SET("resize", "fit", "320x", "fit takes a number, not '320x'");
    SET("resize", "fit", "1x2x3", "fit takes 2 numbers joined by x or |, 3 given");
    SET("solid_color", "color", "1x2", "color takes a number or a color, not '1x2'");
    SET("solid_color", "color", "1||2", "a number of color is missing");
    SET("solid_color", "color", "#ggg", "color takes a number or a color, not '#ggg'");
    SET("solid_color", "color", "1 inf 2", "color must be a finite number, not 'inf'");
}

static void test_values(void) {
    const struct weft_filter *filter = weft_registry_find("bilateral", 9),
                             *solid = weft_registry_find("solid_color", 11);
    void *block = filter ? weft_block_create(filter) : NULL, *color = solid ? weft_block_create(solid) : NULL;
    double values[8] = {WEFT_AUTO, NAN, INFINITY, 5};
    weft_error error;
    char text[8];
    if (CHECK(block && color)) {
        CHECK(weft_block_set(filter, block, 2, &values[3], 1, &error) == WEFT_OK);
        CHECK(weft_block_set(filter, block, 2, &values[0], 1, &error) == WEFT_OK);
        CHECK(weft_block_get(filter, block, 2, &values[4], 4) == 1 && values[4] == WEFT_AUTO);
        CHECK(*(const int32_t *)((const char *)block + filter->parameters[2].offset) < 0);
        CHECK(weft_block_set(filter, block, 0, &values[0], 1, &error) == WEFT_ERROR_PARAMETER);
        CHECK(weft_block_set(filter, block, 0, &values[1], 1, &error) == WEFT_ERROR_PARAMETER);
        CHECK(weft_block_set(filter, block, 0, &values[2], 1, &error) == WEFT_ERROR_PARAMETER);
        CHECK(weft_block_set(filter, block, 0, &values[3], 2, &error) == WEFT_ERROR_PARAMETER);
        CHECK(weft_block_set(filter, block, 0, &values[3], 0, NULL) == WEFT_ERROR_PARAMETER);
        CHECK(weft_block_set(filter, block, 99, &values[3], 1, &error) == WEFT_ERROR_ARGUMENT);
        CHECK(weft_block_set_text(filter, block, -1, "1", 1, &error) == WEFT_ERROR_ARGUMENT);
        CHECK(weft_block_get(filter, block, 99, values, 8) == 0);
        CHECK(weft_block_get(solid, color, 0, values, 2) == 4 && values[0] == 0);
        CHECK(weft_block_set_text(solid, color, 0, "#123456", 7, &error) == WEFT_OK);
        CHECK(weft_block_print(solid, color, 0, text, sizeof text) > 8 && strlen(text) == 7);
        int length = weft_block_print(solid, color, 0, NULL, 0);
        CHECK(length == weft_block_print(solid, color, 0, text, 1) && text[0] == 0);
    }
    weft_block_destroy(filter, block);
    weft_block_destroy(solid, color);
}

int main(void) {
    test_numbers();
    test_locale();
    test_quote();
    test_nearest();
    test_catalogue();
    test_texts();
    test_values();
    return check_done("value");
}
