# SPDX-License-Identifier: MIT
"""Blends: W3C's compositing in double precision, with and without alpha, and Pillow's channel operations in u8."""

import numpy as np
from PIL import Image, ImageChops

from compare import Suite
from pictures import Picture, quantize

BLEND = 2e-6
MODES = {"blend_multiply": lambda b, s: b * s, "blend_screen": lambda b, s: b + s - b * s,
         "blend_add": lambda b, s: np.minimum(1, b + s), "blend_subtract": lambda b, s: np.maximum(0, b - s),
         "blend_source_over": lambda b, s: s}


def composite(backdrop: Picture, source: Picture, mode, opacity: float) -> np.ndarray:
    """W3C Compositing and Blending Level 1, source over with a mode's function; 0 where both are transparent."""
    def split(picture: Picture) -> tuple[np.ndarray, np.ndarray]:
        real = picture.real
        return (real[:, :, :-1], real[:, :, -1:]) if picture.alpha else (real, np.ones_like(real[:, :, :1]))
    (b, backdrop_alpha), (s, source_alpha) = split(backdrop), split(source)
    source_alpha = source_alpha * opacity
    alpha = source_alpha + backdrop_alpha * (1 - source_alpha)
    colors = ((1 - source_alpha) * backdrop_alpha * b + (1 - backdrop_alpha) * source_alpha * s
              + source_alpha * backdrop_alpha * mode(b, s))
    colors = np.divide(colors, alpha, out=np.zeros_like(colors), where=alpha > 0)
    return np.concatenate([colors, alpha], axis=2) if backdrop.alpha or source.alpha else colors


def overlay(suite: Suite, name: str) -> Picture:
    """A second image that differs everywhere: the first turned by 180 degrees."""
    first = suite.pictures[name]
    pixels = first.pixels[::-1, ::-1].copy()
    if first.alpha:  # its own, not symmetric like the first's
        ramp = np.linspace(0, 1, pixels.shape[1])[None, :].repeat(pixels.shape[0], axis=0)
        pixels[:, :, 3] = quantize(ramp, first.type)
    return suite.picture(f"over_{name}", pixels, first.alpha)


def modes(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u8x4", "u16x3", "u16x4", "f32x1", "f32x3"):
        first, second = suite.pictures[name], overlay(suite, name)
        for filter, mode in MODES.items():
            for opacity in (1, 0.35):
                expected = composite(first, second, mode, opacity)
                # Where next to nothing is visible the color is a quotient of two small numbers.
                visible = np.ones_like(expected, bool)
                if first.alpha:
                    visible[:, :, :3] = expected[:, :, 3:] > 0.01
                suite.real(f"{filter}={opacity}", "numpy, W3C", [first, second], expected, BLEND, where=visible)
        for amount in (0.25, 0.5):
            suite.real(f"blend_dissolve={amount}", "numpy, a mix", [first, second],
                       first.real + amount * (second.real - first.real), BLEND)


def pillow(suite: Suite) -> None:
    first, second = suite.pictures["u8x3"], overlay(suite, "u8x3")
    a, b = Image.fromarray(first.pixels), Image.fromarray(second.pixels)
    for filter, function in (("blend_add", ImageChops.add), ("blend_subtract", ImageChops.subtract)):
        suite.same(filter, f"Pillow {function.__name__}", [first, second], np.asarray(function(a, b)))
    for filter, function in (("blend_multiply", ImageChops.multiply), ("blend_screen", ImageChops.screen)):
        suite.same(filter, f"Pillow {function.__name__}", [first, second], np.asarray(function(a, b)), 1,
                   "Pillow cuts the product off, weft rounds it")
    suite.same("blend_dissolve=0.3", "Pillow blend", [first, second], np.asarray(Image.blend(a, b, 0.3)), 1,
               "Pillow cuts the mix off, weft rounds it")
    first, second = suite.pictures["u8x4"], overlay(suite, "u8x4")
    a, b = Image.fromarray(first.pixels), Image.fromarray(second.pixels)
    expected = np.asarray(Image.alpha_composite(a, b))
    visible = np.ones_like(expected, bool)
    visible[:, :, :3] = expected[:, :, 3:] > 16
    suite.same("blend_source_over", "Pillow alpha_composite", [first, second], expected, 1,
               "Pillow works with 7 more bits than u8", visible)


def compare(suite: Suite) -> None:
    for part in (modes, pillow):
        part(suite)
