# SPDX-License-Identifier: MIT
"""Random parameters for filters that make pictures, and for single pixels: formulas in double precision."""

import colorsys

import numpy as np

import effects
from draws import RGB, WITH_ALPHA, Case, Draw, Row, joined
from pictures import Picture, premultiplied

POINT = 4e-6
TYPES = ("u8x1", "u16x1", "f32x1")  # of what is made from nothing
REAL = ("f32x1", "f32x3")


# ---- from nothing

def generator(name: str, peer: str, function, tolerance: float = POINT, formats=TYPES) -> Row:
    """`function` draws the parameters and makes four channels and where they are sure; they are one to four of them."""
    def make(draw: Draw) -> Case:
        width, height, channels = draw.side(1, 70), draw.side(1, 70), draw.whole(1, 4)
        words, color, sure = function(draw, width, height)
        chosen = {1: [0], 2: [0, 3], 3: [0, 1, 2], 4: [0, 1, 2, 3]}[channels]
        graph = f"{name}={words}:width={width}:height={height}:channels={channels}"
        return Case(graph, color[:, :, chosen], tolerance, sure)
    return Row(name, peer, make, formats, inputs=0)


def colors(draw: Draw, count: int) -> list[np.ndarray]:
    return [np.array(draw.numbers(4, 0, 1)) for _ in range(count)]


def grid(width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    return np.meshgrid(np.arange(width), np.arange(height))


def solid(draw: Draw, width: int, height: int) -> tuple:
    (color,) = colors(draw, 1)
    return joined(color), np.broadcast_to(color, (height, width, 4)), True


def checkerboard(draw: Draw, width: int, height: int) -> tuple:
    cell, (first, second), (x, y) = draw.whole(1, 30), colors(draw, 2), grid(width, height)
    odd = (x // cell + y // cell) % 2 == 1
    return f"{cell}:{joined(first)}:{joined(second)}", np.where(odd[:, :, None], second, first), True


def ramp(draw: Draw, width: int, height: int) -> tuple:
    """0 at the corner that the direction comes from, 1 at the one that it goes to."""
    (low, high), (u, v), (x, y) = colors(draw, 2), draw.numbers(2, -1, 1), grid(width, height)
    way = u * x + v * y
    least, most = (f(u * cx + v * cy for cx in (0, width - 1) for cy in (0, height - 1)) for f in (min, max))
    share = (way - least) / (most - least) if most > least else 0 * way
    graph = f"from={joined(low)}:to={joined(high)}:x={u:g}:y={v:g}"
    return graph, effects.mix(low, high, share[:, :, None]), most == least or most - least > 0.05


def permuted(v):
    return (34 * v + 1) * v % 289


def perlin(draw: Draw, width: int, height: int) -> tuple:
    """Gradient noise: 41 slopes along a diamond, chosen by two permutations of 289 numbers."""
    scale, (low, high), square = draw.number(0, 60), colors(draw, 2), draw.chance(0.3)
    x, y = grid(width, height)
    x, y = scale * (x + 0.5) / width, scale * (y + 0.5) / (height if square else width)
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    fade = lambda t: t**3 * (t * (6 * t - 15) + 10)
    total = np.zeros(x.shape)
    for di in (0, 1):
        for dj in (0, 1):
            dx, dy = x - i - di, y - j - dj
            slope = permuted(permuted((i + di) % 289) + (j + dj) % 289) % 41 * 2 / 41 - 1
            down = np.abs(slope) - 0.5
            across = slope - np.floor(slope + 0.5)
            long = 1.79284291400159 - 0.85373472095314 * (across**2 + down**2)
            total += long * (across * dx + down * dy) * fade(1 - np.abs(dx)) * fade(1 - np.abs(dy))
    made = effects.mix(low, high, (0.5 + 1.15 * total)[:, :, None])
    sure = np.min([np.abs((v + 0.5) % 1 - 0.5) for v in (x, y)], axis=0) > 1e-4
    return f"{scale:g}:{joined(low)}:{joined(high)}:{'gpuimage' if square else 'none'}", made, sure[:, :, None]


def identity_table(draw: Draw) -> Case:
    table = draw.one(("cube", "strip", "gpuimage", "hald", "curves"))
    n = draw.one((4, 9, 16)) if table in ("gpuimage", "hald") else draw.whole(2, 20)
    blue, green, red = np.meshgrid(*[np.arange(n) / (n - 1)] * 3, indexing="ij")
    cube = np.stack([red, green, blue], axis=3)  # by blue, green, red
    root = int(round(np.sqrt(n)))
    made = {"cube": lambda: cube.reshape(n * n, n, 3), "strip": lambda: cube.swapaxes(0, 1).reshape(n, n * n, 3),
            "gpuimage": lambda: cube.reshape(root, root, n, n, 3).swapaxes(1, 2).reshape(root * n, root * n, 3),
            "hald": lambda: cube.reshape(root * n, root * n, 3),
            "curves": lambda: np.repeat(np.arange(n)[None, :, None] / (n - 1), 3, axis=2)}[table]()
    return Case(f"identity_table={n}:{table}", made, POINT)


# ---- of pixels

def crosshair(draw: Draw, picture: Picture) -> Case:
    height, width = picture.real.shape[:2]
    points = np.array(draw.numbers(2 * draw.whole(1, 24), -5, 65)).reshape(-1, 2)
    long, (color,) = draw.whole(1, 30), colors(draw, 1)
    x, y = grid(width, height)
    made, before, after = picture.real, -(long // 2), (long - 1) // 2
    for u, v in np.floor(points + 0.5):
        across = (y == v) & (x - u >= before) & (x - u <= after)
        down = (x == u) & (y - v >= before) & (y - v <= after)
        made = effects.mix(made, color[:3], ((across | down) * color[3])[:, :, None])
    sure = (np.abs(points % 1 - 0.5) > 1e-5).all()
    return Case(f"crosshair={joined(points.ravel())}:{long}:{joined(color)}:pixel", made, 1e-5, bool(sure))


def place_map(draw: Draw, picture: Picture) -> Case:
    x, y = grid(*picture.real.shape[1::-1])
    return Case("place_map", np.dstack([x, y, picture.real[:, :, 0]]), 0)


def premultiply(draw: Draw, picture: Picture) -> Case:
    return Case("premultiply", premultiplied(picture.real) if picture.alpha else picture.real, POINT)


def whole_light(draw: Draw, picture: Picture) -> Case:
    """By whole numbers: each channel in steps, their weighted sum, and its product with alpha."""
    straight, whole = draw.chance(0.5) and picture.alpha, draw.chance(0.5)
    steps = np.floor(picture.real * 65535 + 0.5).astype(np.int64)
    half = np.abs(picture.real * 65535 % 1 - 0.5) < 0.02
    gray = (steps[:, :, :3] @ [2125, 7154, 721] + 5000) // 10000 if steps.shape[2] > 2 else steps[:, :, 0]
    if straight:
        gray = (2 * gray * steps[:, :, -1] + 65535) // (2 * 65535)
    made = gray if whole else gray / 65535
    # In files' type a step is less than theirs, but for 16 bits.
    graph = f"luminance_over_black=straight={int(straight)}:whole={int(whole)}"
    return Case(graph, made[:, :, None], 0 if whole else 1e-7, ~half.any(axis=2, keepdims=True))


def skin_tone(draw: Draw, picture: Picture) -> Case:
    """The standard library's hues, of one pixel at a time."""
    adjust, hue, narrow = draw.number(-0.3, 0.3), draw.number(0, 1), draw.number(0, 60)
    turn, colorful, mode = draw.number(0, 1), draw.number(0, 1), draw.one(("green", "orange"))
    made, real = np.zeros_like(picture.real), picture.real
    for place in np.ndindex(real.shape[:2]):
        h, s, v = colorsys.rgb_to_hsv(*real[place])
        apart = 2 * abs((h - hue + 0.5) % 1 - 0.5)
        weight = adjust * np.exp(-apart**2 * narrow)
        if mode == "orange" and adjust > 0:
            s += weight * colorful
        else:
            h += weight * turn
        made[place] = colorsys.hsv_to_rgb(h % 1, s, v)
    span = real.max(axis=2) - real.min(axis=2)
    graph = f"skin_tone={adjust:g}:{hue:g}:{narrow:g}:{turn:g}:{colorful:g}:{mode}"
    return Case(graph, made, 1e-3, ((span == 0) | (span > 0.01))[:, :, None])


def digit(draw: Draw) -> Case:
    which = draw.one(("high", "low"))
    numbers = draw.random.integers(-1 << 23, 1 << 23, (draw.side(1, 40), draw.side(1, 40), 1))
    made = numbers // 4096 if which == "high" else numbers % 4096
    return Case(f"digit={which}", made, 0, more=(Picture(numbers.astype(np.float32)),))


def digits_mean(draw: Draw) -> Case:
    """Of sums in both digits, each below 2^24: the quotient, rounded half up."""
    count, size = draw.whole(1, 4096), (draw.side(1, 40), draw.side(1, 40), 1)
    high = draw.random.integers(-2048 * count, 2048 * count, size)
    low = draw.random.integers(0, 4095 * count + 1, size)
    made = (2 * (4096 * high + low) + count) // (2 * count)
    parts = tuple(Picture(part.astype(np.float32)) for part in (high, low))
    return Case(f"[0][1]digits_mean={count}", made.astype(np.float32), 0, more=parts)


def gradient_products(draw: Draw, first: Picture, second: Picture) -> Case:
    clip, gain = draw.chance(0.5), draw.number(0.5, 3)
    x, y = (gain * picture.real[:, :, 0] for picture in (first, second))
    made = np.dstack([x * x, y * y, x * y])
    graph = (f"[0]exposure={np.log2(gain):.9g}[x];[1]exposure={np.log2(gain):.9g}[y];"
             f"[x][y]gradient_products={int(clip)}")
    return Case(graph, np.minimum(made, 1) if clip else made, 2e-5)


ROWS = [
    generator("solid_color", "numpy", solid),
    generator("checkerboard", "numpy", checkerboard),
    generator("gradient", "the formula", ramp, 1e-5),
    generator("perlin_noise", "the definition", perlin, 2e-4),
    Row("identity_table", "numpy", identity_table, ("f32x3",), inputs=0),
    Row("crosshair", "numpy", crosshair, RGB),
    Row("place_map", "numpy", place_map, REAL),
    Row("premultiply", "numpy", premultiply, WITH_ALPHA),
    Row("luminance_over_black", "numpy, whole numbers", whole_light, ("f32x1", "f32x3", "f32x4")),
    Row("skin_tone", "Python's colorsys", skin_tone, RGB, side=12),
    Row("digit", "numpy, whole numbers", digit, ("f32x1",), inputs=0),
    Row("digits_mean", "numpy, whole numbers", digits_mean, ("f32x1",), inputs=0),
    Row("gradient_products", "numpy", gradient_products, ("f32x1",), inputs=2),
]
