/* SPDX-License-Identifier: MIT
 * Devices that are open. They stay so until the process ends: plans hold them, and a driver goes with its process. */
#include "core.h"
#include <map>

struct Open {
    std::mutex lock;
    std::map<std::string, DevicePointer> named;
    int next = 1;
};
static Open *devices = new Open;

static DevicePointer open(const std::string &name, int threads, uint64_t memory_limit, int number) {
    weft_device_options options{};
    options.threads = threads;
    options.memory_limit = memory_limit;
    DevicePointer device = std::make_shared<Device>();
    weft_error error{};
    weft_status status;
    {
        nb::gil_scoped_release released;
        status = weft_device_open(name.c_str(), &options, &device->handle, &error);
    }
    if (status != WEFT_OK)
        raise(error);
    weft_device_info info{};
    weft_device_describe(device->handle, &info);
    device->name = name;
    device->backend = info.backend;
    device->number = number;
    device->threads = threads;
    const char *words = strstr(info.detail, " thread");
    while (words && words > info.detail && words[-1] >= '0' && words[-1] <= '9')
        words--;
    if (words && device->threads == 0)
        device->threads = atoi(words);
    return device;
}

DevicePointer device_open(const std::string &name, int threads, uint64_t memory_limit) {
    int number;
    {
        std::lock_guard<std::mutex> locked(devices->lock);
        number = devices->next++;
    }
    return open(name, threads, memory_limit, number);
}

static DevicePointer device_kept(const std::string &key, const std::string &name, int threads) {
    {
        std::lock_guard<std::mutex> locked(devices->lock);
        auto found = devices->named.find(key);
        if (found != devices->named.end())
            return found->second;
    }
    DevicePointer device = device_open(name, threads, 0);
    std::lock_guard<std::mutex> locked(devices->lock); /* another thread may have been faster */
    return devices->named.emplace(key, device).first->second;
}

DevicePointer device_named(const std::string &name) { return device_kept(name, name, 0); }
DevicePointer device_single() { return device_kept("one thread", "cpu", 1); }

void devices_forget() { devices = new Open; }
