/* SPDX-License-Identifier: MIT
 * Arrays as images: shape and strides become width, height, channels and a batch. */
#include "core.h"
#include <nanobind/stl/string.h>
#include <algorithm>
#include <cstring>

View::~View() {
    if (has_buffer)
        PyBuffer_Release(&buffer);
}

char *View::place(int64_t batch) const {
    char *at = data;
    for (int i = batch_axes - 1; i >= 0; i--) {
        at += batch % batch_shape[i] * batch_strides[i];
        batch /= batch_shape[i];
    }
    return at;
}

bool View::direct() const {
    const int64_t size = (int64_t)weft_type_size(info.format.type), width = info.width * info.format.channels * size;
    if (info.format.channels > 1 && channel != size)
        return false;
    if (info.width > 1 && pixel != size * info.format.channels)
        return false;
    if (info.height > 1 && ((row < 0 ? -row : row) < width || row % size != 0))
        return false;
    if (info.height > 1 && row < 0 && memory != WEFT_MEMORY_HOST)
        return false;
    for (int i = 0; i < batch_axes; i++)
        if (batch_strides[i] % size != 0)
            return false;
    return reinterpret_cast<uintptr_t>(data) % (uintptr_t)size == 0;
}

void View::extent(uintptr_t *low, uintptr_t *high) const {
    *low = reinterpret_cast<uintptr_t>(data);
    *high = *low + weft_type_size(info.format.type);
    auto reach = [&](int64_t count, int64_t stride) {
        (stride < 0 ? *low : *high) += (uintptr_t)((count - 1) * stride);
    };
    reach(info.height, row);
    reach(info.width, pixel);
    reach(info.format.channels, channel);
    for (int i = 0; i < batch_axes; i++)
        reach(batch_shape[i], batch_strides[i]);
}

bool View::overlaps(const View &other) const {
    uintptr_t low, high, other_low, other_high;
    if (memory != other.memory || (memory != WEFT_MEMORY_HOST && device != other.device))
        return false;
    extent(&low, &high);
    other.extent(&other_low, &other_high);
    return low < other_high && other_low < high;
}

bool View::overlaps_itself() const {
    std::vector<std::pair<int64_t, int64_t>> axes; /* bytes from one to the next, and how many */
    auto add = [&](int64_t stride, int64_t count) {
        if (count > 1)
            axes.emplace_back(stride < 0 ? -stride : stride, count);
    };
    add(row, info.height);
    add(pixel, info.width);
    add(channel, info.format.channels);
    for (int i = 0; i < batch_axes; i++)
        add(batch_strides[i], batch_shape[i]);
    std::sort(axes.begin(), axes.end());
    int64_t extent = (int64_t)weft_type_size(info.format.type);
    for (const auto &[stride, count] : axes) {
        if (stride < extent)
            return true;
        extent += stride * (count - 1);
    }
    return false;
}

Layout layout_of(nb::handle text, bool *batched) {
    const char *word = PyUnicode_Check(text.ptr()) ? PyUnicode_AsUTF8AndSize(text.ptr(), nullptr) : nullptr;
    PyErr_Clear();
    *batched = word && *word == 'N';
    const char *rest = word ? word + *batched : "";
    if (!strcmp(rest, "HWC"))
        return Layout::HWC;
    if (!strcmp(rest, "CHW"))
        return Layout::CHW;
    if (!strcmp(rest, "HW"))
        return Layout::HW;
    raise(WEFT_ERROR_ARGUMENT, "layout is " + std::string(nb::repr(text).c_str()) +
                                   ", but must be HWC, CHW or HW, or NHWC, NCHW or NHW for batches");
}

const char *numpy_name(weft_type type) {
    switch (type) {
    case WEFT_U8: return "uint8";
    case WEFT_U16: return "uint16";
    case WEFT_F16: return "float16";
    case WEFT_F32: return "float32";
    default: return "float64";
    }
}

const char *alpha_name(weft_alpha alpha) {
    return alpha == WEFT_ALPHA_NONE ? "none" : alpha == WEFT_ALPHA_STRAIGHT ? "straight" : "premultiplied";
}

/* The component type of a buffer's format or of a typestr of the array interfaces. */
static weft_type type_of_format(const char *format, int64_t size, nb::handle array, const char *name) {
    const char *c = format ? format : "B";
    bool swapped = *c == '>' || *c == '!';
    if (*c && strchr("@=<>!|", *c))
        c++;
    bool single = *c && (!c[1] || (c[1] >= '0' && c[1] <= '9'));
    if (single && !swapped) {
        if (size == 1 && (*c == 'B' || *c == 'u'))
            return WEFT_U8;
        if (size == 2 && (*c == 'H' || *c == 'u'))
            return WEFT_U16;
        if (size == 2 && (*c == 'e' || *c == 'f'))
            return WEFT_F16;
        if (size == 4 && *c == 'f')
            return WEFT_F32;
        if (size == 8 && (*c == 'd' || *c == 'f'))
            return WEFT_F64;
    }
    nb::object words = nb::module_::import_("pyweft._errors").attr("cast")(array, nb::str(format ? format : "B"));
    raise(WEFT_ERROR_FORMAT, std::string(name) + ": " + nb::cast<std::string>(words));
}

/* Splits the axes: batches in front, then height, width and channels in the order of the layout. */
static void split_axes(View &view, const int64_t *shape, const int64_t *strides, int axes, Layout layout, bool batched,
                       const char *name) {
    int own = layout == Layout::HW || (axes == 2 && !batched) ? 2 : 3;
    auto shaped = [&]() {
        std::string text = "(";
        for (int i = 0; i < axes; i++)
            text += (i ? ", " : "") + std::to_string(shape[i]);
        return text + ")";
    };
    if (axes < own + (batched ? 1 : 0) || axes - own > MOST_BATCH_AXES)
        raise(WEFT_ERROR_FORMAT, std::string(name) + " has the shape " + shaped() + ", which is no image of layout " +
                                     (batched ? "N" : "") +
                                     (layout == Layout::HW ? "HW" : layout == Layout::HWC ? "HWC" : "CHW"));
    view.batch_axes = axes - own;
    for (int i = 0; i < view.batch_axes; i++) {
        view.batch_shape[i] = shape[i];
        view.batch_strides[i] = strides[i];
        view.batches *= shape[i];
    }
    view.channel_axis = own == 3;
    int first = view.batch_axes + (own == 3 && layout == Layout::CHW), c = layout == Layout::CHW ? first - 1 : first + 2;
    view.info.height = shape[first];
    view.info.width = shape[first + 1];
    view.row = strides[first];
    view.pixel = strides[first + 1];
    int64_t channels = own == 3 ? shape[c] : 1;
    view.channel = own == 3 ? strides[c] : 0;
    if (channels < 1 || channels > 4 || view.info.width < 1 || view.info.height < 1 || view.batches < 1)
        raise(WEFT_ERROR_FORMAT,
              std::string(name) + " has the shape " + shaped() +
                  (channels > 4 ? ": that is " + std::to_string(channels) +
                                      " channels, and an image has 1 to 4; with layout=\"HW\" leading axes are batches"
                                : ", which holds no pixels"));
    view.info.format.channels = (int32_t)channels;
}

static void open(View &view, nb::handle array, bool writable, const char *name, std::vector<int64_t> &shape,
                 std::vector<int64_t> &strides) {
    std::string type;
    int64_t size = 0;
    view.adapter = adapter_of(array);
    if (view.adapter.is_none() || nb::cast<bool>(view.adapter.attr("buffers"))) {
        if (PyObject_GetBuffer(array.ptr(), &view.buffer, PyBUF_RECORDS_RO) != 0) {
            PyErr_Clear();
            if (nb::hasattr(array, "dtype")) /* numpy's that buffers know no word for */
                type_of_format("?", 0, array, name);
            raise(WEFT_ERROR_ARGUMENT, std::string(name) + " is a " +
                                           nb::cast<std::string>(nb::handle((PyObject *)Py_TYPE(array.ptr())).attr("__name__")) +
                                           ", whose memory is not to be had as one array with strides");
        }
        view.has_buffer = true;
        view.data = static_cast<char *>(view.buffer.buf);
        view.read_only = view.buffer.readonly;
        shape.assign(view.buffer.shape, view.buffer.shape + view.buffer.ndim);
        strides.assign(view.buffer.strides, view.buffer.strides + view.buffer.ndim);
        size = view.buffer.itemsize;
        view.info.format.type = type_of_format(view.buffer.format, size, array, name);
    } else {
        describe(view, array, name, shape, strides, type);
        size = type.size() > 2 ? strtol(type.c_str() + 2, nullptr, 10) : 0;
        view.info.format.type = type_of_format(type.c_str(), size, array, name);
    }
    if (writable && view.read_only)
        raise(WEFT_ERROR_ARGUMENT, std::string(name) + " is read-only");
}

void view_open(View &view, nb::handle array, Layout layout, bool batched, bool writable, const char *name) {
    std::vector<int64_t> shape, strides;
    open(view, array, writable, name, shape, strides);
    if (view.info.format.type == WEFT_F64)
        raise(WEFT_ERROR_FORMAT,
              std::string(name) + ": " +
                  nb::cast<std::string>(nb::module_::import_("pyweft._errors").attr("cast")(array, nb::str("d"))));
    split_axes(view, shape.data(), strides.data(), (int)shape.size(), layout, batched, name);
}

void view_result(View &view, nb::handle array, const Axes &axes, weft_type type, const char *name) {
    std::vector<int64_t> shape, strides;
    open(view, array, true, name, shape, strides);
    auto words = [](const std::vector<int64_t> &numbers, weft_type of) {
        std::string text = "(";
        for (size_t i = 0; i < numbers.size(); i++)
            text += (i ? ", " : "") + std::to_string(numbers[i]);
        return text + ") of " + numpy_name(of);
    };
    if (shape != axes.shape || view.info.format.type != type)
        raise(WEFT_ERROR_FORMAT, std::string(name) + " is " + words(shape, view.info.format.type) +
                                     ", but the result is " + words(axes.shape, type));
    view.batch_axes = axes.batch;
    for (int i = 0; i < axes.batch; i++) {
        view.batch_shape[i] = shape[i];
        view.batch_strides[i] = strides[i];
        view.batches *= shape[i];
    }
    view.info.height = shape[axes.height];
    view.info.width = shape[axes.width];
    view.info.format.channels = axes.channel < 0 ? 1 : (int32_t)shape[axes.channel];
    view.row = strides[axes.height];
    view.pixel = strides[axes.width];
    view.channel = axes.channel < 0 ? 0 : strides[axes.channel];
}
