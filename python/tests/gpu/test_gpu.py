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


def host_traffic(run):
    """The copies between the host and the GPU, and all that ran there while `run` did, by name, as torch's profiler saw it."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        run()
        torch.cuda.synchronize()
    names = [event.name for event in seen.events()]
    return [name for name in names if "HtoD" in name or "DtoH" in name], names


def test_nothing_goes_through_the_host():
    image = torch.from_numpy(picture((1080, 1920, 3))).cuda()
    plan = weft.graph("gaussian=4,sobel")
    plan(image)  # tables of weights go to the GPU when the plan is made
    torch.cuda.synchronize()
    copies, names = host_traffic(lambda: [plan(image) for _ in range(5)])
    assert len(names) >= 5, "the profiler saw no kernel"
    assert not copies


def test_slices_and_strides():
    """What the library cannot take as it lies comes through a copy on the GPU, with the same result."""
    levels = picture((120, 200, 3))
    tensor = torch.from_numpy(levels).cuda()
    for cut in (tensor[10:90, 20:150], tensor[::2], tensor[:, ::3], tensor[..., :2], tensor[..., 1], tensor.transpose(0, 1)):
        host = numpy.ascontiguousarray(cut.cpu().numpy())
        ours = weft.median(cut, 1)
        assert ours.is_cuda and numpy.array_equal(ours.cpu().numpy(), weft.median(host, 1))
    cupy = pytest.importorskip("cupy")
    array = cupy.asarray(levels)
    for cut in (array[::-1], array[:, ::-1], array[5:, 7:]):
        host = numpy.ascontiguousarray(cupy.asnumpy(cut))
        assert numpy.array_equal(cupy.asnumpy(weft.median(cut, 1)), weft.median(host, 1))


def test_out_is_a_slice():
    levels = picture((64, 80))
    tensor = torch.from_numpy(levels).cuda()
    whole = torch.zeros((100, 200), dtype=torch.uint8, device="cuda")
    place = whole[20:84, 60:140]
    assert weft.median(tensor, 1, out=place) is place
    want = numpy.zeros((100, 200), "uint8")
    want[20:84, 60:140] = weft.median(levels, 1)
    assert numpy.array_equal(whole.cpu().numpy(), want)


def test_cupy_streams():
    cupy = pytest.importorskip("cupy")
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        image = cupy.zeros((1500, 1500), "float32")
        for i in range(40):
            image = weft.median(image + 1, 1)
        total = image.mean()
    stream.synchronize()
    assert float(total) == 40
    given = weft.invert(cupy.ones((64, 64), "float32"), stream=stream)
    stream.synchronize()
    assert float(abs(given).max()) == 0


def test_threads_with_a_stream_each():
    from concurrent.futures import ThreadPoolExecutor

    levels = [picture((300, 400, 3)) + numpy.uint8(i) for i in range(8)]
    want = [weft.gaussian(each, 2) for each in levels]

    def work(i):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            tensor = torch.from_numpy(levels[i]).cuda()
            for _ in range(20):
                ours = weft.gaussian(tensor, 2)
        stream.synchronize()
        return ours.cpu().numpy()

    with ThreadPoolExecutor(8) as pool:
        for i, ours in enumerate(pool.map(work, range(8))):
            assert numpy.abs(ours.astype(int) - want[i]).max() <= 1


def test_several_images_and_results():
    top = torch.from_numpy(picture((90, 110, 4))).cuda()
    base = torch.from_numpy(255 - picture((90, 110, 4))).cuda()
    run = weft.graph("[a][b]blend_source_over,split[c][d];[c]gaussian=2[soft];[d]reduce=max[most]", inputs=("a", "b"))
    soft, most = run(a=top, b=base, alpha_form="straight")
    host_soft, host_most = run(a=top.cpu().numpy(), b=base.cpu().numpy(), alpha_form="straight")
    assert soft.is_cuda and numpy.abs(soft.cpu().numpy().astype(int) - host_soft).max() <= 1
    assert numpy.allclose(most, host_most, atol=1 / 255)


def test_frames_keep_their_state_on_the_gpu():
    draw = numpy.random.default_rng(5)
    frames = draw.random((6, 40, 50), dtype="float32")
    stream = weft.plan("low_pass=0.3", frames[0], device="cuda").frames()
    ours = [stream(torch.from_numpy(frame).cuda()) for frame in frames]
    assert all(each.is_cuda for each in ours)
    host = weft.plan("low_pass=0.3", frames[0]).frames()
    assert numpy.allclose([each.cpu().numpy() for each in ours], [host(frame) for frame in frames], atol=1e-5)


def test_jax():
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("jax has no GPU")
    levels = picture((70, 90, 3))
    image = jax.numpy.asarray(levels)
    ours = weft.median(image, 1)
    assert isinstance(ours, jax.Array) and ours.devices() == image.devices()
    assert numpy.array_equal(numpy.asarray(ours), weft.median(levels, 1))


def test_numba():
    cuda = pytest.importorskip("numba.cuda")
    levels = picture((70, 90))
    image = cuda.to_device(levels)
    ours = torch.from_dlpack(weft.median(image, 1))
    assert ours.is_cuda and numpy.array_equal(ours.cpu().numpy(), weft.median(levels, 1))


def test_dlpack_into_every_library():
    cupy = pytest.importorskip("cupy")
    tensor = torch.from_numpy(picture((50, 60, 3))).cuda()
    array = cupy.from_dlpack(tensor)
    ours = weft.median(array, 1)
    back = torch.from_dlpack(ours)
    torch.cuda.synchronize()
    assert torch.equal(back, weft.median(tensor, 1))


def test_dask_keeps_chunks_on_the_gpu():
    cupy = pytest.importorskip("cupy")
    dask_array = pytest.importorskip("dask.array")
    import pyweft.dask

    levels = picture((300, 420))
    image = dask_array.from_array(cupy.asarray(levels), chunks=(130, 150), asarray=False)
    ours = pyweft.dask.apply("median=2", image).compute(scheduler="synchronous")
    assert isinstance(ours, cupy.ndarray)
    assert numpy.array_equal(cupy.asnumpy(ours), weft.median(levels, 2))


def test_errors_on_the_gpu():
    tensor = torch.from_numpy(picture((40, 50, 3))).cuda()
    with pytest.raises(weft.FormatError):
        weft.median(tensor.double(), 1)
    with pytest.raises(weft.ParameterError):
        weft.gaussian(tensor, -1)
    with pytest.raises(weft.ArgumentError, match="stream"):
        weft.invert(tensor, stream="fast")
    assert torch.equal(weft.invert(weft.invert(tensor)), tensor)
