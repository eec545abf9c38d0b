/* SPDX-License-Identifier: MIT
 * Lookups in tables, against what is worked out here: where each arrangement has its colors, what lies between them, and
 * what is no table. test_known_tables [DEVICE] */
#include <math.h>
#include "run_graph.h"

enum { SIDE = 4, LEVEL = 2, COLORS = 41 };

static bool near(double a, double b) { return fabs(a - b) <= 2e-6; }

/* A color of the table: no two are alike, and no plane is as another. */
static double entry(int r, int g, int b, int channel) {
    return ((r * 7 + g * 31 + b * 97 + channel * 41) % 103) / 103.0;
}

/* Where each arrangement of 4 x 4 x 4 colors has one. */
struct arrangement {
    const char *name;
    int64_t width, height;
};
static const struct arrangement arrangements[] = {{"cube", 4, 16}, {"strip", 16, 4}, {"gpuimage", 8, 8}, {"hald", 8, 8}};

static void place_of(const char *name, int r, int g, int b, int *x, int *y) {
    int number = r + SIDE * g + SIDE * SIDE * b;
    if (strcmp(name, "cube") == 0)
        *x = r, *y = g + SIDE * b;
    else if (strcmp(name, "strip") == 0)
        *x = r + SIDE * b, *y = g;
    else if (strcmp(name, "gpuimage") == 0) /* tiles of blue, LEVEL in a row */
        *x = SIDE * (b % LEVEL) + r, *y = SIDE * (b / LEVEL) + g;
    else /* one after the other, as one reads */
        *x = number % (SIDE * LEVEL), *y = number / (SIDE * LEVEL);
}

/* Between the eight colors around, by the product of the shares. */
static double trilinear(const double *color, int channel) {
    double sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1;
        int at[3];
        for (int k = 0; k < 3; k++) {
            double place = color[k] * (SIDE - 1), first = fmin(floor(place), SIDE - 2), share = place - first;
            bool second = corner >> k & 1;
            weight *= second ? share : 1 - share;
            at[k] = (int)first + second;
        }
        sum += weight * entry(at[0], at[1], at[2], channel);
    }
    return sum;
}

/* Along the edges from the darkest corner to the brightest, the largest share first. */
static double tetrahedral(const double *color, int channel) {
    int at[3], order[3] = {0, 1, 2};
    double share[3], sum;
    for (int k = 0; k < 3; k++) {
        double place = color[k] * (SIDE - 1);
        at[k] = (int)fmin(floor(place), SIDE - 2);
        share[k] = place - at[k];
    }
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 2; k++)
            if (share[order[k]] < share[order[k + 1]]) {
                int swapped = order[k];
                order[k] = order[k + 1], order[k + 1] = swapped;
            }
    sum = (1 - share[order[0]]) * entry(at[0], at[1], at[2], channel);
    for (int k = 0; k < 3; k++) {
        at[order[k]]++;
        sum += (share[order[k]] - (k < 2 ? share[order[k + 1]] : 0)) * entry(at[0], at[1], at[2], channel);
    }
    return sum;
}

static weft_image_info info_of(int64_t width, int64_t height, weft_type type, int32_t channels) {
    return (weft_image_info){.width = width, .height = height, .format = {type, channels}};
}

static void cubes(weft_device *device) {
    float colors[COLORS][3];
    for (int i = 0; i < COLORS; i++) /* the lattice's own, all orders of the shares, the ends */
        for (int k = 0; k < 3; k++)
            colors[i][k] = i == 0 ? 0 : i == 1 ? 1 : i < 8 ? (float)((i >> k & 1) + 1) / 3 : (float)(i * (k + 3) * 29 % 64) / 63;
    for (size_t a = 0; a < sizeof arrangements / sizeof *arrangements; a++)
        for (int tetrahedra = 0; tetrahedra < 2; tetrahedra++) {
            const struct arrangement *form = &arrangements[a];
            float table[SIDE * SIDE * SIDE][3];
            char text[128];
            weft_image_info infos[2] = {info_of(COLORS, 1, WEFT_F32, 3), info_of(form->width, form->height, WEFT_F32, 3)};
            for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
                int r = i % SIDE, g = i / SIDE % SIDE, b = i / SIDE / SIDE, x, y;
                place_of(form->name, r, g, b, &x, &y);
                for (int k = 0; k < 3; k++)
                    table[y * form->width + x][k] = (float)entry(r, g, b, k);
            }
            snprintf(text, sizeof text, "lut3d=table=%s:interpolation=%s", a == 3 ? "auto" : form->name,
                     tetrahedra ? "tetrahedral" : "trilinear");
            float *out = run_graph(device, text, infos, (void *[]){colors, table}, 2, 0, NULL);
            for (int i = 0; i < COLORS * 3 && out; i++) {
                double color[3] = {colors[i / 3][0], colors[i / 3][1], colors[i / 3][2]};
                double expected = tetrahedra ? tetrahedral(color, i % 3) : trilinear(color, i % 3);
                if (!CHECK(near(out[i], expected)))
                    fprintf(stderr, "%s: number %d is %.7f, not %.7f\n", text, i, out[i], expected);
            }
            free(out);
        }
}

/* What is outside the domain is as its ends are, and what is no number as the lower one; halves of the result. */
static void domains(weft_device *device) {
    static const float cube[2 * 5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1},
                                         {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {-1, 0, 2}, {3, 0.5f, 4}};
    static const float curves[2 * 3][3] = {{5, 6, 7}, {7, 6, 3}, {9, 0, 1}, {0, 0, 0}, {2, 4, 8}, {9, 9, 9}};
    const struct {
        const char *text;
        const float *table;
        int width, height;
        float in[3], expected[3];
    } cases[] = {
        {"lut3d", &cube[0][0], 2, 5, {0, 0.25f, 3}, {0.25f, 0.5f, 0.5f}},
        {"lut3d=interpolation=tetrahedral", &cube[0][0], 2, 5, {0, 0.25f, 3}, {0.25f, 0.5f, 0.5f}},
        {"lut3d", &cube[0][0], 2, 5, {-8, 1, 5}, {0, 1, 1}},
        {"lut3d", &cube[0][0], 2, 5, {NAN, INFINITY, -INFINITY}, {0, 1, 0}},
        {"lut3d=intensity=0.5", &cube[0][0], 2, 5, {1, 0.5f, 2}, {0.75f, 0.75f, 1}},
        {"lut3d=intensity=0", &cube[0][0], 2, 5, {1, 0.5f, 2}, {1, 0.5f, 2}},
        {"lut3d", &curves[0][0], 3, 2, {0.5f, 3, 100}, {6, 3, 1}},
        {"lut3d", &curves[0][0], 3, 1, {0.5f, 0.75f, -1}, {7, 3, 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_image_info infos[2] = {info_of(1, 1, WEFT_F32, 3), info_of(cases[i].width, cases[i].height, WEFT_F32, 3)};
        void *pixels[2] = {(void *)(uintptr_t)cases[i].in, (void *)(uintptr_t)cases[i].table};
        float *out = run_graph(device, cases[i].text, infos, pixels, 2, 0, NULL);
        for (int k = 0; k < 3 && out; k++)
            if (!CHECK(near(out[k], cases[i].expected[k])))
                fprintf(stderr, "case %zu, %s: channel %d is %.7f, not %.7f\n", i, cases[i].text, k, out[k],
                        cases[i].expected[k]);
        free(out);
    }
}

/* Tables of other types and channels, and what becomes of the image's own. */
static void forms(weft_device *device) {
    static const unsigned char bytes[4] = {255, 51, 0, 102}; /* curves of grey: 1, 0.2, 0, 0.4 */
    static const uint16_t words[2][4] = {{65535, 0, 13107, 9}, {0, 65535, 13107, 9}};
    float grey[2] = {0.5f, 1}, color[8] = {0, 0.25f, 1, 0.5f, 1, 0.5f, 0, 0};
    weft_image_info result, infos[2] = {info_of(2, 1, WEFT_F32, 1), info_of(4, 1, WEFT_U8, 1)};
    float *out = run_graph(device, "lut3d", infos, (void *[]){grey, (void *)(uintptr_t)bytes}, 2, 0, &result);
    if (out)
        CHECK(result.format.channels == 1 && near(out[0], 0.1) && near(out[1], 0.4));
    free(out);
    infos[1] = info_of(2, 1, WEFT_U16, 4); /* a table's alpha is nothing to the colors */
    infos[1].alpha = WEFT_ALPHA_PREMULTIPLIED;
    out = run_graph(device, "lut3d", infos, (void *[]){grey, (void *)(uintptr_t)words}, 2, 0, &result);
    if (out && CHECK(result.format.channels == 3))
        CHECK(near(out[0], 0.5) && near(out[1], 0.5) && near(out[2], 0.2) && near(out[3], 0) && near(out[4], 1));
    free(out);
    infos[0] = info_of(2, 1, WEFT_F32, 4), infos[0].alpha = WEFT_ALPHA_STRAIGHT;
    out = run_graph(device, "lut3d", infos, (void *[]){color, (void *)(uintptr_t)words}, 2, 0, &result);
    if (out && CHECK(result.format.channels == 4))
        CHECK(near(out[0], 1) && near(out[1], 0.25) && near(out[2], 0.2) && near(out[3], 0.5) && near(out[7], 0));
    free(out);
}

/* The table that changes nothing, in all its forms, made and used in one graph. */
static void identities(weft_device *device) {
    static const char *const graphs[] = {"identity_table", "identity_table=16:strip", "identity_table=64:gpuimage",
                                         "identity_table=25:hald", "identity_table=300", "identity_table=5:hald",
                                         "identity_table=100:curves"};
    static const char *const tables[] = {"auto", "strip", "auto", "auto", NULL, NULL, "curves"};
    float in[COLORS * 3];
    for (int i = 0; i < COLORS * 3; i++)
        in[i] = (float)(i * 37 % 128) / 127;
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        char text[160];
        snprintf(text, sizeof text, "%s[look];[0][look]lut3d=interpolation=%s:table=%s", graphs[i],
                 i % 2 ? "trilinear" : "tetrahedral", tables[i] ? tables[i] : "auto");
        if (!tables[i]) {
            weft_graph *graph = NULL;
            weft_plan *plan = NULL;
            weft_error error = {0};
            weft_image_info info = info_of(COLORS, 1, WEFT_F32, 3);
            weft_plan_options options = {.inputs = &info, .input_count = 1};
            CHECK(weft_graph_parse(text, strlen(text), &graph, &error) != WEFT_OK ||
                  weft_plan_create(device, graph, &options, &plan, &error) == WEFT_ERROR_PARAMETER);
            CHECK(error.message[0] != 0);
            weft_graph_destroy(&graph);
            continue;
        }
        float *out = run_floats(device, text, COLORS, 1, 3, in);
        for (int k = 0; k < COLORS * 3 && out; k++)
            if (!CHECK(near(out[k], in[k])))
                fprintf(stderr, "%s: number %d is %.7f, not %.7f\n", text, k, out[k], in[k]);
        free(out);
    }
}

static void refusals(weft_device *device) {
    static const struct {
        int64_t width, height;
        const char *text, *message;
    } cases[] = {{1, 1, "lut3d", "1x1"},           {1, 2, "lut3d", "1x2"},
                 {5, 26, "lut3d=table=hald", "level 8"}, {5, 24, "lut3d", "auto knows"},
                 {16, 16, "lut3d", "t*t*t"},       {512, 512, "lut3d=table=cube", "n*n"},
                 {4, 16, "lut3d=table=curves", "n x 2"}, {1, 1, "lut3d=table=strip", "n*n x n"},
                 {9, 9, "lut3d=table=gpuimage", "512x512"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_graph *graph = NULL;
        weft_plan *plan = NULL;
        weft_error error = {0};
        weft_image_info infos[2] = {info_of(3, 3, WEFT_U8, 3), info_of(cases[i].width, cases[i].height, WEFT_U8, 3)};
        weft_plan_options options = {.inputs = infos, .input_count = 2};
        CHECK(weft_graph_parse(cases[i].text, strlen(cases[i].text), &graph, &error) == WEFT_OK);
        CHECK(weft_plan_create(device, graph, &options, &plan, &error) == WEFT_ERROR_FORMAT);
        if (!CHECK(strstr(error.message, cases[i].message) && strcmp(error.filter, "lut3d") == 0))
            fprintf(stderr, "case %zu: %s\n", i, error.message);
        weft_plan_destroy(&plan);
        weft_graph_destroy(&graph);
    }
}

/* Rows of a picture, in order. */
struct stream {
    float *data;
    int64_t row, next; /* numbers of a row */
};
static weft_status pull(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    struct stream *stream = user;
    (void)error;
    CHECK(y == stream->next);
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)rows + i * stride, stream->data + (y + i) * stream->row, (size_t)stream->row * sizeof(float));
    stream->next += count;
    return WEFT_OK;
}
static weft_status push(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride, weft_error *error) {
    struct stream *stream = user;
    (void)error;
    CHECK(y == stream->next);
    for (int64_t i = 0; i < count; i++)
        memcpy(stream->data + (y + i) * stream->row, (const char *)rows + i * stride, (size_t)stream->row * sizeof(float));
    stream->next += count;
    return WEFT_OK;
}

/* The table may come as a stream of rows, like the image. */
static void streams(weft_device *device) {
    enum { WIDTH = 61, HEIGHT = 700, TABLE = 9 * 81 };
    static float in[WIDTH * HEIGHT * 3], table[TABLE * 3], made[WIDTH * HEIGHT * 3];
    const char *text = "[0]gaussian=2[soft];[soft][1]lut3d,invert";
    weft_image_info infos[2] = {info_of(WIDTH, HEIGHT, WEFT_F32, 3), info_of(9, 81, WEFT_F32, 3)};
    weft_plan_options options = {.inputs = infos, .input_count = 2};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        in[i] = (float)(i * 7919 % 1009) / 1008;
    for (int i = 0; i < TABLE * 3; i++)
        table[i] = (float)(i * 577 % 1013) / 1012;
    CHECK(weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK);
    float *expected = run_graph(device, text, infos, (void *[]){in, table}, 2, 0, NULL);
    weft_device_info on;
    weft_device_describe(device, &on);
    if (plan && expected && strcmp(on.backend, "reference") != 0 && CHECK(weft_plan_can_stream(plan))) {
        struct stream from[2] = {{in, WIDTH * 3, 0}, {table, 9 * 3, 0}}, to = {made, WIDTH * 3, 0};
        weft_run_input inputs[2] = {{.source = {pull, &from[0]}}, {.source = {pull, &from[1]}}};
        weft_run_output output = {.sink = {push, &to}};
        weft_run run = {.inputs = inputs, .input_count = 2, .outputs = &output, .output_count = 1};
        CHECK(weft_plan_run(plan, &run, &error) == WEFT_OK && to.next == HEIGHT && from[0].next == HEIGHT);
        CHECK(from[1].next == 81 && memcmp(made, expected, sizeof made) == 0);
    }
    free(expected);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
}

/* Counts are whole numbers. Fractions such as 1e-7 or 0.01 come from rounding, and must not change the picture. 0.005 of 198 pixels
 * is none, however near to 1, and 0.005 of 200 is one. */
static void levels(weft_device *device) {
    static float ramp[9] = {0, .125f, .25f, .375f, .5f, .625f, .75f, .875f, 1};
    static struct {
        const char *text;
        float counts[9], expected[9];
    } cases[] = {{"levels_table=0", {0, 1e-7f, 5, 0, 2, 3e7f, 1, 3e-7f, 0}, {0, 0, 0, .25f, .5f, .75f, 1, 1, 1}},
                 {"levels_table=0",
                  {.01f, .0100001f, .01f, .01f, .0099999f, .01f, .01f, .0100001f, .01f},
                  {0, .125f, .25f, .375f, .5f, .625f, .75f, .875f, 1}},
                 {"levels_table=0.005",
                  {1, 28, 28, 28, 28, 28, 28, 28, 1},
                  {0, .125f, .25f, .375f, .5f, .625f, .75f, .875f, 1}},
                 {"levels_table=0.005",
                  {1, 28, 28, 28, 30, 28, 28, 28, 1},
                  {0, 0, 1.0f / 6, 2.0f / 6, .5f, 4.0f / 6, 5.0f / 6, 1, 1}}};
    weft_image_info infos[2] = {info_of(9, 1, WEFT_F32, 1), info_of(9, 1, WEFT_F32, 1)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float *out = run_graph(device, cases[i].text, infos, (void *[]){ramp, cases[i].counts}, 2, 0, NULL);
        for (int k = 0; out && k < 9; k++)
            if (!CHECK(fabs((double)out[k] - (double)cases[i].expected[k]) < 1e-6))
                fprintf(stderr, "levels_table: case %d, number %d is %g\n", (int)i, k, (double)out[k]);
        free(out);
    }
}

/* Nor over which levels a second image has. By rising places and by falling ones, of which devices know no shorter way. */
static void matches(weft_device *device) {
    static struct {
        float counts[2][4], expected[4];
    } cases[] = {{{{1, 2, 1e-7f, 1}, {3, 1e-7f, 1, 1e-7f}}, {0, 0, 0, 2.0f / 3}},
                 {{{1, 2, 0, 1}, {0, 1e-7f, 1e-7f, 0}}, {0, 0, 0, 0}},
                 {{{0, 0, 0, 0}, {1, 2, 3, 4}}, {0, 0, 0, 0}},
                 {{{1, 1, 1, 1}, {4, 2, 2, 0}}, {0, 0, 1.0f / 3, 2.0f / 3}},
                 {{{8e6f, 1, 8e6f, 1}, {8e6f, 1, 8e6f, 1}}, {0, 1.0f / 3, 2.0f / 3, 1}},
                 {{{1, 8e6f, 1, 8e6f}, {8e6f, 1, 8e6f, 1}}, {0, 1.0f / 3, 1.0f / 3, 1}}};
    static float ramp[4] = {0, 1.0f / 3, 2.0f / 3, 1}, falling[4] = {1, 2.0f / 3, 1.0f / 3, 0};
    weft_image_info infos[2] = {info_of(4, 1, WEFT_F32, 1), info_of(4, 2, WEFT_F32, 1)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int falls = 0; falls < 2; falls++) {
            void *images[2] = {falls ? falling : ramp, cases[i].counts};
            float *out = run_graph(device, "match_table", infos, images, 2, 0, NULL);
            for (int k = 0; out && k < 4; k++)
                if (!CHECK(fabs((double)out[falls ? 3 - k : k] - (double)cases[i].expected[k]) < 1e-6))
                    fprintf(stderr, "match_table: case %d, number %d is %g\n", (int)i, k, (double)out[falls ? 3 - k : k]);
            free(out);
        }
}

/* The last tile of a row ends with the image that holds it, in pixels and in shares that no f32 has. */
static void tiles(weft_device *device) {
    enum { WIDTH = 56, MOST = 40 };
    for (int count = 1; count <= MOST; count++) {
        float dark[WIDTH] = {0}, table[WIDTH], expected = 1;
        char text[96];
        weft_image_info infos[2] = {info_of(WIDTH, 1, WEFT_F32, 1), info_of(WIDTH, 1, WEFT_F32, 1)};
        for (int i = 0; i < WIDTH; i++)
            table[i] = (float)i / (WIDTH - 1);
        snprintf(text, sizeof text, "mosaic_tiles=fraction=1:tiles=%d:tile_width=%.9g:tile_height=1:color=false", count,
                 1.0 / count);
        float *out = run_graph(device, text, infos, (void *[]){dark, table}, 2, 0, NULL);
        if (out && !CHECK(near(out[WIDTH - 1], expected)))
            fprintf(stderr, "%s: the last column is %.7f, not 1\n", text, out[WIDTH - 1]);
        free(out);
    }
}

/* The tile is chosen by the luminance over black: white of an alpha of a is a grey of a, and hidden white is black. */
static void tiles_of_transparent(weft_device *device) {
    enum { TILES = 4 };
    static const float alphas[] = {0, .1f, .3f, .6f, .9f, 1};
    static const int chosen[] = {3, 3, 2, 1, 0, 0};
    float table[TILES];
    for (int i = 0; i < TILES; i++)
        table[i] = (float)i;
    for (int premultiplied = 0; premultiplied < 2; premultiplied++)
        for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
            float color = premultiplied ? alphas[i] : 1, pixel[4] = {color, color, color, alphas[i]};
            weft_image_info infos[2] = {info_of(1, 1, WEFT_F32, 4), info_of(TILES, 1, WEFT_F32, 1)};
            infos[0].alpha = premultiplied ? WEFT_ALPHA_PREMULTIPLIED : WEFT_ALPHA_STRAIGHT;
            float *out = run_graph(device, "mosaic_tiles=1:4:0.25:1:color=0", infos, (void *[]){pixel, table}, 2, 0, NULL);
            if (out && !CHECK(near(out[0], (float)chosen[i])))
                fprintf(stderr, "mosaic_tiles: alpha %g chooses tile %g, not %d\n", alphas[i], out[0], chosen[i]);
            free(out);
        }
}

static void test_tables(weft_device *device) {
    tiles(device);
    tiles_of_transparent(device);
    cubes(device);
    domains(device);
    forms(device);
    identities(device);
    levels(device);
    matches(device);
    refusals(device);
    streams(device);
}

int main(int argc, char **argv) {
    run_on_devices(argc, argv, test_tables);
    return check_done("known_tables");
}
