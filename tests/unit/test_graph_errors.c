/* SPDX-License-Identifier: MIT
 * Mistakes in graph text: for every kind of them the place and the words. */
#include "parse_graph.h"

/* Checks that a text fails at the part of it that `place` repeats (its first or, with `last`, last occurrence). */
static void fails(const char *text, const char *place, bool last, const char *words) {
    weft_error error;
    weft_graph *graph = parse(text, &error);
    const char *at = strstr(text, place), *next = at;
    while (last && next && (next = strstr(next + 1, place)))
        at = next;
    bool good = CHECK(!graph) && CHECK(error.offset == at - text) && CHECK(error.length == (int64_t)strlen(place)) &&
                CHECK(strstr(error.message, words));
    if (!good)
        fprintf(stderr, "  %s\n  %s\n  at %lld, %lld long\n", text, error.message, (long long)error.offset,
                (long long)error.length);
    weft_graph_destroy(&graph);
}

static void test_syntax_errors(void) {
    fails(" # nothing", " # nothing", false, "empty");
    fails("gamma,", ",", false, "must follow");
    fails(",gamma", ",", false, "missing");
    fails(";gamma", ";", false, "missing");
    fails("gamma;;sobel", ";", true, "missing");
    fails("gamma,,sobel", ",", true, "missing");
    fails("[a];gamma", ";", false, "missing");
    fails("[0]", "]", false, "missing");
    fails("gamma\nsobel", "sobel", false, "',' or ';'");
    fails("gamma:2", ":", false, "name=value");
    fails("=2", "=", false, "before '='");
    fails("gamma]", "]", false, "no '['");
    fails("]gamma", "]", false, "no '['");
    fails("gamma=2]", "]", false, "no '['");
    fails("[a gamma", "g", false, "label is made of");
    fails("[a,b]gamma", "[a", false, "no ']'");
    fails("gamma[x", "[x", false, "no ']'");
    fails("gamma[]", "[]", false, "empty");
    fails("gamma[ ]", "[ ]", false, "empty");
    fails("gamma[caf\xc3\xa9]", "\xc3\xa9", false, "label is made of");
    fails("gamma='2,sobel", "'2,sobel", false, "never closed");
    fails("gamma=2\\", "\\", false, "backslash");
    fails("gamma=", "=", false, "gamma is missing");
    fails("gamma=,sobel", ",", false, "gamma is missing");
    fails("sobel=x:", ":", false, "edge_strength is missing");
    fails("gamma=gamma=", "=", true, "gamma is missing");
    fails("gamma=@", "@", false, "label must follow");
    fails("gamma=@a*,sobel", "*", false, "number must follow");
    fails("gamma=@a*x", "*x", false, "number must follow");
    fails("gamma=@a[1", "[1", false, "']' must follow");
    fails("gamma=@a[-1]", "[-1]", false, "number from 0");
    fails("gamma=@a[1.5]", "[1.5]", false, "number from 0");
    fails("gamma=@a b", "b", false, "can follow");
}

/* What is meant by what was typed: mistypings, other forms, words of a name, a name among words; or nothing. */
static void test_nearest(void) {
    static const struct {
        const char *typed, *meant;
    } cases[] = {{"gaussain", "gaussian"},
                 {"contras", "contrast"},
                 {"Sobel", "sobel"},
                 {"dilat", "dilate"},
                 {"saturate", "saturation"},
                 {"sharpened", "sharpen"},
                 {"multiply", "blend_multiply"},
                 {"multiply_blend", "blend_multiply"},
                 {"blend-multiply", "blend_multiply"},
                 {"canny_edge", "canny"},
                 {"median_filter", "median"},
                 {"fast_gaussian", "gaussian"},
                 {"invert_channels", "invert"},
                 {"channel_extract", NULL},
                 {"extract_channel", "take_channel"},
                 {"a_crop_of_many_other_words", NULL},
                 {"zzzzzz", NULL},
                 {"x", NULL},
                 {"", NULL},
                 {"pixelation", "pixellate"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const weft_filter_info *nearest = weft_filter_nearest(cases[i].typed);
        bool good =
            nearest && cases[i].meant ? strcmp(nearest->name, cases[i].meant) == 0 : !nearest && !cases[i].meant;
        if (!CHECK(good))
            fprintf(stderr, "  '%s': '%s', not '%s'\n", cases[i].typed, nearest ? nearest->name : "",
                    cases[i].meant ? cases[i].meant : "");
    }
}

static void test_name_errors(void) {
    fails("contras", "contras", false, "unknown filter 'contras': did you mean 'contrast'?");
    fails("gamma,Sobel=2", "Sobel", false, "did you mean 'sobel'?");
    fails("multiply", "multiply", false, "did you mean 'blend_multiply'?");
    fails("zzzzzz", "zzzzzz", false, "unknown filter 'zzzzzz'");
    fails("gamma,\xff\x1b[x]", "\xff\x1b", false, "unknown filter '?");
    fails("sobel=strength=2", "strength", false, "did you mean 'edge_strength'?");
    fails("gamma=quality=2", "quality", false, "it has gamma");
    fails("solid_color=space=linear", "space", false, "no parameter 'space'");
    fails("gamma=space=gamma", "gamma", true, "encoded or linear");
    fails("gamma=1:2", "2", false, "one too many");
    fails("sobel=component=x:2", "2", false, "needs a name");
    fails("sobel=x:component=y", "component", false, "component is given twice");
    fails("gamma=gamma=1:gamma=2", "gamma", true, "gamma is given twice");
    fails("gamma=5", "5", false, "gamma must be from 0 to 3, not 5");
    fails("gamma= nan ", "nan", false, "finite");
    fails("gamma=-inf", "-inf", false, "finite");
    fails("gamma=two", "two", false, "takes a number, not 'two'");
    fails("gamma=1|2", "1|2", false, "takes 1 number, 2 given");
    fails("gamma=''", "''", false, "empty");
    fails("sobel=z", "z", false, "magnitude|x|y");
    fails("sobel=magnitud", "magnitud", false, "did you mean 'magnitude'?");
    fails("sobel=border=reflect", "reflect", false, "mirror (cb|abcd|cb");
    fails("transpose=2", "2", false, "either");
    fails("solid_color=#12,gamma", "#12", false, "3, 6 or 8 digits"); /* a comment otherwise */
    fails("solid_color= # 12\n", "=", false, "color is missing");
    fails("solid_color=pink", "pink", false, "number or a color");
    fails("solid_color=width=1.5", "1.5", false, "whole number");
    fails("bilateral=@m;gamma[m]", "@m", false, "decides");
    fails("sobel=@m;gamma[m]", "@m", false, "not made of real numbers");
}

static void test_wiring_errors(void) {
    fails("[x]gamma", "x", false, "no filter makes [x]");
    fails("gamma[mask];[0][masc]blend_multiply", "masc", false, "did you mean [mask]?");
    fails("gamma[x];sobel[x]", "x", true, "[x] is made twice");
    fails("split[x][x]", "x", true, "[x] is made twice");
    fails("gamma[0]", "0", false, "input of the graph");
    fails("gamma[a][b]", "b", false, "split copies");
    fails("[b]gamma[a];[a]sobel[b]", "a", true, "[a] is made from itself");
    fails("[b]gamma,sobel[b]", "b", false, "[b] is made from itself");
    fails("gamma=@x[x]", "x", false, "[x] is made from itself");
    fails("[a]split[a]", "a", false, "[a] is made from itself");
    fails("[0]blend_multiply", "blend_multiply", false, "blend_multiply takes 2 inputs, 1 given");
    fails("gamma,blend_multiply=1", "blend_multiply", false, "2 inputs, 1 given");
    fails("[0][1]gamma", "gamma", false, "takes 1 input, 2 given");
    fails("gamma,solid_color", "solid_color", false, "takes no input, 1 given");
    fails("[0][1]split[a][b]", "split", false, "takes 1 input, 2 given");
    fails("split=3[a][b]", "split=3", false, "3 images, but 2 are");
    fails("split=0", "0", false, "1 or more");
    fails("split=x", "x", false, "1 or more");
    fails("split=2:3", ":", false, "one value");
    fails("split=n=2", "n", false, "outputs");
    fails("[2]gamma;sobel", "2", false, "no filter reads [1]");
    fails("[1000]gamma", "1000", false, "more inputs");
    fails("[99999999999999999999]gamma", "99999999999999999999", false, "more inputs");
    weft_graph *graph = NULL;
    weft_error error;
    CHECK(weft_graph_parse("gam\0ma", 6, &graph, &error) == WEFT_ERROR_GRAPH && error.offset == 3 && error.length == 1);
    CHECK(weft_graph_parse("", 0, &graph, &error) == WEFT_ERROR_GRAPH && strstr(error.message, "empty"));
    CHECK(weft_graph_parse("gamma2", 5, &graph, NULL) == WEFT_OK); /* the text need not end in 0 */
    weft_graph_destroy(&graph);
    CHECK(weft_graph_parse(NULL, 0, &graph, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_parse("gamma", 5, NULL, NULL) == WEFT_ERROR_ARGUMENT);
}

int main(void) {
    test_syntax_errors();
    test_nearest();
    test_name_errors();
    test_wiring_errors();
    return check_done("graph errors");
}
