/* SPDX-License-Identifier: MIT
 * The module _core: the public interface of the C library, as far as pyweft needs it. */
#include "core.h"
#include <nanobind/stl/string.h>

NB_MODULE(_core, module) {
    nb::set_leak_warnings(false); /* plans and adapters stay until the process ends */
    module.def("version", weft_version);
    bind_recipes(module);
    bind_plans(module);
    bind_files(module);
    bind_exchange(module);
}
