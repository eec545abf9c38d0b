# SPDX-License-Identifier: MIT
"""Random parameters for filters of single pixels: formulas in double precision, W3C's compositing, SciPy's splines."""

import numpy as np

import blends
import colors
import effects
from draws import COLORS, RGB, WITH_ALPHA, Case, Draw, Row, joined, on_colors
from pictures import Picture

POINT = 4e-6  # twice what weft promises of f32 on every device
F = np.float32


def of_colors(name: str, low: float, high: float, function, tolerance: float = POINT, formats=WITH_ALPHA) -> Row:
    """A filter of one number that works on colors."""
    def make(draw: Draw, picture: Picture) -> Case:
        value = draw.number(low, high)
        expected = on_colors(picture, lambda c: function(c, float(F(value))))
        return Case(f"{name}={value:g}", expected, tolerance * max(1, np.abs(expected).max()))
    return Row(name, "the formula", make, formats)


def plain(name: str, function, tolerance: float = POINT, formats=WITH_ALPHA) -> Row:
    return Row(name, "the formula", lambda draw, picture: Case(name, on_colors(picture, function), tolerance), formats)


def levels(draw: Draw, picture: Picture) -> Case:
    low, high = sorted((draw.number(0, 0.4), draw.number(0.5, 1)))
    gamma, out_low, out_high = draw.number(0.5, 2.5), draw.number(0, 1), draw.number(0, 1)
    names = ("in_min", "gamma", "in_max", "out_min", "out_max")
    graph = "levels=" + ":".join(f"{n}={joined([v] * 3)}" for n, v in zip(names, (low, gamma, high, out_low, out_high)))
    # A power of next to nothing is steep: what f32 makes of it differs by the root of its step.
    expected = on_colors(picture, lambda c: colors.levels(c, low, gamma, high, out_low, out_high))
    share = on_colors(picture, lambda c: (c - low) / (high - low))
    return Case(graph, expected, 2e-5, (share < -1e-6) | (share > 1e-3))


def gamma(draw: Draw, picture: Picture) -> Case:
    value = draw.number(0.2, 3)
    return Case(f"gamma={value:g}", on_colors(picture, lambda c: np.maximum(c, 0) ** value), 2e-5)


def color_matrix(draw: Draw, picture: Picture) -> Case:
    matrix, bias, intensity = np.eye(4), draw.numbers(3, -0.5, 0.5), draw.number(0, 1)
    matrix[:3, :3] = np.array(draw.numbers(9, -1, 1)).reshape(3, 3)
    graph = f"color_matrix={joined(matrix.flat)}:bias={joined([*bias, 0])}:intensity={intensity:g}"
    mixed = on_colors(picture, lambda c: (1 - intensity) * c + intensity * (c @ matrix[:3, :3].T + bias))
    return Case(graph, mixed, POINT)


def grayscale(draw: Draw, picture: Picture) -> Case:
    weights = draw.numbers(3, 0, 0.5)
    return Case(f"grayscale={joined(weights)}", on_colors(picture, lambda c: (c @ weights)[:, :, None]), POINT)


def threshold(draw: Draw, picture: Picture) -> Case:
    level, grey = draw.number(0, 1), colors.luminance(picture.real)[:, :, None]
    return Case(f"luminance_threshold={level:g}", (grey >= level) * 1.0, 0, np.abs(grey - level) > 1e-5)


def solarize(draw: Draw, picture: Picture) -> Case:
    level, c = draw.number(0, 1), picture.real
    return Case(f"solarize={level:g}", np.where(c >= level, 1 - c, c), POINT, np.abs(c - level) > 1e-5)


def posterize(draw: Draw, picture: Picture) -> Case:
    count = draw.whole(2, 256)
    steps = picture.real * (count - 1)
    return Case(f"posterize={count}", np.floor(steps + 0.5) / (count - 1), POINT, np.abs(steps % 1 - 0.5) > 1e-3)


def tone_curve(draw: Draw, picture: Picture) -> Case:
    count = draw.whole(2, 8)
    places = np.sort(draw.random.choice(np.arange(21), count, replace=False)) / 20
    points = [v for place in places for v in (float(f"{place:g}"), draw.number(0, 1))]
    # The spline's pieces are held in f32: a steep one, between points 1/20 apart, is off by its slope's share.
    return Case(f"tone_curve={joined(points)}", colors.curve(points, picture.real), 1e-5)


def white_balance(draw: Draw, picture: Picture) -> Case:
    temperature, tint, reference = draw.whole(2500, 12000), draw.whole(-100, 100), draw.one((5000, 6500))
    expected = colors.white_balance(picture.real, temperature, tint, reference)
    return Case(f"white_balance={temperature}:{tint}:{reference}", expected, 5e-5)


def hsb_adjust(draw: Draw, picture: Picture) -> Case:
    hue, saturation, brightness = draw.number(-360, 360), draw.number(0, 2), draw.number(0, 2)
    expected = colors.hsb_adjust(picture.real, hue, saturation, brightness)
    return Case(f"hsb_adjust={hue:g}:{saturation:g}:{brightness:g}", expected, 2e-5)


def channel_gain(draw: Draw, picture: Picture) -> Case:
    gains = draw.numbers(3, 0, 3)
    return Case("channel_gain=" + ":".join(f"{g:g}" for g in gains), picture.real * gains, POINT * 3)


def monochrome(draw: Draw, picture: Picture) -> Case:
    share, color = draw.number(0, 1), draw.numbers(3, 0, 1)
    expected = effects.mix(picture.real, effects.monochrome(picture.real, np.array(color)), share)
    return Case(f"monochrome={share:g}:{joined([*color, 1])}", expected, 1e-5)


def false_color(draw: Draw, picture: Picture) -> Case:
    first, second = draw.numbers(3, -0.5, 1.5), draw.numbers(3, -0.5, 1.5)
    expected = effects.mix(np.array(first), np.array(second), effects.luminance(picture.real))
    return Case(f"false_color={joined([*first, 1])}:{joined([*second, 1])}", expected, 1e-5)


def tint(draw: Draw, picture: Picture) -> Case:
    dark, bright = draw.number(0, 1), draw.number(0, 1)
    shadow, highlight = np.array(draw.numbers(3, 0, 1)), np.array(draw.numbers(3, 0, 1))
    graph = f"highlight_shadow_tint={dark:g}:{bright:g}:{joined([*shadow, 1])}:{joined([*highlight, 1])}"
    return Case(graph, effects.tint(picture.real, shadow, highlight, dark, bright), 1e-5)


def vignette(draw: Draw, picture: Picture) -> Case:
    start = draw.number(0, 0.5)
    end = start + draw.number(0.05, 0.5)
    return Case(f"vignette=start={start:g}:end={end:g}", effects.vignette(picture.real, start, end), 5e-5)


def haze(draw: Draw, picture: Picture) -> Case:
    distance, slope = draw.number(-0.3, 0.3), draw.number(-0.3, 0.3)
    return Case(f"haze={distance:g}:{slope:g}", effects.haze(picture.real, distance, slope), 2e-5)


def opacity(draw: Draw, picture: Picture) -> Case:
    value, real = draw.number(0, 1), picture.real
    if picture.alpha:
        return Case(f"opacity={value:g}", np.concatenate([real[:, :, :-1], value * real[:, :, -1:]], axis=2), POINT)
    return Case(f"opacity={value:g}", np.concatenate([real, np.full_like(real[:, :, :1], value)], axis=2), POINT)


def swizzle(draw: Draw, picture: Picture) -> Case:
    places = [draw.whole(0, 2) for _ in range(3)]
    return Case("swizzle=" + ":".join(map(str, places)), picture.real[:, :, places], 0)


def blend(name: str, mode, tolerance: float, formats=WITH_ALPHA) -> Row:
    def make(draw: Draw, first: Picture, second: Picture) -> Case:
        opacity = draw.number(0, 1)
        expected = blends.composite(first, second, mode, opacity)
        where = np.ones_like(expected, bool)
        if first.alpha:  # where next to nothing is visible the color is a quotient of two small numbers
            where[:, :, :-1] = expected[:, :, -1:] > 0.02
        alike = blends.MEAN if name in blends.MEANS and first.type == "u8" and first.alpha else tolerance
        return Case(f"{name}={opacity:g}", expected, max(tolerance, alike), where)
    return Row(name, "W3C Compositing", make, formats, inputs=2)


def dissolve(draw: Draw, first: Picture, second: Picture) -> Case:
    share = draw.number(0, 1)
    return Case(f"blend_dissolve={share:g}", effects.mix(first.real, second.real, share), POINT)


ROWS = [
    of_colors("brightness", -1, 1, lambda c, v: c + v),
    of_colors("contrast", 0, 4, lambda c, v: (c - 0.5) * v + 0.5),
    of_colors("exposure", -6, 4, lambda c, v: c * 2**v),
    of_colors("saturation", 0, 2, lambda c, v: effects.mix(
        effects.luminance(c) + 0 * c, c, v), formats=RGB),
    of_colors("vibrance", -1.2, 1.2, effects.vibrance, 1e-5, RGB),
    of_colors("hue_rotate", -360, 360, effects.hue_rotate, 2e-5, RGB),
    of_colors("luminance_range", 0, 1, lambda c, v: c + (0.5 - effects.luminance(c)) * v, 1e-5, RGB),
    of_colors("sepia", 0, 1, lambda c, v: effects.mix(c, c @ colors.SEPIA[:3, :3].T, v), 1e-5, RGB),
    plain("invert", lambda c: 1 - c),
    plain("srgb_decode", colors.srgb_decode),
    plain("srgb_encode", colors.srgb_encode, 1e-5),
    Row("levels", "the formula", levels, RGB),
    Row("gamma", "numpy power", gamma),
    Row("color_matrix", "numpy", color_matrix, ("u8x3", "u8x4", "u16x3", "f32x3")),
    Row("grayscale", "numpy", grayscale, RGB),
    Row("luminance_threshold", "the formula", threshold, COLORS),
    Row("solarize", "the formula", solarize),
    Row("posterize", "the formula", posterize),
    Row("tone_curve", "scipy CubicSpline", tone_curve),
    Row("white_balance", "numpy, CAT16", white_balance, RGB),
    Row("hsb_adjust", "the formula", hsb_adjust, RGB),
    Row("channel_gain", "the formula", channel_gain, RGB),
    Row("monochrome", "the formula", monochrome, RGB),
    Row("false_color", "the formula", false_color, RGB),
    Row("highlight_shadow_tint", "the formula", tint, RGB),
    Row("vignette", "the formula", vignette, RGB),
    Row("haze", "the formula", haze, RGB),
    Row("opacity", "the formula", opacity, ("u8x3", "u8x4", "u16x4", "f32x3", "f32x4")),
    Row("swizzle", "numpy", swizzle, RGB),
    Row("blend_dissolve", "numpy", dissolve, COLORS, inputs=2),
    *(blend(name, mode, POINT) for name, mode in blends.MODES.items()),
    *(blend(name, mode, 4e-3, ("u8x3", "u8x4", "u16x3"))
      for name, mode in {**blends.QUOTIENTS, **blends.WHOLE_COLORS}.items()),
]
