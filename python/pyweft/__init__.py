# SPDX-License-Identifier: MIT
"""weft: graphs of image filters in few walks over memory.

    import pyweft as weft
    blurred = weft.gaussian(image, sigma=4, border="mirror")
    edges = weft.graph("gaussian=4,sobel")(image)
    edges = weft.input().gaussian(4).sobel()(image)

Images are arrays of uint8, uint16, float16 or float32 with 1 to 4 channels: of numpy, torch, CuPy, JAX or Pillow, or
anything with the buffer protocol, __array_interface__, __cuda_array_interface__ or DLPack. Full scale is 255, 65535 or
1.0. The result is of the same library and lies in the same memory. Every call takes

layout: where the channels are: "HWC", "CHW" or "HW" (none). Axes in front are a batch; with an N in front, as "NCHW",
    there must be one.
alpha_form: what the last of 2 or 4 channels is: "none" (a channel like the others), "straight" or "premultiplied" alpha.
    Pillow's images and weft.read say it themselves; other arrays have none.
dtype: the component type of the result; the first image's otherwise.
out: an array that takes the result. It must not share memory with an image that is read.
device: "cpu", "cuda:0", "auto" or a weft.Device; without it a call runs where its images lie.
stream: a CUDA stream for images on a GPU; without it the one that their library works on now.
"""

import os as _os

from . import _core
from ._core import Device, clear_plans, devices, limit_plans, plans
from ._errors import (ArgumentError, CancelledError, DeviceError, Error, FileError, FormatError, GraphError, InternalError,
                      OutOfMemoryError, ParameterError, UnsupportedError)
from ._files import filter_files, formats, read, write
from ._filters import *  # noqa: F403
from ._filters import __all__ as _filter_names
from ._graph import Frames, Graph, Node, Number, Plan, Results, graph, input, plan
from ._image import Image

__version__ = _core.version()
_own = ["Device", "Frames", "Graph", "Image", "Node", "Number", "Plan", "Results", "clear_plans", "devices", "filter_files",
        "formats", "graph", "input", "limit_plans", "plan", "plans", "read", "write", "ArgumentError", "CancelledError",
        "DeviceError", "Error", "FileError", "FormatError", "GraphError", "InternalError", "OutOfMemoryError", "ParameterError",
        "UnsupportedError"]
assert not set(_own) & set(_filter_names), "a filter has the name of a function of pyweft"
__all__ = _own + _filter_names

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_core._after_fork)
