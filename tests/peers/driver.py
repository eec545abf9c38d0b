# SPDX-License-Identifier: MIT
"""Runs graphs in this process, by build/.../tests/peers_driver.so: thousands of small pictures a second."""

import ctypes

import numpy as np

from pictures import Picture

TYPES = {"u8": 1, "u16": 2, "f32": 4, "f64": 5}
ARRAYS = {1: np.uint8, 2: np.uint16, 4: np.float32, 5: np.float64}


class Driver:
    def __init__(self, path: str, device: str = "cpu", threads: int = 1):
        self.library = ctypes.CDLL(path)
        self.library.driver_open.restype = ctypes.c_void_p
        self.library.driver_open.argtypes = [ctypes.c_char_p, ctypes.c_int32]
        self.library.driver_free.argtypes = [ctypes.c_void_p]
        self.library.driver_run.argtypes = [
            ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_int64),
            ctypes.POINTER(ctypes.c_void_p), ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_int64),
            ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p]
        self.device = self.library.driver_open(device.encode(), threads)
        if not self.device:
            raise RuntimeError(f"there is no device '{device}'")

    def run(self, graph: str, *inputs: Picture, before: tuple[Picture, ...] = (), type: str = "") -> np.ndarray:
        """The image, or the numbers, that the graph makes, of the first input's type or of this one. `before` are earlier
        frames of the only input."""
        frames = [(picture,) for picture in before] + [inputs]
        arrays = [np.ascontiguousarray(picture.pixels) for frame in frames for picture in frame]
        shapes = (ctypes.c_int64 * (5 * len(inputs)))()
        pixels = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        for i, picture in enumerate(inputs):
            height, width, channels = picture.pixels.shape
            shapes[5 * i:5 * i + 5] = [width, height, TYPES[picture.type], channels, picture.alpha]
        shape, result, message = (ctypes.c_int64 * 4)(), ctypes.c_void_p(), ctypes.create_string_buffer(512)
        failed = self.library.driver_run(self.device, graph.encode(), len(inputs), shapes, pixels, len(frames),
                                         TYPES.get(type, 0), shape, ctypes.byref(result), message)
        try:
            if failed:
                raise RuntimeError(message.value.decode())
            width, height, kind, channels = shape
            count = width * height * channels
            made = np.frombuffer(ctypes.string_at(result, count * np.dtype(ARRAYS[kind]).itemsize), ARRAYS[kind])
            return made.reshape(height, width, channels)
        finally:
            self.library.driver_free(result)
