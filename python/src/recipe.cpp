/* SPDX-License-Identifier: MIT
 * What Python calls: filters, graphs, plans and devices. */
#include "call.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include "values.h"
#include <cstring>

/* A graph that is text. */
class Text : public Recipe {
  public:
    Text(const std::string &before, const std::string &written) {
        whole_ = before + written;
        text = written;
        shift = (int64_t)before.size();
        key = "T" + whole_;
    }
    weft_graph *make(weft_error *error) override {
        weft_graph *graph = nullptr;
        if (weft_graph_parse(whole_.data(), whole_.size(), &graph, error) != WEFT_OK && error->offset >= 0)
            error->offset = error->offset >= shift ? error->offset - shift : -1;
        return graph;
    }

  private:
    std::string whole_;
};

struct Graph {
    std::shared_ptr<Recipe> recipe;
    int32_t inputs, outputs;
    std::vector<std::string> labels;
    nb::object object; /* what Python's builder made it of */
};

struct Plan {
    std::shared_ptr<Recipe> recipe;
    PlannedPointer planned;
};

/* What filters with a memory have of a stream of frames. */
struct Frames {
    PlannedPointer planned;
    weft_state *state = nullptr;
    std::mutex turn; /* one run at a time */
    explicit Frames(const Plan &plan) : planned(plan.planned) {
        weft_error error{};
        if (weft_state_create(planned->plan, &state, &error) != WEFT_OK)
            raise(error);
    }
    ~Frames() { weft_state_destroy(&state); }
    std::unique_lock<std::mutex> take() {
        std::unique_lock<std::mutex> taken(turn, std::try_to_lock);
        if (!taken.owns_lock())
            raise(WEFT_ERROR_ARGUMENT, "another thread is at the frames now: one run at a time may go on with them");
        return taken;
    }
    void reset() {
        auto taken = take();
        weft_state_reset(state);
    }
};

static Graph graph_of(std::shared_ptr<Recipe> recipe) {
    weft_error error{};
    weft_graph *graph = recipe->make(&error);
    if (!graph)
        raise(error, recipe->text);
    Graph result{recipe, weft_graph_inputs(graph), weft_graph_outputs(graph), {}, nb::none()};
    for (int32_t i = 0; i < result.outputs; i++)
        result.labels.emplace_back(weft_graph_output_label(graph, i));
    weft_graph_destroy(&graph);
    return result;
}

static Graph graph_of_text(const std::string &text, const std::vector<std::string> &names) {
    std::string before;
    for (size_t i = 0; i < names.size(); i++) /* a split into one copy gives the input a name */
        before += "[" + std::to_string(i) + "]split[" + names[i] + "];";
    return graph_of(std::make_shared<Text>(before, text));
}

/* Nodes as Python's builder has them: (None or number of the filter, inputs, values). */
static Graph graph_of_nodes(nb::list nodes, const std::vector<weft_node> &outputs) {
    auto calls = std::make_shared<Calls>();
    for (nb::handle each : nodes) {
        nb::tuple node = nb::cast<nb::tuple>(each);
        if (node[0].is_none()) {
            calls->input();
            continue;
        }
        std::vector<weft_node> inputs;
        for (nb::handle input : nb::cast<nb::tuple>(node[1]))
            inputs.push_back(nb::cast<weft_node>(input));
        calls->add(filter_at(nb::cast<int32_t>(node[0])), inputs.data(), (int32_t)inputs.size(), node[2]);
    }
    for (weft_node output : outputs)
        calls->output(output);
    return graph_of(calls);
}

/* The value of a parameter of a node: text, or (node, index, factor) where it is a number that another node makes. */
static nb::object value_of(const weft_graph *graph, weft_node node, const char *parameter) {
    weft_from from{};
    const int32_t length = weft_graph_node_value(graph, node, parameter, &from, nullptr, 0);
    if (from.bound)
        return nb::make_tuple(from.node, from.index, from.scale);
    std::vector<char> text((size_t)(length > 0 ? length : 0) + 1);
    weft_graph_node_value(graph, node, parameter, nullptr, text.data(), (int32_t)text.size());
    return nb::str(text.data());
}

static weft_image_info info_of(nb::tuple format) { /* width, height, channels, type, alpha_form */
    weft_image_info info{};
    info.width = nb::cast<int64_t>(format[0]);
    info.height = nb::cast<int64_t>(format[1]);
    info.format.channels = nb::cast<int32_t>(format[2]);
    info.format.type = type_of(format[3]);
    if (!format[4].is_none())
        info.alpha = alpha_of(format[4], nb::none(), info.format.channels);
    return info;
}

static std::vector<weft_image_info> infos_from(nb::list formats) {
    std::vector<weft_image_info> infos;
    for (nb::handle format : formats)
        infos.push_back(info_of(nb::cast<nb::tuple>(format)));
    return infos;
}

using GraphPointer = std::unique_ptr<weft_graph, void (*)(weft_graph *)>;

/* What a recipe makes; for images of formats, where they are given, of single filters. */
static GraphPointer made_of(Recipe &recipe, nb::handle formats) {
    weft_error error{};
    GraphPointer made(recipe.make(&error), [](weft_graph *graph) { weft_graph_destroy(&graph); });
    if (!made)
        raise(error, recipe.text);
    if (formats.is_none())
        return made;
    const std::vector<weft_image_info> infos = infos_from(nb::cast<nb::list>(formats));
    weft_graph *flat = nullptr;
    if (weft_graph_flatten(made.get(), infos.data(), (int32_t)infos.size(), &flat, &error) != WEFT_OK)
        raise_in(error, recipe);
    made.reset(flat);
    return made;
}

/* Which pixels a node makes means of: (first, count, side) along x and along y, None where it does something else. */
static nb::object cells_of(const weft_graph *graph, weft_node node, const std::vector<weft_image_info> &infos) {
    const weft_node reads = weft_graph_node_reads(graph, node, 0);
    weft_cells x, y;
    if (infos.empty() || reads < 0 || !weft_graph_node_cells(graph, node, &infos[(size_t)reads], &x, &y))
        return nb::none();
    return nb::make_tuple(nb::make_tuple(x.first, x.count, x.side), nb::make_tuple(y.first, y.count, y.side));
}

/* The nodes of a graph as graph_of_nodes takes them, but for values that come from nodes, and behind that how numbers of pieces are
 * merged, None for other nodes, and with formats of which cells a picture is; the nodes that are inputs, and those that are
 * outputs. */
static nb::tuple nodes_of(const Graph &graph, nb::handle formats) {
    static const char *const merges[] = {nullptr, "min", "max", "sum", "mean"};
    GraphPointer made = made_of(*graph.recipe, formats);
    nb::list nodes, inputs, outputs;
    std::vector<weft_image_info> infos;
    if (!formats.is_none()) {
        const std::vector<weft_image_info> given = infos_from(nb::cast<nb::list>(formats));
        weft_error error{};
        infos.resize((size_t)weft_graph_nodes(made.get()));
        if (weft_graph_node_infos(made.get(), given.data(), (int32_t)given.size(), infos.data(), &error) != WEFT_OK)
            raise_in(error, *graph.recipe);
    }
    for (weft_node i = 0; i < weft_graph_nodes(made.get()); i++) {
        const weft_filter_info *info = weft_graph_node_filter(made.get(), i);
        if (!info) {
            nodes.append(nb::none());
            continue;
        }
        const Filter &filter = filter_at(filter_number(info->name));
        nb::list reads, values;
        for (int32_t k = 0; k < info->inputs; k++)
            reads.append(weft_graph_node_reads(made.get(), i, k));
        for (const weft_parameter_info *parameter : filter.parameters)
            values.append(value_of(made.get(), i, parameter->name));
        if (filter.has_space)
            values.append(value_of(made.get(), i, "space"));
        const char *merge = merges[weft_graph_node_merge(made.get(), i)];
        nodes.append(nb::make_tuple(filter.number, nb::tuple(reads), nb::tuple(values),
                                    merge ? nb::object(nb::str(merge)) : nb::none(), cells_of(made.get(), i, infos)));
    }
    for (int32_t i = 0; i < graph.inputs; i++)
        inputs.append(weft_graph_input_node(made.get(), i));
    for (int32_t i = 0; i < graph.outputs; i++)
        outputs.append(weft_graph_output_node(made.get(), i));
    return nb::make_tuple(nodes, inputs, outputs);
}

static Options options_of(nb::handle layout, nb::handle alpha_form, nb::handle dtype, nb::handle out, nb::handle device,
                          nb::handle stream, nb::handle progress) {
    Options options;
    options.layout = layout_of(layout, &options.batched);
    options.alpha_form = alpha_form;
    options.dtype = dtype;
    options.out = out;
    options.device = device;
    options.stream = stream;
    options.progress = progress;
    return options;
}

static nb::object call_filter(int32_t number, nb::tuple images, nb::tuple values, nb::handle layout,
                              nb::handle alpha_form, nb::handle dtype, nb::handle out, nb::handle device,
                              nb::handle stream) {
    const Filter &filter = filter_at(number);
    Calls calls;
    weft_node inputs[MOST_IMAGES];
    const int32_t count = filter.info->inputs;
    if ((size_t)count != images.size())
        raise(WEFT_ERROR_ARGUMENT, std::string(filter.info->name) + " takes " + std::to_string(count) + " images");
    for (int32_t i = 0; i < count; i++)
        inputs[i] = calls.input();
    calls.output(calls.add(filter, inputs, count, values));
    return call(calls, images, options_of(layout, alpha_form, dtype, out, device, stream, nb::none()), nullptr);
}

static nb::object call_graph(Graph &graph, nb::tuple images, nb::handle layout, nb::handle alpha_form, nb::handle dtype,
                             nb::handle out, nb::handle device, nb::handle stream, nb::handle progress) {
    return call(*graph.recipe, images, options_of(layout, alpha_form, dtype, out, device, stream, progress), nullptr);
}

static nb::object call_plan(Plan &plan, nb::tuple images, nb::handle layout, nb::handle alpha_form, nb::handle out,
                            nb::handle stream, nb::handle progress, Frames *frames) {
    Options options = options_of(layout, alpha_form, nb::none(), out, nb::none(), stream, progress);
    std::unique_lock<std::mutex> taken;
    if (frames) {
        taken = frames->take();
        options.state = frames->state;
    }
    return call(*plan.recipe, images, options, &plan.planned);
}

static Plan plan_of(Graph &graph, nb::list formats, nb::handle dtype, nb::handle device) {
    const std::vector<weft_image_info> infos = infos_from(formats);
    return {graph.recipe, plan_for(*graph.recipe, device_of(device, nullptr), infos.data(), (int32_t)infos.size(),
                                   type_of(dtype), nullptr)};
}

static std::string printed(const Plan &plan, weft_plan_format format) {
    weft_error error{};
    char *text = nullptr;
    if (weft_plan_print(plan.planned->plan, format, &text, &error) != WEFT_OK)
        raise(error);
    std::string result = text;
    weft_free(text);
    return result;
}

static nb::list infos_of(const std::vector<weft_image_info> &infos) {
    nb::list list;
    for (const weft_image_info &info : infos)
        list.append(nb::make_tuple(info.width, info.height, info.format.channels, numpy_name(info.format.type)));
    return list;
}

/* Of each output the form of alpha, and whether its colors are declared to be linear. */
static nb::list forms_of(const Plan &plan) {
    nb::list list;
    for (const weft_image_info &info : plan.planned->outputs)
        list.append(nb::make_tuple(alpha_name(info.alpha), info.space == WEFT_SPACE_LINEAR));
    return list;
}

/* (whether it reads, whether the whole counts, (left, right, above, below)) */
static nb::tuple reach_of(const Plan &plan, int32_t output, int32_t input) {
    weft_error error{};
    weft_reach reach{};
    if (weft_plan_reach(plan.planned->plan, output, input, &reach, &error) != WEFT_OK)
        raise(error);
    return nb::make_tuple(reach.reads, reach.whole, nb::make_tuple(reach.left, reach.right, reach.above, reach.below));
}

static PyDevice make_device(const std::string &name, int threads, uint64_t memory) {
    return {device_open(name, threads, memory)};
}

static nb::list devices() {
    nb::list list;
    weft_device_info info{};
    for (int32_t i = 0; weft_device_at(i, &info); i++) {
        nb::dict dict;
        dict["backend"] = info.backend;
        dict["name"] = info.name;
        dict["detail"] = info.detail;
        dict["available"] = info.available;
        dict["software"] = info.software;
        list.append(dict);
    }
    return list;
}

void bind_recipes(nb::module_ &module) {
    nb::class_<Bound>(module, "Bound").def(nb::init<weft_node, int32_t, double>());
    nb::class_<PyDevice>(module, "Device", "A device that is open: where graphs run.")
        .def("__init__",
             [](PyDevice *self, const std::string &name, int threads, uint64_t memory) {
                 new (self) PyDevice(make_device(name, threads, memory));
             },
             nb::arg("name"), nb::arg("threads") = 0, nb::arg("memory") = 0,
             "Opens a device by name, as \"cpu\", \"cuda:0\" or \"auto\"; threads of the CPU, 0 for one a core; bytes of "
             "GPU memory that a plan may take, 0 for most of it.")
        .def_prop_ro("name", [](const PyDevice &self) { return self.device->name; })
        .def_prop_ro("threads", [](const PyDevice &self) { return self.device->threads; })
        .def("__repr__", [](const PyDevice &self) { return "weft.Device(\"" + self.device->name + "\")"; });
    nb::class_<Graph>(module, "Graph", nb::dynamic_attr())
        .def_ro("inputs", &Graph::inputs)
        .def_ro("outputs", &Graph::outputs)
        .def_ro("labels", &Graph::labels)
        .def_prop_ro("text", [](const Graph &self) { return nb::bytes(self.recipe->text.data(), self.recipe->text.size()); });
    nb::class_<Plan>(module, "Plan", nb::dynamic_attr())
        .def_prop_ro("passes", [](const Plan &self) { return weft_plan_passes(self.planned->plan); })
        .def_prop_ro("bytes", [](const Plan &self) { return weft_plan_bytes(self.planned->plan); })
        .def_prop_ro("workspace", [](const Plan &self) { return weft_plan_workspace_size(self.planned->plan); })
        .def_prop_ro("memory", [](const Plan &self) { return weft_plan_memory(self.planned->plan); })
        .def_prop_ro("inputs", [](const Plan &self) { return infos_of(self.planned->inputs); })
        .def_prop_ro("outputs", [](const Plan &self) { return infos_of(self.planned->outputs); })
        .def_prop_ro("forms", forms_of)
        .def_prop_ro("numbers", [](const Plan &self) { return self.planned->values; })
        .def_prop_ro("device", [](const Plan &self) { return self.planned->device->name; })
        .def_prop_ro("remembers", [](const Plan &self) { return weft_plan_has_memory(self.planned->plan); })
        .def("reach", reach_of)
        .def("_print", [](const Plan &self, int format) { return printed(self, (weft_plan_format)format); });
    nb::class_<Frames>(module, "Frames")
        .def(nb::init<const Plan &>())
        .def("reset", &Frames::reset)
        .def_prop_ro("count", [](const Frames &self) { return weft_state_frames(self.state); });
    module.def("graph_of_text", graph_of_text);
    module.def("graph_of_nodes", graph_of_nodes);
    module.def("nodes_of", nodes_of, nb::arg(), nb::arg().none());
    module.def("plan_of", plan_of, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
    module.def("devices", devices, "What this machine has to run graphs on, and, for what cannot be used, why not.");
    module.def("call_filter", call_filter, nb::arg(), nb::arg(), nb::arg(), ANY, ANY, ANY, ANY, ANY, ANY);
    module.def("call_graph", call_graph, nb::arg(), nb::arg(), ANY, ANY, ANY, ANY, ANY, ANY, ANY);
    module.def("call_plan", call_plan, nb::arg(), nb::arg(), ANY, ANY, ANY, ANY, ANY, nb::arg().none());
    module.def("filter_number", filter_number);
    module.def("filter_name", [](int64_t number) { return filter_at(number).info->name; });
}
