/* SPDX-License-Identifier: MIT
 * What one call holds from its arrays to its results. */
#ifndef PYWEFT_CALL_H
#define PYWEFT_CALL_H
#include "core.h"

enum { MOST_IMAGES = 64 };

struct PyDevice {
    DevicePointer device;
};

struct Call {
    std::unique_ptr<View[]> inputs, outputs;
    int32_t input_count = 0, output_count = 0;
    std::vector<std::vector<double>> numbers; /* of the outputs that are numbers */
    const View *batch = nullptr;              /* one that has the axes of the batch */
    int64_t batches = 1;
    int workers = 1;
    bool on_gpu = false, has_numbers = false;
    bool queued = false; /* on the stream of the caller, who waits for it */
    const void *stream = nullptr;
    weft_state *state = nullptr;
    PlannedPointer planned;
};

/* ---- arrays.cpp: arrays of other libraries, in a call */

bool adapter_alpha(nb::handle image);
nb::object new_numbers(const std::vector<int64_t> &shape);
void open_input(View &view, nb::handle image, Layout layout, bool batched, const char *name, bool *planes);
const void *stream_of(nb::handle stream, nb::handle adapter, nb::handle image);
nb::object out_of(nb::handle out, int32_t i, int32_t count);
nb::object empty(nb::handle adapter, nb::handle like, const Axes &axes, weft_type type, const void *stream);
void check_out(const Call &call, int32_t i, bool given, const std::string &name);
nb::object finish(nb::object result, nb::handle adapter, nb::handle out, const weft_image_info &info, bool planes);

/* ---- execute.cpp */

/* Runs all images of the batch, without the lock of the interpreter. */
void run(Call &call, const Recipe &recipe, nb::handle progress);

#endif
