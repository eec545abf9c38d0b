# SPDX-License-Identifier: MIT
"""Random parameters for planes of video, and for frames one after the other: formulas in double precision."""

import numpy as np

import effects
from draw_made import REAL, TYPES, grid
from draws import COLORS, RGB, Case, Draw, Row
from pictures import Picture


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
