/* SPDX-License-Identifier: MIT
 * Files: pictures with their metadata, and whole graphs from file to file. */
#include "call.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <cstring>

static nb::object bytes_of(const void *data, size_t size) {
    return data ? nb::object(nb::bytes(data, size)) : nb::object(nb::none());
}

static nb::dict dict_of(const weft_metadata &metadata) {
    nb::dict dict;
    dict["profile"] = bytes_of(metadata.profile, metadata.profile_size);
    dict["exif"] = bytes_of(metadata.exif, metadata.exif_size);
    dict["xmp"] = bytes_of(metadata.xmp, metadata.xmp_size);
    dict["iptc"] = bytes_of(metadata.iptc, metadata.iptc_size);
    dict["resolution"] = nb::make_tuple(metadata.x_resolution, metadata.y_resolution);
    const weft_frame &f = metadata.frame;
    if (f.width > 0)
        dict["frame"] = nb::make_tuple(f.x, f.y, f.left, f.top, f.width, f.height, f.picture_width, f.picture_height);
    return dict;
}

static weft_metadata metadata_of(nb::handle object) {
    weft_metadata metadata{};
    if (object.is_none())
        return metadata;
    nb::dict dict = nb::cast<nb::dict>(object);
    auto take = [&](const char *name, const void **data, size_t *size) {
        if (!dict.contains(name) || dict[name].is_none())
            return;
        nb::bytes bytes = nb::cast<nb::bytes>(dict[name]); /* the dict holds it */
        *data = bytes.data();
        *size = bytes.size();
    };
    take("profile", &metadata.profile, &metadata.profile_size);
    take("exif", &metadata.exif, &metadata.exif_size);
    take("xmp", &metadata.xmp, &metadata.xmp_size);
    take("iptc", &metadata.iptc, &metadata.iptc_size);
    if (dict.contains("resolution")) {
        nb::tuple pair = nb::cast<nb::tuple>(dict["resolution"]);
        metadata.x_resolution = nb::cast<double>(pair[0]);
        metadata.y_resolution = nb::cast<double>(pair[1]);
    }
    if (dict.contains("frame")) {
        nb::tuple n = nb::cast<nb::tuple>(dict["frame"]);
        int64_t *into[] = {&metadata.frame.x, &metadata.frame.y, &metadata.frame.left, &metadata.frame.top,
                           &metadata.frame.width, &metadata.frame.height, &metadata.frame.picture_width,
                           &metadata.frame.picture_height};
        for (size_t i = 0; i < 8; i++)
            *into[i] = nb::cast<int64_t>(n[i]);
    }
    return metadata;
}

static nb::object read_picture(const nb::bytes &path, const std::string &settings, int64_t pixel_limit, int64_t memory_limit) {
    weft_reader_options options{};
    options.settings = settings.empty() ? nullptr : settings.c_str();
    options.pixel_limit = pixel_limit;
    options.memory_limit = memory_limit;
    const char *place = path.c_str();
    weft_error error{};
    weft_reader *reader = nullptr;
    weft_status status;
    {
        nb::gil_scoped_release released;
        status = weft_reader_open(place, &options, &reader, &error);
    }
    if (status != WEFT_OK)
        raise(error);
    struct Close {
        weft_reader *&reader;
        ~Close() { weft_reader_close(&reader); }
    } close{reader};
    const weft_image_info info = *weft_reader_info(reader);
    Axes axes{{info.height, info.width}, 0, 0, 1, -1};
    if (info.format.channels > 1) {
        axes.channel = 2;
        axes.shape.push_back(info.format.channels);
    }
    nb::object picture = new_array(axes.shape, info.format.type);
    View view;
    view_result(view, picture, axes, info.format.type, "the picture");
    {
        nb::gil_scoped_release released;
        status = weft_reader_read(reader, info.height, view.data, view.row, &error);
        if (status == WEFT_OK)
            status = weft_reader_finish(reader, &error);
    }
    if (status != WEFT_OK)
        raise(error);
    if (info.alpha != WEFT_ALPHA_NONE)
        nb::setattr(picture, "alpha_form", nb::str(alpha_name(info.alpha)));
    nb::setattr(picture, "metadata", dict_of(*weft_reader_metadata(reader)));
    return picture;
}

static void open_host(View &view, nb::handle image) {
    view_open(view, image, Layout::HWC, false, false, "the image");
    if (view.memory != WEFT_MEMORY_HOST)
        raise(WEFT_ERROR_ARGUMENT, "the image lies on a GPU, and files are written from host memory: bring it there");
}

/* Writes an array whose format the file holds as it is: pyweft/_files.py has converted it. */
static void write_picture(const nb::bytes &path, nb::handle image, nb::handle alpha_form, const std::string &format,
                  const std::string &settings, nb::handle metadata, bool strip) {
    View view;
    open_host(view, image);
    if (view.batch_axes > 0)
        raise(WEFT_ERROR_FORMAT, "a file holds one image, not a batch");
    view.info.alpha = alpha_of(alpha_form, image, view.info.format.channels);
    weft_metadata held = metadata_of(metadata);
    weft_writer_options options{};
    options.format = format.empty() ? nullptr : format.c_str();
    options.settings = settings.empty() ? nullptr : settings.c_str();
    options.metadata = &held;
    options.strip = strip;
    const char *place = path.c_str();
    weft_error error{};
    weft_writer *writer = nullptr;
    weft_status status;
    {
        nb::gil_scoped_release released;
        status = weft_writer_open(place, &options, &view.info, &writer, &error);
        if (status == WEFT_OK)
            status = weft_writer_write(writer, view.info.height, view.data, view.row, &error);
        if (status == WEFT_OK)
            status = weft_writer_finish(&writer, &error);
        else
            weft_writer_abandon(&writer);
    }
    if (status != WEFT_OK)
        raise(error);
}

static nb::tuple accepts(const nb::bytes &path, const std::string &format, const std::string &settings, nb::handle image,
                         nb::handle alpha_form) {
    View view;
    open_host(view, image);
    view.info.alpha = alpha_of(alpha_form, image, view.info.format.channels);
    weft_writer_options options{};
    options.format = format.empty() ? nullptr : format.c_str();
    options.settings = settings.empty() ? nullptr : settings.c_str();
    weft_image_info nearest{};
    weft_error error{};
    if (weft_writer_accepts(path.c_str(), &options, &view.info, &nearest, &error) != WEFT_OK)
        raise(error);
    return nb::make_tuple(numpy_name(nearest.format.type), nearest.format.channels, alpha_name(nearest.alpha),
                          alpha_name(view.info.alpha), view.direct());
}

struct Filtering {
    PyThreadState *state;
    nb::list numbers;
    bool failed;
    int count;
};

static bool files_progress(void *user, weft_files_step, double) {
    Filtering *filtering = static_cast<Filtering *>(user);
    PyEval_RestoreThread(filtering->state);
    filtering->failed = PyErr_CheckSignals() != 0;
    filtering->state = PyEval_SaveThread();
    return !filtering->failed;
}

static weft_status files_numbers(void *user, int32_t, const char *, const weft_image_info *info, const double *numbers,
                                 weft_error *) {
    Filtering *filtering = static_cast<Filtering *>(user);
    PyEval_RestoreThread(filtering->state);
    nb::list list;
    for (int64_t i = 0; i < info->width * info->height * info->format.channels; i++)
        list.append(numbers[i]);
    filtering->numbers.append(nb::make_tuple(info->height, info->width, info->format.channels, list));
    filtering->state = PyEval_SaveThread();
    return WEFT_OK;
}

/* Inputs and outputs are (path, settings); an output has a component type, too. */
static nb::list filter_files(nb::list inputs, const std::string &graph, nb::list outputs, nb::handle device,
                             uint64_t memory, bool strip) {
    std::vector<std::string> texts;
    texts.reserve(2 * (inputs.size() + outputs.size()));
    auto keep = [&](nb::handle text) -> const char * {
        if (nb::isinstance<nb::bytes>(text)) /* a path, which need not be Unicode */
            texts.emplace_back(nb::cast<nb::bytes>(text).c_str(), nb::cast<nb::bytes>(text).size());
        else
            texts.push_back(nb::cast<std::string>(text));
        return texts.back().c_str();
    };
    std::vector<weft_files_input> in(inputs.size());
    std::vector<weft_files_output> out(outputs.size());
    for (size_t i = 0; i < in.size(); i++) {
        nb::tuple item = nb::cast<nb::tuple>(inputs[i]);
        in[i].path = keep(item[0]);
        in[i].reading.settings = item[1].is_none() ? nullptr : keep(item[1]);
    }
    for (size_t i = 0; i < out.size(); i++) {
        nb::tuple item = nb::cast<nb::tuple>(outputs[i]);
        out[i].path = keep(item[0]);
        out[i].writing.settings = item[1].is_none() ? nullptr : keep(item[1]);
        out[i].writing.strip = strip;
        out[i].type = type_of(item[2]);
    }
    DevicePointer opened = device.is_none() ? nullptr : device_of(device, nullptr);
    Filtering filtering{nullptr, nb::list(), false, 0};
    weft_files files{};
    files.inputs = in.data();
    files.input_count = (int32_t)in.size();
    files.outputs = out.data();
    files.output_count = (int32_t)out.size();
    files.text = graph.c_str();
    files.device = opened ? opened->handle : nullptr;
    files.memory = memory;
    files.progress = files_progress;
    files.numbers = files_numbers;
    files.user = &filtering;
    weft_error error{};
    filtering.state = PyEval_SaveThread();
    weft_status status = weft_filter_files(&files, &error);
    PyEval_RestoreThread(filtering.state);
    if (filtering.failed)
        throw nb::python_error();
    if (status != WEFT_OK)
        raise(error, graph);
    return filtering.numbers;
}

static nb::list formats() {
    nb::list list;
    const weft_file_format *format;
    for (int32_t i = 0; (format = weft_file_format_at(i)) != nullptr; i++)
        list.append(nb::make_tuple(format->name, format->extensions, format->reads, format->writes));
    return list;
}

void bind_files(nb::module_ &module) {
    module.def("read", read_picture);
    module.def("write", write_picture, nb::arg(), nb::arg(), ANY, nb::arg(), nb::arg(), ANY, nb::arg());
    module.def("accepts", accepts, nb::arg(), nb::arg(), nb::arg(), nb::arg(), ANY);
    module.def("filter_files", filter_files, nb::arg(), nb::arg(), nb::arg(), ANY, nb::arg(), nb::arg());
    module.def("formats", formats);
}
