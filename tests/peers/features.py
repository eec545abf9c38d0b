# SPDX-License-Identifier: MIT
"""Texture and corners: OpenCV on 8 bits and in f32, scikit-image in double precision."""

import cv2
import numpy as np
from scipy import ndimage
from skimage.feature import corner_harris, corner_shi_tomasi, local_binary_pattern, peak_local_max

import borders
from colors import luminance
from compare import Suite
from pictures import Picture

WHOLE = "both compare whole numbers"


def noise(suite: Suite, levels: int) -> Picture:
    """Few levels, so that many neighbors are equal."""
    drawn = np.random.default_rng(levels).integers(0, levels, (67, 101, 1))
    return suite.picture(f"levels{levels}", (drawn * (255 // (levels - 1))).astype(np.uint8))


def sure(plane: np.ndarray) -> np.ndarray:
    """Where the peer's bits do not hang on its rounding: of the interpolated neighbors, whose place has 5 decimals and
    which leave the center even where all are equal, none is within 1/10 of a step of it."""
    around = np.pad(plane.astype(float), 1)
    rows, columns = plane.shape

    def at(dx: int, dy: int) -> np.ndarray:
        return around[1 + dy:1 + dy + rows, 1 + dx:1 + dx + columns] - around[1:-1, 1:-1]

    f = np.sqrt(0.5)
    return np.all([np.abs(f * (1 - f) * (at(dx, 0) + at(0, dy)) + f * f * at(dx, dy)) > 0.1
                   for dx in (-1, 1) for dy in (-1, 1)], axis=0)


def patterns(suite: Suite) -> None:
    for picture in (suite.pictures["u8x1"], suite.pictures["u16x1"], noise(suite, 4)):
        full = 255 if picture.type == "u8" else 65535
        for code, method in (("right", "default"), ("smallest", "ror"), ("uniform", "uniform")):
            codes = local_binary_pattern(picture.flat, 8, 1, method)
            suite.same(f"local_binary_pattern=circle:{code}:constant", f"skimage local_binary_pattern {method}",
                       picture, codes * (full // 255), 0, WHOLE, where=sure(picture.flat)[:, :, None])
    for name in ("u8x3", "u16x3"):
        picture = suite.pictures[name]
        full = 255 if picture.type == "u8" else 65535
        planes = [picture.pixels[:, :, k] for k in range(3)]
        codes = np.stack([local_binary_pattern(plane, 8, 1) for plane in planes], axis=2)
        suite.same("color_local_binary_pattern=circle:right:constant", "skimage local_binary_pattern", picture,
                   codes * (full // 255), 0, WHOLE, where=np.stack([sure(plane) for plane in planes], axis=2))
    # The square, by hand.
    for picture in (suite.pictures["u8x1"], noise(suite, 4)):
        around = np.pad(picture.flat, 1, mode="reflect")
        rows, columns = picture.flat.shape
        code = np.zeros(picture.flat.shape)
        for bit, (dx, dy) in enumerate(((1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0))):
            code += (around[1 + dy:1 + dy + rows, 1 + dx:1 + dx + columns] >= picture.flat) * 2 ** bit
        suite.same("local_binary_pattern", "numpy", picture, code, 0, WHOLE)


def fast(suite: Suite) -> None:
    for picture in (suite.pictures["u8x1"], noise(suite, 3), noise(suite, 16)):
        for steps in (5, 20, 60):
            for suppress in (0, 1):
                detector = cv2.FastFeatureDetector.create(steps, bool(suppress))
                expected = np.zeros(picture.flat.shape)
                for point in detector.detect(picture.flat):
                    # Its score is the largest whole threshold that is still exceeded, of suppressed sets only.
                    expected[round(point.pt[1]), round(point.pt[0])] = point.response + 1 if suppress else 255
                graph = f"fast_corner={steps / 255:.7f}:suppress={suppress}:result={'value' if suppress else 'mask'}"
                suite.same(graph, "cv2 FAST 9_16", picture, expected, 0, WHOLE)


def corner_list(suite: Suite) -> None:
    """The same as lines of x, y and the score, in the order of OpenCV's: from the top down, from left to right."""
    graph, peer, picture = "fast_corner=0.08", "cv2 FAST 9_16, a list", suite.pictures["u8x1"]
    if not suite.wanted(graph, peer):
        return
    path = suite.folder / "corners.csv"
    suite.tool([str(picture.path), "--graph", graph, str(path)])
    made = np.loadtxt(path, delimiter=",", skiprows=1)
    expected = np.array([(*point.pt, (point.response + 1) / 255)
                         for point in cv2.FastFeatureDetector.create(20, True).detect(picture.flat)])
    difference = np.abs(made - expected) if made.shape == expected.shape else np.array([np.inf])
    suite.report(graph, peer, picture.format, difference.max(), difference.mean(), 1e-6, "f32", "six digits")


def maxima(suite: Suite) -> None:
    for picture in (suite.pictures["u8x1"], suite.pictures["f32x1"], noise(suite, 4)):
        for radius in (1, 2, 3):
            largest = cv2.dilate(picture.flat, np.ones((2 * radius + 1,) * 2))
            expected = np.where((picture.flat == largest) & (picture.real[:, :, 0] >= 0.4), picture.flat, 0)
            suite.same(f"nms={radius}:0.4:all", "cv2 dilate", picture, expected)
    # No two pixels of this are equal, so that ties do not matter.
    picture = suite.picture("uneven", np.random.default_rng(5).permutation(67 * 101).reshape(67, 101, 1)
                            .astype(np.float32) / np.float32(8192))
    for radius in (1, 2, 3):
        for ties in ("one", "none", "all"):
            peaks = peak_local_max(picture.flat, min_distance=radius, threshold_abs=0.25, exclude_border=False)
            mask = np.zeros(picture.flat.shape)
            mask[peaks[:, 0], peaks[:, 1]] = 1
            suite.same(f"nms={radius}:0.2501:{ties}:mask", "skimage peak_local_max", picture, mask)


def adaptive(suite: Suite) -> None:
    methods = {"box": cv2.ADAPTIVE_THRESH_MEAN_C, "gaussian": cv2.ADAPTIVE_THRESH_GAUSSIAN_C}
    for picture in (suite.pictures["u8x1"], noise(suite, 4), noise(suite, 256)):
        for mean, method in methods.items():
            for radius, steps in ((1, 0), (1, 3), (2, 5), (3, -7), (4, 12.75), (5, 2), (10, 7.5), (35, -0.5)):
                expected = cv2.adaptiveThreshold(picture.flat, 255, method, cv2.THRESH_BINARY, 2 * radius + 1, steps)
                # The peer's gaussian is in f32, and may round a mean near a half to either side.
                weights = cv2.getGaussianKernel(2 * radius + 1, 0)[:, 0]
                exact = ndimage.correlate1d(ndimage.correlate1d(picture.flat.astype(float), weights, 0, mode="nearest"),
                                            weights, 1, mode="nearest")
                clear = (np.abs(exact % 1 - 0.5) > 1e-4) | (radius <= 4) | (mean == "box")
                graph = f"adaptive_threshold={radius}:{steps / 255:.7f}:{mean}:replicate"
                suite.same(graph, f"cv2 adaptiveThreshold {mean}", picture, expected, 0, WHOLE,
                           where=clear[:, :, None])
    for name in ("f32x1", "f32x3"):
        picture = suite.pictures[name]
        plane = luminance(picture.real)
        for radius, offset in ((1, 0.01), (6, 0.05)):
            mean = ndimage.uniform_filter(plane, 2 * radius + 1, mode="mirror")
            suite.same(f"adaptive_threshold={radius}:{offset}", "scipy uniform_filter", picture,
                       plane > mean - offset, 0, WHOLE, where=(np.abs(plane - mean + offset) > 1e-6)[:, :, None])


def corners(suite: Suite) -> None:
    for name in ("u8x1", "u16x1", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        plane = luminance(picture.real).astype(np.float32)
        for radius in (1, 3):
            for border in ("mirror", "replicate"):
                size, code = 2 * radius + 1, borders.OPENCV[border]
                window = f"radius={radius}:border={border}:result=response"
                expected = cv2.cornerHarris(plane, size, 3, 0.06, borderType=code)
                suite.real(f"harris={window}:k=0.06:sensitivity=10", "cv2 cornerHarris", picture, 10 * expected, 3e-7,
                           "both compute in f32")
                expected = cv2.cornerMinEigenVal(plane, size, 3, borderType=code)
                suite.real(f"shi_tomasi={window}", "cv2 cornerMinEigenVal", picture, expected, 3e-7,
                           "both compute in f32")
                # The larger eigenvalue comes with the smaller one: their product is the determinant, their sum the trace.
                both = cv2.cornerEigenValsAndVecs(plane, size, 3, borderType=code).astype(float)
                expected = both[:, :, 0] * both[:, :, 1] / np.maximum(both[:, :, 0] + both[:, :, 1], 1e-12)
                suite.real(f"noble={window}", "cv2 cornerEigenValsAndVecs", picture, expected, 3e-7,
                           "both compute in f32")
        # scikit-image does not divide the gradients by 4, and cuts its gaussians at 4 sigma, weft at 1e-5 of their weight.
        plane = luminance(picture.real)
        inner = np.zeros(plane.shape, bool)
        inner[12:-12, 12:-12] = True  # its border is the constant 0
        for sigma in (1, 2):
            graph = f"sigma={sigma}:result=response"
            for filter, function, power, reason in ((f"harris={graph}:k=0.05", corner_harris, 4, {"k": 0.05}),
                                                    (f"shi_tomasi={graph}", corner_shi_tomasi, 2, {})):
                suite.real(filter, f"skimage {function.__name__}", picture,
                           function(plane, sigma=sigma, **reason) / 4 ** power, 2e-5, "it cuts its gaussian at 4 sigma",
                           where=inner[:, :, None])
            expected = corner_harris(plane, method="eps", eps=1e-12, sigma=sigma) / 2 / 16
            suite.real(f"noble={graph}", "skimage corner_harris eps", picture, expected, 2e-5,
                       "it cuts its gaussian at 4 sigma", where=inner[:, :, None])


def strongest(suite: Suite) -> None:
    """Corners by quality and distance: what goodFeaturesToTrack keeps before it looks at distances."""
    for picture in (suite.pictures["f32x1"], suite.pictures["u8x1"]):
        plane = picture.real[:, :, 0].astype(np.float32)
        for filter, response in (("harris", cv2.cornerHarris(plane, 3, 3, 0.04)),
                                 ("shi_tomasi", cv2.cornerMinEigenVal(plane, 3, 3))):
            for distance in (1, 3):
                for quality in (0.01, 0.2):
                    largest = cv2.dilate(response, np.ones((2 * distance + 1,) * 2))
                    most = response.max()
                    expected = (response == largest) & (response >= quality * most)
                    # Rounding decides where two neighbors are as good as equal, or one is at the threshold.
                    second = ndimage.rank_filter(response, -2, size=2 * distance + 1)
                    clear = (largest - second > 1e-6 * most) & (np.abs(response - quality * most) > 1e-6 * most)
                    suite.same(f"{filter}=radius=1:quality={quality}:distance={distance}:result=mask",
                               f"cv2 {filter}, dilate", picture, 255 * expected if picture.type == "u8" else expected,
                               0, "clear maxima only", where=clear[:, :, None])


def compare(suite: Suite) -> None:
    for part in (patterns, fast, corner_list, maxima, adaptive, corners, strongest):
        part(suite)
