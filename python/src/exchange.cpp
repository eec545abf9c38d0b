/* SPDX-License-Identifier: MIT
 * DLPack, both ways: arrays of any library, and memory of weft's on a GPU for libraries that take it so. */
#include "core.h"
#include <nanobind/stl/string.h>
#include <nanobind/ndarray.h>

/* (owner, address, shape, strides in bytes, typestr, read-only, number of the GPU or -1) */
static nb::tuple from_dlpack(nb::handle array) {
    auto seen = nb::cast<nb::ndarray<nb::ro>>(array);
    nb::list shape, strides;
    const nb::dlpack::dtype type = seen.dtype();
    const int64_t size = type.bits / 8;
    for (size_t i = 0; i < seen.ndim(); i++) {
        shape.append(seen.shape(i));
        strides.append(seen.stride(i) * size);
    }
    static const char kinds[] = "iuf";
    const bool known = type.code <= 2 && type.lanes == 1 && type.bits % 8 == 0;
    const std::string typestr = known ? std::string("<") + kinds[type.code] + std::to_string(size) : "|V" + std::to_string(size);
    const int place = seen.device_type();
    if (place != nb::device::cpu::value && place != nb::device::cuda::value && place != 3 && place != 13)
        raise(WEFT_ERROR_ARGUMENT, "the array lies on a device of DLPack's kind " + std::to_string(place) +
                                       ", which is neither the CPU nor CUDA");
    const int device = place == nb::device::cuda::value || place == 13 ? seen.device_id() : -1;
    const uintptr_t address = reinterpret_cast<uintptr_t>(seen.data());
    using Seen = nb::ndarray<nb::ro>;
    nb::capsule owner(new Seen(std::move(seen)), [](void *p) noexcept { delete static_cast<Seen *>(p); });
    return nb::make_tuple(owner, address, nb::tuple(shape), nb::tuple(strides), typestr,
                          false, device);
}

struct Memory {
    DevicePointer device;
    weft_image image{};
    ~Memory() { weft_memory_destroy(device->handle, &image); }
};

static nb::dlpack::dtype dlpack_type(weft_type type) {
    const bool whole = type == WEFT_U8 || type == WEFT_U16;
    return {(uint8_t)(whole ? nb::dlpack::dtype_code::UInt : nb::dlpack::dtype_code::Float),
            (uint8_t)(8 * weft_type_size(type)), 1};
}

/* An array in a GPU's memory, which others take by DLPack. */
static nb::object cuda_array(nb::tuple shape, const std::string &dtype, int number) {
    std::unique_ptr<Memory> memory(new Memory);
    std::vector<size_t> sizes;
    weft_type type = (weft_type)0;
    for (weft_type each : {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32})
        if (dtype == numpy_name(each))
            type = each;
    weft_image_info info{};
    info.width = info.height = 1;
    info.format = {type, 1};
    for (nb::handle n : shape) {
        sizes.push_back(nb::cast<size_t>(n));
        info.width *= nb::cast<int64_t>(n);
    }
    memory->device = device_named("cuda:" + std::to_string(number));
    weft_error error{};
    if (weft_memory_create(memory->device->handle, &info, &memory->image, &error) != WEFT_OK)
        raise(error);
    void *data = memory->image.data;
    nb::capsule owner(memory.release(), [](void *p) noexcept { delete static_cast<Memory *>(p); });
    return nb::cast(nb::ndarray<nb::array_api>(data, sizes.size(), sizes.data(), owner, nullptr, dlpack_type(type),
                                                  nb::device::cuda::value, number));
}

void bind_exchange(nb::module_ &module) {
    module.def("from_dlpack", from_dlpack);
    module.def("cuda_array", cuda_array);
}
