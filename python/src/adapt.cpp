/* SPDX-License-Identifier: MIT
 * Arrays of other libraries, by the adapters of pyweft/_arrays.py, and new ones of numpy. */
#include "core.h"
#include <nanobind/stl/string.h>

/* Objects that live as long as the process: Python may be gone before a static destructor runs. */
static PyObject *adapters, *find_adapter, *image_type, *dtypes[WEFT_F64 + 1];

static void begin() {
    nb::module_ arrays = nb::module_::import_("pyweft._arrays");
    adapters = nb::object(arrays.attr("ADAPTERS")).release().ptr();
    find_adapter = nb::object(arrays.attr("find")).release().ptr();
    nb::module_ numpy = nb::module_::import_("numpy");
    for (int type = WEFT_U8; type <= WEFT_F64; type++)
        dtypes[type] = nb::object(numpy.attr("dtype")(numpy_name((weft_type)type))).release().ptr();
    image_type = nb::object(nb::module_::import_("pyweft._image").attr("Image")).release().ptr();
}

nb::object adapter_of(nb::handle array) {
    if (!image_type)
        begin();
    PyObject *type = reinterpret_cast<PyObject *>(Py_TYPE(array.ptr()));
    if (type == image_type)
        return nb::none();
    PyObject *known = PyDict_GetItemWithError(adapters, type);
    if (known)
        return nb::borrow(known);
    if (PyErr_Occurred())
        throw nb::python_error();
    return nb::handle(find_adapter)(array);
}

nb::object new_array(const std::vector<int64_t> &shape, weft_type type) {
    if (!image_type)
        begin();
    nb::object tuple = nb::steal(PyTuple_New((Py_ssize_t)shape.size()));
    if (!tuple.is_valid())
        throw nb::python_error();
    for (size_t i = 0; i < shape.size(); i++)
        PyTuple_SetItem(tuple.ptr(), (Py_ssize_t)i, PyLong_FromLongLong(shape[i]));
    PyObject *result = PyObject_CallFunctionObjArgs(image_type, tuple.ptr(), dtypes[type], nullptr);
    if (!result)
        throw nb::python_error();
    return nb::steal(result);
}

void describe(View &view, nb::handle array, const char *name, std::vector<int64_t> &shape,
              std::vector<int64_t> &strides, std::string &type) {
    /* (owner, address, shape, strides in bytes, typestr, read-only, number of the GPU or -1) */
    nb::tuple told = nb::cast<nb::tuple>(view.adapter.attr("describe")(array, nb::str(name)));
    view.owner = told[0];
    view.data = reinterpret_cast<char *>(nb::cast<uintptr_t>(told[1]));
    for (nb::handle n : nb::cast<nb::tuple>(told[2]))
        shape.push_back(nb::cast<int64_t>(n));
    for (nb::handle n : nb::cast<nb::tuple>(told[3]))
        strides.push_back(nb::cast<int64_t>(n));
    type = nb::cast<std::string>(told[4]);
    view.read_only = nb::cast<bool>(told[5]);
    view.device = nb::cast<int>(told[6]);
    view.memory = view.device < 0 ? WEFT_MEMORY_HOST : WEFT_MEMORY_CUDA;
}
