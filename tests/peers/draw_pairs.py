# SPDX-License-Identifier: MIT
"""Random parameters for keys, for operators on two images, and for what is done to alpha: formulas in double precision."""

import numpy as np
from scipy import ndimage

import effects
from blends import OPERATORS
from colors import luminance
from draws import COLORS, RGB, WITH_ALPHA, Case, Draw, Row, joined, on_colors
from pictures import Picture, premultiplied, straight

POINT = 4e-6
MATTE = 3e-5  # the steepest edge that is drawn is 1 / 0.05, and a distance is good to some f32 steps
HAS_ALPHA = ("u8x4", "u16x4", "f32x4")
PAIRS = ("u8x3", "u8x4", "u16x3", "u16x4", "f32x3", "f32x4")


def parts(picture: Picture) -> tuple[np.ndarray, np.ndarray]:
    """The colors and alpha, which is 1 where there is none."""
    real = picture.real
    return (real[:, :, :-1], real[:, :, -1:]) if picture.alpha else (real, np.ones_like(real[:, :, :1]))


def chroma(color: np.ndarray) -> np.ndarray:
    luma = color @ [0.2989, 0.5866, 0.1145]
    return np.stack([0.7132 * (color[..., 0] - luma), 0.5647 * (color[..., 2] - luma)], axis=-1)


def key(draw: Draw) -> tuple[np.ndarray, str]:
    color = np.array(draw.numbers(3, 0, 1))
    return color, joined([*color, 1])


def unspilt(color: np.ndarray, screen: np.ndarray, share: np.ndarray) -> np.ndarray:
    """What the chroma has of the screen's taken out; luma stays."""
    luma, of_screen = color @ [0.2989, 0.5866, 0.1145], chroma(screen)
    long = np.linalg.norm(of_screen)
    unit = of_screen / long if long > 1e-6 else 0 * of_screen
    rest = chroma(color) - share * np.maximum(chroma(color) @ unit, 0)[:, :, None] * unit
    red, blue = luma + rest[:, :, 0] / 0.7132, luma + rest[:, :, 1] / 0.5647
    return np.dstack([red, (luma - 0.2989 * red - 0.1145 * blue) / 0.5866, blue])


def chroma_key(draw: Draw, picture: Picture) -> Case:
    color, alpha = parts(picture)
    screen, words = key(draw)
    near, soft, spill, reach = draw.number(0, 0.6), draw.number(0.05, 0.5), draw.number(0, 1), draw.number(0, 1)
    shrink, matte = draw.whole(0, 4), draw.chance(0.5)
    apart = np.linalg.norm(chroma(color - screen), axis=2, keepdims=True)
    keep = effects.smoothstep(near, near + soft, apart) * alpha
    share = spill * (1 - effects.smoothstep(near, near + soft + reach, apart))
    keep = ndimage.minimum_filter(keep[:, :, 0], 2 * shrink + 1, mode="mirror")[:, :, None]
    graph = f"chroma_key={words}:{near:g}:{soft:g}:{spill:g}:{reach:g}:shrink={shrink}"
    if matte:
        return Case(graph + ":output=matte", keep, MATTE)
    return Case(graph, np.dstack([unspilt(color, screen, share), keep]), MATTE)


def chroma_key_blend(draw: Draw, first: Picture, second: Picture) -> Case:
    (color, alpha), (behind, behind_alpha) = parts(first), parts(second)
    screen, words = key(draw)
    near, soft = draw.number(0, 0.6), draw.number(0.05, 0.5)
    keep = effects.smoothstep(near, near + soft, np.linalg.norm(chroma(color - screen), axis=2, keepdims=True))
    seen = effects.mix(behind_alpha, alpha, keep)
    share = np.divide(keep * alpha, seen, out=np.zeros_like(seen), where=seen > 0)
    mixed = effects.mix(behind, color, share)
    sure = np.broadcast_to(seen > 0.02, mixed.shape)
    graph = f"chroma_key_blend={words}:{near:g}:{soft:g}"
    if not first.alpha:
        return Case(graph, mixed, MATTE, sure)
    return Case(graph, np.dstack([mixed, seen]), 50 * MATTE, np.dstack([sure, np.ones(seen.shape, bool)]))


def by_hue(draw: Draw, color: np.ndarray) -> tuple[str, np.ndarray, np.ndarray, np.ndarray]:
    """The words of a key by hue, the colors without spill, the matte, and where both are sure."""
    screen, words = key(draw)
    near, soft, bend, spill_bend = draw.number(0, 0.4), draw.number(0.05, 0.5), draw.number(0.5, 2), draw.number(0.5, 2)
    spill, mask, scale = draw.number(0, 1), draw.number(0.2, 2), draw.number(0, 2)
    light = np.array(draw.numbers(3, 0, 1))
    away = np.linalg.norm(effects.hue(color, mask) - effects.hue(screen, mask), axis=2, keepdims=True) - near
    beyond = np.maximum(away, 0) / soft
    matte, left = np.minimum(beyond**bend, 1), 1 - np.minimum(beyond**spill_bend, 1)
    made = color * (1 - screen * left * spill + np.array([0.3, 0.59, 0.11]) * light * left * scale)
    graph = (f"{words}:{near:g}:{soft:g}:{bend:g}:{spill:g}:{spill_bend:g}:{mask:g}:{joined([*light, 1])}:{scale:g}")
    return graph, made, matte, (away < -1e-5) | (beyond > 1e-2)  # a root is steep at 0


def chroma_key_ue(draw: Draw, picture: Picture) -> Case:
    color, alpha = parts(picture)
    words, made, matte, sure = by_hue(draw, color)
    sure = np.broadcast_to(sure, color.shape)
    return Case(f"chroma_key_ue={words}", np.dstack([made, matte * alpha]), 2 * MATTE,
                np.dstack([sure, sure[:, :, :1]]))


def chroma_key_ue_blend(draw: Draw, first: Picture, second: Picture) -> Case:
    words, made, matte, sure = by_hue(draw, first.real)
    expected = np.dstack([effects.mix(second.real, made, matte), np.ones(matte.shape)])
    return Case(f"chroma_key_ue_blend={words}", expected, 2 * MATTE, sure)


def porter_duff(draw: Draw, first: Picture, second: Picture) -> Case:
    op = draw.one(tuple(OPERATORS))
    under, over = premultiplied(first.real), premultiplied(second.real)
    source, backdrop = OPERATORS[op]
    light = source(under[:, :, 3:]) * over + backdrop(over[:, :, 3:]) * under
    expected = straight(np.minimum(light, 1) if op == "lighter" else light)
    sure = np.broadcast_to(expected[:, :, 3:] > 0.02, expected.shape) | (np.arange(4) == 3)
    return Case(f"porter_duff={op}", expected, 50 * POINT, sure)


def of_two(name: str, function, formats=("u8x3", "u16x3", "f32x3", "f32x1"), tolerance: float = POINT) -> Row:
    """On colors; alpha is the first's."""
    def make(draw: Draw, first: Picture, second: Picture) -> Case:
        return Case(name, function(first.real, second.real), tolerance)
    return Row(name, "numpy", make, formats, inputs=2)


def mask(draw: Draw, first: Picture, second: Picture) -> Case:
    (color, alpha), (other, other_alpha) = parts(first), parts(second)
    share, compat = other.mean(axis=2, keepdims=True) * other_alpha, draw.chance(0.3)
    return Case(f"mask=compat={'gpuimage' if compat else 'none'}", np.dstack([color, share * (1 if compat else alpha)]), POINT)


def alpha_combine(draw: Draw, first: Picture, second: Picture) -> Case:
    return Case("alpha_combine", np.dstack([parts(first)[0], second.real[:, :, :1]]), 0)


def alpha_copy(draw: Draw, first: Picture, second: Picture) -> Case:
    return Case("alpha_copy", np.dstack([parts(first)[0], parts(second)[1]]), 0)


def split_view(draw: Draw, first: Picture, second: Picture) -> Case:
    divider, axis = draw.number(0, 1), draw.one(("x", "y"))
    side = first.real.shape[1 if axis == "x" else 0]
    place = (np.arange(side) + 0.5).reshape((1, -1, 1) if axis == "x" else (-1, 1, 1))
    expected = np.where(place > divider * side, second.real, first.real)
    return Case(f"split_view={divider:g}:{axis}", expected, POINT, np.abs(place - divider * side) > 1e-4)


def mask_highlight(draw: Draw, first: Picture, second: Picture) -> Case:
    color = np.array(draw.numbers(3, 0, 1))
    on = (parts(second)[0] > 0).any(axis=2, keepdims=True)
    paint = np.array([*color, 1])[:first.real.shape[2]]
    return Case(f"mask_highlight={joined([*color, 1])}", np.where(on, paint, first.real), POINT)


def extreme_of(draw: Draw, first: Picture, second: Picture) -> Case:
    op = draw.one(("larger", "smaller"))
    return Case(f"extreme_of={op}", {"larger": np.maximum, "smaller": np.minimum}[op](first.real, second.real), 0)


def take_channel(draw: Draw, picture: Picture) -> Case:
    k = draw.whole(0, picture.real.shape[2] - 1)
    return Case(f"take_channel={k}", picture.real[:, :, k:k + 1], 0)


def plane(name: str, function, tolerance: float = 0) -> Row:
    return Row(name, "numpy", lambda draw, picture: Case(name, function(picture)[:, :, None], tolerance), HAS_ALPHA)


def highlights_shadows(draw: Draw, picture: Picture) -> Case:
    shadows, highlights = draw.number(0, 1), draw.number(0, 1)
    expected = on_colors(picture, lambda c: effects.highlights_shadows(c, shadows, highlights))
    dark = parts(picture)[0].sum(axis=2, keepdims=True) * 0.3
    return Case(f"highlights_shadows={shadows:g}:{highlights:g}", expected, 1e-4, (dark <= 0) | (dark > 1e-2))


def unmultiplied(draw: Draw, picture: Picture) -> Case:
    """Also a file that says that its colors are straight is divided."""
    expected = straight(picture.real)
    sure = np.broadcast_to(expected[:, :, 3:] > 0.02, expected.shape) | (np.arange(4) == 3)
    return Case("unpremultiply", expected, 4e-5, sure)


def overlay(draw: Draw, first: Picture, second: Picture) -> Case:
    """Over, with a margin to the top left, and only as far as both reach."""
    (b, b_alpha), (s, s_alpha) = parts(first), parts(second)
    height, width = b.shape[:2]
    x, y, opacity = draw.whole(-12, width - 1), draw.whole(-12, height - 1), draw.number(0, 1)
    alpha, color = np.zeros_like(b_alpha), np.zeros_like(b)
    top, bottom, left, right = max(y, 0), min(height, height + y), max(x, 0), min(width, width + x)
    if top < bottom and left < right:
        alpha[top:bottom, left:right] = s_alpha[top - y:bottom - y, left - x:right - x]
        color[top:bottom, left:right] = s[top - y:bottom - y, left - x:right - x]
    alpha = alpha * opacity
    both = alpha + b_alpha * (1 - alpha)
    share = np.divide(alpha, both, out=np.zeros_like(both), where=both > 0)
    made = effects.mix(b, color, share)
    graph = f"overlay=northwest:{x}|{y}:{opacity:g}"
    if not first.alpha:
        return Case(graph, made, 1e-5)
    sure = np.broadcast_to(both > 0.02, made.shape)
    return Case(graph, np.dstack([made, both]), 2e-4, np.dstack([sure, np.ones(both.shape, bool)]))


ROWS = [
    Row("overlay", "the formula", overlay, PAIRS, inputs=2),
    Row("chroma_key", "the formula, scipy minimum", chroma_key, PAIRS),
    Row("chroma_key_blend", "the formula", chroma_key_blend, PAIRS, inputs=2),
    Row("chroma_key_ue", "the formula", chroma_key_ue, PAIRS),
    Row("chroma_key_ue_blend", "the formula", chroma_key_ue_blend, RGB, inputs=2),
    Row("porter_duff", "Porter and Duff's table", porter_duff, HAS_ALPHA, inputs=2),
    of_two("absolute_difference", lambda a, b: np.abs(a - b)),
    of_two("difference_of", lambda a, b: a - b),
    of_two("sum_of", lambda a, b: a + b),
    of_two("product_of", lambda a, b: a * b),
    of_two("replace_luminance", lambda a, b: a + (luminance(b) - luminance(a))[:, :, None], RGB, 1e-5),
    Row("extreme_of", "numpy", extreme_of, COLORS, inputs=2),
    Row("mask", "the formula", mask, PAIRS, inputs=2),
    Row("mask_highlight", "the formula", mask_highlight, RGB, inputs=2),
    Row("split_view", "numpy", split_view, WITH_ALPHA, inputs=2),
    Row("alpha_combine", "numpy", alpha_combine, PAIRS, inputs=2),
    Row("alpha_copy", "numpy", alpha_copy, HAS_ALPHA, inputs=2),
    Row("alpha_extract", "numpy", lambda draw, picture: Case("alpha_extract", picture.real[:, :, 3:], 0), HAS_ALPHA),
    Row("alpha_remove", "numpy", lambda draw, picture: Case("alpha_remove", picture.real[:, :, :3], 0), HAS_ALPHA),
    Row("unpremultiply", "numpy", unmultiplied, HAS_ALPHA),
    Row("take_channel", "numpy", take_channel, ("u8x3", "u16x4", "f32x4")),
    plane("channel_max", lambda picture: picture.real[:, :, :3].max(axis=2)),
    plane("channel_mean", lambda picture: picture.real[:, :, :3].mean(axis=2), POINT),
    Row("highlights_shadows", "the formula", highlights_shadows, RGB),
]
