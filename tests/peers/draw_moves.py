# SPDX-License-Identifier: MIT
"""Random parameters for paths, cells, regions, tables of colors and parts that are blurred: SciPy and formulas."""

import numpy as np

import blurs
import borders
import effects
import tables
from colors import luminance
from draw_catalogue import PLACE, moved
from draws import RGB, Case, Draw, Row, joined
from pictures import Picture

FORMATS = ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3")
NINE = np.array([0.05, 0.09, 0.12, 0.15, 0.18, 0.15, 0.12, 0.09, 0.05])
EDGE = 5e-3
SIDE = 2.0**-15  # weft's cells have sides of whole 16384ths of a pixel


def pixels(picture: Picture) -> tuple[np.ndarray, np.ndarray]:
    height, width = picture.real.shape[:2]
    return np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))


def tent(count: int) -> np.ndarray:
    return np.minimum(np.arange(1, count + 1), np.arange(count, 0, -1)).astype(float)


def mean_of(picture: Picture, places: list, weights: np.ndarray) -> np.ndarray:
    return sum(w * moved(picture.real, x, y) for w, (x, y) in zip(weights, places)) / weights.sum()


def motion_blur(draw: Draw, picture: Picture) -> Case:
    size, angle, weights, compat = draw.number(0, 6), draw.number(-360, 360), draw.one(("box", "tent")), draw.chance(0.3)
    height, width = picture.real.shape[:2]
    half = 4 if compat else int(4 * size + 0.99)
    shape = height / width if compat else 1
    way = 4 * size * shape * np.arange(-half, half + 1) / max(half, 1)
    x, y = pixels(picture)
    turn = np.radians(angle)
    places = [(x + q * np.cos(turn), y + q * np.sin(turn)) for q in way]
    share = NINE if compat else tent(len(way)) if weights == "tent" else np.ones(len(way))
    graph = f"motion_blur={size:g}:{angle:g}:{weights}:{'gpuimage' if compat else 'none'}:border=replicate"
    # Where a step more or less fits the path is a matter of rounding.
    clear = compat or abs((4 * size + 0.99) % 1 - 0.5) < 0.499
    return Case(graph, mean_of(picture, places, share), 3 * PLACE, clear)


def zoom_blur(draw: Draw, picture: Picture) -> Case:
    size, center, weights, compat = draw.number(0, 5), draw.numbers(2, -1, 2), draw.one(("box", "tent")), draw.chance(0.3)
    height, width = picture.real.shape[:2]
    steps = 0.04 * size * sum(max(abs(c), abs(1 - c)) * side for c, side in zip(center, (width, height)))
    half = 4 if compat else int(steps + 0.987)
    x, y = pixels(picture)
    dx, dy = center[0] * width - 0.5 - x, center[1] * height - 0.5 - y
    way = (0.02 * size * np.arange(-4, 5) if compat else 0.04 * size * np.arange(-half, half + 1) / max(half, 1))
    if compat:
        way = 0.04 * size * np.arange(-4, 5) / 4
    share = NINE if compat else tent(len(way)) if weights == "tent" else np.ones(len(way))
    graph = (f"zoom_blur={size:g}:{joined(center)}:{weights}:{'gpuimage' if compat else 'none'}:border=replicate")
    clear = compat or abs((steps + 0.987) % 1 - 0.5) < 0.499
    return Case(graph, mean_of(picture, [(x + q * dx, y + q * dy) for q in way], share), 3 * PLACE, clear)


def crop_region(draw: Draw, picture: Picture) -> Case:
    """As many whole pixels as the region has, spread over it evenly, each between two of the image."""
    height, width = picture.real.shape[:2]
    x, y = draw.number(0, 0.9), draw.number(0, 0.9)
    wide, high = (float(f"{draw.random.uniform(0.05, 1 - v):.4f}") for v in (x, y))

    def along(start: float, side: float, count: int) -> np.ndarray:
        made = max(int(side * count + 1e-6 * count), 1)
        return np.clip(start * count + (np.arange(made) + 0.5) / made * side * count - 0.5, 0, count - 1)
    places = np.meshgrid(along(x, wide, width), along(y, high, height))
    return Case(f"crop_region={x:g}|{y:g}|{wide:g}|{high:g}", moved(picture.real, *places), PLACE)


def lut3d(draw: Draw, picture: Picture) -> Case:
    n, intensity, way = draw.whole(2, 12), draw.number(0, 1), draw.one(("trilinear", "tetrahedral"))
    table = draw.random.random((n, n, n, 3)).astype(np.float32)  # [blue, green, red]
    form = draw.one(("cube", "strip"))
    lies = table.reshape(n * n, n, 3) if form == "cube" else table.transpose(1, 0, 2, 3).reshape(n, n * n, 3)
    real = picture.real
    colors = real[:, :, :3]
    look = (tables.trilinear if way == "trilinear" else tables.tetrahedral)(table, colors).reshape(colors.shape)
    expected = effects.mix(colors, look, intensity)
    if picture.alpha:
        expected = np.concatenate([expected, real[:, :, 3:]], axis=2)
    return Case(f"[0][1]lut3d={intensity:g}:{way}:{form}", expected, 3e-5, more=(Picture(np.ascontiguousarray(lies)),))


def side_of(fraction: float, width: int) -> float:
    return max(fraction * width, 1)


def cell(v: np.ndarray, side: float, share: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    """The place that the cell of a pixel shows, and whether it is clear which cell that is."""
    return (np.floor((v + 0.5) / side) + share) * side - 0.5, np.abs((v + 0.5) / side % 1 - 0.5) < 0.5 - EDGE


def cells(draw: Draw, picture: Picture) -> tuple:
    width = picture.real.shape[1]
    fraction = draw.number(0.02, 0.7)
    side, (x, y) = side_of(fraction, width), pixels(picture)
    (u, clear_x), (v, clear_y) = cell(x, side), cell(y, side)
    return fraction, side, np.hypot(x - u, y - v), moved(picture.real, u, v), clear_x & clear_y


def tolerance(picture: Picture, side: float) -> float:
    return 2 * PLACE + 2 * SIDE * (max(picture.real.shape[:2]) / side + 1)


def pixellate(draw: Draw, picture: Picture) -> Case:
    fraction, side, _, color, clear = cells(draw, picture)
    return Case(f"pixellate={fraction:g}:border=replicate", color, tolerance(picture, side), clear[:, :, None])


def polka_dot(draw: Draw, picture: Picture) -> Case:
    fraction, side, apart, color, clear = cells(draw, picture)
    scale = draw.number(0, 1)
    inside = apart <= side * scale / 2
    clear &= np.abs(apart - side * scale / 2) > EDGE
    return Case(f"polka_dot={fraction:g}:{scale:g}", color * inside[:, :, None], tolerance(picture, side),
                clear[:, :, None])


def halftone(draw: Draw, picture: Picture) -> Case:
    fraction, side, apart, color, clear = cells(draw, picture)
    reach = side / 2 * (1 - luminance(color))
    clear &= np.abs(apart - reach) > EDGE + tolerance(picture, side) * side
    return Case(f"halftone={fraction:g}", (apart > reach)[:, :, None] * 1.0, 0, clear[:, :, None])


def focused(draw: Draw, picture: Picture, share) -> tuple[str, np.ndarray, float]:
    """The picture, and its blur where the share is 1."""
    sigma, border = draw.number(0.3, 6), draw.one(borders.ALL)
    blurred = blurs.gaussian(picture.real, sigma, border)
    return f"{sigma:g}", effects.mix(picture.real, blurred, share), border


def tilt_shift(draw: Draw, picture: Picture) -> Case:
    top, fall = draw.number(0.1, 0.5), draw.number(0.05, 0.5)
    bottom = float(f"{top + draw.number(0.05, 0.4):.4g}")
    v = pixels(picture)[1] + 0.5
    v = (v / picture.real.shape[0])[:, :, None]
    share = np.clip(1 - effects.smoothstep(top - fall, top, v) + effects.smoothstep(bottom, bottom + fall, v), 0, 1)
    sigma, made, border = focused(draw, picture, share)
    return Case(f"tilt_shift={sigma}:{top:g}:{bottom:g}:{fall:g}:border={border}", made, 6e-5)


def focus(name: str, inside: bool) -> Row:
    """The blur is outside of a circle, or inside."""
    def make(draw: Draw, picture: Picture) -> Case:
        (u, v), radius, fall = draw.numbers(2, 0, 1), draw.number(0.1, 0.9), draw.number(0.05, 0.5)
        height, width = picture.real.shape[:2]
        x, y = pixels(picture)
        apart = (np.hypot(x + 0.5 - u * width, y + 0.5 - v * height) / width)[:, :, None]
        share = effects.smoothstep(radius - fall, radius, apart)
        sigma, made, border = focused(draw, picture, 1 - share if inside else share)
        return Case(f"{name}={sigma}:{u:g}|{v:g}:{radius:g}:{fall:g}:border={border}", made, 6e-5)
    return Row(name, "scipy gaussian_filter", make, FORMATS, steps=0.05)


def crosshatch(draw: Draw, picture: Picture) -> Case:
    light, (x, y) = luminance(picture.real), pixels(picture)
    width, spacing, line = picture.real.shape[1], draw.number(0.05, 0.5), draw.number(0.01, 0.2)
    spacing_of = max(spacing, 1 / width)
    u, v = (x + 0.5) / width, (y + 0.5) / width
    ink, clear = np.zeros(light.shape, bool), np.ones(light.shape, bool)
    for where, level in ((u + v, 1), (u - v, 0.75), (u + v - spacing_of / 2, 0.5), (u - v - spacing_of / 2, 0.3)):
        beyond = np.mod(where, spacing_of)
        ink |= (light < level) & (beyond <= line)
        clear &= (np.abs(light - level) > 1e-5) & (np.abs(beyond - line) > 1e-5)
        clear &= (beyond > 1e-5) & (beyond < spacing_of - 1e-5)
    return Case(f"crosshatch={spacing:g}:{line:g}", 1.0 - ink[:, :, None], 0, clear[:, :, None])


def draw_rect(draw: Draw, picture: Picture) -> Case:
    """Lines around whole pixels: those no further from the rectangle's edge, along x or y, than the radius."""
    height, width = picture.real.shape[:2]
    left, top = draw.numbers(2, 0, 0.6)
    right, bottom = (float(f"{v + draw.number(0.05, 0.4):.4g}") for v in (left, top))
    radius, color = draw.whole(0, 6), np.array(draw.numbers(4, 0, 1))
    edge = lambda share, side: min(np.floor(np.float32(share) * side), side - 1 if share >= 1 else np.inf)
    x, y = pixels(picture)
    l, r, t, b = edge(left, width), edge(right, width), edge(top, height), edge(bottom, height)
    grown = (x >= l - radius) & (x <= r + radius) & (y >= t - radius) & (y <= b + radius)
    hollow = (x > l + radius) & (x < r - radius) & (y > t + radius) & (y < b - radius)
    share = (grown & ~hollow)[:, :, None] * color[3]
    graph = f"draw_rect={left:g}|{top:g}|{right:g}|{bottom:g}:{radius}:{joined(color)}"
    return Case(graph, effects.mix(picture.real, color[:3], share), 1e-5)


def sphere(name: str, glass: bool) -> Row:
    """The ray (0, 0, -1) after Snell's law at a sphere's front; of glass it is upside down, with light on it."""
    def make(draw: Draw, picture: Picture) -> Case:
        (u, v), share, index = draw.numbers(2, 0.2, 0.8), draw.number(0.1, 0.6), draw.number(0.3, 0.95)
        height, width = picture.real.shape[:2]
        x, y = pixels(picture)
        radius = share * width
        across, down = (x + 0.5 - u * width) / radius, (y + 0.5 - v * height) / radius
        apart = np.hypot(across, down)
        front = np.sqrt(np.maximum(1 - apart**2, 0))
        bend = index * front - np.sqrt(1 - index**2 * (1 - front**2))
        turn = (lambda t: (1 - 2 * bend * t) / 2) if glass else (lambda t: (bend * t + 1) / 2)
        made = effects.looked_up(picture.real, turn(across) * width - 0.5, turn(down) * height - 0.5)
        if glass:
            facing = np.maximum(np.dstack([across, down, front]) @ np.array([-0.5, 0.5, 1]) / np.sqrt(1.5), 0)
            made = made + (2.5 * (1 - front**0.25) + 0.8 * facing**15)[:, :, None]
        clear = np.abs(apart - 1) > (0.03 if glass else 2e-3)  # the rim's root is steep
        graph = f"{name}={u:g}|{v:g}:{share:g}:{index:g}"
        return Case(graph, made * (apart <= 1)[:, :, None], 1e-3, clear[:, :, None])
    return Row(name, "scipy map_coordinates", make, FORMATS, least=4)


ROWS = [
    sphere("sphere_refraction", False),
    sphere("glass_sphere", True),
    Row("motion_blur", "scipy map_coordinates", motion_blur, FORMATS, least=2),
    Row("zoom_blur", "scipy map_coordinates", zoom_blur, FORMATS, least=2),
    Row("crop_region", "scipy map_coordinates", crop_region, FORMATS, least=2),
    Row("lut3d", "scipy, and tetrahedra by sorting", lut3d, (*RGB, "u8x4", "f32x4")),
    Row("pixellate", "scipy map_coordinates", pixellate, FORMATS, least=2),
    Row("polka_dot", "scipy map_coordinates", polka_dot, RGB, least=2),
    Row("halftone", "scipy map_coordinates", halftone, FORMATS, least=2),
    Row("tilt_shift", "scipy gaussian_filter", tilt_shift, FORMATS, steps=0.05),
    focus("gaussian_selective_blur", False),
    focus("gaussian_blur_position", True),
    Row("crosshatch", "the formula", crosshatch, FORMATS),
    Row("draw_rect", "numpy", draw_rect, RGB),
]
