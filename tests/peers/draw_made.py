# SPDX-License-Identifier: MIT
"""Random parameters for filters that make pictures, for planes of video, and for frames: formulas in float64."""

import colorsys

import numpy as np

import effects
from draws import COLORS, RGB, WITH_ALPHA, Case, Draw, Row, joined
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


def chroma_join(draw: Draw, first: Picture, second: Picture) -> Case:
    return Case("[0][1]chroma_join", np.dstack([first.real, second.real]), 0)


# ---- of video

WEIGHTS = {"601": (0.299, 0.114), "709": (0.2126, 0.0722), "2020": (0.2627, 0.0593)}
# Where a sample of chroma lies among the pixels that share it: 0 on the first, 0.5 in the middle, 1 on the last.
SITING = {"left": (0, 0.5), "center": (0.5, 0.5), "topleft": (0, 0), "top": (0.5, 0), "bottomleft": (0, 1),
          "bottom": (0.5, 1)}


def samples(range: str, bits: int) -> tuple[float, float, float, float]:
    """Black, and from it to white; gray, and the reach of chroma, in steps of samples."""
    if range == "full":
        return 0, 2**bits - 1, 2**(bits - 1), 2**bits - 1
    more = 2**(bits - 8)
    return 16 * more, 219 * more, 128 * more, 224 * more


def luma_decode(draw: Draw, picture: Picture) -> Case:
    range, bits, storage = draw.one(("limited", "full")), draw.whole(8, 16), draw.one(("whole", "low", "high"))
    back = draw.chance(0.5)
    black, steps, _, _ = samples(range, bits)
    unit = {"whole": 2**bits - 1, "low": 65535, "high": 65535 / 2**(16 - bits)}[storage]
    v = picture.real
    made = (v * unit - black) / steps
    if back:
        made = np.clip((np.clip(v, 0, 1) * steps + black) / unit, 0, (2**bits - 1) / unit)
    return Case(f"luma_decode={range}:{bits}:{storage}:{int(back)}", made, 1e-5 * max(1, unit / steps))


def gathered(plane: np.ndarray, shared: tuple[int, int], siting: str) -> np.ndarray:
    """A triangle two samples wide about each sample's place; pixels outside are those inside, mirrored."""
    for axis, (count, share) in enumerate(zip(shared[::-1], SITING[siting][::-1])):
        if count == 1:
            continue
        size = plane.shape[axis]
        around = np.pad(plane, [(16, 16) if k == axis else (0, 0) for k in (0, 1)], mode="symmetric")
        rows = []
        for i in np.arange(-(-size // count)):
            place = i * count + share * (count - 1)
            taps = np.arange(int(np.floor(place - count)), int(np.ceil(place + count)) + 1)
            weights = np.maximum(1 - np.abs(taps - place) / count, 0)
            rows.append(np.tensordot(weights / weights.sum(), around.take(taps + 16, axis), (0, axis)))
        plane = np.stack(rows, axis)
    return plane


def rgb_to_yuv(draw: Draw, picture: Picture) -> Case:
    wanted, matrix, range = draw.one(("y", "uv", "u", "v")), draw.one(tuple(WEIGHTS)), draw.one(("limited", "full"))
    bits, storage, siting = draw.whole(8, 16), draw.one(("whole", "low")), draw.one(tuple(SITING))
    shared = draw.one((1, 2, 4)), draw.one((1, 2, 4))
    red, blue = WEIGHTS[matrix]
    black, luma, gray, chroma = samples(range, bits)
    c, unit, most = picture.real, 65535 if storage == "low" else 2**bits - 1, 2**bits - 1
    y = c @ [red, 1 - red - blue, blue]
    u, v = ((c[:, :, k] - y) / (2 - 2 * w) for k, w in ((2, blue), (0, red)))
    limit = lambda steps: np.clip(steps, 0, most) / unit
    planes = {"y": limit(y * luma + black)}
    planes["u"], planes["v"] = (gathered(limit(p * chroma + gray), shared, siting) for p in (u, v))
    made = np.dstack([planes["u"], planes["v"]]) if wanted == "uv" else planes[wanted][:, :, None]
    return Case(f"rgb_to_yuv={wanted}:{matrix}:{range}:{bits}:{storage}:{shared[0]}:{shared[1]}:{siting}", made, 2e-5)


def spread(plane: np.ndarray, size: tuple[int, int], shared: tuple[int, int], siting: str) -> np.ndarray:
    """Straight lines between samples, the last one beyond the ends."""
    for axis, (pixels, count, share) in enumerate(zip(size, shared[::-1], SITING[siting][::-1])):
        place = (np.arange(pixels) - share * (count - 1)) / count if count > 1 else np.arange(pixels)
        place = np.clip(place, 0, plane.shape[axis] - 1)
        low = np.floor(place).astype(int)
        high = np.minimum(low + 1, plane.shape[axis] - 1)
        part = (place - low).reshape([-1 if k == axis else 1 for k in (0, 1)])
        plane = plane.take(low, axis) * (1 - part) + plane.take(high, axis) * part
    return plane


def yuv_to_rgb(draw: Draw, picture: Picture) -> Case:
    matrix, range, bits, storage = draw.one(tuple(WEIGHTS)), draw.one(("limited", "full")), draw.whole(8, 16), "whole"
    siting, limit, shared = draw.one(tuple(SITING)), draw.chance(0.5), (draw.one((1, 2, 4)), draw.one((1, 2, 4)))
    height, width = picture.real.shape[:2]
    sides = [-(-side // count) for side, count in zip((height, width), shared[::-1])]
    # A side of few pixels may be that of several factors; then the smallest counts.
    factor = lambda side, made: next(f for f in (1, 2, 4) if -(-side // f) == made)
    shared = factor(width, sides[1]), factor(height, sides[0])
    samples_of = Picture(draw.random.random((*sides, 2)).astype(np.float32))
    red, blue = WEIGHTS[matrix]
    black, luma, gray, chroma = samples(range, bits)
    unit = 2**bits - 1
    y = (picture.real[:, :, 0] * unit - black) / luma
    u, v = ((spread(samples_of.real[:, :, k], (height, width), shared, siting) * unit - gray) / chroma for k in (0, 1))
    r, b = y + (2 - 2 * red) * v, y + (2 - 2 * blue) * u
    made = np.dstack([r, (y - red * r - blue * b) / (1 - red - blue), b])
    return Case(f"[0][1]yuv_to_rgb={matrix}:{range}:{bits}:{storage}:{siting}:{int(limit)}",
                np.clip(made, 0, 1) if limit else made, 4e-5, more=(samples_of,))


# ---- of frames

def sequence(draw: Draw, picture: Picture, most: int) -> tuple[Picture, ...]:
    """Frames before this one, some alike."""
    def other() -> Picture:
        share = draw.number(0, 1)
        noise = draw.picture(picture.format, *picture.pixels.shape[:2])
        mixed = effects.mix(picture.pixels.astype(np.float64), noise.pixels.astype(np.float64), share)
        return Picture((mixed if picture.type == "f32" else np.floor(mixed + 0.5)).astype(picture.pixels.dtype))
    return tuple(other() for _ in range(draw.whole(0, most)))


def smoothed(frames: list[np.ndarray], strength: float, sigma: float = 0) -> np.ndarray:
    made = frames[0]
    for frame in frames[1:]:
        apart = np.abs(made - frame).max(axis=2, keepdims=True)
        share = strength * (np.exp(-0.5 * np.minimum((apart / sigma) ** 2, 100)) if sigma else 1)
        made = frame + share * (made - frame)
    return made


def frames(name: str, function, tolerance: float = 2e-5, formats=REAL, most: int = 6) -> Row:
    """`function` makes the graph's words and the last frame from all frames; and where it is sure."""
    def make(draw: Draw, picture: Picture) -> Case:
        before = sequence(draw, picture, most)
        words, made, sure = function(draw, [frame.real for frame in before] + [picture.real])
        return Case(f"{name}={words}", made, tolerance, sure, before=before)
    return Row(name, "numpy, frame by frame", make, formats)


def low_pass(draw: Draw, given: list[np.ndarray]) -> tuple:
    strength = draw.number(0, 1)
    return f"{strength:g}", smoothed(given, strength), True


def high_pass(draw: Draw, given: list[np.ndarray]) -> tuple:
    strength = draw.number(0, 1)
    return f"{strength:g}", np.abs(given[-1] - smoothed(given, strength)), True


def temporal_denoise(draw: Draw, given: list[np.ndarray]) -> tuple:
    strength, sigma = draw.number(0, 1), draw.number(0.01, 1)
    return f"{strength:g}:{sigma:g}", smoothed(given, strength, sigma), True


def frame_blend(draw: Draw, given: list[np.ndarray]) -> tuple:
    count = draw.whole(1, 6)
    last = given[-count:]
    return f"{count}", (sum(last) + (count - len(last)) * given[-1]) / count, True


def frame_delay(draw: Draw, given: list[np.ndarray]) -> tuple:
    count = draw.whole(0, 6)
    return f"{count}", given[-1 - count] if count < len(given) else given[-1], True


def motion_mask(draw: Draw, given: list[np.ndarray]) -> tuple[str, np.ndarray, np.ndarray]:
    strength, threshold = draw.number(0, 1), draw.number(0.05, 1)
    change = np.broadcast_to(given[-1] - smoothed(given, strength), (*given[0].shape[:2], 3))  # gray is a color, too
    apart = np.linalg.norm(change, axis=2)
    return f"{strength:g}:{threshold:g}", apart >= threshold, np.abs(apart - threshold) > 1e-4


def motion_detect(draw: Draw, given: list[np.ndarray]) -> tuple:
    words, moves, sure = motion_mask(draw, given)
    height, width = moves.shape
    x, y = grid(width, height)
    places = np.dstack([(x + 0.5) / width, (y + 0.5) / height, np.ones((height, width))])
    if draw.chance(0.5):
        sure = np.dstack([np.broadcast_to((sure & moves)[:, :, None], places.shape), sure])
        return f"{words}:mask", np.dstack([places, moves]), sure
    made = np.append(places[moves].mean(axis=0) if moves.any() else np.zeros(3), moves.mean())
    return words, made.reshape(1, 1, 4), bool(sure.all())


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
    Row("chroma_join", "numpy", chroma_join, TYPES, inputs=2),
    Row("luma_decode", "the formula", luma_decode, TYPES),
    Row("rgb_to_yuv", "the formula", rgb_to_yuv, RGB),
    Row("yuv_to_rgb", "the formula", yuv_to_rgb, ("f32x1",)),
    frames("low_pass", low_pass, formats=COLORS),
    frames("high_pass", high_pass, formats=COLORS),
    frames("temporal_denoise", temporal_denoise, 1e-4, COLORS),
    frames("frame_blend", frame_blend, formats=COLORS),
    frames("frame_delay", frame_delay, 0, COLORS),
    frames("motion_detect", motion_detect),
]
