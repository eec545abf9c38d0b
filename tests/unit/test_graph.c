/* SPDX-License-Identifier: MIT
 * Graph text and graphs by calls: what they mean. */
#include "parse_graph.h"

/* Describes a graph in one line: each filter with its inputs and the parameters that are not at their default. */
static void describe(const weft_graph *graph, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%d:", graph->input_count);
    for (int32_t i = 0; i < graph->count && used < size; i++) {
        const struct weft_graph_node *node = &graph->nodes[i];
        if (!node->filter)
            continue;
        used += (size_t)snprintf(text + used, size - used, " %d=%s", i, node->filter->info.name);
        for (int32_t k = 0; k < node->filter->info.inputs && used < size; k++)
            used += (size_t)snprintf(text + used, size - used, "%s%d", k ? "," : "/", node->inputs[k]);
        void *defaults = weft_block_create(node->filter);
        for (int32_t k = 0; k < node->filter->info.parameters && used < size; k++) {
            char value[64], standard[64];
            weft_block_print(node->filter, node->block, k, value, sizeof value);
            weft_block_print(node->filter, defaults, k, standard, sizeof standard);
            if (strcmp(value, standard) != 0)
                used +=
                    (size_t)snprintf(text + used, size - used, " %s=%s", node->filter->parameters[k].info.name, value);
        }
        for (int32_t k = 0; k < node->binding_count && used < size; k++)
            used += (size_t)snprintf(text + used, size - used, " %s=@%d[%d]*%g",
                                     node->filter->parameters[node->bindings[k].parameter].info.name,
                                     node->bindings[k].from, node->bindings[k].index, node->bindings[k].scale);
        if (node->space == WEFT_SPACE_LINEAR && used < size)
            used += (size_t)snprintf(text + used, size - used, " linear");
        weft_block_destroy(node->filter, defaults);
    }
    for (int32_t i = 0; i < graph->output_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%d", i ? "," : " -> ", graph->outputs[i]);
}

static void means(const char *text, const char *meaning) {
    char found[1024];
    weft_error error;
    weft_graph *graph = parse(text, &error), *copy = NULL;
    if (!CHECK(graph)) {
        fprintf(stderr, "  %s\n  %s\n", text, error.message);
        return;
    }
    describe(graph, found, sizeof found);
    if (!CHECK(strcmp(found, meaning) == 0))
        fprintf(stderr, "  %s\n  %s\n  %s\n", text, found, meaning);
    CHECK(weft_graph_copy(graph, &copy, &error) == WEFT_OK);
    weft_graph_destroy(&graph);
    describe(copy, found, sizeof found);
    CHECK(strcmp(found, meaning) == 0);
    CHECK(weft_graph_validate(copy, &error) == WEFT_OK);
    weft_graph_destroy(&copy);
    CHECK(!graph && !copy);
}

static void test_grammar(void) {
    means("contrast=1.5,sobel", "1: 1=contrast/0 contrast=1.5 2=sobel/1 -> 2");
    means("contrast = contrast = 1.5 , sobel ;\n", "1: 1=contrast/0 contrast=1.5 2=sobel/1 -> 2");
    means("# first\ncontrast=2 # then\n,\n\tsobel\n# end", "1: 1=contrast/0 contrast=2 2=sobel/1 -> 2");
    means("contrast='2',gamma=\\2", "1: 1=contrast/0 contrast=2 2=gamma/1 gamma=2 -> 2");
    means("sobel=y:3", "1: 1=sobel/0 component=y edge_strength=3 -> 1");
    means("sobel=y:edge_strength=3:border=wrap", "1: 1=sobel/0 component=y edge_strength=3 border=wrap -> 1");
    means("contrast;gamma", "2: 2=contrast/0 3=gamma/1 -> 2,3");
    means("blend_multiply", "2: 2=blend_multiply/0,1 -> 2");
    means("[1]gamma[g];[0][g]blend_multiply", "2: 2=gamma/1 3=blend_multiply/0,2 -> 3");
    means("[in1]gamma[g];[in][ g ]blend_multiply[out]", "2: 2=gamma/1 3=blend_multiply/0,2 -> 3");
    means("gamma=2[b];[0][b]blend_multiply", "1: 1=gamma/0 gamma=2 2=blend_multiply/0,1 -> 2");
    means("gamma=2,[0]blend_multiply", "1: 1=gamma/0 gamma=2 2=blend_multiply/1,0 -> 2");
    means("[0][0]blend_multiply", "1: 1=blend_multiply/0,0 -> 1");
    means("[2]gamma;gamma;sobel", "3: 3=gamma/2 4=gamma/0 5=sobel/1 -> 3,4,5");
    means("solid_color", "0: 0=solid_color -> 0");
    means("solid_color,gamma;gamma", "1: 1=solid_color 2=gamma/1 3=gamma/0 -> 2,3");
}

static void test_labels(void) {
    means("split[a][b];[b]gamma=2[c];[a][c]blend_multiply", "1: 1=gamma/0 gamma=2 2=blend_multiply/0,1 -> 2");
    means("gamma,split=2[a][b]", "1: 1=gamma/0 -> 1,1");
    means("gamma,split=outputs=1,sobel", "1: 1=gamma/0 2=sobel/1 -> 2");
    means("split", "1: -> 0");
    means("split[a][b][c]", "1: -> 0,0,0");
    means("split=2[a],gamma;[a]sobel", "1: 1=gamma/0 2=sobel/0 -> 1,2");
    means("gamma[a];[a]sobel;[a]contrast", "1: 1=gamma/0 2=sobel/1 3=contrast/1 -> 2,3");
    means("gamma[tap],sobel", "1: 1=gamma/0 2=sobel/1 -> 1,2");
    means("[a]sobel[b];[b]contrast;gamma[a]", "1: 1=gamma/0 2=sobel/1 3=contrast/2 -> 3");
    means("sobel=edge_strength=@m[3]*0.5;[0]contrast[m]", "1: 1=contrast/0 2=sobel/0 edge_strength=@1[3]*0.5 -> 2");
    means("contrast[m];[0]sobel=x:@m", "1: 1=contrast/0 2=sobel/0 component=x edge_strength=@1[0]*1 -> 2");
    means("contrast[m];[0]gamma=@m * -2[o]", "1: 1=contrast/0 2=gamma/0 gamma=@1[0]*-2 -> 2");
    means("[0]contrast[m];[1]gamma=@in", "2: 2=contrast/0 3=gamma/1 gamma=@0[0]*1 -> 2,3");
    means("bilateral=3:border=np:reflect:border_value=1", "1: 1=bilateral/0 border_value=1 -> 1");
    means("bilateral=3:0.1:auto:cv:wrap:1,gamma", "1: 1=bilateral/0 border=wrap border_value=1 2=gamma/1 -> 2");
    means("bilateral=border='scipy:constant'", "1: 1=bilateral/0 border=constant -> 1");
    means("bilateral=border=cv\\:reflect", "1: 1=bilateral/0 border=symmetric -> 1");
    means("gamma=2:space=linear,contrast=space=encoded", "1: 1=gamma/0 gamma=2 linear 2=contrast/1 -> 2");
    means("solid_color=#f00:16 # red", "0: 0=solid_color color=1|0|0|1 width=16 -> 0");
    means("solid_color=color= # comment\n #0000ff80\n:width=1", "0: 0=solid_color color=0|0|1|0.5019608 width=1 -> 0");
}

static void test_calls(void) {
    weft_graph *graph = NULL;
    weft_error error;
    weft_node input, gamma, blend;
    double value = 2, wrong = 9;
    char text[64];
    CHECK(weft_graph_create(&graph, NULL) == WEFT_OK && graph);
    CHECK(weft_graph_validate(graph, &error) == WEFT_ERROR_GRAPH && strstr(error.message, "no output"));
    CHECK(weft_graph_input(graph, &input, NULL) == WEFT_OK && weft_graph_inputs(graph) == 1);
    CHECK(weft_graph_add(graph, "gamma", &input, 1, &gamma, &error) == WEFT_OK);
    CHECK(weft_graph_add(graph, "blend_multiply", (weft_node[]){input, gamma}, 2, &blend, &error) == WEFT_OK);
    CHECK(weft_graph_add(graph, "blend_multiply", &input, 1, NULL, &error) == WEFT_ERROR_GRAPH);
    CHECK(strcmp(error.message, "blend_multiply takes 2 inputs, 1 given") == 0);
    CHECK(strcmp(error.filter, "blend_multiply") == 0 && error.node == 3);
    CHECK(weft_graph_add(graph, "gamma", &(weft_node){7}, 1, NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_add(graph, "gmma", &input, 1, NULL, &error) == WEFT_ERROR_GRAPH);
    CHECK(strcmp(error.message, "unknown filter 'gmma': did you mean 'gamma'?") == 0);
    CHECK(weft_graph_set(graph, gamma, "gamma", &value, 1, &error) == WEFT_OK);
    CHECK(weft_graph_set(graph, gamma, "gamma", &wrong, 1, &error) == WEFT_ERROR_PARAMETER && error.node == gamma);
    CHECK(strcmp(error.parameter, "gamma") == 0);
    weft_block_print(graph->nodes[gamma].filter, graph->nodes[gamma].block, 0, text, sizeof text);
    CHECK(strcmp(text, "2") == 0);
    CHECK(weft_graph_set(graph, input, "gamma", &value, 1, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_set(graph, 9, "gamma", &value, 1, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_set(graph, gamma, "gama", &value, 1, &error) == WEFT_ERROR_PARAMETER);
    CHECK(weft_graph_set_text(graph, gamma, "space", "linear", &error) == WEFT_OK);
    CHECK(graph->nodes[gamma].space == WEFT_SPACE_LINEAR);
    CHECK(weft_graph_bind(graph, blend, "opacity", gamma, 0, 0.5, &error) == WEFT_OK);
    CHECK(weft_graph_bind(graph, blend, "opacity", input, 1, 2, &error) == WEFT_OK);
    CHECK(graph->nodes[blend].binding_count == 1 && graph->nodes[blend].bindings[0].from == input);
    CHECK(weft_graph_bind(graph, gamma, "gamma", blend, 0, 1, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_bind(graph, gamma, "gamma", gamma, 0, 1, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_bind(graph, gamma, "space", input, 0, 1, &error) == WEFT_ERROR_PARAMETER);
    CHECK(weft_graph_set_text(graph, blend, "opacity", "0.5", &error) == WEFT_OK);
    CHECK(graph->nodes[blend].binding_count == 0); /* the last word counts */
    CHECK(weft_graph_output(graph, 5, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_output(graph, blend, NULL) == WEFT_OK && weft_graph_outputs(graph) == 1);
    CHECK(weft_graph_validate(graph, &error) == WEFT_OK);
    CHECK(weft_graph_input(graph, NULL, NULL) == WEFT_OK);
    CHECK(weft_graph_validate(graph, &error) == WEFT_ERROR_GRAPH && strstr(error.message, "input 1"));
    weft_graph_destroy(&graph);
    weft_graph_destroy(&graph);
    weft_graph_destroy(NULL);
}

/* What outputs are called, which text alone says. */
static void test_output_labels(void) {
    const char *text = "split[a][b];[a]gamma=2[soft];[b]gamma=3,invert;[soft]split[one][other];[one]gamma[c];[c]invert[last]";
    weft_graph *graph = NULL;
    CHECK(weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK && weft_graph_outputs(graph) == 3);
    CHECK(strcmp(weft_graph_output_label(graph, 0), "") == 0);
    CHECK(strcmp(weft_graph_output_label(graph, 1), "other") == 0);
    CHECK(strcmp(weft_graph_output_label(graph, 2), "last") == 0);
    CHECK(weft_graph_output(graph, 0, NULL) == WEFT_OK && strcmp(weft_graph_output_label(graph, 3), "") == 0);
    CHECK(strcmp(weft_graph_output_label(graph, -1), "") == 0 && strcmp(weft_graph_output_label(NULL, 0), "") == 0);
    weft_graph_destroy(&graph);
}

/* Adds a filter as another graph has it, by what can be read of it. */
static void add_same(weft_graph *made, const weft_graph *from, weft_node node) {
    const weft_filter_info *filter = weft_graph_node_filter(from, node);
    const weft_parameter_info *parameter;
    weft_node inputs[8], added = -1;
    char text[256];
    weft_from bound;
    for (int32_t i = 0; i < filter->inputs; i++)
        inputs[i] = weft_graph_node_reads(from, node, i);
    CHECK(weft_graph_node_reads(from, node, filter->inputs) == -1 && weft_graph_node_reads(from, node, -1) == -1);
    CHECK(weft_graph_add(made, filter->name, inputs, filter->inputs, &added, NULL) == WEFT_OK && added == node);
    for (int32_t i = 0; (parameter = weft_filter_parameter(filter, i)); i++) {
        int32_t length = weft_graph_node_value(from, node, parameter->name, &bound, text, sizeof text);
        CHECK(length == (int32_t)strlen(text) && weft_graph_node_value(from, node, parameter->name, NULL, NULL, 0) == length);
        CHECK(weft_graph_set_text(made, added, parameter->name, text, NULL) == WEFT_OK);
        CHECK(!bound.bound ||
              weft_graph_bind(made, added, parameter->name, bound.node, bound.index, bound.scale, NULL) == WEFT_OK);
    }
    if (weft_graph_node_value(from, node, "space", NULL, text, sizeof text) > 0)
        CHECK(weft_graph_set_text(made, added, "space", text, NULL) == WEFT_OK);
}

/* A graph that is read and built anew is the same, to the last bit of its values. */
static void rebuilds(const char *text) {
    char first[1024], second[1024];
    weft_error error;
    weft_graph *graph = parse(text, &error), *made = NULL;
    CHECK(graph && weft_graph_create(&made, NULL) == WEFT_OK);
    for (weft_node i = 0; i < weft_graph_nodes(graph); i++)
        if (weft_graph_node_filter(graph, i))
            add_same(made, graph, i);
        else
            CHECK(weft_graph_input(made, NULL, NULL) == WEFT_OK);
    for (int32_t i = 0; i < weft_graph_inputs(graph); i++)
        CHECK(weft_graph_input_node(graph, i) == weft_graph_input_node(made, i) && weft_graph_input_node(made, i) >= 0);
    for (int32_t i = 0; i < weft_graph_outputs(graph); i++)
        CHECK(weft_graph_output(made, weft_graph_output_node(graph, i), NULL) == WEFT_OK);
    describe(graph, first, sizeof first);
    describe(made, second, sizeof second);
    CHECK(strcmp(first, second) == 0);
    CHECK(weft_graph_input_node(graph, 9) == -1 && weft_graph_output_node(graph, 9) == -1);
    weft_graph_destroy(&graph);
    weft_graph_destroy(&made);
}

static void test_reading(void) {
    char text[4];
    weft_from from = {.bound = true};
    rebuilds("gaussian=sigma=1.1:border=wrap,gamma=2.2:space=linear");
    rebuilds("[0]reduce=mean[m];[0][1]blend_add=0.3[c];[c]contrast=@m[2]*0.25,curves='0|0|0.3|0.7|1|1'");
    rebuilds("[0]reduce=mean[m];[1]vignette[c];[0][c]blend_multiply[d];[d]monochrome=color=@m[3]*0.1");
    weft_error error;
    weft_graph *graph = parse("gaussian=123.25", &error);
    CHECK(weft_graph_node_value(graph, 1, "sigma", &from, text, sizeof text) == 6 && strcmp(text, "123") == 0 && !from.bound);
    CHECK(weft_graph_node_value(graph, 1, "gamma", &from, text, sizeof text) == -1 && !text[0]);
    CHECK(weft_graph_node_value(graph, 0, "sigma", NULL, NULL, 0) == -1 && !weft_graph_node_filter(graph, 0));
    CHECK(weft_graph_node_value(graph, 2, "sigma", NULL, NULL, 0) == -1 && !weft_graph_node_filter(graph, -1));
    CHECK(weft_graph_node_value(graph, 1, NULL, NULL, NULL, 0) == -1);
    weft_graph_destroy(&graph);
}

/* Two graphs as one, which means what the text of both means. */
static void joins(const char *first, const char *second, const char *meaning) {
    char found[1024];
    weft_error error;
    weft_graph *graph = parse(first, &error), *other = parse(second, &error);
    CHECK(graph && other && weft_graph_join(graph, other, 100, &error) == WEFT_OK);
    describe(graph, found, sizeof found);
    if (!CHECK(strcmp(found, meaning) == 0))
        fprintf(stderr, "  %s\n  %s\n", found, meaning);
    CHECK(weft_graph_validate(graph, &error) == WEFT_OK);
    CHECK(graph->nodes[graph->count - 1].offset >= 100);
    CHECK(weft_graph_join(graph, graph, 0, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_join(graph, NULL, 0, &error) == WEFT_ERROR_ARGUMENT);
    weft_graph_destroy(&other);
    weft_graph_destroy(&graph);
}

static void test_join(void) {
    joins("contrast=1.5", "sobel,gamma=2", "1: 1=contrast/0 contrast=1.5 2=sobel/0 3=gamma/2 gamma=2 -> 1,3");
    joins("contrast=2", "blend_multiply", "2: 1=contrast/0 contrast=2 3=blend_multiply/0,2 -> 1,3");
    joins("[0]reduce=mean[m];[0]contrast=@m", "[0]reduce=max[m];[0]contrast=@m",
          "1: 1=reduce/0 2=contrast/0 contrast=@1[0]*1 3=reduce/0 op=max 4=contrast/0 contrast=@3[0]*1 -> 2,4");
}

/* Which ends of a graph are brought to a profile, as "0=srgb -1=a.icc". */
static void profiles(const char *text, const char *expected) {
    weft_error error;
    char found[128] = "";
    weft_graph *graph = parse(text, &error);
    for (int32_t end = 3, used = 0; graph && end >= -3; end--)
        if (weft_graph_profile_at(graph, end))
            used += snprintf(found + used, sizeof found - (size_t)used, "%s%d=%s", used ? " " : "", (int)end,
                             weft_graph_profile_at(graph, end));
    if (!CHECK(strcmp(found, expected) == 0))
        fprintf(stderr, "  %s: %s\n", text, graph ? found : error.message);
    weft_graph_destroy(&graph);
}

static void test_profiles(void) {
    static const weft_image_info info = {.width = 8, .height = 8, .format = {WEFT_U8, 3}};
    weft_graph *graph, *other = NULL;
    weft_error error;
    profiles("color_profile=srgb,sobel", "0=srgb");
    profiles("sobel,color_profile=profile='a,b.icc'", "-1=a,b.icc");
    profiles("color_profile", "-1=srgb");
    profiles("color_profile=a.icc,color_profile=b.icc", "0=a.icc -1=b.icc");
    profiles("[0]color_profile[a];[1]color_profile=x[b];[a][b]overlay", "1=x 0=srgb");
    profiles("split[a][b];[a]color_profile=x[c];[b]sobel[d]", "-1=x");
    profiles("split[a][b];[a]color_profile=x,sobel[c];[b]color_profile=x,invert[d]", "0=x");
    CHECK(!parse("split[a][b];[a]color_profile=x,sobel;[b]color_profile=y,invert", &error));
    CHECK(!parse("split[a][b];[a]color_profile=x,sobel[c];[b]", &error));
    CHECK(!parse("split[a][b];[a]color_profile=x,sobel[c]", &error)); /* [b] is the input itself */
    CHECK(!parse("[a]color_profile[b];[b]split[a]", &error));

    graph = parse("sobel,color_profile=x", &error);
    CHECK(weft_graph_flatten(graph, &info, 1, &other, &error) == WEFT_ERROR_GRAPH && !other && strstr(error.message, "files"));
    CHECK(error.offset == 6 && error.length == 15);
    CHECK(weft_graph_add(graph, "color_profile", (const weft_node[]){0}, 1, NULL, &error) == WEFT_ERROR_GRAPH);
    CHECK(strstr(error.message, "weft_reader_options"));

    other = parse("color_profile=y,invert,color_profile=z", &error);
    CHECK(weft_graph_join(graph, other, 100, &error) == WEFT_ERROR_GRAPH && error.offset == 100); /* input 0 is read as it is */
    CHECK(weft_graph_outputs(graph) == 1 && graph->profile_count == 1);
    CHECK(weft_graph_join(other, graph, 0, &error) == WEFT_ERROR_GRAPH && weft_graph_outputs(other) == 1);
    weft_graph_destroy(&graph);
    CHECK(weft_graph_create(&graph, &error) == WEFT_OK);
    CHECK(weft_graph_join(graph, other, 0, &error) == WEFT_OK && weft_graph_join(graph, other, 0, &error) == WEFT_OK);
    CHECK(strcmp(weft_graph_profile_at(graph, 0), "y") == 0 && strcmp(weft_graph_profile_at(graph, -2), "z") == 0);
    CHECK(graph->profile_count == 3);
    weft_graph_destroy(&other);
    weft_graph_destroy(&graph);
}

int main(void) {
    test_profiles();
    test_join();
    test_grammar();
    test_output_labels();
    test_reading();
    test_labels();
    test_calls();
    return check_done("graph");
}
