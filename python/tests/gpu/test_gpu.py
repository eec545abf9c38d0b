# SPDX-License-Identifier: MIT
"""Images in a GPU's memory: torch and CuPy, streams, DLPack both ways. Needs a GPU, its driver and NVRTC, and the wheels of
numpy, pytest, torch or cupy-cuda12x; skipped where there is none. Run by itself: pytest python/tests/gpu"""

import numpy
import pytest
import pyweft as weft

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("there is no CUDA device", allow_module_level=True)


def picture(shape, dtype="uint8"):
    draw = numpy.random.default_rng(1)
    return draw.integers(0, 256, shape, dtype="uint8") if dtype == "uint8" else draw.random(shape, dtype="float32").astype(dtype)


@pytest.mark.parametrize("dtype,step", [("uint8", 1), ("float16", 2e-3), ("float32", 3e-5)])
@pytest.mark.parametrize("text", ["gaussian=4", "median=1", "gaussian=2,sobel", "gamma=2,invert"])
def test_torch(dtype, step, text):
    levels = picture((200, 301, 3), dtype)
    tensor = torch.from_numpy(levels).cuda()
    ours = weft.graph(text)(tensor)
    assert isinstance(ours, torch.Tensor) and ours.device == tensor.device and ours.dtype == tensor.dtype
    assert numpy.abs(ours.cpu().numpy().astype(float) - weft.graph(text)(levels).astype(float)).max() <= step


def test_planes_batches_and_out():
    tensor = torch.from_numpy(picture((4, 3, 60, 70))).cuda()
    ours = weft.median(tensor, 1, layout="CHW")
    assert ours.shape == tensor.shape and torch.equal(ours.cpu(), weft.median(tensor.cpu(), 1, layout="CHW"))
    out = torch.empty_like(tensor)
    assert weft.median(tensor, 1, layout="CHW", out=out) is out and torch.equal(out, ours)
    flat = tensor[0, 0].contiguous()
    with pytest.raises(weft.ArgumentError, match="overlaps"):
        weft.median(flat, 1, out=flat)
    with pytest.raises(weft.ArgumentError, match="GPU"):
        weft.median(flat, 1, out=torch.empty(flat.shape, dtype=flat.dtype))
    with pytest.raises(weft.ArgumentError, match="lies in"):
        weft.blend_add(flat, flat.cpu())


def test_streams_keep_their_order():
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        image = torch.zeros((2000, 2000), device="cuda")
        for i in range(50):
            image = image + 1
            image = weft.median(image, 1)
        total = image.mean()
    stream.synchronize()
    assert total.item() == 50
    given = weft.invert(torch.ones((64, 64), device="cuda"), stream=torch.cuda.current_stream())
    torch.cuda.synchronize()
    assert given.abs().max().item() == 0


def test_numbers_are_waited_for():
    image = torch.rand((500, 500), device="cuda")
    assert weft.reduce(image) == pytest.approx(image.mean().item(), abs=1e-5)


def test_values_that_change_while_the_stream_runs_on():
    image = torch.full((1000, 1000), 0.25, device="cuda")
    made = [weft.brightness(image, i / 20) for i in range(10)]
    torch.cuda.synchronize()
    host = numpy.full((1000, 1000), 0.25, "float32")
    for i, ours in enumerate(made):
        assert numpy.allclose(ours.cpu().numpy(), weft.brightness(host, i / 20), atol=1e-5)


def test_cupy():
    cupy = pytest.importorskip("cupy")
    levels = picture((100, 120, 3))
    ours = weft.gaussian(cupy.asarray(levels), 3)
    assert isinstance(ours, cupy.ndarray)
    assert numpy.abs(cupy.asnumpy(ours).astype(int) - weft.gaussian(levels, 3)).max() <= 1


def test_dlpack_both_ways():
    tensor = torch.from_numpy(picture((50, 60, 3))).cuda()

    class Holder:
        def __dlpack__(self, **options):
            return tensor.__dlpack__()

        def __dlpack_device__(self):
            return tensor.__dlpack_device__()

    torch.cuda.synchronize()
    ours = torch.from_dlpack(weft.median(Holder(), 1))
    assert ours.is_cuda and torch.equal(ours, weft.median(tensor, 1))
