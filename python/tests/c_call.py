# SPDX-License-Identifier: MIT
"""The C library called without the binding, by ctypes: what a call itself takes."""

import ctypes
import glob
import os
import time

import pyweft


class Info(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int64), ("height", ctypes.c_int64), ("type", ctypes.c_int), ("channels", ctypes.c_int32),
                ("alpha", ctypes.c_int), ("space", ctypes.c_int)]


class Image(ctypes.Structure):
    _fields_ = [("info", Info), ("data", ctypes.c_void_p), ("stride", ctypes.c_ssize_t), ("memory", ctypes.c_int),
                ("offset", ctypes.c_uint64)]


class Streamed(ctypes.Structure):  # a weft_run_input or weft_run_output
    _fields_ = [("image", Image), ("call", ctypes.c_void_p), ("user", ctypes.c_void_p)]


class Run(ctypes.Structure):
    _fields_ = [("inputs", ctypes.POINTER(Streamed)), ("input_count", ctypes.c_int32),
                ("outputs", ctypes.POINTER(Streamed)), ("output_count", ctypes.c_int32), ("parameters", ctypes.c_void_p),
                ("state", ctypes.c_void_p),
                ("workspace", ctypes.c_void_p), ("workspace_size", ctypes.c_size_t), ("progress", ctypes.c_void_p),
                ("progress_user", ctypes.c_void_p), ("wait", ctypes.c_void_p), ("signal", ctypes.c_void_p),
                ("wait_count", ctypes.c_int32), ("signal_count", ctypes.c_int32)]


class Options(ctypes.Structure):
    _fields_ = [("inputs", ctypes.POINTER(Info)), ("input_count", ctypes.c_int32), ("types", ctypes.c_void_p),
                ("type_count", ctypes.c_int32), ("memory", ctypes.c_uint64)]


def library():
    """The library beside the module, or inside of it, as tests build it."""
    found = glob.glob(os.path.join(os.path.dirname(pyweft.__file__), "libweft*"))
    return ctypes.CDLL(found[0] if found else pyweft._core.__file__)


def seconds(text, image, out, count):
    """The fastest of so many runs of a graph on uint8 images by one thread, less what ctypes takes."""
    weft = library()
    device, graph, plan = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    weft.weft_plan_workspace_size.restype = ctypes.c_size_t
    one_thread = (ctypes.c_int32 * 64)(1)  # weft_device_options, which begin with the number of threads
    assert weft.weft_device_open(b"cpu", ctypes.byref(one_thread), ctypes.byref(device), None) == 0
    assert weft.weft_graph_parse(text.encode(), ctypes.c_size_t(len(text)), ctypes.byref(graph), None) == 0

    def streamed(array):
        channels = 1 if array.ndim == 2 else array.shape[2]
        info = Info(array.shape[1], array.shape[0], 1, channels, 0, 0)
        return Streamed(Image(info, array.ctypes.data, array.strides[0], 0, 0), None, None)

    options = Options(ctypes.pointer(streamed(image).image.info), 1, None, 0, 0)
    assert weft.weft_plan_create(device, graph, ctypes.byref(options), ctypes.byref(plan), None) == 0
    size = weft.weft_plan_workspace_size(plan)
    workspace = ctypes.create_string_buffer(size + 64)
    run = Run(ctypes.pointer(streamed(image)), 1, ctypes.pointer(streamed(out)), 1)
    run.workspace = (ctypes.addressof(workspace) + 63) // 64 * 64
    run.workspace_size = size
    call, pointer, error, nothing = weft.weft_plan_run, ctypes.byref(run), None, weft.weft_plan_passes
    assert call(plan, pointer, error) == 0
    best = fastest(lambda: call(plan, pointer, error), count) - fastest(lambda: nothing(plan), count)
    weft.weft_plan_destroy(ctypes.byref(plan))
    weft.weft_graph_destroy(ctypes.byref(graph))
    weft.weft_device_close(ctypes.byref(device))
    return best


def fastest(call, count):
    best = 1.0
    for _ in range(count):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best
