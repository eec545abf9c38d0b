# SPDX-License-Identifier: MIT
"""OpenCV's calls for the cells: the newest wheel and the one that Debian ships both run them."""

from collections.abc import Callable

import cv2
import numpy as np

from cell import Cell
from cells import ANGLE, CANNY, CLIP_LIMIT, ELLIPSE, EPS, PATCHES, SEPIA, SHARPEN, SIGMA_COLOR, SQUARE, TILES, TILTED, WINDOW

DIFFERENCES = {
    "gaussian": "cut at 3 sigma at every radius",
    "bilateral": "u16 goes through f32",
    "resize x2 lanczos3": "8 taps, not 6",
    "guided_filter": "by box means of f32, as OpenCV has none",
    "connected_components": "boxes and centroids besides, and labels",
    "distance_transform": "distances of f32, by its exact form",
    "kuwahara": "by box means of f32 and a choice among four views of them, as OpenCV has none",
}
# The work is alike, the picture is another.
OTHER_PICTURES = ("resize x2 lanczos3",)
MIRROR = cv2.BORDER_REFLECT_101
DEPTH = {"u8": cv2.CV_8U, "u16": cv2.CV_16U, "f32": cv2.CV_32F}
BORDER = "mirror"
GREY = "0.299|0.587|0.114"  # weights of red, green and blue


def version() -> str:
    return f"OpenCV {cv2.__version__}"


def set_threads(count: int) -> None:
    cv2.setNumThreads(count)


def sources(arrays: list[np.ndarray], cell: Cell) -> list:
    return arrays


def grey(image, cell: Cell):
    code = {1: None, 3: cv2.COLOR_RGB2GRAY, 4: cv2.COLOR_RGBA2GRAY}[cell.channels]
    return image if code is None else cv2.cvtColor(image, code)


def stored(image, cell: Cell, result):
    """An image of f32 in the cell's type."""
    if cell.type == "f32":
        return image
    return cv2.multiply(image, 1.0, dst=result, dtype=DEPTH[cell.type])


def sobel(cell: Cell) -> Callable:
    def call(source, result):
        image = grey(source, cell)
        x = cv2.Sobel(image, cv2.CV_32F, 1, 0, borderType=MIRROR)
        y = cv2.Sobel(image, cv2.CV_32F, 0, 1, borderType=MIRROR)
        return stored(cv2.magnitude(x, y, x), cell, result)

    return call


def bilateral(cell: Cell) -> Callable | None:
    if cell.channels == 4:
        return None
    space, color = cell.radius / 1.5, SIGMA_COLOR * cell.full

    def call(source, result):
        image = source.astype(np.float32) if cell.type == "u16" else source
        smooth = cv2.bilateralFilter(image, cell.size, color, space, borderType=MIRROR)
        return stored(smooth, cell, result) if cell.type == "u16" else smooth

    return call


def resize(cell: Cell) -> Callable | None:
    _, factor, method = cell.filter.split()
    # Its bilinear and Lanczos do not widen where the image shrinks: what they make of x0.5 is another picture.
    how = {"x0.5 area": cv2.INTER_AREA, "x2 bilinear": cv2.INTER_LINEAR, "x2 lanczos3": cv2.INTER_LANCZOS4}
    interpolation = how.get(f"{factor} {method}")
    if interpolation is None:
        return None
    scale = float(factor[1:])
    size = (round(cell.width * scale), round(cell.height * scale))
    return lambda source, result: cv2.resize(source, size, dst=result, interpolation=interpolation)


def color_matrix(cell: Cell) -> Callable:
    matrix = np.eye(cell.channels)
    matrix[:3, :3] = SEPIA
    return lambda source, result: cv2.transform(source, matrix, dst=result)


def threshold(cell: Cell) -> Callable:
    return lambda source, result: cv2.threshold(grey(source, cell), 0.5 * cell.full, cell.full, cv2.THRESH_BINARY,
                                                dst=result)


def connected_components(cell: Cell) -> Callable:
    bright = threshold(cell)
    return lambda source, result: cv2.connectedComponentsWithStats(bright(source, result)[1])


def distance_transform(cell: Cell) -> Callable:
    bright = threshold(cell)
    return lambda source, result: cv2.distanceTransform(bright(source, result)[1], cv2.DIST_L2, cv2.DIST_MASK_PRECISE)


def histogram(cell: Cell) -> Callable:
    span = [0, 1 if cell.type == "f32" else cell.full + 1]
    return lambda source, result: [cv2.calcHist([source], [channel], None, [256], span)
                                   for channel in range(cell.channels)]


def rotate(cell: Cell) -> Callable:
    size = (cell.width, cell.height)
    matrix = cv2.getRotationMatrix2D(((cell.width - 1) / 2, (cell.height - 1) / 2), ANGLE, 1)
    return lambda source, result: cv2.warpAffine(source, matrix, size, dst=result, flags=cv2.INTER_LINEAR)


def perspective(cell: Cell) -> Callable:
    size, matrix = (cell.width, cell.height), np.array(TILTED)
    return lambda source, result: cv2.warpPerspective(source, matrix, size, dst=result, flags=cv2.INTER_LINEAR)


def structure(cell: Cell) -> Callable:
    ellipse = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * ELLIPSE + 1, 2 * ELLIPSE + 1))
    return lambda source, result: cv2.morphologyEx(source, cv2.MORPH_CLOSE, ellipse, dst=result)


def clahe(cell: Cell) -> Callable:
    made = cv2.createCLAHE(CLIP_LIMIT, (TILES, TILES))
    return lambda source, result: made.apply(source, result)


def guided_filter(cell: Cell) -> Callable:
    def mean(image):
        return cv2.blur(image, (2 * WINDOW + 1, 2 * WINDOW + 1), borderType=MIRROR)

    def call(source, result):
        image = source if cell.type == "f32" else cv2.multiply(source, 1 / cell.full, dtype=cv2.CV_32F)
        middle = mean(image)
        spread = mean(image * image) - middle * middle
        slope = spread / (spread + EPS)
        made = mean(slope) * image + mean(middle - slope * middle)
        return made if cell.type == "f32" else cv2.multiply(made, cell.full, dst=result, dtype=DEPTH[cell.type])

    return call


def kuwahara(cell: Cell) -> Callable:
    def call(source, result):
        image = np.float32(cv2.copyMakeBorder(source, *[SQUARE] * 4, MIRROR)).reshape(
            cell.height + 2 * SQUARE, cell.width + 2 * SQUARE, cell.channels)
        # Of the square whose first pixel is the middle of this one's: at the far edges it is not there.
        mean, square = (cv2.boxFilter(of, -1, (SQUARE + 1, SQUARE + 1), anchor=(0, 0)).reshape(image.shape)
                        for of in (image, image * image))
        spread = np.abs(square - mean * mean).sum(axis=2)
        best = least = None
        for y, x in ((0, 0), (0, SQUARE), (SQUARE, SQUARE), (SQUARE, 0)):
            here, spread_here = (of[y:y + cell.height, x:x + cell.width] for of in (mean, spread))
            if best is None:
                best, least = here.copy(), spread_here.copy()
                continue
            nearer = spread_here < least
            np.copyto(best, here, where=nearer[..., None])
            np.copyto(least, spread_here, where=nearer)
        return stored(best, cell, result)

    return call


def call(cell: Cell) -> Callable | None:
    """A function of a source, or a list of them, and of an image for the result; None where the peer has no such
    filter for the format."""
    name = cell.filter.split()[0]
    if name == "gaussian":
        return lambda source, result: cv2.GaussianBlur(source, (cell.size, cell.size), cell.sigma, dst=result,
                                                       borderType=MIRROR)
    if name == "box":
        return lambda source, result: cv2.blur(source, (cell.size, cell.size), dst=result, borderType=MIRROR)
    if name in ("dilate", "erode"):
        square, extremum = np.ones((cell.size, cell.size), np.uint8), getattr(cv2, name)
        return lambda source, result: extremum(source, square, dst=result)
    if name == "median":
        has = cell.type == "u8" or cell.radius <= 2
        return (lambda source, result: cv2.medianBlur(source, cell.size, dst=result)) if has else None
    if cell.filter == "sobel x":
        return lambda source, result: cv2.Sobel(source, -1, 1, 0, dst=result, borderType=MIRROR)
    if name == "convolve3x3":
        kernel = np.array(SHARPEN, np.float32)
        return lambda source, result: cv2.filter2D(source, -1, kernel, dst=result, borderType=MIRROR)
    if name == "grayscale":
        return lambda source, result: grey(source, cell)
    if name == "nl_means":
        strength, *sizes = (PATCHES[0] * cell.full, *(2 * radius + 1 for radius in PATCHES[1:]))
        return lambda source, result: cv2.fastNlMeansDenoising(source, result, strength, *sizes)
    if name == "canny":
        return lambda source, result: cv2.Canny(source, *CANNY, edges=result)
    if name == "equalize_histogram":
        return lambda source, result: cv2.equalizeHist(source, dst=result)
    others = {"rotate": rotate, "perspective": perspective, "structure": structure, "clahe": clahe,
              "guided_filter": guided_filter, "kuwahara": kuwahara, "distance_transform": distance_transform,
              "sobel": sobel, "bilateral": bilateral, "resize": resize, "color_matrix": color_matrix,
              "luminance_threshold": threshold, "histogram": histogram, "connected_components": connected_components}
    return others[name](cell) if name in others else None
