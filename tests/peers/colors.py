# SPDX-License-Identifier: MIT
"""Color filters against their formulas in double precision, and against what scikit-image and OpenCV have of them."""

import cv2
import numpy as np
import skimage.color
import skimage.exposure
from scipy.interpolate import CubicSpline

from compare import Suite
from pictures import Picture

WEIGHTS = np.array([0.2125, 0.7154, 0.0721])
POINT = 2e-6  # what weft promises of f32 on every device
SEPIA = np.array([[0.3588, 0.7044, 0.1368, 0], [0.299, 0.587, 0.114, 0], [0.2392, 0.4696, 0.0912, 0], [0, 0, 0, 1]])
MIXER = np.array([[0.5, -0.25, 0.75, 0], [0.1, 1.1, -0.3, 0], [-0.2, 0.4, 0.9, 0], [0, 0, 0, 1]])


def luminance(real: np.ndarray) -> np.ndarray:
    return real[:, :, 0] if real.shape[2] < 3 else real[:, :, :3] @ WEIGHTS


def srgb_decode(stored: np.ndarray) -> np.ndarray:
    stored = np.maximum(stored, 0)
    return np.where(stored <= 0.04045, stored / 12.92, ((stored + 0.055) / 1.055) ** 2.4)


def srgb_encode(light: np.ndarray) -> np.ndarray:
    light = np.maximum(light, 0)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def levels(real: np.ndarray, low: float, gamma: float, high: float, out_low: float, out_high: float) -> np.ndarray:
    t = np.clip((real - low) / (high - low), 0, 1) ** (1 / gamma)
    return out_low + (out_high - out_low) * t


def colors_only(function, picture: Picture) -> np.ndarray:
    """Applies to the colors; alpha stays."""
    real = picture.real
    if not picture.alpha:
        return function(real)
    return np.concatenate([function(real[:, :, :3]), real[:, :, 3:]], axis=2)


def per_channel(suite: Suite) -> None:
    cases = (("brightness=0.2", lambda v: v + 0.2), ("brightness=-0.35", lambda v: v - 0.35),
             ("contrast=1.7", lambda v: (v - 0.5) * 1.7 + 0.5), ("contrast=0.4", lambda v: (v - 0.5) * 0.4 + 0.5),
             ("exposure=0.7", lambda v: v * 2**0.7), ("exposure=-1.3", lambda v: v * 2**-1.3),
             ("gamma=0.45", lambda v: v**0.45), ("gamma=2.2", lambda v: v**2.2), ("invert", lambda v: 1 - v),
             ("levels=in_min=0.1|0.1|0.1:gamma=1.5|1.5|1.5:in_max=0.8|0.8|0.8:out_min=0.05|0.05|0.05:"
              "out_max=0.9|0.9|0.9", lambda v: levels(v, 0.1, 1.5, 0.8, 0.05, 0.9)),
             ("srgb_decode", srgb_decode))
    for name in ("u8x1", "u8x3", "u8x4", "u16x1", "u16x3", "u16x4", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        for graph, function in cases:
            suite.real(graph, "numpy, the formula", picture, colors_only(function, picture), POINT)
        suite.real("[0]srgb_decode,srgb_encode", "the identity", picture, picture.real, POINT)
        dark = colors_only(lambda v: srgb_encode(v * 0.2), picture)
        suite.real("[0]exposure=-2.321928095,srgb_encode", "numpy, the formula", picture, dark, POINT)


def scikit_image(suite: Suite) -> None:
    for name in ("u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        real = picture.real
        suite.real("gamma=1.8", "skimage adjust_gamma", picture, skimage.exposure.adjust_gamma(real, 1.8), POINT)
        stretched = skimage.exposure.rescale_intensity(real, (0.2, 0.7), (0.1, 0.95))
        graph = "levels=0.2|0.2|0.2:1|1|1:0.7|0.7|0.7:0.1|0.1|0.1:0.95|0.95|0.95"
        suite.real(graph, "skimage rescale_intensity", picture, stretched, POINT)
        suite.real("grayscale", "skimage rgb2gray", picture, skimage.color.rgb2gray(real), POINT)
        # XYZ is a matrix of linear light, so it undone leaves the curve alone.
        light = skimage.color.rgb2xyz(real) @ np.linalg.inv(skimage.color.colorconv.xyz_from_rgb).T
        suite.real("srgb_decode", "skimage rgb2xyz", picture, light, POINT)
        if picture.type != "f32":  # xyz2rgb clips at 1
            light = real @ skimage.color.colorconv.xyz_from_rgb.T
            suite.real("srgb_encode", "skimage xyz2rgb", picture, skimage.color.xyz2rgb(light), 1e-5,
                       "skimage's two matrices are inverse to 6 digits")


def matrices(suite: Suite) -> None:
    for name in ("u8x3", "u8x4", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        for matrix in (SEPIA, MIXER):
            graph = "color_matrix=" + "|".join(f"{value:g}" for value in matrix.flat)
            expected = colors_only(lambda c: cv2.transform(c, matrix[:3, :3]), picture)
            suite.real(graph, "cv2 transform", picture, expected, POINT)
            mixed = 0.7 * (expected + (0, 0.1, -0.05, 0)[:expected.shape[2]]) + 0.3 * picture.real
            suite.real(graph + ":bias=0|0.1|-0.05|0:intensity=0.7", "cv2 transform", picture, mixed, POINT)
        for amount in (0, 0.4, 1.6):
            grey = luminance(picture.real)[:, :, None]
            expected = colors_only(lambda c: grey + amount * (c - grey), picture)
            suite.real(f"saturation={amount}", "numpy, the formula", picture, expected, POINT)


def greys(suite: Suite) -> None:
    for name in ("u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        suite.real("grayscale=0.299|0.587|0.114", "cv2 cvtColor", picture,
                   cv2.cvtColor(picture.real.astype(np.float32), cv2.COLOR_RGB2GRAY), POINT, "both compute in f32")
    picture = suite.pictures["u8x3"]
    suite.same("grayscale=0.299|0.587|0.114", "cv2 cvtColor u8", picture,
               cv2.cvtColor(picture.pixels, cv2.COLOR_RGB2GRAY), 1, "cv2 rounds its weights to 15 bits")


def thresholds(suite: Suite) -> None:
    """A threshold jumps, so pixels within rounding of it are left out."""
    for name in ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        grey = luminance(picture.real)
        mean = grey.mean()
        for graph, level in (("luminance_threshold=0.5", 0.5), ("luminance_threshold=0.23", 0.23),
                             ("average_luminance_threshold", mean), ("average_luminance_threshold=1.3", 1.3 * mean)):
            certain = np.abs(grey - level) > 2e-6
            expected = cv2.threshold(grey, level, 1, cv2.THRESH_BINARY)[1]
            suite.real(graph, "cv2 threshold", picture, expected, 0, "all but pixels at the threshold",
                       certain[:, :, None])


def alpha(suite: Suite) -> None:
    for name in ("u8x4", "u16x4"):
        picture = suite.pictures[name]
        colors, opacity = picture.real[:, :, :3], picture.real[:, :, 3:]
        # Files hold straight alpha, so the tool divides again; only the color of what is fully transparent is gone.
        expected = np.concatenate([colors * (opacity > 0), opacity], 2)
        suite.real("premultiply", "numpy, the formula", picture, expected, POINT)
        suite.real("opacity=0.37", "numpy, the formula", picture, np.concatenate([colors, 0.37 * opacity], 2), POINT)
        divided = np.divide(colors, opacity, out=np.zeros_like(colors), where=opacity > 0)
        suite.real("unpremultiply", "numpy, the formula", picture, np.concatenate([divided, opacity], 2), POINT)
    for name in ("u8x3", "f32x3"):
        picture = suite.pictures[name]
        expected = np.concatenate([picture.real, np.full_like(picture.real[:, :, :1], 0.6)], axis=2)
        suite.real("opacity=0.6", "numpy, the formula", picture, expected, POINT)


def curve(points: list[float], v: np.ndarray) -> np.ndarray:
    """The natural cubic spline, constant beyond its ends."""
    x, y = points[::2], points[1::2]
    spline = CubicSpline(x, y, bc_type="natural") if len(x) > 1 else lambda place: y[0] + 0 * place
    return np.clip(spline(np.clip(v, x[0], x[-1])), 0, 1)


def curves(suite: Suite) -> None:
    def text(points: list[float]) -> str:
        return "|".join(map(str, points))
    soft, film = [0, 0, 0.25, 0.15, 0.75, 0.85, 1, 1], [0.1, 0.2, 0.3, 0.5, 0.45, 0.4, 0.8, 0.9]
    many = [v for k in range(16) for v in (k / 15, 0.5 + 0.4 * np.sin(k))]
    for name in ("u8x3", "u16x1", "f32x1", "f32x3"):
        picture = suite.pictures[name]
        for points in (soft, film, many, [0.5, 0.3], [0.2, 0, 0.7, 1]):
            suite.real(f"tone_curve={text(points)}", "scipy CubicSpline", picture, curve(points, picture.real), POINT)
    for name in ("u8x3", "f32x3"):
        picture = suite.pictures[name]
        channels = [curve(points, picture.real[:, :, k]) for k, points in enumerate((film, soft, many))]
        suite.real(f"tone_curve=red={text(film)}:green={text(soft)}:blue={text(many)}:all={text(soft)}",
                   "scipy CubicSpline", picture, curve(soft, np.dstack(channels)), 2 * POINT)


def light(temperature: float, duv: float) -> np.ndarray:
    """XYZ of a light, Y = 1: Krystek's line of black bodies in the CIE 1960 diagram, and duv across it."""
    def place(t: float) -> np.ndarray:
        return np.array([np.polyval([1.28641212e-7, 1.54118254e-4, 0.860117757], t) /
                         np.polyval([7.08145163e-7, 8.42420235e-4, 1], t),
                         np.polyval([4.20481691e-8, 4.22806245e-5, 0.317398726], t) /
                         np.polyval([1.61456053e-7, -2.89741816e-5, 1], t)])
    along = place(temperature + 0.1) - place(temperature - 0.1)
    across = np.array([along[1], -along[0]]) / np.hypot(*along)
    u, v = place(temperature) + duv * across * np.sign(across[1])
    x, y = 3 * u / (2 * u - 8 * v + 4), 2 * v / (2 * u - 8 * v + 4)
    return np.array([x / y, 1, (1 - x - y) / y])


def white_balance(real: np.ndarray, temperature: float, tint: float, reference: float) -> np.ndarray:
    cat16 = np.array([[0.401288, 0.650173, -0.051461], [-0.250268, 1.204414, 0.045854], [-0.002079, 0.048952, 0.953127]])
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    gains = np.diag((cat16 @ light(reference, 0)) / (cat16 @ light(temperature, tint / 1e4)))
    cones = cat16 @ to_xyz
    return srgb_encode(srgb_decode(real) @ (np.linalg.inv(cones) @ gains @ cones).T)


def hsb_adjust(real: np.ndarray, degrees: float, saturation: float, brightness: float) -> np.ndarray:
    """The turn about the grey axis in the plane of one luminance, which is sheared to be across that axis."""
    grey, weights = np.ones(3) / np.sqrt(3), np.array([0.3, 0.59, 0.11])
    flat = np.eye(3) - np.outer(np.ones(3), weights)
    turn = np.cross(np.eye(3), grey)
    angle = np.radians(degrees)
    matrix = np.eye(3) - flat + np.cos(angle) * flat + np.sin(angle) * flat @ turn @ flat
    matrix = saturation * matrix + (1 - saturation) * np.outer(np.ones(3), weights) @ matrix
    return brightness * real @ matrix.T


def lights(suite: Suite) -> None:
    for name in ("u8x3", "u16x3", "f32x3"):
        picture = suite.pictures[name]
        for temperature, tint, reference in ((6500, 0, 5000), (3200, 40, 5000), (9000, -80, 6500), (5000, 0, 5000)):
            suite.real(f"white_balance={temperature}:{tint}:{reference}", "numpy, CAT16", picture,
                       white_balance(picture.real, temperature, tint, reference), 2e-5,
                       "the curve of sRGB is 12.92 steep in the dark")
        for hue, saturation, brightness in ((120, 1, 1), (-75, 1.6, 0.8), (200, 0.3, 1.2)):
            suite.real(f"hsb_adjust={hue}:{saturation}:{brightness}", "numpy, the formula", picture,
                       hsb_adjust(picture.real, hue, saturation, brightness), 5e-6, "weft's matrix has six digits")


def compare(suite: Suite) -> None:
    for part in (per_channel, scikit_image, matrices, greys, thresholds, alpha, curves, lights):
        part(suite)
