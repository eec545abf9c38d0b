/* SPDX-License-Identifier: MIT
 * What the files of the binding share: images as Python hands them over, plans that are kept, and one call. */
#ifndef PYWEFT_CORE_H
#define PYWEFT_CORE_H
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
#include <nanobind/nanobind.h>
#include "weft/weft.h"

namespace nb = nanobind;

/* An argument that may be None. */
#define ANY nb::arg().none()

/* ---- error.cpp */

/* Raises the exception of the family that fits; `text` is the graph's text, for the line with the caret. */
[[noreturn]] void raise(const weft_error &error, const std::string &text = "");
[[noreturn]] void raise(weft_status status, const std::string &message);

/* ---- image.cpp */

enum class Layout { HW, HWC, CHW };
/* "HWC", "CHW", "HW", with or without an N before; with an N there must be a batch. */
Layout layout_of(nb::handle text, bool *batched);

enum { MOST_BATCH_AXES = 8 };

/* An array as one or many images: where its pixels lie, and what holds it. */
struct View {
    weft_image_info info{};
    char *data = nullptr;
    int64_t row = 0, pixel = 0, channel = 0; /* bytes from one to the next */
    int batch_axes = 0;
    int64_t batch_shape[MOST_BATCH_AXES]{}, batch_strides[MOST_BATCH_AXES]{}, batches = 1;
    bool channel_axis = false, read_only = false;
    weft_memory memory = WEFT_MEMORY_HOST;
    int device = 0; /* the GPU's number */
    Py_buffer buffer{};
    bool has_buffer = false;
    nb::object owner;   /* what else must live as long */
    nb::object adapter; /* of another library than numpy, pyweft/_arrays.py */

    View() = default;
    View(const View &) = delete;
    View &operator=(const View &) = delete;
    ~View();
    /* The pixels of one image of the batch. */
    char *place(int64_t batch) const;
    /* True when the C library can take the pixels as stored. */
    bool direct() const;
    /* The lowest and the highest byte. */
    void extent(uintptr_t *low, uintptr_t *high) const;
    bool overlaps(const View &other) const;
    /* Whether two of its own pixels, which a result is to be written to, may lie at one place. */
    bool overlaps_itself() const;
    int64_t values() const { return info.width * info.height * info.format.channels; }
};

/* Looks at an array. `name` is what errors call it. */
void view_open(View &view, nb::handle array, Layout layout, bool batched, bool writable, const char *name);
/* Which axes of a result are what. */
struct Axes {
    std::vector<int64_t> shape;
    int batch, height, width, channel; /* how many in front; where; -1 for none */
};
/* Looks at an array that takes a result, which must have that shape and type. */
void view_result(View &view, nb::handle array, const Axes &axes, weft_type type, const char *name);
/* What numpy calls a component type. */
const char *numpy_name(weft_type type);
/* What Python calls a form of alpha: alpha_form="straight". */
const char *alpha_name(weft_alpha alpha);

/* ---- adapt.cpp */

/* The adapter of pyweft/_arrays.py for arrays of this kind; None for numpy's own. */
nb::object adapter_of(nb::handle array);
/* What else than a buffer an array may be: fills in the memory, shape and strides. */
void describe(View &view, nb::handle array, const char *name, std::vector<int64_t> &shape,
              std::vector<int64_t> &strides, std::string &type);
nb::object new_array(const std::vector<int64_t> &shape, weft_type type);

/* ---- copy.cpp */

/* Copies one image of a batch from where it lies to rows without gaps, or back. */
void gather(const View &view, int64_t batch, char *packed);
void scatter(const char *packed, const View &view, int64_t batch);

/* ---- device.cpp */

struct Device {
    weft_device *handle = nullptr;
    std::string name, backend;
    int number = 0; /* for keys of plans */
    int threads = 1;
};
using DevicePointer = std::shared_ptr<Device>;
/* An open device by its name; those without options are opened once. */
DevicePointer device_named(const std::string &name);
DevicePointer device_open(const std::string &name, int threads, uint64_t memory_limit);
/* A device of one thread beside a CPU device, for batches. */
DevicePointer device_single();
/* The child of a fork has none of the parent's threads: all is opened anew. */
void devices_forget();

/* ---- plans.cpp */

/* A value of a parameter that may change between runs. */
struct Change {
    weft_node node;
    const weft_parameter_info *parameter;
    size_t first, count; /* in Recipe.numbers */
};

/* What a run needs beside images; one run has it at a time. */
struct Slot {
    weft_parameters *parameters = nullptr;
    std::vector<double> applied;
    void *workspace = nullptr;
    std::vector<weft_error> unused;
};

/* A plan that is kept, with what runs of it need. */
struct Planned {
    DevicePointer device;
    weft_plan *plan = nullptr;
    std::vector<weft_image_info> inputs, outputs;
    std::vector<bool> values;
    std::vector<std::string> labels;
    std::string text;
    size_t workspace = 0;
    std::mutex lock;
    std::vector<Slot> free;
    ~Planned();
};
using PlannedPointer = std::shared_ptr<Planned>;

/* A graph, and what its plans are found by. */
struct Recipe {
    std::string key;             /* all that decides the plan but formats and device */
    std::vector<double> numbers; /* of values */
    std::vector<Change> changes;
    std::string text;            /* of graphs that are text */
    int64_t shift = 0;           /* bytes of `text` that the caller did not write */
    virtual weft_graph *make(weft_error *error) = 0; /* the caller's to destroy */
    virtual ~Recipe() = default;
};

/* Raises what went wrong with the graph of a recipe, at its place in the text that the caller wrote. */
[[noreturn]] void raise_in(weft_error error, const Recipe &recipe);
/* The plan for these images, kept or new. */
PlannedPointer plan_for(Recipe &recipe, const DevicePointer &device, const weft_image_info *inputs, int32_t count,
                        weft_type type, const void *stream);
nb::dict plans_information();
void plans_clear();
void plans_limit(size_t most);

/* ---- run.cpp */

struct Options {
    Layout layout = Layout::HWC;
    bool batched = false;
    nb::handle alpha_form, dtype, out, device, stream, progress;
    weft_state *state = nullptr; /* of the frames that the images are the next of */
};
/* Opens the images, finds the plan, makes the results, runs. */
nb::object call(Recipe &recipe, nb::handle images, const Options &options, const PlannedPointer *held);
weft_alpha alpha_of(nb::handle alpha_form, nb::handle image, int32_t channels);
weft_type type_of(nb::handle dtype);
DevicePointer device_of(nb::handle device, const View *first);

/* ---- recipe.cpp, plans.cpp, files.cpp, exchange.cpp: what Python sees */
void bind_recipes(nb::module_ &module);
void bind_files(nb::module_ &module);
void bind_plans(nb::module_ &module);
void bind_exchange(nb::module_ &module);

#endif
