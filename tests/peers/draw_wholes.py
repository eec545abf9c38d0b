# SPDX-License-Identifier: MIT
"""Random parameters for filters that look far: patches, lines of edges, distances and components of whole images."""

import cv2
import numpy as np
from scipy import ndimage
from skimage import measure, morphology

from draws import Case, Draw, Row
from pictures import Picture

NUMBERS = ("f32x1", "f32x3")


def nl_means(draw: Draw, picture: Picture) -> Case:
    """Of scikit-image's fast mode the patches are a pixel smaller and beside the pixel; OpenCV's are around it."""
    patch, search, h = draw.whole(0, 3), draw.whole(0, 5), draw.number(0.05, 0.5)
    if picture.type == "u8":
        made = cv2.fastNlMeansDenoising(picture.pixels, None, h * 255, 2 * patch + 1, 2 * search + 1)
        return Case(f"nl_means={h:g}:{patch}:{search}:0:6.9078", made.reshape(picture.pixels.shape) / 255, 1.01 / 255)
    sigma, cutoff = draw.one((0, draw.number(0, 0.1))), draw.one((5, draw.number(1, 9)))
    expected, near = weighed_by_patches(picture.real, h, patch, search, sigma, cutoff)
    return Case(f"nl_means={h:g}:{patch}:{search}:{sigma:g}:{cutoff:g}", expected, 1e-4, ~near)


def weighed_by_patches(real: np.ndarray, h: float, patch: int, search: int, sigma: float, cutoff: float):
    """The mean weighed by how alike patches are, and where a weight may be cut off or not."""
    around, side = patch + search, 2 * patch + 1
    wide = np.pad(real, ((around, around), (around, around), (0, 0)), mode="reflect")
    height, width, _ = wide.shape
    part = lambda x, y: wide[search + y:height - search + y, search + x:width - search + x]
    inner = slice(patch, -patch or None)
    sums, weights, near = 0, 0, np.zeros(real.shape, bool)
    for y in range(-search, search + 1):
        for x in range(-search, search + 1):
            squares = ((part(0, 0) - part(x, y))**2).mean(axis=2)
            means = np.lib.stride_tricks.sliding_window_view(squares, (side, side)).mean(axis=(2, 3))
            away = np.maximum(means - 2 * sigma**2, 0) / h**2
            weight = np.where(away > cutoff, 0, np.exp(-away))[:, :, None]
            near |= (np.abs(away - cutoff) < 1e-4 * (1 + 1 / h**2))[:, :, None]
            sums, weights = sums + weight * part(x, y)[inner, inner], weights + weight
    return sums / weights, near


def parallel_coordinates(draw: Draw, picture: Picture) -> Case:
    """Each pixel votes for one row in each column: on the segment from (-1, -y) to (0, x), or from there to (1, y)."""
    threshold = draw.number(0.3, 0.9)
    levels = np.floor(picture.real[:, :, 0] * 65535 + 0.5) / 65535  # weft's luminance is in whole steps
    height, width = levels.shape
    votes, doubtful = np.zeros((height, width)), np.zeros((height, width), bool)
    row, column = np.nonzero(levels >= np.float32(threshold))
    x, y = (2 * column + 1) / width - 1, (2 * row + 1) / height - 1
    for k in range(width):
        u = (2 * k + 1) / width - 1
        v = -y + (x + y) * (u + 1) if u < 0 else x + (y - x) * u
        at = (v + 1) / 2 * height
        np.add.at(votes[:, k], np.floor(at).astype(int), 1)
        close = np.abs(at - np.round(at)) < 1e-4  # in this row or the one before
        for beside in (0, -1):
            doubtful[np.clip(np.round(at[close]).astype(int) + beside, 0, height - 1), k] = True
    return Case(f"parallel_coordinates={threshold:g}", votes / max(width, height), 1e-5, ~doubtful[:, :, None])


def bright(picture: Picture, threshold: float) -> np.ndarray:
    """weft's luminance of one channel is the channel, in f32."""
    return picture.real[:, :, 0].astype(np.float32) > np.float32(threshold)


def distance_transform(draw: Draw, picture: Picture) -> Case:
    threshold = draw.one((draw.number(0.05, 0.95), 0.05, 0.9))
    inside = bright(picture, threshold)
    if inside.all():
        return Case(f"distance_transform={threshold:g}:square", np.full(inside.shape, 3e38), 1e32)
    away, result = ndimage.distance_transform_edt(inside), draw.one(("distance", "square"))
    return Case(f"distance_transform={threshold:g}:{result}", away if result == "distance" else np.rint(away**2), 1e-5)


def places(labels: np.ndarray, count: int, neighbors: int, most: int, result: str) -> np.ndarray:
    """Boxes or centroids of numbers, of which OpenCV knows those of all components, and scikit-image any."""
    found = np.zeros((most + 1, 4 if result == "boxes" else 2))
    if most >= count and (labels == 0).any():
        _, other, boxes, middles = cv2.connectedComponentsWithStats((labels > 0).astype(np.uint8), connectivity=neighbors)
        _, first = np.unique(labels, return_index=True)  # its numbers are in another order
        which = other.ravel()[first]
        found[:count + 1] = boxes[which, :4] if result == "boxes" else middles[which]
        return found
    for region in measure.regionprops(np.minimum(labels, most) + 1):
        top, left, bottom, right = region.bbox
        found[region.label - 1] = (left, top, right - left, bottom - top) if result == "boxes" else region.centroid[::-1]
    return found


def components(draw: Draw, picture: Picture) -> Case:
    threshold, neighbors = draw.number(0.2, 0.8), draw.one((4, 8))
    threshold = (int(threshold * 255) + 0.5) / 255 if picture.type == "u8" else threshold  # no byte is on it
    labels, count = ndimage.label(bright(picture, threshold), np.ones((3, 3)) if neighbors == 8 else None)
    results = ("count", "areas", "boxes", "centroids", *(("labels",) if picture.type != "u8" else ()))  # a byte's label ends at 1
    words, result = f"connected_components={threshold:g}:{neighbors}", draw.one(results)
    if result == "labels":
        return Case(words, labels, 0)
    if result == "count":
        return Case(f"{words}:count", np.array([[[count]]]), 0)
    most = draw.whole(1, 2 * count + 1)
    if result in ("boxes", "centroids"):
        return Case(f"{words}:{result}:{most}", places(labels, count, neighbors, most, result)[None], 1e-11)
    areas = np.bincount(np.minimum(labels, most).ravel(), minlength=most + 1)
    return Case(f"{words}:areas:{most}", areas.reshape(1, -1, 1), 0)


def reconstruction(draw: Draw, marker: Picture, mask: Picture) -> Case:
    """scikit-image asks that no pixel of the marker lies beyond the mask: there weft takes the mask. Mazes have long ways."""
    op, neighbors = draw.one(("dilation", "erosion")), draw.one((4, 8))
    below, above = marker.pixels[:, :, 0], mask.pixels[:, :, 0]
    if draw.chance(0.3):
        walls = draw.random.random(above.shape) < draw.one((0.3, 0.5))
        above[walls != (op == "erosion")] = 0
    if draw.chance(0.5):
        far = min(below.min(), above.min()) if op == "dilation" else max(below.max(), above.max())
        below[draw.random.random(below.shape) < 0.98] = far
    within = (np.minimum if op == "dilation" else np.maximum)(below, above)
    footprint = np.ones((3, 3)) if neighbors == 8 else ndimage.generate_binary_structure(2, 1)
    made = morphology.reconstruction(within, above, op, footprint)
    full = {"u8": 255, "u16": 65535}.get(marker.type, 1)
    return Case(f"reconstruction={op}:{neighbors}", made[:, :, None] / full, 0)


def fill_holes(draw: Draw, picture: Picture) -> Case:
    """SciPy fills holes of black and white pictures, scikit-image by its reconstruction all others."""
    neighbors, pixels = draw.one((4, 8)), picture.pixels[:, :, 0]
    full = {"u8": 255, "u16": 65535}.get(picture.type, 1)
    footprint = np.ones((3, 3)) if neighbors == 8 else ndimage.generate_binary_structure(2, 1)
    if draw.chance(0.5):
        pixels[:] = (draw.random.random(pixels.shape) < draw.one((0.4, 0.6))) * full
        made = ndimage.binary_fill_holes(pixels, footprint) * 1.0
    else:
        marker = np.full_like(pixels, max(pixels.max(), 1))
        marker[[0, -1]], marker[:, [0, -1]] = pixels[[0, -1]], pixels[:, [0, -1]]
        made = morphology.reconstruction(marker, pixels, "erosion", footprint) / full
    return Case(f"fill_holes={neighbors}", made[:, :, None], 0)


def structure_element(draw: Draw, picture: Picture) -> Case:
    wide, high = draw.whole(1, 9), draw.whole(1, 9)
    element = (draw.random.random((high, wide)) < draw.one((0.1, 0.5, 0.9))).astype(np.uint8)
    element[draw.whole(0, high - 1), draw.whole(0, wide - 1)] = 1
    op = draw.one(("dilate", "erode", "open", "close", "gradient", "top_hat", "black_hat"))
    border = draw.one(("replicate", "mirror", "symmetric", "constant"))
    codes = {"dilate": cv2.MORPH_DILATE, "erode": cv2.MORPH_ERODE, "open": cv2.MORPH_OPEN, "close": cv2.MORPH_CLOSE,
             "gradient": cv2.MORPH_GRADIENT, "top_hat": cv2.MORPH_TOPHAT, "black_hat": cv2.MORPH_BLACKHAT}
    borders = {"replicate": cv2.BORDER_REPLICATE, "mirror": cv2.BORDER_REFLECT_101, "symmetric": cv2.BORDER_REFLECT,
               "constant": cv2.BORDER_CONSTANT}
    made = cv2.morphologyEx(picture.real, codes[op], element, borderType=borders[border], borderValue=(0.25,) * 4)
    words = "|".join(str(v) for v in element.ravel())
    graph = f"structure_element={op}:{words}:{wide}:border={border}:border_value=0.25"
    return Case(graph, made.reshape(picture.real.shape), 1e-6)


ROWS = [
    Row("nl_means", "cv2 fastNlMeansDenoising, formula", nl_means, (*NUMBERS, "u8x1", "u8x3"), side=30),
    Row("parallel_coordinates", "formula", parallel_coordinates, ("f32x1",), side=40),
    Row("distance_transform", "scipy distance_transform_edt", distance_transform, ("f32x1",), side=200),
    Row("structure_element", "cv2 morphologyEx", structure_element, (*NUMBERS, "u8x1", "u8x3"), least=10),
    Row("reconstruction", "skimage reconstruction", reconstruction, ("f32x1", "u8x1", "u16x1"), inputs=2, side=200),
    Row("fill_holes", "scipy binary_fill_holes, skimage reconstruction", fill_holes, ("f32x1", "u8x1", "u16x1"), side=100),
    Row("connected_components", "scipy label, cv2 connectedComponentsWithStats, skimage regionprops", components, ("f32x1", "u8x1"),
        side=200),
]
