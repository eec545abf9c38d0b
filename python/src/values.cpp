/* SPDX-License-Identifier: MIT */
#include "values.h"
#include <cmath>
#include <cstring>

const Filter &filter_at(int64_t number) {
    static const std::vector<Filter> *filters = [] {
        auto *all = new std::vector<Filter>;
        for (int32_t i = 0; i < weft_filter_count(); i++) {
            Filter filter{i, weft_filter_at(i), {}, true};
            const weft_parameter_info *parameter;
            for (int32_t k = 0; (parameter = weft_filter_parameter(filter.info, k)) != nullptr; k++) {
                filter.parameters.push_back(parameter);
                if (!strcmp(parameter->name, "space"))
                    filter.has_space = false;
            }
            filter.has_space = filter.has_space && filter.info->inputs > 0;
            all->push_back(filter);
        }
        return all;
    }();
    if (number < 0 || number >= (int64_t)filters->size())
        raise(WEFT_ERROR_ARGUMENT, "there is no filter " + std::to_string(number));
    return (*filters)[(size_t)number];
}

int32_t filter_number(const std::string &name) {
    const weft_filter_info *info = weft_filter_find(name.c_str());
    for (int32_t i = 0; info && i < weft_filter_count(); i++)
        if (weft_filter_at(i) == info)
            return i;
    const weft_filter_info *near = weft_filter_nearest(name.c_str());
    raise(WEFT_ERROR_GRAPH,
          "there is no filter '" + name + "'" + (near ? std::string(": did you mean '") + near->name + "'?" : ""));
}

[[noreturn]] static void refuse(const Filter &filter, const weft_parameter_info *parameter, nb::handle object,
                                const std::string &right) {
    PyErr_Clear();
    weft_error error{};
    error.status = WEFT_ERROR_PARAMETER;
    error.node = -1;
    error.offset = -1;
    snprintf(error.filter, sizeof error.filter, "%s", filter.info->name);
    snprintf(error.parameter, sizeof error.parameter, "%s", parameter ? parameter->name : "space");
    snprintf(error.message, sizeof error.message, "%s of %s is %.200s, but must be %s", error.parameter, error.filter,
             nb::repr(object).c_str(), right.c_str());
    raise(error);
}

/* Which of "a|b|c" a word is; -1 for none. */
static int choice_of(const char *choices, const char *word) {
    const size_t length = strlen(word);
    for (int i = 0;; i++) {
        const size_t size = strcspn(choices, "|");
        if (size == length && !memcmp(choices, word, length))
            return i;
        if (!choices[size])
            return -1;
        choices += size + 1;
    }
}

/* Numbers of numbers, lists of them, and arrays, row by row. */
static bool flatten(nb::handle object, std::vector<double> &numbers, int depth) {
    if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr())) {
        numbers.push_back(PyFloat_AsDouble(object.ptr()));
        return !PyErr_Occurred();
    }
    if (PySequence_Check(object.ptr()) && !PyUnicode_Check(object.ptr()) && depth < 8) {
        const Py_ssize_t length = PySequence_Size(object.ptr());
        if (length >= 0) {
            for (Py_ssize_t i = 0; i < length; i++) {
                PyObject *item = PySequence_GetItem(object.ptr(), i);
                if (!item)
                    return false;
                nb::object kept = nb::steal(item);
                if (!flatten(kept, numbers, depth + 1))
                    return false;
            }
            return true;
        }
        PyErr_Clear(); /* an array without axes */
    }
    numbers.push_back(PyFloat_AsDouble(object.ptr()));
    return !PyErr_Occurred();
}

static std::string words_for(const weft_parameter_info *parameter) {
    std::string automatic = parameter->automatic ? ", or None to let the filter choose" : "";
    switch (parameter->type) {
    case WEFT_PARAMETER_CHOICE: return std::string("one of ") + parameter->choices;
    case WEFT_PARAMETER_BOOL: return "True or False";
    case WEFT_PARAMETER_COLOR: return "a number, three or four numbers, or the text of a color";
    case WEFT_PARAMETER_FLOATS: return std::to_string(parameter->count) + " numbers";
    case WEFT_PARAMETER_LIST: return "numbers";
    case WEFT_PARAMETER_INT: return "a whole number" + automatic;
    default: return "a number" + automatic;
    }
}

void Calls::value(weft_node node, const Filter &filter, const weft_parameter_info *parameter, nb::handle object) {
    Value value{parameter ? parameter->name : "space", 'n', 0, 0, "", {}};
    std::vector<double> *into = &fixed_;
    if (object.is_none() && parameter && !parameter->automatic)
        refuse(filter, parameter, object, words_for(parameter));
    if (object.is_none() && !parameter) {
        key.push_back('d');
        return;
    }
    if (nb::isinstance<Bound>(object)) {
        value.kind = 'b';
        value.bound = nb::cast<Bound>(object);
        put(value.kind);
        put(value.bound.node);
        put(value.bound.index);
        put(value.bound.scale);
        values_.push_back(value);
        return;
    }
    const char *word = PyUnicode_Check(object.ptr()) ? PyUnicode_AsUTF8AndSize(object.ptr(), nullptr) : nullptr;
    const int choice = word && parameter && parameter->type == WEFT_PARAMETER_CHOICE ? choice_of(parameter->choices, word) : -1;
    if (word && choice < 0) {
        value.kind = 't';
        value.text = word;
        put(value.kind);
        put(strlen(word));
        key += word;
        values_.push_back(value);
        return;
    }
    if (!parameter)
        refuse(filter, parameter, object, "encoded or linear");
    if (parameter->dynamic) {
        value.kind = 'c';
        into = &numbers;
    }
    value.first = into->size();
    if (object.is_none())
        into->push_back(WEFT_AUTO);
    else if (choice >= 0)
        into->push_back(choice);
    else if (!flatten(object, *into, 0))
        refuse(filter, parameter, object, words_for(parameter));
    value.count = into->size() - value.first;
    if (parameter->type == WEFT_PARAMETER_COLOR && value.count == 3)
        into->push_back(1), value.count++;
    put(value.kind);
    put(value.count);
    if (value.kind == 'n')
        key.append(reinterpret_cast<const char *>(fixed_.data() + value.first), value.count * sizeof(double));
    else
        changes.push_back({node, parameter, value.first, value.count});
    values_.push_back(value);
}

weft_node Calls::input() {
    nodes_.push_back({nullptr, {}, 0, 0});
    key.push_back('i');
    return (weft_node)nodes_.size() - 1;
}

weft_node Calls::add(const Filter &filter, const weft_node *inputs, int32_t count, nb::handle values) {
    const weft_node node = (weft_node)nodes_.size();
    key.push_back('f');
    put(filter.number);
    put(count);
    key.append(reinterpret_cast<const char *>(inputs), (size_t)count * sizeof *inputs);
    nodes_.push_back({&filter, std::vector<weft_node>(inputs, inputs + count), values_.size(), 0});
    const size_t given = (size_t)PyTuple_Size(values.ptr()), have = filter.parameters.size() + filter.has_space;
    if (given != have)
        raise(WEFT_ERROR_INTERNAL, std::string("the functions of filters were made from another version of weft: make them anew"));
    for (size_t i = 0; i < given; i++)
        value(node, filter, i < filter.parameters.size() ? filter.parameters[i] : nullptr,
              PyTuple_GetItem(values.ptr(), (Py_ssize_t)i));
    nodes_.back().count = values_.size() - nodes_.back().first;
    return node;
}

void Calls::output(weft_node node) {
    outputs_.push_back(node);
    key.push_back('o');
    put(node);
}

weft_status Calls::set_values(weft_graph *graph, const Node &node, weft_node made, weft_error *error) const {
    weft_status status = WEFT_OK;
    for (size_t i = node.first; status == WEFT_OK && i < node.first + node.count; i++) {
        const Value &value = values_[i];
        const double *from = (value.kind == 'c' ? numbers : fixed_).data() + value.first;
        if (value.kind == 't')
            status = weft_graph_set_text(graph, made, value.name, value.text.c_str(), error);
        else if (value.kind == 'b')
            status = weft_graph_bind(graph, made, value.name, value.bound.node, value.bound.index, value.bound.scale, error);
        else
            status = weft_graph_set(graph, made, value.name, from, (int32_t)value.count, error);
    }
    return status;
}

weft_graph *Calls::make(weft_error *error) {
    weft_graph *graph = nullptr;
    weft_status status = weft_graph_create(&graph, error);
    for (const Node &node : nodes_) {
        weft_node made = 0;
        if (status == WEFT_OK && !node.filter)
            status = weft_graph_input(graph, &made, error);
        else if (status == WEFT_OK)
            status = weft_graph_add(graph, node.filter->info->name, node.inputs.data(), (int32_t)node.inputs.size(), &made, error);
        if (status == WEFT_OK)
            status = set_values(graph, node, made, error);
    }
    for (weft_node node : outputs_)
        if (status == WEFT_OK)
            status = weft_graph_output(graph, node, error);
    if (status != WEFT_OK)
        weft_graph_destroy(&graph);
    return graph;
}
