# SPDX-License-Identifier: MIT
"""OpenCV's CUDA modules, where the build of cv2 has them; wheels have none."""

from collections.abc import Callable

import cv2
import cupy

from cell import Cell

DIFFERENCES = {"gaussian": "radius at most 15", "median": "u8 alone"}
TYPES = {"u8": cv2.CV_8U, "u16": cv2.CV_16U, "f32": cv2.CV_32F}

if not hasattr(cv2, "cuda") or cv2.cuda.getCudaEnabledDeviceCount() == 0:
    raise ImportError("this cv2 has no CUDA")


def version() -> str:
    return f"OpenCV {cv2.__version__} CUDA"


def call(cell: Cell) -> Callable | None:
    kind, size, border = cv2.CV_MAKETYPE(TYPES[cell.type], cell.channels), (cell.size, cell.size), cv2.BORDER_REFLECT_101
    made = {"gaussian": lambda: cv2.cuda.createGaussianFilter(kind, kind, size, cell.sigma, borderMode1=border),
            "box": lambda: cv2.cuda.createBoxFilter(kind, kind, size, borderMode=border),
            "dilate": lambda: cv2.cuda.createBoxMaxFilter(kind, size, borderMode=border),
            "erode": lambda: cv2.cuda.createBoxMinFilter(kind, size, borderMode=border),
            "median": lambda: cv2.cuda.createMedianFilter(kind, cell.size)}.get(cell.filter)
    if made is None:
        return None
    filter = made()
    stream = cv2.cuda.wrapStream(cupy.cuda.get_current_stream().ptr)

    def mat(array):
        return cv2.cuda.createGpuMatFromCudaMemory(cell.height, cell.width, kind, array.data.ptr, array.strides[0])

    return lambda source, result: filter.apply(mat(source), mat(result), stream)
