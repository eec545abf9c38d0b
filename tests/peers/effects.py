# SPDX-License-Identifier: MIT
"""Keys, effects on colors and warps against their formulas in double precision; warps by SciPy's interpolation."""

import numpy as np
from scipy import ndimage

from compare import Suite

WEIGHTS = np.array([0.2125, 0.7154, 0.0721])
POINT = 1e-5
# A place is good to 1e-3 of a pixel at this size, and neighbors differ by full scale at most.
PLACE = 1e-3


def luminance(c: np.ndarray) -> np.ndarray:
    return (c @ WEIGHTS)[:, :, None]


def smoothstep(low: float, high: float, v: np.ndarray) -> np.ndarray:
    t = np.clip((v - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def mix(a: np.ndarray, b: np.ndarray, t: np.ndarray | float) -> np.ndarray:
    return a * (1 - t) + b * t


def monochrome(c: np.ndarray, color: np.ndarray) -> np.ndarray:
    y = luminance(c)
    return np.where(y < 0.5, 2 * y * color, 1 - 2 * (1 - y) * (1 - color))


def tint(c: np.ndarray, shadow: np.ndarray, highlight: np.ndarray, dark: float, bright: float) -> np.ndarray:
    y = luminance(c)
    low = mix(c, np.maximum(c, mix(shadow, c, y)), dark)
    return mix(low, mix(c, np.minimum(low, mix(low, highlight, y)), bright), y)


def vibrance(c: np.ndarray, amount: float) -> np.ndarray:
    most = c.max(axis=2, keepdims=True)
    return mix(c, most, -3 * amount * (most - c.mean(axis=2, keepdims=True)))


def hue_rotate(c: np.ndarray, degrees: float) -> np.ndarray:
    to_yiq = np.array([[0.299, 0.587, 0.114], [0.595716, -0.274453, -0.321263], [0.211456, -0.522591, 0.311135]])
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[1, 0, 0], [0, cos, sin], [0, -sin, cos]])
    return c @ (np.linalg.inv(to_yiq) @ turn @ to_yiq).T


def highlights_shadows(c: np.ndarray, shadows: float, highlights: float) -> np.ndarray:
    light = 0.3 * c.sum(axis=2, keepdims=True)
    rise, fall, dark = 1 / (shadows + 1), 1 / (2 - highlights), np.maximum(1 - light, 0)
    shadow = np.clip(light**rise - 0.76 * light ** (2 * rise) - light, 0, 1)
    highlight = np.clip(1 - (dark**fall - 0.8 * dark ** (2 * fall)) - light, -1, 0)
    return c * np.where(light > 0, 1 + (shadow + highlight) / np.where(light > 0, light, 1), 1)


def vignette(c: np.ndarray, start: float, end: float) -> np.ndarray:
    height, width = c.shape[:2]
    u, v = (np.arange(width) + 0.5) / width - 0.5, (np.arange(height) + 0.5) / height - 0.5
    return c * (1 - smoothstep(start, end, np.hypot(u[None, :], v[:, None])))[:, :, None]


def haze(c: np.ndarray, distance: float, slope: float) -> np.ndarray:
    amount = ((np.arange(c.shape[0]) + 0.5) / c.shape[0] * slope + distance)[:, None, None]
    return (c - amount) / (1 - amount)


def effects(suite: Suite) -> None:
    brown, blue, gold = np.array([0.6, 0.45, 0.3]), np.array([0, 0.1, 0.4]), np.array([1, 0.7, 0.3])
    cases = (("monochrome=0.7", lambda c: mix(c, monochrome(c, brown), 0.7)),
             ("false_color=0|0.1|0.4|1:1|0.7|0.3|1", lambda c: mix(blue, gold, luminance(c))),
             ("highlight_shadow_tint=0.4:0.6:0|0.1|0.4|1:1|0.7|0.3|1", lambda c: tint(c, blue, gold, 0.4, 0.6)),
             ("vibrance=0.8", lambda c: vibrance(c, 0.8)), ("vibrance=-0.5", lambda c: vibrance(c, -0.5)),
             ("hue_rotate=77", lambda c: hue_rotate(c, 77)), ("hue_rotate=-140", lambda c: hue_rotate(c, -140)),
             ("channel_gain=1.1:0.8:0.3", lambda c: c * [1.1, 0.8, 0.3]),
             ("luminance_range=0.6", lambda c: c + (0.5 - luminance(c)) * 0.6),
             ("vignette=start=0.2:end=0.6", lambda c: vignette(c, 0.2, 0.6)),
             ("haze=0.2:-0.1", lambda c: haze(c, 0.2, -0.1)))
    for name in ("u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        for graph, function in cases:
            suite.real(graph, "numpy, the formula", picture, function(picture.real), POINT)
    for name in ("u8x3", "u16x3"):
        picture = suite.pictures[name]
        suite.real("highlights_shadows=0.6:0.4", "numpy, the formula", picture,
                   highlights_shadows(picture.real, 0.6, 0.4), 1e-4)
    picture = suite.pictures["u8x3"]
    c = picture.real
    suite.real("posterize=4", "numpy, the formula", picture, np.floor(c * 3 + 0.5) / 3, POINT)
    suite.real("solarize=0.4", "numpy, the formula", picture, np.where(c >= np.float32(0.4), 1 - c, c), POINT,
               where=np.abs(c - 0.4) > 1e-6)
    palette = np.array([[0, 0, 0], [1, 1, 1], [1 / 3, 1, 1], [1, 1 / 3, 1]])
    distances = ((c[:, :, None, :] - palette) ** 2).sum(axis=3)
    nearest = np.sort(distances, axis=2)
    suite.real("cga_palette", "numpy, the formula", picture, palette[distances.argmin(axis=2)], 0,
               where=(nearest[:, :, 1] - nearest[:, :, 0] > 1e-5)[:, :, None])


def hue(c: np.ndarray, mask: float) -> np.ndarray:
    total = c.sum(axis=-1, keepdims=True)
    h = mix(c, total, np.exp(-2 * np.pi * total / mask))
    whole = 2 * h.sum(axis=-1, keepdims=True)
    return np.where(whole > 0, h / np.where(whole > 0, whole, 1), 1 / 6)


def keys(suite: Suite) -> None:
    picture = suite.pictures["u8x3"]
    c, key = picture.real, np.array([0.45, 0.6, 0.1])
    difference = c - key
    y = difference @ [0.2989, 0.5866, 0.1145]
    apart = np.hypot(0.7132 * (difference[:, :, 0] - y), 0.5647 * (difference[:, :, 2] - y))
    keep = smoothstep(0.1, 0.25, apart)[:, :, None]
    color = "0.45|0.6|0.1|1"
    suite.real(f"chroma_key={color}:0.1:0.15", "numpy, the formula", picture, np.dstack([c, keep]), POINT)
    graph = f"chroma_key={color}:0.1:0.15:0.8:0.3"
    near = 1 - smoothstep(0.1, 0.55, apart)[:, :, None]

    def chroma(v: np.ndarray) -> np.ndarray:
        luma = v @ [0.2989, 0.5866, 0.1145]
        return np.stack([0.7132 * (v[..., 0] - luma), 0.5647 * (v[..., 2] - luma)], axis=-1)

    unit = chroma(key) / np.linalg.norm(chroma(key))
    taken = 0.8 * near * np.maximum(chroma(c) @ unit, 0)[:, :, None] * unit
    luma, rest = c @ [0.2989, 0.5866, 0.1145], chroma(c) - taken
    red, blue = luma + rest[:, :, 0] / 0.7132, luma + rest[:, :, 1] / 0.5647
    unspilt = np.dstack([red, (luma - 0.2989 * red - 0.1145 * blue) / 0.5866, blue])
    suite.real(graph, "numpy, the formula", picture, np.dstack([np.clip(unspilt, 0, 1), keep]), POINT)
    shrunk = ndimage.minimum_filter(keep[:, :, 0], 5, mode="mirror")
    suite.real(graph + ":shrink=2:output=matte", "scipy minimum_filter", picture, shrunk, POINT)
    other = suite.picture("key_behind", picture.pixels[::-1, ::-1].copy())
    suite.real(f"chroma_key_blend={color}:0.1:0.15", "numpy, the formula", [picture, other],
               mix(other.real, c, keep), POINT)
    far = np.linalg.norm(hue(c, 0.8) - hue(key, 0.8), axis=2, keepdims=True) - 0.05
    beyond = np.maximum(far, 0) / 0.1
    alpha, near = np.minimum(beyond**1.5, 1), 1 - np.minimum(beyond, 1)
    colors = c - c * key * near * 0.7 + c * [0.3, 0.59, 0.11] * [0, 0, 1] * 0.5 * near
    graph = f"chroma_key_ue={color}:0.05:0.1:1.5:0.7:1:0.8:0|0|1|1:0.5"
    suite.real(graph, "numpy, the formula", picture, np.dstack([colors, alpha]), POINT)
    visible = np.broadcast_to(np.array([False, False, False, True]), (*c.shape[:2], 4))
    shrunk = ndimage.minimum_filter(alpha[:, :, 0], 5, mode="mirror")
    suite.real(graph + ":shrink=2", "scipy minimum_filter", picture, np.dstack([colors, shrunk]), POINT, where=visible)
    suite.real(graph + ":shrink=2:output=matte", "scipy minimum_filter", picture, shrunk, POINT)


def looked_up(real: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.dstack([ndimage.map_coordinates(real[:, :, k], [y, x], order=1, mode="mirror")
                      for k in range(real.shape[2])])


def warps(suite: Suite) -> None:
    for name in ("u8x1", "u8x3", "u16x3", "f32x1"):
        picture = suite.pictures[name]
        height, width = picture.pixels.shape[:2]
        x, y = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
        dx, dy = x + 0.5 - 0.55 * width, y + 0.5 - 0.4 * height
        apart = np.hypot(dx, dy) / width

        def compare(graph: str, factor: np.ndarray) -> None:
            suite.real(graph, "scipy map_coordinates", picture,
                       looked_up(picture.real, x + dx * (factor - 1), y + dy * (factor - 1)), PLACE)
        for scale in (0.6, -0.4):
            inside = (1 - scale * (0.35 - apart) / 0.35) ** 2
            compare(f"bulge=0.55|0.4:0.35:{scale}", np.where(apart < 0.35, inside, 1))
            compare(f"pinch=0.55|0.4:0.35:{scale}", np.where(apart < 0.35, 1 + scale * (0.35 - apart) / 0.35, 1))
        turn = np.where(apart < 0.4, 8 * 0.6 * ((0.4 - apart) / 0.4) ** 2, 0)
        turned = (dx + 1j * dy) * np.exp(1j * turn)
        suite.real("swirl=0.55|0.4:0.4:0.6", "scipy map_coordinates", picture,
                   looked_up(picture.real, x + turned.real - dx, y + turned.imag - dy), PLACE)
        side = 0.07 * width
        column, row = np.floor((x + 0.5) / side), np.floor((y + 0.5) / side)
        clear = ((x + 0.5) / side % 1 < 0.999) & ((y + 0.5) / side % 1 < 0.999)
        suite.real("pixellate=0.07", "scipy map_coordinates", picture,
                   looked_up(picture.real, (column + 0.5) * side - 0.5, (row + 0.5) * side - 0.5), PLACE,
                   where=clear[:, :, None])


def averages(suite: Suite) -> None:
    picture = suite.pictures["u8x3"]
    suite.numbers("average_color", "numpy mean", picture, picture.real.mean(axis=(0, 1)), 1e-6, "sums in f32 rows")
    suite.numbers("average_luminance", "numpy mean", picture, luminance(picture.real).mean(), 1e-6, "sums in f32 rows")


def compare(suite: Suite) -> None:
    for part in (effects, keys, warps, averages):
        part(suite)
