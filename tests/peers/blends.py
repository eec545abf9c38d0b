# SPDX-License-Identifier: MIT
"""Blends: W3C's compositing in double precision, with and without alpha, and Pillow's channel operations in u8."""

import numpy as np
from PIL import Image, ImageChops

from compare import F32, Suite
from pictures import Picture, quantize

BLEND = 2e-6
# Bytes whose colors become a mean of both, in whole numbers of 16 bits: 0.004 steps.
MEANS, MEAN = ("blend_source_over", "blend_alpha"), 2e-5
MODES = {"blend_multiply": lambda b, s: b * s, "blend_screen": lambda b, s: b + s - b * s,
         "blend_add": lambda b, s: np.minimum(1, b + s), "blend_subtract": lambda b, s: np.maximum(0, b - s),
         "blend_source_over": lambda b, s: s, "blend_alpha": lambda b, s: s,
         "blend_darken": np.minimum, "blend_lighten": np.maximum,
         "blend_difference": lambda b, s: np.abs(b - s), "blend_exclusion": lambda b, s: b + s - 2 * b * s,
         "blend_overlay": lambda b, s: hard_light(s, b), "blend_hard_light": lambda b, s: hard_light(b, s),
         "blend_linear_burn": lambda b, s: np.clip(b + s - 1, 0, 1)}
# What is seen of the source and of the destination by Porter and Duff, by the alpha of the other.
OPERATORS = {"clear": (lambda b: 0, lambda a: 0), "copy": (lambda b: 1, lambda a: 0),
             "destination": (lambda b: 0, lambda a: 1), "source_over": (lambda b: 1, lambda a: 1 - a),
             "destination_over": (lambda b: 1 - b, lambda a: 1), "source_in": (lambda b: b, lambda a: 0),
             "destination_in": (lambda b: 0, lambda a: a), "source_out": (lambda b: 1 - b, lambda a: 0),
             "destination_out": (lambda b: 0, lambda a: 1 - a), "source_atop": (lambda b: b, lambda a: 1 - a),
             "destination_atop": (lambda b: 1 - b, lambda a: a), "xor": (lambda b: 1 - b, lambda a: 1 - a),
             "lighter": (lambda b: 1, lambda a: 1)}


def hard_light(b: np.ndarray, s: np.ndarray) -> np.ndarray:
    return np.where(s <= 0.5, 2 * b * s, 1 - 2 * (1 - b) * (1 - s))


def soft_light(b: np.ndarray, s: np.ndarray) -> np.ndarray:
    d = np.where(b <= 0.25, ((16 * b - 12) * b + 4) * b, np.sqrt(np.maximum(b, 0)))
    return np.where(s <= 0.5, b - (1 - 2 * s) * b * (1 - b), b + (2 * s - 1) * (d - b))


def quotient(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    return np.divide(above, below, out=np.full(np.broadcast(above, below).shape, np.inf), where=below > 0)


def color_burn(b: np.ndarray, s: np.ndarray) -> np.ndarray:
    return np.where(b >= 1, 1, 1 - np.minimum(1, quotient(1 - b, s)))


def color_dodge(b: np.ndarray, s: np.ndarray) -> np.ndarray:
    return np.where(b <= 0, 0, np.minimum(1, quotient(b, 1 - s)))


def divide(b: np.ndarray, s: np.ndarray) -> np.ndarray:
    return np.where(b <= 0, 0, np.minimum(1, quotient(b, s)))


# Quotients of values within [0, 1]; a last bit of a small divisor counts.
QUOTIENTS = {"blend_soft_light": soft_light, "blend_color_burn": color_burn, "blend_color_dodge": color_dodge,
             "blend_divide": divide}


def luminosity(c: np.ndarray) -> np.ndarray:
    return (c @ [0.3, 0.59, 0.11])[:, :, None]


def saturation(c: np.ndarray) -> np.ndarray:
    return np.ptp(c, axis=2, keepdims=True)


def set_luminosity(c: np.ndarray, light: np.ndarray) -> np.ndarray:
    c = c + light - luminosity(c)
    low, high = c.min(axis=2, keepdims=True), c.max(axis=2, keepdims=True)
    c = np.where(low < 0, light + (c - light) * light / np.where(low < 0, light - low, 1), c)
    return np.where(high > 1, light + (c - light) * (1 - light) / np.where(high > 1, high - light, 1), c)


def set_saturation(c: np.ndarray, amount: np.ndarray) -> np.ndarray:
    """The standard's: the lowest channel to 0, the middle one in proportion, the highest to the amount."""
    order, result = np.argsort(c, axis=2), np.zeros_like(c)
    low, middle, high = (np.take_along_axis(c, order[:, :, k:k + 1], 2) for k in range(3))
    colored = high > low
    share = np.divide(middle - low, high - low, out=np.zeros_like(low), where=colored)
    np.put_along_axis(result, order[:, :, 1:2], share * amount, 2)
    np.put_along_axis(result, order[:, :, 2:3], np.where(colored, amount, 0), 2)
    return result


WHOLE_COLORS = {
    "blend_hue": lambda b, s: set_luminosity(set_saturation(s, saturation(b)), luminosity(b)),
    "blend_saturation": lambda b, s: set_luminosity(set_saturation(b, saturation(s)), luminosity(b)),
    "blend_color": lambda b, s: set_luminosity(s, luminosity(b)),
    "blend_luminosity": lambda b, s: set_luminosity(b, luminosity(s))}


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
                whole = filter in MEANS and first.type == "u8" and first.alpha
                suite.real(f"{filter}={opacity}", "numpy, W3C", [first, second], expected, MEAN if whole else BLEND,
                           "whole numbers of 16 bits" if whole else F32, where=visible)
        for amount in (0.25, 0.5):
            suite.real(f"blend_dissolve={amount}", "numpy, a mix", [first, second],
                       first.real + amount * (second.real - first.real), BLEND)


def within_one(suite: Suite) -> None:
    """Modes that divide, and those of whole colors, on values within [0, 1]."""
    for name in ("u8x3", "u8x4", "u16x3"):
        first, second = suite.pictures[name], overlay(suite, name)
        for filter, mode in {**QUOTIENTS, **WHOLE_COLORS}.items():
            # An error in the last bit of a small divisor; of u16 the smallest is 1/65535.
            tolerance = 2e-5 if first.type == "u8" else 4e-3
            for opacity in (1, 0.35):
                expected = composite(first, second, mode, opacity)
                visible = np.ones_like(expected, bool)
                if first.alpha:
                    visible[:, :, :3] = expected[:, :, 3:] > 0.01
                suite.real(f"{filter}={opacity}", "numpy, W3C", [first, second], expected, tolerance,
                           "quotients of small differences", visible)


def ancestor_saturation(c: np.ndarray, amount: np.ndarray) -> np.ndarray:
    """GPUImage's: where red is in the middle, below blue, it is 0 and green as it is; none where green and blue are the
    highest."""
    r, g, b = (c[:, :, k:k + 1] for k in range(3))
    slip, none = (b >= r) & (r > g), (g == b) & (b >= r)
    plain = set_saturation(c, amount)
    return np.where(none, 0, np.where(slip, np.concatenate([0 * r, g, amount + 0 * b], axis=2), plain))


def ancestor_forms(b: np.ndarray, s: np.ndarray, beta: np.ndarray, alpha: np.ndarray) -> dict[str, tuple]:
    """GPUImage's shaders: the colors, the alpha, and how far each color is from a jump of the formula."""
    rest, both, over = s * (1 - beta) + b * (1 - alpha), alpha * beta, alpha + beta - alpha * beta
    one, far = np.ones_like(alpha), np.ones_like(b)
    screen = both - 2 * (beta - b) * (alpha - s) + rest

    def whole(mixed: np.ndarray) -> np.ndarray:
        return b * (1 - alpha) + alpha * mixed

    def apart(c: np.ndarray) -> np.ndarray:
        """How far the channels are from each other: which is the middle one decides."""
        return np.abs(c - np.roll(c, 1, axis=2)).min(axis=2, keepdims=True) + 0 * c
    light = luminosity(b)
    share = np.clip(s / np.clip(alpha, 0.01, 1), 0, 0.99)
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = {
            "divide": (np.where((alpha == 0) | (b * alpha > beta * s), both + rest, b * alpha**2 / s + rest), over,
                       np.minimum(np.abs(b * alpha - beta * s), s)),
            "color_burn": (1 - (1 - b) / s, 1 - (1 - beta) / alpha, np.minimum(s, alpha))}
    return {**quotients, "multiply": (s * b + rest, over, far), "screen": (1 - (1 - s) * (1 - b), over, far),
            "subtract": (b - s, beta, far), "difference": (np.abs(b - s), beta, far),
            "exclusion": (s * beta + b * alpha - 2 * s * b + rest, beta, far),
            "darken": (np.minimum(s * beta, b * alpha) + rest, one, far),
            "lighten": (np.maximum(b, s), np.maximum(beta, alpha), far),
            "overlay": (np.where(2 * b < beta, 2 * s * b + rest, screen), one, 2 * b - beta),
            "hard_light": (np.where(2 * s < alpha, 2 * s * b + rest, screen), one, 2 * s - alpha),
            "add": (np.where(s * beta + b * alpha >= both, both + rest, s + b), over, s * beta + b * alpha - both),
            "color_dodge": (np.where(s * beta + b * alpha <= both, b * alpha / (1 - share), both) + rest, one,
                            s * beta + b * alpha - both),
            "soft_light": (b * (alpha * b + 2 * s * (beta - b)) / np.where(beta > 0, beta, 1) + rest
                           + np.where(beta > 0, 0, 2 * s * b), over, far),
            "linear_burn": (np.clip(b + s - 1, 0, 1), beta, far),
            "alpha": (b + 0.5 * alpha * (s - b), beta, far),
            "source_over": (b + alpha * (s - b), beta * (1 - alpha) + alpha**2, far),
            "color": (whole(set_luminosity(s, light)), beta, far),
            "luminosity": (whole(set_luminosity(b, luminosity(s))), beta, far),
            "hue": (whole(set_luminosity(ancestor_saturation(s, saturation(b)), light)), beta, apart(s)),
            "saturation": (whole(set_luminosity(ancestor_saturation(b, saturation(s)), light)), beta, apart(b))}


def ancestor(suite: Suite) -> None:
    """GPUImage's forms by the formulas of its shaders, over a backdrop that is opaque and over one that is not."""
    for name in ("u8x3", "u8x4", "u16x4"):
        first = suite.pictures[name]
        ramp = np.linspace(0, 1, first.pixels.shape[1])[None, :].repeat(first.pixels.shape[0], axis=0)
        flipped = np.dstack([first.pixels[::-1, ::-1, :3], quantize(ramp, first.type)])
        second = suite.picture(f"over_half_{name}", flipped, True)
        b, s, alpha = first.real[:, :, :3], second.real[:, :, :3], second.real[:, :, 3:]
        beta = first.real[:, :, 3:] if first.alpha else np.ones_like(alpha)
        for filter, (colors, result_alpha, jump) in ancestor_forms(b, s, beta, alpha).items():
            # Beside a jump, or over a divisor of next to nothing, rounding decides.
            steep = filter in ("divide", "color_burn", "hue", "saturation")
            certain = np.abs(jump) > (1e-2 if steep else 1e-6)
            certain = np.dstack([certain, certain.all(axis=2)])
            expected = np.clip(np.nan_to_num(np.concatenate([colors, result_alpha], axis=2)), -1, 2)
            suite.real(f"blend_{filter}=compat=gpuimage", "numpy, the formula", [first, second], expected,
                       2e-5 if steep or filter == "color_dodge" else BLEND, where=certain)


def pillow(suite: Suite) -> None:
    first, second = suite.pictures["u8x3"], overlay(suite, "u8x3")
    a, b = Image.fromarray(first.pixels), Image.fromarray(second.pixels)
    for filter, function in (("blend_add", ImageChops.add), ("blend_subtract", ImageChops.subtract),
                             ("blend_darken", ImageChops.darker), ("blend_lighten", ImageChops.lighter),
                             ("blend_difference", ImageChops.difference)):
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
    for part in (modes, within_one, ancestor, pillow):
        part(suite)
