# SPDX-License-Identifier: MIT
"""Moving pixels, bit for bit with numpy and OpenCV; resizing against Pillow and OpenCV's INTER_AREA."""

import cv2
import numpy as np
from PIL import Image

from borders import each_channel
from compare import Suite
from pictures import HEIGHT, WIDTH, premultiplied, straight

FORMATS = ("u8x1", "u8x3", "u8x4", "u16x1", "u16x3", "u16x4", "f32x1", "f32x3", "f32x4")
PILLOW = {"bilinear": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC,
          "lanczos3": Image.Resampling.LANCZOS}
# Both take weights from the same formula, weft stores them in f32; the weights' absolute sum is at most 1.6.
RESIZE = 2e-6
WEIGHTS = "weft's weights are f32"


def moves(suite: Suite) -> None:
    for name in FORMATS:
        picture = suite.pictures[name]
        image = picture.pixels
        suite.same("crop=31:17:200:101", "numpy", picture, image[17:118, 31:231])
        suite.same("crop=5:9", "numpy", picture, image[9:, 5:])
        suite.same("crop=402:302:0:0", "numpy", picture, image[302:, 402:])
        height, width = image.shape[:2]
        for border, mode in (("replicate", "edge"), ("mirror", "reflect"), ("symmetric", "symmetric"), ("wrap", "wrap")):
            around = np.pad(image, ((9, 20), (30, 5)) + ((0, 0),) * (image.ndim - 2), mode=mode)
            suite.same(f"crop=-30:-9:{width + 35}:{height + 29}:{border}", "numpy pad", picture, around)
            suite.same(f"crop={width - 8}:{height - 3}:13:23:{border}", "numpy pad", picture,
                       around[9 + height - 3:, 30 + width - 8:])
        for axis, code in (("x", 1), ("y", 0), ("both", -1)):
            suite.same(f"flip={axis}", "cv2 flip", picture, cv2.flip(picture.flat, code))
        suite.same("transpose", "cv2 transpose", picture, cv2.transpose(picture.flat))
        for flips, code in (("flip_x=1", cv2.ROTATE_90_CLOCKWISE), ("flip_y=1", cv2.ROTATE_90_COUNTERCLOCKWISE)):
            suite.same(f"transpose={flips}", "cv2 rotate", picture, cv2.rotate(picture.flat, code))


def region(suite: Suite) -> None:
    """A region's outputs are spread over it evenly, and taken between pixels."""
    def line(count: int, start: float, side: float) -> tuple[np.ndarray, np.ndarray]:
        made = max(int(side * count + 1e-6 * count), 1)
        place = np.clip(start * count + (np.arange(made) + 0.5) / made * side * count - 0.5, 0, count - 1)
        first = np.minimum(np.floor(place), count - 2).astype(int)
        return first, place - first

    for name in ("u8x1", "u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        for x, y, width, height in ((0.123, 0.4, 0.77, 0.31), (0, 0, 1, 1), (0.5, 0.25, 0.001, 0.75)):
            first, share = line(WIDTH, x, width)
            rows, row_share = line(HEIGHT, y, height)
            expected = picture.real[:, first] * (1 - share)[:, None] + picture.real[:, first + 1] * share[:, None]
            expected = (expected[rows] * (1 - row_share)[:, None, None] +
                        expected[rows + 1] * row_share[:, None, None])
            suite.real(f"crop_region={x}|{y}|{width}|{height}", "numpy, between pixels", picture, expected, 1e-4,
                       "the region is given in f32, a 10000th of a pixel")


def pillow(image: np.ndarray, width: int, height: int, method: str) -> np.ndarray:
    """Pillow's resampling of f32 planes, which it computes in double precision and stores in f32."""
    size = (width, height)
    return each_channel(lambda plane: np.asarray(
        Image.fromarray(plane.astype(np.float32)).resize(size, PILLOW[method])), image).astype(np.float64)


def pillow_resize(suite: Suite) -> None:
    sizes = ((200, 150), (101, 77), (37, 300), (WIDTH, 40), (807, 606), (500, 303), (1, 1))
    for method in PILLOW:
        picture = suite.pictures["f32x3"]
        for width, height in sizes:
            suite.real(f"resize={width}:{height}:method={method}", f"Pillow {method} F", picture,
                       pillow(picture.pixels, width, height, method), RESIZE, WEIGHTS)
        for name in ("u8x1", "u8x3", "u16x3", "f32x1", "f32x4"):
            picture = suite.pictures[name]
            for width, height in ((150, 113), (611, 459)):
                suite.real(f"resize={width}:{height}:method={method}", f"Pillow {method} F", picture,
                           pillow(picture.real, width, height, method), RESIZE, WEIGHTS)
        picture = suite.pictures["u8x3"]
        for width, height in ((150, 113), (611, 459)):
            expected = np.asarray(Image.fromarray(picture.pixels).resize((width, height), PILLOW[method]))
            suite.same(f"resize={width}:{height}:method={method}", f"Pillow {method} RGB", picture, expected, 2,
                       "Pillow rounds to u8 between its passes too")


def alpha(suite: Suite) -> None:
    for name in ("u8x4", "u16x4"):
        picture = suite.pictures[name]
        for method in ("bilinear", "lanczos3"):
            expected = straight(pillow(premultiplied(picture.real), 150, 113, method))
            certain = np.concatenate([np.repeat(expected[:, :, 3:] > 0.02, 3, axis=2),
                                      np.ones_like(expected[:, :, 3:], bool)], axis=2)
            suite.real(f"resize=150:113:method={method}", "Pillow premultiplied", picture, expected, 50 * RESIZE,
                       "alpha from 0.02 divides 2e-6", certain)


def area(suite: Suite) -> None:
    """INTER_AREA is the mean of what an output pixel covers where the image shrinks; where it grows it is not."""
    for name in ("f32x1", "f32x3", "u8x3", "u16x1"):
        source = suite.pictures[name]
        picture = suite.picture(f"area_{name}", np.ascontiguousarray(source.pixels[:300, :400]), source.alpha)
        for width, height in ((200, 150), (100, 100), (50, 300), (173, 91), (399, 299)):
            expected = cv2.resize(picture.real.astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)
            suite.real(f"resize={width}:{height}:method=area", "cv2 INTER_AREA", picture, expected, RESIZE,
                       "cv2's and weft's weights are f32")
    picture = suite.picture("area_u8", np.ascontiguousarray(suite.pictures["u8x3"].pixels[:300, :400]))
    for width, height in ((200, 150), (100, 60)):
        expected = cv2.resize(picture.pixels, (width, height), interpolation=cv2.INTER_AREA)
        suite.same(f"resize={width}:{height}:method=area", "cv2 INTER_AREA u8", picture, expected, 1,
                   "sums of 4 and 20 pixels often end in a half, which each rounds its own way")


def opencv_resize(suite: Suite) -> None:
    for name in FORMATS:
        picture = suite.pictures[name]
        for width, height in ((200, 150), (997, 31)):
            expected = cv2.resize(picture.flat, (width, height), interpolation=cv2.INTER_NEAREST_EXACT)
            # resize works premultiplied, so the color of what is fully transparent becomes black, as nobody sees it.
            visible = expected[:, :, 3:] > 0 if picture.alpha else True
            suite.same(f"resize={width}:{height}:method=nearest", "cv2 INTER_NEAREST_EXACT", picture, expected,
                       where=visible)
    picture = suite.pictures["f32x3"]
    for width, height in ((806, 606), (1000, 700)):  # only where it grows: OpenCV does not widen its kernel
        expected = cv2.resize(picture.pixels, (width, height), interpolation=cv2.INTER_LINEAR)
        suite.real(f"resize={width}:{height}:method=bilinear", "cv2 INTER_LINEAR", picture, expected, RESIZE,
                   "both compute in f32")


def sizes(suite: Suite) -> None:
    """One side alone keeps the shape."""
    picture = suite.pictures["f32x1"]
    suite.real("resize=200", "Pillow bicubic F", picture,
               pillow(picture.pixels, 200, round(200 / WIDTH * HEIGHT), "bicubic"), RESIZE, WEIGHTS)
    suite.real("resize=height=99", "Pillow bicubic F", picture,
               pillow(picture.pixels, round(99 / HEIGHT * WIDTH), 99, "bicubic"), RESIZE, WEIGHTS)
    suite.real("resize=scale=0.5:method=lanczos3", "Pillow lanczos3 F", picture,
               pillow(picture.pixels, 202, 152, "lanczos3"), RESIZE, WEIGHTS)


def compare(suite: Suite) -> None:
    for part in (moves, region, pillow_resize, alpha, area, opencv_resize, sizes):
        part(suite)
