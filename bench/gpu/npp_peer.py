# SPDX-License-Identifier: MIT
"""NPP's calls for the cells, of the CUDA toolkit where it is there or of the wheel nvidia-npp."""

import ctypes
import glob
import os
import sys
from collections.abc import Callable

import cupy

from cell import Cell

DIFFERENCES = {"gaussian": "weights of its own", "all": "the border is replicate, or what lies around"}
REPLICATE = 2
# Of NppiMaskSize, by the side of the square.
MASKS = {3: 200, 5: 201, 7: 400, 9: 500, 11: 600, 13: 700, 15: 800}
SUFFIX = {"u8x1": "8u_C1R", "u8x3": "8u_C3R", "u8x4": "8u_C4R", "u16x1": "16u_C1R", "f32x1": "32f_C1R",
          "f32x4": "32f_C4R"}


class Pair(ctypes.Structure):
    """NppiSize and NppiPoint."""
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int)]


class StreamContext(ctypes.Structure):
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("processors", ctypes.c_int),
                ("threads_per_processor", ctypes.c_int), ("threads_per_block", ctypes.c_int),
                ("shared_per_block", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("flags", ctypes.c_uint), ("workspace", ctypes.c_void_p)]


def find_libraries() -> list[str]:
    """libnppc, which the other needs, and libnppif."""
    folders = [os.environ.get("NPP_LIBRARIES", ""), *glob.glob("/usr/local/cuda*/lib64"),
               *(f"{path}/nvidia/*/lib" for path in sys.path)]
    for folder in folders:
        found = [sorted(glob.glob(f"{folder}/lib{name}.so*")) for name in ("nppc", "nppif")]
        if folder and all(found):
            return [files[0] for files in found]
    raise ImportError("no libnppif")


core, filters = (ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL) for path in find_libraries())


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_int), ("minor", ctypes.c_int), ("build", ctypes.c_int)]


def version() -> str:
    core.nppGetLibVersion.restype = ctypes.POINTER(Version)
    found = core.nppGetLibVersion().contents
    return f"NPP {found.major}.{found.minor}.{found.build}"


def context() -> StreamContext:
    device = cupy.cuda.Device()
    of = cupy.cuda.runtime.getDeviceProperties(device.id)
    return StreamContext(cupy.cuda.get_current_stream().ptr, device.id, of["multiProcessorCount"],
                         of["maxThreadsPerMultiProcessor"], of["maxThreadsPerBlock"], of["sharedMemPerBlock"],
                         of["major"], of["minor"], 0, None)


def check(status: int) -> None:
    if status < 0:
        raise RuntimeError(f"NPP's status {status}")


def call(cell: Cell) -> Callable | None:
    suffix, whole, ctx = SUFFIX.get(cell.format), Pair(cell.width, cell.height), context()
    step = cell.width * cell.channels * {"u8": 1, "u16": 2, "f32": 4}[cell.type]
    name = {"gaussian": "FilterGaussBorder", "box": "FilterBoxBorder", "dilate": "FilterMaxBorder",
            "erode": "FilterMinBorder", "median": "FilterMedianBorder"}.get(cell.filter)
    function = getattr(filters, f"nppi{name}_{suffix}_Ctx", None) if name and suffix else None
    if function is None or (cell.filter == "gaussian" and cell.size not in MASKS):
        return None
    more: list = [Pair(cell.size, cell.size), Pair(cell.radius, cell.radius)]
    if cell.filter == "gaussian":
        more = [ctypes.c_int(MASKS[cell.size])]
    elif cell.filter == "median":
        bytes_needed = ctypes.c_uint()
        check(getattr(filters, f"nppi{name}GetBufferSize_{suffix}_Ctx")(whole, more[0], ctypes.byref(bytes_needed),
                                                                        REPLICATE, ctx))
        memory = cupy.empty(max(bytes_needed.value, 1), cupy.uint8)
        more.append(ctypes.c_void_p(memory.data.ptr))

    def run(source, result, kept=more):
        check(function(ctypes.c_void_p(source.data.ptr), step, whole, Pair(0, 0), ctypes.c_void_p(result.data.ptr), step,
                       whole, *kept, REPLICATE, ctx))

    if cell.filter == "median":
        run.memory = memory  # as long as the call
    return run
