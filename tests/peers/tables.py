# SPDX-License-Identifier: MIT
"""Lookups in tables of colors: SciPy's interpolation on a grid, numpy's on a line, OpenCV's LUT, Pillow's Color3DLUT, and
tetrahedra by sorting in double precision. Tables come as .cube files, as PNG and as f32 pictures."""

import cv2
import numpy as np
from PIL import Image, ImageFilter
from scipy.interpolate import RegularGridInterpolator

from compare import Suite
from pictures import Picture

LOOKUP = 1e-6  # of smooth tables


def look(color: np.ndarray) -> np.ndarray:
    """Colors (..., 3) of 0 .. 1 through something that mixes them and bends."""
    r, g, b = np.moveaxis(color, -1, 0)
    return np.stack([np.sqrt(0.9 * r + 0.1 * b), 0.2 + 0.7 * g * g + 0.1 * r, 0.5 + 0.4 * np.sin(5 * b - 2 * g)], axis=-1)


def lattice(n: int, low=(0, 0, 0), high=(1, 1, 1)) -> np.ndarray:
    """The looks of n x n x n colors: [blue, green, red]."""
    axes = [np.linspace(low[k], high[k], n) for k in range(3)]
    b, g, r = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    unit = (np.stack([r, g, b], axis=-1) - low) / (np.array(high) - low)
    return look(unit).astype(np.float32)


def trilinear(table: np.ndarray, place: np.ndarray) -> np.ndarray:
    """SciPy, at places (..., 3) of 0 .. 1 along red, green, blue."""
    axis = np.arange(table.shape[0])
    grid = RegularGridInterpolator((axis, axis, axis), table.astype(np.float64))
    return grid(np.clip(place, 0, 1)[..., ::-1] * (table.shape[0] - 1))


def tetrahedral(table: np.ndarray, place: np.ndarray) -> np.ndarray:
    n = table.shape[0]
    place = np.clip(place, 0, 1).reshape(-1, 3) * (n - 1)
    corner = np.minimum(np.floor(place).astype(int), n - 2)
    share = place - corner
    order = np.argsort(-share, axis=1)
    sorted_share = np.take_along_axis(share, order, axis=1)

    def at(where: np.ndarray) -> np.ndarray:
        return table[where[:, 2], where[:, 1], where[:, 0]].astype(np.float64)
    result = (1 - sorted_share[:, :1]) * at(corner)
    for k in range(3):
        corner = corner.copy()
        np.add.at(corner, (np.arange(len(corner)), order[:, k]), 1)
        weight = sorted_share[:, k] - (sorted_share[:, k + 1] if k < 2 else 0)
        result += weight[:, None] * at(corner)
    return result


def cube_file(suite: Suite, name: str, table: np.ndarray, domain: str = "") -> Picture:
    """As another program would write it; a Picture of nothing but its path."""
    path = suite.folder / f"{name}.cube"
    size = f"LUT_3D_SIZE {table.shape[0]}" if table.ndim == 4 else f"LUT_1D_SIZE {table.shape[0]}"
    lines = "\n".join(" ".join(f"{v:.8g}" for v in color) for color in table.reshape(-1, 3))
    path.write_text(f'TITLE "{name}"\n# a comment\n{size}\n{domain}\n{lines}\n')
    return Picture(table.reshape(-1, 1, 3), path=path)


def colors_of(picture: Picture) -> np.ndarray:
    real = picture.real
    return real[:, :, :3] if real.shape[2] >= 3 else np.repeat(real[:, :, :1], 3, axis=2)


def with_alpha(picture: Picture, colors: np.ndarray) -> np.ndarray:
    return np.concatenate([colors, picture.real[:, :, -1:]], axis=2) if picture.alpha else colors


def cubes(suite: Suite) -> None:
    for n in (2, 17, 33):
        table = lattice(n)
        file = cube_file(suite, f"look{n}", table)
        for name in ("u8x1", "u8x3", "u8x4", "u16x3", "f32x3"):
            picture = suite.pictures[name]
            place = colors_of(picture)
            linear = trilinear(table, place)
            suite.real("lut3d", f"SciPy, grid of {n}", [picture, file], with_alpha(picture, linear), LOOKUP)
            suite.real("lut3d=intensity=0.3", f"SciPy, grid of {n}, mixed", [picture, file],
                       with_alpha(picture, place + 0.3 * (linear - place)), LOOKUP)
            suite.real("lut3d=interpolation=tetrahedral", f"numpy, tetrahedra of {n}", [picture, file],
                       with_alpha(picture, tetrahedral(table, place).reshape(place.shape)), LOOKUP)
    low, high = np.array([-0.25, 0, 0.1]), np.array([1.3, 0.8, 1.1])
    table = lattice(21, low, high)
    file = cube_file(suite, "domain", table, "DOMAIN_MIN -0.25 0 0.1\nDOMAIN_MAX 1.3 0.8 1.1")
    picture = suite.pictures["f32x3"]
    suite.real("lut3d", "SciPy, a domain", [picture, file], trilinear(table, (picture.real - low) / (high - low)), LOOKUP)


def pictures(suite: Suite) -> None:
    """The 512 x 512 forms, which PNG files have in 8 and 16 bits."""
    table = lattice(64)
    hald = table.reshape(512, 512, 3)
    tiles = table.reshape(8, 8, 64, 64, 3).transpose(0, 2, 1, 3, 4).reshape(512, 512, 3)
    picture = suite.pictures["u8x3"]
    for steps, kind in ((255, np.uint8), (65535, np.uint16)):
        for name, pixels, graph in (("hald", hald, "lut3d=table=hald"), ("tiles", tiles, "lut3d")):
            stored = np.floor(pixels.astype(np.float64) * steps + 0.5).astype(kind)
            path = suite.folder / f"{name}{steps}.png"
            cv2.imwrite(str(path), stored[:, :, ::-1])
            cube = np.floor(table.astype(np.float64) * steps + 0.5) / steps
            suite.real(graph, f"SciPy, {name} of {steps} steps", [picture, Picture(stored, path=path)],
                       trilinear(cube, picture.real), LOOKUP)


def curves(suite: Suite) -> None:
    table = look(np.linspace(0, 1, 1000)[:, None].repeat(3, axis=1)).astype(np.float32)
    file = cube_file(suite, "curves", table)
    picture = suite.pictures["u16x3"]
    expected = [np.interp(picture.real[:, :, k], np.linspace(0, 1, 1000), table[:, k]) for k in range(3)]
    suite.real("lut3d", "numpy interp", [picture, file], np.stack(expected, axis=-1), LOOKUP)
    picture = suite.pictures["u8x3"]
    line = np.random.default_rng(7).integers(0, 256, (1, 256, 3), np.uint8)
    expected = cv2.LUT(picture.pixels, line.reshape(256, 1, 3))
    suite.same("lut3d", "OpenCV LUT", [picture, suite.picture("line", line)], expected)


def pillow(suite: Suite) -> None:
    table = lattice(33)
    filter = ImageFilter.Color3DLUT(33, table.reshape(-1).tolist())
    picture = suite.pictures["u8x3"]
    expected = np.asarray(Image.fromarray(picture.pixels).filter(filter))
    suite.same("lut3d", "Pillow Color3DLUT", [picture, cube_file(suite, "pillow", table)], expected, 1,
               "Pillow has 6 more bits than u8")


def compare(suite: Suite) -> None:
    for part in (cubes, pictures, curves, pillow):
        part(suite)
