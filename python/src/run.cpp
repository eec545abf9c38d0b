/* SPDX-License-Identifier: MIT
 * One call: arrays in, a plan that is kept or made, arrays out. */
#include "call.h"
#include <nanobind/stl/string.h>
#include <cstring>

weft_type type_of(nb::handle dtype) {
    if (dtype.is_none())
        return (weft_type)0;
    std::string name = nb::cast<std::string>(nb::module_::import_("pyweft._arrays").attr("type_name")(dtype));
    for (weft_type type : {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32})
        if (name == numpy_name(type) || name == weft_type_name(type))
            return type;
    raise(WEFT_ERROR_FORMAT, "dtype is " + name + ", but must be uint8, uint16, float16 or float32");
}

weft_alpha alpha_of(nb::handle alpha_form, nb::handle image, int32_t channels) {
    const bool may_be = channels == 2 || channels == 4;
    if (!may_be && alpha_form.is_none())
        return WEFT_ALPHA_NONE;
    nb::object form = nb::borrow(alpha_form);
    if (form.is_none()) /* pictures of weft's and Pillow's say so themselves */
        form = nb::getattr(image, "alpha_form", nb::none());
    if (form.is_none() && adapter_alpha(image))
        return WEFT_ALPHA_STRAIGHT;
    if (form.is_none())
        return WEFT_ALPHA_NONE;
    std::string word = nb::isinstance<nb::str>(form) ? nb::cast<std::string>(form) : "";
    if (word == "none")
        return WEFT_ALPHA_NONE;
    if (word == "straight")
        return may_be ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    if (word == "premultiplied")
        return may_be ? WEFT_ALPHA_PREMULTIPLIED : WEFT_ALPHA_NONE;
    raise(WEFT_ERROR_ARGUMENT, "alpha_form is " + std::string(nb::repr(form).c_str()) +
                                   ", but must be \"none\", \"straight\" or \"premultiplied\"");
}

/* One word for all images, or a tuple of one for each. */
static nb::object form_of(nb::handle alpha_form, int32_t i, int32_t count) {
    if (!PyTuple_Check(alpha_form.ptr()))
        return nb::borrow(alpha_form);
    if (PyTuple_Size(alpha_form.ptr()) != count)
        raise(WEFT_ERROR_ARGUMENT, "alpha_form is a tuple of " + std::to_string(PyTuple_Size(alpha_form.ptr())) +
                                       ", but there are " + std::to_string(count) + " images");
    return nb::borrow(PyTuple_GetItem(alpha_form.ptr(), i));
}

DevicePointer device_of(nb::handle device, const View *first) {
    DevicePointer opened;
    if (nb::isinstance<PyDevice>(device))
        opened = nb::cast<PyDevice &>(device).device;
    else if (nb::isinstance<nb::str>(device))
        opened = device_named(nb::cast<std::string>(device));
    else if (!device.is_none())
        raise(WEFT_ERROR_ARGUMENT, "device must be a name, as \"cpu\" or \"cuda:0\", or a weft.Device");
    else if (first && first->memory == WEFT_MEMORY_CUDA)
        opened = device_named("cuda:" + std::to_string(first->device));
    else
        opened = device_named("cpu");
    return opened;
}

static std::string name_of(int32_t i, int32_t count, const char *what) {
    return count == 1 ? what : std::string(what) + " " + std::to_string(i);
}

/* Where the axes of a result are: those of the first image, or of a picture of its own. */
static Axes axes_of(const weft_image_info &info, const View *like, const View *batch, Layout layout) {
    Axes axes{};
    if (batch)
        axes.shape.assign(batch->batch_shape, batch->batch_shape + batch->batch_axes);
    axes.batch = (int)axes.shape.size();
    axes.channel = -1;
    bool channels = (like && like->channel_axis) || info.format.channels > 1;
    auto add = [&](int &where, int64_t size) {
        where = (int)axes.shape.size();
        axes.shape.push_back(size);
    };
    if (channels && layout == Layout::CHW)
        add(axes.channel, info.format.channels);
    add(axes.height, info.height);
    add(axes.width, info.width);
    if (channels && layout != Layout::CHW)
        add(axes.channel, info.format.channels);
    return axes;
}

/* Numbers: axes of one number are left out, and one number by itself is a float. */
static nb::object numbers_of(const weft_image_info &info, const View *batch, const std::vector<double> &numbers) {
    std::vector<int64_t> shape;
    if (batch)
        shape.assign(batch->batch_shape, batch->batch_shape + batch->batch_axes);
    for (int64_t size : {info.height, info.width, (int64_t)info.format.channels})
        if (size > 1)
            shape.push_back(size);
    if (shape.empty())
        return nb::float_(numbers[0]);
    nb::object array = new_numbers(shape);
    View view;
    std::vector<int64_t> none;
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE) != 0)
        throw nb::python_error();
    memcpy(buffer.buf, numbers.data(), std::min((size_t)buffer.len, numbers.size() * sizeof(double)));
    PyBuffer_Release(&buffer);
    return array;
}

static void check_places(const View *views, int32_t count) {
    for (int32_t i = 1; i < count; i++)
        if (views[i].memory != views[0].memory || (views[i].memory != WEFT_MEMORY_HOST && views[i].device != views[0].device)) {
            auto place = [](const View &v) {
                return v.memory == WEFT_MEMORY_HOST ? std::string("host memory") : "cuda:" + std::to_string(v.device);
            };
            raise(WEFT_ERROR_ARGUMENT, "image " + std::to_string(i) + " lies in " + place(views[i]) +
                                           ", but image 0 in " + place(views[0]) + ": bring them to one place");
        }
}

/* A plan that the caller holds is for images of its formats only; it knows what alpha is. */
static void check_plan(const Planned &planned, View *views, int32_t count, nb::handle alpha_form) {
    const int32_t wanted = (int32_t)planned.inputs.size();
    if (count != wanted)
        raise(WEFT_ERROR_ARGUMENT, "the plan takes " + std::to_string(wanted) + (wanted == 1 ? " image" : " images") +
                                       ", but there are " + std::to_string(count));
    for (int32_t i = 0; i < count; i++) {
        const weft_image_info &want = planned.inputs[(size_t)i];
        auto words = [](const weft_image_info &info) {
            return std::to_string(info.width) + " x " + std::to_string(info.height) + " pixels of " +
                   std::to_string(info.format.channels) + " " + numpy_name(info.format.type);
        };
        weft_image_info &have = views[i].info;
        if (alpha_form.is_none())
            have.alpha = want.alpha;
        if (have.width != want.width || have.height != want.height || have.format.type != want.format.type ||
            have.format.channels != want.format.channels || have.alpha != want.alpha)
            raise(WEFT_ERROR_FORMAT, name_of(i, count, "image") + " is " + words(have) + ", but the plan is for " +
                                         words(want) + (have.alpha != want.alpha ? " with another form of alpha" : ""));
    }
}

/* The image that has a batch, whose axes all others must have, or none. */
static const View *batch_of(const View *views, int32_t count) {
    const View *batch = nullptr;
    for (int32_t i = 0; i < count; i++) {
        if (views[i].batch_axes == 0)
            continue;
        if (!batch)
            batch = &views[i];
        else if (batch->batch_axes != views[i].batch_axes ||
                 !std::equal(batch->batch_shape, batch->batch_shape + batch->batch_axes, views[i].batch_shape))
            raise(WEFT_ERROR_FORMAT, "the images have leading axes of different sizes: a batch must be the same for all");
    }
    return batch;
}

nb::object call(Recipe &recipe, nb::handle images, const Options &options, const PlannedPointer *held) {
    Call call;
    call.input_count = (int32_t)PyTuple_Size(images.ptr());
    call.inputs.reset(new View[(size_t)call.input_count + 1]);
    View *views = call.inputs.get();
    Layout layout = options.layout;
    weft_image_info infos[MOST_IMAGES];
    if (call.input_count > MOST_IMAGES)
        raise(WEFT_ERROR_ARGUMENT, "a call takes at most " + std::to_string(MOST_IMAGES) + " images");
    bool planes = false; /* of a GPU, whose library brings the axes into order */
    for (int32_t i = 0; i < call.input_count; i++) {
        nb::object image = nb::borrow(PyTuple_GetItem(images.ptr(), i));
        std::string name = name_of(i, call.input_count, "image");
        open_input(views[i], image, layout, options.batched, name.c_str(), &planes);
        views[i].info.alpha = alpha_of(form_of(options.alpha_form, i, call.input_count), image, views[i].info.format.channels);
        infos[i] = views[i].info;
    }
    check_places(views, call.input_count);
    if (held && *held)
        check_plan(**held, views, call.input_count, options.alpha_form);
    const View *first = call.input_count > 0 ? views : nullptr;
    call.batch = batch_of(views, call.input_count);
    call.batches = call.batch ? call.batch->batches : 1;
    call.state = options.state;
    call.on_gpu = first && first->memory == WEFT_MEMORY_CUDA;
    DevicePointer device = held && *held ? (*held)->device : device_of(options.device, first);
    call.queued = call.on_gpu && (!options.stream.is_none() || nb::cast<bool>(first->adapter.attr("queued")));
    if (call.on_gpu)
        call.stream = stream_of(options.stream, first->adapter, PyTuple_GetItem(images.ptr(), 0));
    else if (!options.stream.is_none())
        raise(WEFT_ERROR_ARGUMENT, "stream is for images on a GPU; these lie in host memory");
    /* A batch in host memory is done by a thread an image, where that keeps all of them busy. */
    if (call.batches >= device->threads && device->threads > 1 && device->backend == "cpu" && !(held && *held)) {
        call.workers = device->threads;
        device = device_single();
    }
    call.planned = held && *held ? *held
                                 : plan_for(recipe, device, infos, call.input_count, type_of(options.dtype), call.stream);
    Planned &planned = *call.planned;
    call.output_count = (int32_t)planned.outputs.size();
    call.outputs.reset(new View[(size_t)call.output_count]);
    call.numbers.resize((size_t)call.output_count);
    nb::object adapter = first ? first->adapter : nb::none();
    std::vector<nb::object> results((size_t)call.output_count);
    Layout made = planes ? Layout::HWC : layout;
    for (int32_t i = 0; i < call.output_count; i++) {
        const weft_image_info &info = planned.outputs[(size_t)i];
        nb::object out = out_of(options.out, i, call.output_count);
        std::string name = name_of(i, call.output_count, "out");
        View &view = call.outputs[(size_t)i];
        if (planned.values[(size_t)i]) {
            if (!out.is_none())
                raise(WEFT_ERROR_ARGUMENT, name + " is given, but the result is numbers, which are returned");
            call.numbers[(size_t)i].resize((size_t)(info.width * info.height * info.format.channels * call.batches));
            call.has_numbers = true;
            continue;
        }
        Axes axes = axes_of(info, first, call.batch, made);
        bool given = !out.is_none() && !planes;
        nb::object array =
            given ? out : empty(adapter, first ? PyTuple_GetItem(images.ptr(), 0) : nullptr, axes, info.format.type, call.stream);
        view_result(view, array, axes, info.format.type, name.c_str());
        view.info = info;
        check_out(call, i, given, name);
        results[(size_t)i] = array;
    }
    run(call, recipe, options.progress);
    nb::object tuple = nb::steal(PyTuple_New(call.output_count));
    for (int32_t i = 0; i < call.output_count; i++) {
        nb::object result = planned.values[(size_t)i] ? numbers_of(planned.outputs[(size_t)i], call.batch, call.numbers[(size_t)i])
                                                      : results[(size_t)i];
        if (!planned.values[(size_t)i])
            result = finish(result, adapter, out_of(options.out, i, call.output_count), planned.outputs[(size_t)i], planes);
        PyTuple_SetItem(tuple.ptr(), i, result.release().ptr());
    }
    return call.output_count == 1 ? nb::borrow(PyTuple_GetItem(tuple.ptr(), 0)) : tuple;
}
