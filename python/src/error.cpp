/* SPDX-License-Identifier: MIT
 * From the library's errors to exceptions of pyweft/_errors.py. */
#include "core.h"

void raise(const weft_error &error, const std::string &text) {
    nb::object make = nb::module_::import_("pyweft._errors").attr("make");
    nb::object exception = make(nb::str(weft_status_name(error.status)), nb::bytes(error.message, strlen(error.message)),
                                nb::str(error.filter), nb::str(error.parameter), error.node, error.offset,
                                error.length, nb::bytes(text.data(), text.size()));
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())), exception.ptr());
    throw nb::python_error();
}

void raise(weft_status status, const std::string &message) {
    weft_error error{};
    error.status = status;
    error.node = -1;
    error.offset = -1;
    snprintf(error.message, sizeof error.message, "%s", message.c_str());
    raise(error);
}
