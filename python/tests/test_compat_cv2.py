# SPDX-License-Identifier: MIT
"""The drop-ins for OpenCV beside OpenCV, on pictures and arguments that are drawn at random."""

import inspect

import draw as drawing
import numpy
import pytest
import pyweft as weft
from draw import ROUNDS, SEED
from pyweft.compat import cv2 as ours

cv2 = pytest.importorskip("cv2")
FILTER_BORDERS = (cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT, cv2.BORDER_REFLECT_101, cv2.BORDER_CONSTANT)
WARP_BORDERS = (*FILTER_BORDERS, cv2.BORDER_WRAP)
PLACES = 3e-5  # beside places that both have in float32, of pictures some dozen pixels wide


class Draw(drawing.Draw):
    """With what OpenCV takes."""

    def numbers(self, count, low=-1.0, high=1.0):
        return self.chance.uniform(low, high, count)

    def image(self, channels=(1, 2, 3, 4), types=("uint8", "float32"), least=3, most=60):
        shape = (self.whole(least, most), self.whole(least, most))
        count = self.one(channels)
        shape += (count,) if count > 1 or self.one((False, True, False)) else ()
        if self.one(types) == "uint8":
            return self.chance.integers(0, 256, shape, dtype="uint8")
        return self.chance.random(shape, dtype="float32")


def gaussian(d):
    size = (d.odd(1, 21), d.odd(1, 21)) if d.one((0, 1)) else (0, 0)
    low = 0 if size[0] else 0.3
    return "GaussianBlur", (d.image(), size, d.number(low, 6)), {"sigmaY": d.one((0, d.number(0.3, 5))),
                                                                "borderType": d.one(FILTER_BORDERS)}, 1


def gaussian_of_size(d):
    return "GaussianBlur", (d.image(), (d.odd(1, 15), d.odd(1, 15)), 0), {}, 1


def window(d, most):
    """Not two pixels, whose mean OpenCV 5.0.0 makes 0 where both are 255."""
    size = (d.whole(1, most), d.whole(1, most))
    return size if size[0] * size[1] != 2 else (3, 2)


def box(d):
    size = window(d, 12)
    anchor = (d.whole(-1, size[0] - 1), d.whole(-1, size[1] - 1)) if d.one((0, 1)) else (-1, -1)
    normalize, image = d.one((True, False)), d.image()
    depth = d.one((-1, cv2.CV_32F))
    gain = (1 if normalize else size[0] * size[1]) * (255 if image.dtype == numpy.uint8 and depth > 0 else 1)
    return "boxFilter", (image, depth, size), {"anchor": anchor, "normalize": normalize, "borderType": d.one(FILTER_BORDERS)}, gain


def blur(d):
    return "blur", (d.image(), window(d, 9)), {"borderType": d.one(FILTER_BORDERS)}, 1


def median(d):
    image = d.image(channels=(1, 3, 4))
    return "medianBlur", (image, d.odd(3, 17 if image.dtype == numpy.uint8 else 5)), {}, 1


def bilateral(d):
    image = d.image(channels=(1, 3))
    full = 255 if image.dtype == numpy.uint8 else 1
    color, space = d.number(0.1, 1) * full, d.number(0.5, 3)
    return "bilateralFilter", (image, d.whole(-1, 11), color * d.one((1, 1, 1, -1)), space * d.one((1, 1, 1, 0, -1))), {
        "borderType": d.one(FILTER_BORDERS)}, 1


def kernel(d):
    if d.one((0, 1)):
        return cv2.getStructuringElement(d.one((0, 1, 2)), (d.odd(1, 11), d.odd(1, 11)))
    return None


def morphology(d):
    image, border = d.image(), d.one(FILTER_BORDERS)
    more = {"borderType": border}
    if border == cv2.BORDER_CONSTANT and d.one((0, 1)):
        more["borderValue"] = (d.number(0, 1) if image.dtype != numpy.uint8 else d.whole(0, 255),) * 4
    return "morphologyEx", (image, d.whole(0, 6), kernel(d)), {"iterations": d.whole(1, 3), **more}, 1


def dilate(d):
    return d.one(("dilate", "erode")), (d.image(), kernel(d)), {"iterations": d.whole(1, 3)}, 1


def depth_of(d, image):
    return d.one((-1, cv2.CV_32F, cv2.CV_16S, cv2.CV_64F)) if image.dtype == numpy.uint8 else d.one((-1, cv2.CV_32F))


def sobel(d):
    image, size = d.image(), d.one((-1, 1, 3, 5, 7))
    dx, dy = d.one(((1, 0), (0, 1))) if size == -1 else d.one(((1, 0), (0, 1), (1, 1), (2, 0), (0, 2)))
    scale = d.one((1, 0.25))
    return "Sobel", (image, depth_of(d, image), dx, dy), {"ksize": size, "scale": scale, "delta": d.whole(-50, 50) / 64,
                                                       "borderType": d.one(FILTER_BORDERS)}, 255 * 4 ** max(size, 3) * scale


def laplacian(d):
    image, size = d.image(), d.one((1, 3, 5, 7))
    return "Laplacian", (image, depth_of(d, image)), {"ksize": size, "borderType": d.one(FILTER_BORDERS)}, 255 * 4 ** size


def filter2d(d):
    image, shape = d.image(), (d.whole(1, 8), d.whole(1, 8))
    weights = d.numbers(shape) * d.one((1, 0.2))
    anchor = (d.whole(0, shape[1] - 1), d.whole(0, shape[0] - 1)) if d.one((0, 1)) else (-1, -1)
    return "filter2D", (image, d.one((-1, cv2.CV_32F)), weights), {
        "anchor": anchor, "delta": d.number(-1, 1), "borderType": d.one(FILTER_BORDERS)}, 255 * numpy.abs(weights).sum()


def separable(d):
    image, row, column = d.image(), d.numbers(d.whole(1, 9)), d.numbers(d.whole(1, 9))
    return "sepFilter2D", (image, d.one((-1, cv2.CV_32F)), row, column), {
        "delta": d.number(-1, 1), "borderType": d.one(FILTER_BORDERS)}, 255 * numpy.abs(row).sum() * numpy.abs(column).sum()


def resize(d):
    image = d.image()
    method = d.one((cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_AREA, cv2.INTER_NEAREST_EXACT))
    most = (image.shape[1], image.shape[0]) if method == cv2.INTER_AREA else (90, 90)
    if method in (cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC) and d.one((0, 1)):
        return "resize", (image, None), {"fx": d.number(0.4, 2.5), "fy": d.number(0.4, 2.5), "interpolation": method}, PLACES / 1e-5
    return "resize", (image, (d.whole(1, most[0]), d.whole(1, most[1]))), {"interpolation": method}, PLACES / 1e-5


def borders_of(d, method):
    return d.one((cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE) if method == cv2.INTER_CUBIC else WARP_BORDERS)


def warp(d):
    image, method = d.image((1, 3, 4)), d.one((cv2.INTER_LINEAR, cv2.INTER_CUBIC))
    name = d.one(("warpAffine", "warpPerspective"))
    matrix = numpy.eye(3) + d.numbers((3, 3), -0.3, 0.3)
    matrix[:2, 2] = d.numbers(2, -10, 10)
    matrix[2] = (*d.numbers(2, -1e-3, 1e-3), 1)
    value = d.number(0, 1) if image.dtype == numpy.float32 else d.whole(0, 255)
    return name, (image, matrix[:2] if name == "warpAffine" else matrix, (d.whole(1, 70), d.whole(1, 70))), {
        "flags": method | d.one((0, cv2.WARP_INVERSE_MAP)), "borderMode": borders_of(d, method),
        "borderValue": (value,) * 4}, PLACES / 1e-5


def remap(d):
    image, shape = d.image((1, 3, 4)), (d.whole(1, 70), d.whole(1, 70))
    x, y = d.numbers(shape, -20, 80).astype("float32"), d.numbers(shape, -20, 80).astype("float32")
    method = d.one((cv2.INTER_LINEAR, cv2.INTER_CUBIC))
    maps = (numpy.stack([x, y], 2), None) if d.one((0, 1)) else (x, y)
    return "remap", (image, *maps, method), {"borderMode": borders_of(d, method)}, 1


def threshold(d):
    image = d.image()
    full = 255 if image.dtype == numpy.uint8 else 1
    image = image - 0.5 if full == 1 and d.one((0, 1)) else image  # numbers below 0, and thresholds
    return "threshold", (image, d.number(-0.6, 1.1) * full, d.number(0, 1.2) * full, d.whole(0, 4)), {}, 0


def test_thresholds_below_zero():
    image = numpy.linspace(-3, 3, 601, dtype="float32").reshape(1, -1)
    for way in range(5):
        for level in (-1.4, -0.3, -2.999, 0.25):
            assert numpy.array_equal(ours.threshold(image, level, 7, way)[1], cv2.threshold(image, level, 7, way)[1])


def otsu(d):
    return "threshold", (d.image((1,), ("uint8",)) // d.whole(1, 4) + d.whole(0, 50), 0, 255,
                         d.whole(0, 4) | cv2.THRESH_OTSU), {}, 0


def parted(image, level):
    """The variance between the levels to `level` and those above."""
    low, high = image[image <= level].astype(float), image[image > level].astype(float)
    return low.size * high.size * (low.mean() - high.mean()) ** 2


def adaptive(d):
    return "adaptiveThreshold", (d.image((1,), ("uint8",)), d.whole(0, 255), 0, d.whole(0, 1), d.odd(3, 21), d.number(-9, 9)), {}, 0


def color(d):
    code = d.one((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 36, 37))
    channels = 4 if code in (1, 3, 5, 10, 11) else 1 if code in (8, 9) else 3
    return "cvtColor", (d.image((channels,)), code), {}, 1


def add_weighted(d):
    image = d.image()
    other = numpy.ascontiguousarray(image[::-1, ::-1])
    gamma = d.number(-100, 300) / (1 if image.dtype == numpy.uint8 else 255)
    return "addWeighted", (image, d.number(-2, 2), other, d.number(-2, 2), gamma), {}, 4


def histogram(d):
    image = d.image(types=("uint8",))
    channel = d.whole(0, (image.shape[2] if image.ndim > 2 else 1) - 1)
    return "calcHist", ([image], [channel], None, [d.whole(1, 300)], d.one(([0, 256], [10, 99], [-3, 400]))), {}, 0


def equalize(d):
    return "equalizeHist", (d.image((1,), ("uint8",)),), {}, 1


def canny(d):
    return "Canny", (d.image((1,), ("uint8",)), d.number(0, 900), d.number(0, 900)), {
        "apertureSize": 3, "L2gradient": d.one((True, False))}, 0


def harris(d):
    return "cornerHarris", (d.image((1,)), d.odd(3, 9), 3, d.number(0.02, 0.2)), {"borderType": d.one(FILTER_BORDERS[:3])}, 1


CASES = [gaussian, gaussian_of_size, box, blur, median, bilateral, morphology, dilate, sobel, laplacian, filter2d, separable,
         resize,
         warp, remap, threshold, otsu, adaptive, color, add_weighted, histogram, equalize, canny, harris]


def compare(ours_made, made, gain, words):
    assert ours_made.shape == made.shape and ours_made.dtype == made.dtype, f"{words}: {ours_made.shape} {ours_made.dtype}, " \
                                                                            f"not {made.shape} {made.dtype}"
    least = (1 if gain else 0) if made.dtype.kind in "iu" else 1e-5 * gain
    apart = numpy.abs(ours_made.astype("float64") - made)
    assert apart.max(initial=0) <= least, f"{words}: {apart.max()} apart, not within {least}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_as_opencv(case):
    for number in range(ROUNDS):
        draw = Draw(SEED, CASES.index(case), number)
        name, arguments, options, gain = case(draw)
        words = f"seed {SEED}, {number}: {name}{[a.shape if hasattr(a, 'shape') else a for a in arguments[1:]]} {options} of " \
                f"{getattr(arguments[0], 'dtype', '')} {getattr(arguments[0], 'shape', '')}"
        try:
            made = getattr(cv2, name)(*arguments, **options)
        except cv2.error:
            continue
        try:
            ours_made = getattr(ours, name)(*arguments, **options)
        except weft.UnsupportedError as refused:
            assert "OpenCV's rounding" in str(refused), words
            continue
        if isinstance(made, tuple):
            if case is otsu and made[0] != ours_made[0]:  # as good within rounding
                assert parted(arguments[0], made[0]) == pytest.approx(parted(arguments[0], ours_made[0]), rel=1e-9), words
                continue
            assert ours_made[0] == pytest.approx(made[0]), words
            ours_made, made = ours_made[1], made[1]
        compare(ours_made, made, gain, words)


def test_fast_corners():
    for number in range(ROUNDS):
        draw = Draw(SEED, 99, number)
        image, steps, suppress = draw.image((1,), ("uint8",), least=8), draw.whole(0, 60), draw.one((True, False))
        mask = draw.one((None, draw.chance.integers(0, 2, image.shape[:2], dtype="uint8")))
        made = cv2.FastFeatureDetector.create(steps, suppress).detect(image, mask)
        found = ours.FastFeatureDetector.create(steps, suppress).detect(image, mask)
        assert [(p.pt, p.response, p.size, p.angle) for p in found] == [(p.pt, p.response, p.size, p.angle) for p in made]


def test_clahe():
    for number in range(ROUNDS):
        draw = Draw(SEED, 98, number)
        image, settings = draw.image((1,), ("uint8",), least=20), (draw.number(0, 8), (draw.whole(1, 8), draw.whole(1, 8)))
        compare(ours.createCLAHE(*settings).apply(image), cv2.createCLAHE(*settings).apply(image), 1, f"{image.shape} {settings}")


def test_shapes_of_opencv():
    for shape in (ours.MORPH_RECT, ours.MORPH_CROSS, ours.MORPH_ELLIPSE):
        for size in ((1, 1), (3, 1), (1, 5), (5, 5), (7, 3), (21, 15)):
            assert numpy.array_equal(ours.getStructuringElement(shape, size), cv2.getStructuringElement(shape, size))
    for size, sigma in ((5, 0), (9, 0), (7, 1.7), (11, -1)):
        assert numpy.allclose(ours.getGaussianKernel(size, sigma), cv2.getGaussianKernel(size, sigma), atol=1e-12)


def test_signatures_and_numbers_are_opencvs():
    """Names and order of arguments as OpenCV's documentation says; constants as they are there."""
    checked = 0
    for name in ours.__all__:
        mine, theirs = getattr(ours, name), getattr(cv2, name, None)
        if isinstance(mine, int):
            assert mine == theirs, name
        elif inspect.isfunction(mine) and theirs.__doc__ and f"{name}(" in theirs.__doc__:
            lines = [line.split(f"{name}(", 1)[1] for line in theirs.__doc__.splitlines() if f"{name}(" in line]
            heads = [line.split(") ->")[0].replace("[", "").replace("]", "").replace(", ,", ",").strip(" ,") for line in lines]
            listed = [[word.strip() for word in head.split(",")] for head in heads]
            assert list(inspect.signature(mine).parameters) in listed, (name, listed)
            checked += 1
    assert checked > 20


def test_dst_takes_the_result():
    image = Draw(SEED).image((3,), ("uint8",))
    into = numpy.empty_like(image)
    assert ours.blur(image, (3, 3), into) is into and numpy.array_equal(into, ours.blur(image, (3, 3)))
    assert ours.blur(into, (3, 3), into) is into


GREY, COLOR = numpy.zeros((20, 30), "uint8"), numpy.zeros((20, 30, 3), "float32")
REFUSED = [
    lambda: ours.GaussianBlur(GREY, (5, 5), 1, borderType=cv2.BORDER_WRAP),
    lambda: ours.dilate(GREY, numpy.eye(5, dtype="uint8")), lambda: ours.dilate(GREY, numpy.ones((4, 4))),
    lambda: ours.resize(GREY, (10, 10), interpolation=cv2.INTER_LANCZOS4),
    lambda: ours.resize(GREY, (100, 100), interpolation=cv2.INTER_AREA),
    lambda: ours.warpAffine(GREY, numpy.eye(2, 3), (5, 5), flags=cv2.INTER_NEAREST),
    lambda: ours.warpAffine(COLOR, numpy.eye(2, 3), (5, 5), borderValue=(1, 0, 0)),
    lambda: ours.remap(COLOR, GREY, GREY, cv2.INTER_LINEAR), lambda: ours.filter2D(GREY, -1, numpy.ones((33, 33))),
    lambda: ours.cvtColor(COLOR, cv2.COLOR_BGR2HSV), lambda: ours.calcHist([GREY], [0], GREY, [256], [0, 256]),
    lambda: ours.cornerHarris(GREY, 2, 3, 0.04), lambda: ours.Sobel(COLOR, cv2.CV_64F, 1, 0),
    lambda: ours.createCLAHE(2, (17, 8)), lambda: ours.warpAffine(GREY, numpy.zeros((2, 3)), (5, 5)),
    lambda: ours.warpPerspective(GREY, numpy.full((3, 3), numpy.nan), (5, 5)),
]


@pytest.mark.parametrize("call", REFUSED)
def test_what_would_differ_is_refused(call):
    with pytest.raises(weft.UnsupportedError):
        call()


@pytest.mark.parametrize("array",
                         [GREY.astype("float64"), GREY.astype("int16"), numpy.zeros((4, 4, 5), "uint8"), numpy.zeros(9, "uint8"),
                                   numpy.zeros((0, 4), "uint8")])
def test_what_is_no_image_is_refused(array):
    with pytest.raises(weft.FormatError):
        ours.blur(array, (3, 3))
