# SPDX-License-Identifier: MIT
"""Spheres, cells, rings and paths against their formulas in double precision and SciPy's interpolation; margins and
insets against numpy and OpenCV; noise against a model of its own."""

import cv2
import numpy as np
from scipy import ndimage

from compare import Suite
from effects import PLACE, POINT, looked_up, luminance
from pictures import HEIGHT, WIDTH

FORMATS = ("u8x1", "u8x3", "u16x3", "f32x1")


def pixels() -> tuple[np.ndarray, np.ndarray]:
    return np.meshgrid(np.arange(WIDTH, dtype=float), np.arange(HEIGHT, dtype=float))


def spheres(suite: Suite) -> None:
    x, y = pixels()
    radius, index = 0.35 * WIDTH, 0.71
    across, down = (x + 0.5 - 0.45 * WIDTH) / radius, (y + 0.5 - 0.5 * HEIGHT) / radius
    apart = np.hypot(across, down)
    front = np.sqrt(np.maximum(1 - apart**2, 0))
    # The incoming ray (0, 0, -1) after Snell's law at the normal (across, down, front).
    bend = index * front - np.sqrt(1 - index**2 * (1 - front**2))
    inside, clear = (apart <= 1)[:, :, None], (np.abs(apart - 1) > 1e-3)[:, :, None]
    facing = np.maximum(np.dstack([across, down, front]) @ np.array([-0.5, 0.5, 1]) / np.sqrt(1.5), 0)
    light = (2.5 * (1 - front**0.25) + 0.8 * facing**15)[:, :, None]
    for name in FORMATS:
        picture = suite.pictures[name]
        seen = looked_up(picture.real, (bend * across + 1) / 2 * WIDTH - 0.5, (bend * down + 1) / 2 * HEIGHT - 0.5)
        suite.real("sphere_refraction=0.45|0.5:0.35", "scipy map_coordinates", picture, seen * inside, PLACE, where=clear)
        seen = looked_up(picture.real, (1 - 2 * bend * across) / 2 * WIDTH - 0.5,
                         (1 - 2 * bend * down) / 2 * HEIGHT - 0.5)
        suite.real("glass_sphere=0.45|0.5:0.35", "scipy map_coordinates", picture, (seen + light) * inside, PLACE,
                   where=clear & (np.abs(apart - 1) > 0.02)[:, :, None])  # the rim's root is too steep there


def cells(suite: Suite) -> None:
    x, y = pixels()
    side = 0.04 * WIDTH
    middle_x, middle_y = ((np.floor((v + 0.5) / side) + 0.5) * side - 0.5 for v in (x, y))
    apart = np.hypot(x - middle_x, y - middle_y)
    clear = ((x + 0.5) / side % 1 < 0.999) & ((y + 0.5) / side % 1 < 0.999)
    for name in ("u8x3", "u16x3"):
        picture = suite.pictures[name]
        color = looked_up(picture.real, np.clip(middle_x, 0, WIDTH - 1), np.clip(middle_y, 0, HEIGHT - 1))
        reach = side / 2 * 0.8
        suite.real("polka_dot=0.04:0.8", "scipy map_coordinates", picture, color * (apart <= reach)[:, :, None], PLACE,
                   where=(clear & (np.abs(apart - reach) > 1e-3))[:, :, None])
        reach = side / 2 * (1 - luminance(color)[:, :, 0])
        suite.real("halftone=0.04", "scipy map_coordinates", picture, (apart > reach).astype(float), PLACE,
                   where=(clear & (np.abs(apart - reach) > 2e-2))[:, :, None])


def rings(suite: Suite) -> None:
    x, y = pixels()
    across, down = ((x + 0.5 - 0.55 * WIDTH) * 2 / WIDTH, (y + 0.5 - 0.4 * HEIGHT) * 2 / WIDTH)
    ring, part = np.hypot(across, down) / 0.05, np.arctan2(down, across) / 0.1
    clear = ((ring % 1 < 0.999) & (part % 1 < 0.999))[:, :, None]
    ring, part = (np.floor(ring) + 0.5) * 0.05, (np.floor(part) + 0.5) * 0.1
    places = [0.55 * WIDTH + ring * np.cos(part) * WIDTH / 2 - 0.5, 0.4 * HEIGHT + ring * np.sin(part) * WIDTH / 2 - 0.5]
    for name in FORMATS:
        picture = suite.pictures[name]
        expected = looked_up(picture.real, *places)
        suite.real("polar_pixellate=0.55|0.4:0.05|0.1", "scipy map_coordinates", picture, expected, PLACE, where=clear)


def paths(suite: Suite) -> None:
    x, y = pixels()
    angle = np.radians(30)
    nine = np.array([0.05, 0.09, 0.12, 0.15, 0.18, 0.15, 0.12, 0.09, 0.05])
    for name in ("u8x3", "f32x1"):
        picture = suite.pictures[name]

        def mean(places, weights: np.ndarray) -> np.ndarray:
            total = sum(weight * looked_up(picture.real, *place) for weight, place in zip(weights, places))
            return total / weights.sum()
        for weights, graph in ((np.ones(25), "motion_blur=3:30"), (np.minimum(np.arange(1, 26), np.arange(25, 0, -1)),
                                                                   "motion_blur=3:30:tent")):
            way = np.linspace(-12, 12, 25)
            suite.real(graph, "scipy map_coordinates", picture,
                       mean([(x + q * np.cos(angle), y + q * np.sin(angle)) for q in way], weights), PLACE)
        step = 3 * HEIGHT / WIDTH
        suite.real("motion_blur=3:30:compat=gpuimage", "scipy map_coordinates", picture,
                   mean([(x + q * step * np.cos(angle), y + q * step * np.sin(angle)) for q in range(-4, 5)], nine),
                   PLACE)
        dx, dy = 0.55 * WIDTH - 0.5 - x, 0.4 * HEIGHT - 0.5 - y
        suite.real("zoom_blur=2:0.55|0.4:compat=gpuimage", "scipy map_coordinates", picture,
                   mean([(x + q * 0.02 * dx, y + q * 0.02 * dy) for q in range(-4, 5)], nine), PLACE)
        half = int(0.04 * 2 * (0.55 * WIDTH + 0.6 * HEIGHT) + 0.987)
        suite.real("zoom_blur=2:0.55|0.4", "scipy map_coordinates", picture,
                   mean([(x + q * 0.08 * dx, y + q * 0.08 * dy) for q in np.linspace(-1, 1, 2 * half + 1)],
                        np.ones(2 * half + 1)), PLACE)


def margins(suite: Suite) -> None:
    modes = (("replicate", "edge"), ("mirror", "reflect"), ("symmetric", "symmetric"), ("wrap", "wrap"))
    for name in ("u8x1", "u8x3", "u16x3", "f32x1"):
        picture = suite.pictures[name]
        for border, mode in modes:
            expected = np.pad(picture.pixels, ((9, 400), (7, 3), (0, 0)), mode=mode)
            suite.same(f"pad=7:9:3:400:{border}", f"numpy pad {mode}", picture, expected)
        expected = np.pad(picture.pixels, ((9, 0), (0, 3), (0, 0)))[:-5, 6:]
        suite.same("pad=-6:9:3:-5:constant", "numpy pad", picture, expected)
        expected = cv2.copyMakeBorder(picture.flat, 9, 5, 7, 3, cv2.BORDER_REFLECT_101)
        suite.same("pad=7:9:3:5:mirror", "cv2 copyMakeBorder", picture, expected)


def insets(suite: Suite) -> None:
    picture = suite.pictures["f32x3"]
    small = suite.picture("inset", np.ascontiguousarray(picture.pixels[100:200:1, 50:170:1]))
    expected = picture.real.copy()
    expected[90:190, 80:200] = 0.3 * expected[90:190, 80:200] + 0.7 * small.real
    graph = f"picture_in_picture={140 / WIDTH}|{140 / HEIGHT}:{120 / WIDTH}|{100 / HEIGHT}:0.7"
    suite.real(graph, "numpy, the formula", [picture, small], expected, POINT)
    wide = cv2.resize(small.pixels, (240, 200), interpolation=cv2.INTER_LINEAR).astype(float)
    expected = picture.real.copy()
    expected[:150, :190] = wide[50:, 50:]  # the rest is outside
    graph = f"picture_in_picture={70 / WIDTH}|{50 / HEIGHT}:{240 / WIDTH}|{200 / HEIGHT}:1"
    suite.real(graph, "cv2 INTER_LINEAR", [picture, small], expected, POINT)


def noise(suite: Suite) -> None:
    width, height, scale = 203, 117, 7.3
    x, y = np.meshgrid((np.arange(width) + 0.5) / width * scale, (np.arange(height) + 0.5) / width * scale)
    i, j = np.floor(x), np.floor(y)

    def permute(t: np.ndarray) -> np.ndarray:
        return np.mod((34 * t + 1) * t, 289)

    def corner(right: int, below: int) -> np.ndarray:
        h = permute(permute(np.mod(i + right, 289)) + np.mod(j + below, 289))
        gx = 2 * (h / 41 % 1) - 1
        gy = np.abs(gx) - 0.5
        gx = gx - np.floor(gx + 0.5)
        size = 1.79284291400159 - 0.85373472095314 * (gx**2 + gy**2)
        return size * (gx * (x - i - right) + gy * (y - j - below))
    u, v = ((6 * t**2 - 15 * t + 10) * t**3 for t in (x - i, y - j))
    value = (corner(0, 0) * (1 - u) + corner(1, 0) * u) * (1 - v) + (corner(0, 1) * (1 - u) + corner(1, 1) * u) * v
    picture = suite.pictures["f32x1"]
    suite.real(f"perlin_noise={scale}:width={width}:height={height}:channels=1[n];[0]crop=0:0:{width}:{height}[p];"
               "[p][n]porter_duff=copy", "numpy, the formula", picture, 0.5 + 1.15 * value, 1e-5)


def compare(suite: Suite) -> None:
    for part in (spheres, cells, rings, paths, margins, insets, noise):
        part(suite)
