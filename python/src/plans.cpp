/* SPDX-License-Identifier: MIT
 * Plans that are kept: a bounded number, the one used longest ago goes first. */
#include "core.h"
#include <nanobind/stl/string.h>
#include <list>
#include <unordered_map>

Planned::~Planned() {
    for (Slot &slot : free) {
        weft_parameters_destroy(&slot.parameters);
        std::free(slot.workspace);
    }
    weft_plan_destroy(&plan);
}

struct Kept {
    std::mutex lock;
    std::list<std::pair<std::string, PlannedPointer>> order; /* the last one used is in front */
    std::unordered_map<std::string, decltype(order)::iterator> found;
    size_t most = 128;
    uint64_t hits = 0, made = 0;
};
static Kept *kept = new Kept;

/* What is left of a plan goes outside of the lock. */
static void trim(std::list<std::pair<std::string, PlannedPointer>> &gone) {
    while (kept->order.size() > kept->most) {
        kept->found.erase(kept->order.back().first);
        gone.splice(gone.begin(), kept->order, std::prev(kept->order.end()));
    }
}

void raise_in(weft_error error, const Recipe &recipe) {
    if (error.offset >= 0)
        error.offset = error.offset >= recipe.shift ? error.offset - recipe.shift : -1;
    raise(error, recipe.text);
}

static PlannedPointer make(Recipe &recipe, const DevicePointer &device, const weft_image_info *inputs, int32_t count,
                           weft_type type) {
    weft_error error{};
    weft_graph *graph = recipe.make(&error);
    if (!graph)
        raise(error, recipe.text);
    int32_t graph_inputs = weft_graph_inputs(graph), outputs = weft_graph_outputs(graph);
    PlannedPointer planned = std::make_shared<Planned>();
    planned->device = device;
    planned->text = recipe.text;
    for (int32_t i = 0; i < outputs; i++)
        planned->labels.emplace_back(weft_graph_output_label(graph, i));
    weft_status status = WEFT_OK;
    if (graph_inputs != count) {
        weft_graph_destroy(&graph);
        raise(WEFT_ERROR_ARGUMENT, "the graph takes " + std::to_string(graph_inputs) +
                                       (graph_inputs == 1 ? " image" : " images") + ", but there are " +
                                       std::to_string(count));
    }
    std::vector<weft_type> types((size_t)outputs, type);
    weft_plan_options options{};
    options.inputs = inputs;
    options.input_count = count;
    options.output_types = types.data();
    options.output_type_count = outputs;
    {
        nb::gil_scoped_release released;
        status = weft_plan_create(device->handle, graph, &options, &planned->plan, &error);
        weft_graph_destroy(&graph);
    }
    if (status != WEFT_OK)
        raise_in(error, recipe);
    planned->inputs.assign(inputs, inputs + count);
    planned->outputs.resize((size_t)outputs);
    for (int32_t i = 0; i < outputs; i++) {
        weft_plan_output_info(planned->plan, i, &planned->outputs[(size_t)i], &error);
        planned->values.push_back(weft_plan_output_is_values(planned->plan, i));
    }
    planned->workspace = weft_plan_workspace_size(planned->plan);
    return planned;
}

PlannedPointer plan_for(Recipe &recipe, const DevicePointer &device, const weft_image_info *inputs, int32_t count,
                        weft_type type, const void *stream) {
    std::string key = recipe.key;
    auto put = [&](const auto &value) { key.append(reinterpret_cast<const char *>(&value), sizeof value); };
    put(device->number);
    put(type);
    put(stream);
    for (int32_t i = 0; i < count; i++) {
        put(inputs[i].width);
        put(inputs[i].height);
        put(inputs[i].format.type);
        put(inputs[i].format.channels);
        put(inputs[i].alpha);
        put(inputs[i].space);
    }
    {
        std::lock_guard<std::mutex> locked(kept->lock);
        auto found = kept->found.find(key);
        if (found != kept->found.end()) {
            kept->hits++;
            kept->order.splice(kept->order.begin(), kept->order, found->second);
            return found->second->second;
        }
    }
    PlannedPointer planned = make(recipe, device, inputs, count, type);
    std::list<std::pair<std::string, PlannedPointer>> gone;
    {
        std::lock_guard<std::mutex> locked(kept->lock);
        kept->made++;
        if (kept->found.find(key) == kept->found.end()) {
            kept->order.emplace_front(key, planned);
            kept->found.emplace(std::move(key), kept->order.begin());
            trim(gone);
        }
    }
    return planned;
}

nb::dict plans_information() {
    std::lock_guard<std::mutex> locked(kept->lock);
    nb::dict dict;
    dict["plans"] = kept->order.size();
    dict["most"] = kept->most;
    dict["hits"] = kept->hits;
    dict["made"] = kept->made;
    return dict;
}

void plans_clear() {
    std::list<std::pair<std::string, PlannedPointer>> gone;
    std::lock_guard<std::mutex> locked(kept->lock);
    gone.swap(kept->order);
    kept->found.clear();
}

void plans_limit(size_t most) {
    std::list<std::pair<std::string, PlannedPointer>> gone;
    std::lock_guard<std::mutex> locked(kept->lock);
    kept->most = most;
    trim(gone);
}

/* In the child of a fork: the parent's plans hold threads that are not there, and stay in memory unused. */
static void forget() {
    kept = new Kept;
    devices_forget();
}

void bind_plans(nb::module_ &module) {
    module.def("plans", plans_information, "How many plans are kept, of how many at most, and how often one was found.");
    module.def("clear_plans", plans_clear, "Lets go of all plans that are kept.");
    module.def("limit_plans", plans_limit, nb::arg("most"), "Keeps at most that many plans.");
    module.def("_after_fork", forget);
}
