# SPDX-License-Identifier: MIT
"""Arrays of other libraries than numpy: where their memory lies, how a result of the same kind is made, which stream
they work on. The compiled module looks at buffers itself and asks an adapter for all else."""

import ctypes
import functools

import numpy

from . import _core
from ._errors import ArgumentError, FormatError, cast
from ._image import Image

SHORT = {"u8": "uint8", "u16": "uint16", "f16": "float16", "f32": "float32"}
ADAPTERS = {numpy.ndarray: None, Image: None}  # by the type of the array


def type_name(dtype):
    """What numpy calls a component type that is given in any way."""
    name = str(dtype)
    if name.startswith("torch."):
        return name[6:]
    if name in SHORT:
        return SHORT[name]
    try:
        return numpy.dtype(dtype).name
    except TypeError:
        return name


class Adapter:
    """Memory that is a buffer, whose results are numpy's."""

    buffers = True
    queued = True  # on a GPU: runs go on the library's stream, and nobody waits for them

    def has_alpha(self, array):
        return False

    def empty(self, like, shape, dtype, stream):
        return Image(shape, dtype)

    def finish(self, result, alpha):
        return result


class BufferAdapter(Adapter):
    """memoryview and what else has no arithmetic."""

    def finish(self, result, alpha):
        return memoryview(result)


class HostAdapter(Adapter):
    """What numpy can look at without a copy, or makes an array of."""

    buffers = False

    def array(self, array, name):
        return numpy.asarray(array)

    def describe(self, array, name):
        seen = self.array(array, name)
        told = seen.__array_interface__
        return seen, told["data"][0], seen.shape, seen.strides, told["typestr"], told["data"][1], -1


class PillowAdapter(HostAdapter):
    """Pillow's images: straight alpha, and results of the modes that Pillow has."""

    MODES = {"L", "LA", "RGB", "RGBA", "I;16", "F", "RGBX", "CMYK"}

    def array(self, array, name):
        if array.mode not in self.MODES:
            raise FormatError(f"{name} is of Pillow's mode {array.mode}, which is none of L, LA, RGB, RGBA, I;16 and F: "
                              "convert it, as by .convert(\"RGB\")")
        return numpy.asarray(array)

    def has_alpha(self, array):
        return array.mode in ("LA", "RGBA")

    def finish(self, result, alpha):
        import PIL.Image

        if result.ndim == 3 and result.shape[2] == 1:
            result = result[..., 0]
        channels = 1 if result.ndim == 2 else result.shape[2] if result.ndim == 3 else 0
        holds = (result.dtype == numpy.uint8 and channels > 0) or (
            channels == 1 and result.dtype in (numpy.uint16, numpy.float32))
        return PIL.Image.fromarray(numpy.asarray(result)) if holds else result


class TorchAdapter(Adapter):
    """torch's tensors, of the CPU and of CUDA."""

    buffers = False

    def __init__(self):
        import torch

        self.torch = torch
        self.names = {torch.uint8: ("|u1", 1), torch.float16: ("<f2", 2), torch.float32: ("<f4", 4)}
        if hasattr(torch, "uint16"):
            self.names[torch.uint16] = ("<u2", 2)

    def describe(self, array, name):
        place = array.device
        if array.layout is not self.torch.strided or place.type not in ("cpu", "cuda"):
            raise ArgumentError(f"{name} is a tensor of layout {array.layout} on {place}; weft takes strided ones of the "
                                "CPU and of CUDA")
        if array.dtype not in self.names:
            raise FormatError(f"{name}: {cast(array, '')}")
        typestr, size = self.names[array.dtype]
        return (array, array.data_ptr(), tuple(array.shape), tuple(step * size for step in array.stride()), typestr, False,
                -1 if place.type == "cpu" else place.index)

    def empty(self, like, shape, dtype, stream):
        torch = self.torch
        if like.device.type == "cpu":
            return torch.empty(shape, dtype=getattr(torch, dtype))
        with torch.cuda.stream(torch.cuda.ExternalStream(stream, like.device) if stream else None):
            return torch.empty(shape, dtype=getattr(torch, dtype), device=like.device)

    def stream(self, array, given):
        return stream_number(given) if given is not None else self.torch.cuda.current_stream(array.device).cuda_stream

    def synchronize(self, stream, device):
        cuda = self.torch.cuda
        (cuda.ExternalStream(stream, device) if stream else cuda.default_stream(device)).synchronize()

    def packed(self, array, planes):
        return (array.movedim(-3, -1) if planes else array).contiguous()

    def planes(self, result, out):
        result = result.movedim(-1, -3)
        return result if out is None else out.copy_(result)


class CupyAdapter(Adapter):
    """CuPy's arrays."""

    buffers = False

    def __init__(self):
        import cupy

        self.cupy = cupy

    def describe(self, array, name):
        return (array, array.data.ptr, array.shape, array.strides, array.dtype.str, False, array.device.id)

    def external(self, stream, device):
        """CuPy's stream of a CUstream's number; what CuPy 14 has for it needs an object with a protocol."""
        made = getattr(self.cupy.cuda.Stream, "from_external", None)
        return made(StreamNumber(stream)) if made else self.cupy.cuda.ExternalStream(stream, device)

    def empty(self, like, shape, dtype, stream):
        cupy = self.cupy
        with like.device:
            if not stream:
                return cupy.empty(shape, dtype)
            with self.external(stream, like.device.id):
                return cupy.empty(shape, dtype)

    def stream(self, array, given):
        return stream_number(given) if given is not None else self.cupy.cuda.get_current_stream(array.device.id).ptr

    def synchronize(self, stream, device):
        with self.cupy.cuda.Device(device):
            (self.external(stream, device) if stream else self.cupy.cuda.Stream.null).synchronize()

    def packed(self, array, planes):
        return self.cupy.ascontiguousarray(self.cupy.moveaxis(array, -3, -1) if planes else array)

    def planes(self, result, out):
        result = self.cupy.moveaxis(result, -1, -3)
        if out is None:
            return result
        out[...] = result
        return out


class ExchangeAdapter(Adapter):
    """Any array with DLPack. Of a GPU's nobody knows the stream: they must be ready, and a call waits for its result."""

    buffers = False
    queued = False

    def describe(self, array, name):
        try:
            return _core.from_dlpack(array)
        except (TypeError, RuntimeError, BufferError) as error:
            raise ArgumentError(f"{name} is a {type(array).__name__} whose memory DLPack does not give: {error}") from error

    def empty(self, like, shape, dtype, stream):
        device = self.describe(like, "image")[6]
        return Image(shape, dtype) if device < 0 else _core.cuda_array(shape, dtype, device)

    def wait(self, array):
        """Until what made the array is done."""

    def stream(self, array, given):
        if given is not None:
            return stream_number(given)
        self.wait(array)
        return 0

    def synchronize(self, stream, device):
        raise ArgumentError("numbers of such an array cannot be had on a stream: leave stream out")

    def packed(self, array, planes):
        raise ArgumentError("the image's channels and pixels do not lie side by side; make it contiguous, channels last")

    planes = packed

    def finish(self, result, alpha):
        return result


@functools.cache
def cuda_driver():
    """CUDA's driver, None where there is none."""
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None


def gpu_of(address, name):
    """The number of the GPU whose memory lies at an address, which only the driver knows."""
    driver, number, device_ordinal = cuda_driver(), ctypes.c_int(-1), 9
    if driver is None:
        raise ArgumentError(f"{name} has __cuda_array_interface__, but there is no CUDA driver: bring it to host memory")
    failed = driver.cuPointerGetAttribute(ctypes.byref(number), ctypes.c_int(device_ordinal), ctypes.c_uint64(address))
    if failed or number.value < 0:
        raise ArgumentError(f"{name} has __cuda_array_interface__, but CUDA's driver knows no GPU whose memory lies at its address "
                            f"{address:#x}: it must be memory of CUDA that is still there")
    return number.value


class InterfaceAdapter(ExchangeAdapter):
    """Arrays with __cuda_array_interface__ and no DLPack, as numba's."""

    def describe(self, array, name):
        told = array.__cuda_array_interface__
        shape, size = tuple(told["shape"]), numpy.dtype(told["typestr"]).itemsize
        strides = told.get("strides")
        if strides is None:
            strides = tuple(size * int(numpy.prod(shape[i + 1:])) for i in range(len(shape)))
        address, read_only = told["data"]
        return array, address, shape, tuple(strides), told["typestr"], read_only, gpu_of(address, name)


class JaxAdapter(ExchangeAdapter):
    """JAX's arrays, which nobody may write to: results are handed over by DLPack."""

    def describe(self, array, name):
        if list(array.devices())[0].platform != "cpu":
            return super().describe(array, name)
        seen = numpy.asarray(array)
        told = seen.__array_interface__
        return seen, told["data"][0], seen.shape, seen.strides, told["typestr"], True, -1

    def wait(self, array):
        array.block_until_ready()

    def packed(self, array, planes):
        import jax.numpy

        return jax.numpy.moveaxis(array, -3, -1) if planes else jax.numpy.asarray(array)

    def planes(self, result, out):
        import jax.numpy

        return jax.numpy.moveaxis(self.finish(result, False), -1, -3)

    def finish(self, result, alpha):
        import jax.dlpack
        import jax.numpy

        if isinstance(result, numpy.ndarray):
            return jax.numpy.asarray(result.view(numpy.ndarray))
        return jax.dlpack.from_dlpack(result)


class StreamNumber:
    """A stream by its number, for libraries that take any object with __cuda_stream__."""

    def __init__(self, number):
        self.number = number

    def __cuda_stream__(self):
        return 0, self.number


def stream_number(stream):
    """The CUstream of a number, or of a stream of torch's, CuPy's or any library with __cuda_stream__."""
    if isinstance(stream, int):
        return stream
    for name in ("cuda_stream", "ptr", "handle"):
        number = getattr(stream, name, None)
        if isinstance(number, int):
            return number
    if hasattr(stream, "__cuda_stream__"):
        return stream.__cuda_stream__()[1]
    raise ArgumentError(f"stream is a {type(stream).__name__}, but must be the number of a CUDA stream, or a stream of "
                        "torch's or CuPy's")


def choose(kind, array):
    library = kind.__module__.partition(".")[0]
    if isinstance(array, numpy.ma.MaskedArray):
        raise ArgumentError("image is a masked array, whose mask weft does not know: fill it, as by .filled(0)")
    if isinstance(array, numpy.ndarray):
        return None
    if library == "torch":
        return TorchAdapter()
    if library == "cupy":
        return CupyAdapter()
    if library in ("jax", "jaxlib"):
        return JaxAdapter()
    if library == "PIL":
        return PillowAdapter()
    if kind in (memoryview, bytes, bytearray) or library in ("array", "mmap"):
        return BufferAdapter()
    if hasattr(array, "__dlpack__"):
        return ExchangeAdapter()
    if hasattr(array, "__cuda_array_interface__"):
        return InterfaceAdapter()
    if hasattr(array, "__array_interface__"):
        return HostAdapter()
    try:
        memoryview(array)
    except TypeError:
        raise ArgumentError(f"image is a {kind.__name__}, but must be an array: of numpy, torch, CuPy, JAX or Pillow, or "
                            "with the buffer protocol, __array_interface__, __cuda_array_interface__ or DLPack") from None
    return BufferAdapter()


def find(array):
    """The adapter for an array of a type that was not seen before; None for numpy's own."""
    kind = type(array)
    adapter = choose(kind, array)
    ADAPTERS[kind] = adapter
    return adapter
