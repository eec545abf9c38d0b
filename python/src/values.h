/* SPDX-License-Identifier: MIT
 * Values of parameters as Python hands them over, and the recipe that is made of filters and values. */
#ifndef PYWEFT_VALUES_H
#define PYWEFT_VALUES_H
#include "core.h"

/* A parameter that takes its value from a number that another node makes. */
struct Bound {
    weft_node node;
    int32_t index;
    double scale;
};

/* A filter of weft's own, with its parameters and, behind them, `space`. */
struct Filter {
    int32_t number;
    const weft_filter_info *info;
    std::vector<const weft_parameter_info *> parameters;
    bool has_space;
};
/* The filters in the order of weft_filter_at. */
const Filter &filter_at(int64_t number);
int32_t filter_number(const std::string &name);

/* Filters joined by calls: what Python's functions and builder make. */
class Calls : public Recipe {
  public:
    Calls() { key.push_back('C'); }
    weft_node input();
    /* Adds a filter; `values` are those of all its parameters, in order, and of `space`. */
    weft_node add(const Filter &filter, const weft_node *inputs, int32_t count, nb::handle values);
    void output(weft_node node);
    weft_graph *make(weft_error *error) override;

  private:
    struct Value {
        const char *name;
        char kind; /* 'n' numbers, 'c' numbers that may change, 't' text, 'b' bound */
        size_t first, count;
        std::string text;
        Bound bound;
    };
    struct Node {
        const Filter *filter;
        std::vector<weft_node> inputs;
        size_t first, count; /* in `values_` */
    };
    void value(weft_node node, const Filter &filter, const weft_parameter_info *parameter, nb::handle object);
    weft_status set_values(weft_graph *graph, const Node &node, weft_node made, weft_error *error) const;
    template <typename T> void put(const T &what) { key.append(reinterpret_cast<const char *>(&what), sizeof what); }

    std::vector<Node> nodes_;
    std::vector<Value> values_;
    std::vector<double> fixed_;
    std::vector<weft_node> outputs_;
};

#endif
