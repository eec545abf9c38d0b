/* SPDX-License-Identifier: MIT
 * Arrays of other libraries in a call: how they are opened, made and handed back. */
#include "call.h"
#include <nanobind/stl/string.h>

bool adapter_alpha(nb::handle image) {
    nb::object adapter = adapter_of(image);
    return !adapter.is_none() && nb::cast<bool>(adapter.attr("has_alpha")(image));
}

nb::object new_numbers(const std::vector<int64_t> &shape) {
    return new_array(shape, WEFT_F64).attr("view")(nb::module_::import_("numpy").attr("ndarray"));
}

void open_input(View &view, nb::handle image, Layout layout, bool batched, const char *name, bool *planes) {
    view_open(view, image, layout, batched, false, name);
    if (view.memory == WEFT_MEMORY_HOST || (layout != Layout::CHW && view.direct()))
        return;
    /* On a GPU its own library brings the pixels into the order that weft takes. */
    nb::object adapter = view.adapter, packed = adapter.attr("packed")(image, layout == Layout::CHW);
    view.~View();
    new (&view) View();
    view_open(view, packed, layout == Layout::HW ? Layout::HW : Layout::HWC, batched, false, name);
    *planes = *planes || layout == Layout::CHW;
}

const void *stream_of(nb::handle stream, nb::handle adapter, nb::handle image) {
    return reinterpret_cast<const void *>(nb::cast<uintptr_t>(adapter.attr("stream")(image, stream)));
}

nb::object out_of(nb::handle out, int32_t i, int32_t count) {
    if (out.is_none() || count == 1)
        return nb::borrow(out);
    if (!PyTuple_Check(out.ptr()) || PyTuple_Size(out.ptr()) != count)
        raise(WEFT_ERROR_ARGUMENT, "out must be a tuple of " + std::to_string(count) + " arrays, or None in place of some");
    return nb::borrow(PyTuple_GetItem(out.ptr(), i));
}

nb::object empty(nb::handle adapter, nb::handle like, const Axes &axes, weft_type type, const void *stream) {
    if (adapter.is_none())
        return new_array(axes.shape, type);
    nb::object shape = nb::steal(PyTuple_New((Py_ssize_t)axes.shape.size()));
    for (size_t i = 0; i < axes.shape.size(); i++)
        PyTuple_SetItem(shape.ptr(), (Py_ssize_t)i, PyLong_FromLongLong(axes.shape[i]));
    return adapter.attr("empty")(like, shape, nb::str(numpy_name(type)), reinterpret_cast<uintptr_t>(stream));
}

void check_out(const Call &call, int32_t i, bool given, const std::string &name) {
    const View &view = call.outputs[(size_t)i];
    if (!given)
        return;
    if (call.on_gpu && (view.memory != WEFT_MEMORY_CUDA || view.device != call.inputs[0].device))
        raise(WEFT_ERROR_ARGUMENT, name + " must lie on the GPU of the images");
    if (!call.on_gpu && view.memory != WEFT_MEMORY_HOST)
        raise(WEFT_ERROR_ARGUMENT, name + " must lie in host memory, as the images do");
    if (call.on_gpu && !view.direct())
        raise(WEFT_ERROR_ARGUMENT, name + " must have its channels and pixels side by side");
    if (view.overlaps_itself())
        raise(WEFT_ERROR_ARGUMENT, name + " has pixels that share memory, as a broadcast array's do: give an array of its own");
    for (int32_t k = 0; k < call.input_count; k++)
        if (view.overlaps(call.inputs[(size_t)k]))
            raise(WEFT_ERROR_ARGUMENT, name + " overlaps an image that is read: they must not share memory");
    for (int32_t k = 0; k < i; k++)
        if (call.outputs[(size_t)k].data && view.overlaps(call.outputs[(size_t)k]))
            raise(WEFT_ERROR_ARGUMENT, name + " overlaps another one: they must not share memory");
}

nb::object finish(nb::object result, nb::handle adapter, nb::handle out, const weft_image_info &info, bool planes) {
    if (planes) /* channels first, as the images had them */
        result = adapter.attr("planes")(result, out);
    else if (!adapter.is_none() && out.is_none())
        result = adapter.attr("finish")(result, info.alpha != WEFT_ALPHA_NONE);
    if (adapter.is_none() && out.is_none() && info.alpha != WEFT_ALPHA_NONE)
        nb::setattr(result, "alpha_form", nb::str(alpha_name(info.alpha)));
    return result;
}
