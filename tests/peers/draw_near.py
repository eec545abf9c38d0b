# SPDX-License-Identifier: MIT
"""Random parameters for blurs and measures that are made of several filters: SciPy, scikit-image, Pillow, formulas."""

import numpy as np
from scipy import ndimage
from skimage import metrics

import blurs
import borders
import effects
import geometry
import means
from colors import luminance
from draw_areas import cover
from draw_catalogue import fitted
from draws import RGB, Case, Draw, Row, joined
from pictures import Picture

REAL = ("f32x1", "f32x3")
ANY = ("u8x1", "u8x3", "u16x3", "f32x1", "f32x3")
EVERY = (*borders.ALL, "shrink")
NINE = (0.18, 0.15, 0.12, 0.09, 0.05)


# ---- blurs

def line_of_nine(image: np.ndarray, spacing: int, normalization: float, axis: int, border: str) -> np.ndarray:
    """A mean of 9 pixels of a line, weighted by how near they are in place and in color."""
    reach = [0, 0]
    reach[axis] = 4 * spacing
    around = borders.pad(image, reach[1], reach[0], "replicate" if border == "shrink" else border)
    inside = np.pad(np.ones((*image.shape[:2], 1)), ((reach[0],) * 2, (reach[1],) * 2, (0, 0)),
                    constant_values=0.0 if border == "shrink" else 1.0)
    total, weights = np.zeros_like(image), np.zeros((*image.shape[:2], 1))
    for k in range(-4, 5):
        first = [0, 0]
        first[axis] = (4 + k) * spacing
        part = np.s_[first[0]:first[0] + image.shape[0], first[1]:first[1] + image.shape[1]]
        apart = np.sqrt(((around[part] - image) ** 2).sum(axis=2, keepdims=True))
        weight = inside[part] * NINE[abs(k)] * (1 - np.minimum(normalization * apart, 1))
        total += weight * around[part]
        weights += weight
    return total / weights


def bilateral_1d(draw: Draw, picture: Picture) -> Case:
    spacing, border = draw.whole(1, 6), draw.one(EVERY)
    normalization = draw.number(0, draw.one((2, 12)))
    made = picture.real
    for axis in (0, 1):
        made = line_of_nine(made, spacing, normalization, axis, border)
    return Case(f"bilateral_1d={spacing}:{normalization:g}:{border}", made, 3e-5)


def bilateral_levels(draw: Draw, picture: Picture) -> Case:
    space, color, border = draw.number(0.5, 4), draw.number(0.05, 2), draw.one(EVERY)
    expected = means.bilateral_model(picture.real, space, color, int(4.5 * space) + 1, border, 0, means.channel_sum)
    return Case(f"bilateral_levels={space:g}:{color:g}:{border}", expected, 1e-4)


def gaussian_blur_r(draw: Draw, picture: Picture) -> Case:
    sigma, border = draw.number(0.2, draw.one((1.0, 4.0, 12.0))), draw.one(EVERY)
    red = picture.real[:, :, :1]
    return Case(f"gaussian_blur_r={sigma:g}:{border}", blurs.gaussian(red, sigma, border), blurs.SIGMA)


def guided_smooth(draw: Draw, picture: Picture) -> Case:
    radius, eps = draw.whole(1, 9), draw.number(1e-3, 0.2)
    planes = [fitted(picture.real[:, :, k], picture.real[:, :, k], radius, eps) for k in range(picture.real.shape[2])]
    return Case(f"guided_smooth={radius}:{eps:g}", np.stack(planes, axis=2), 5e-4)


def guided_matting(draw: Draw, picture: Picture) -> Case:
    """The matte by hue, then lines of the grey picture that are fitted to it."""
    radius, eps, near, soft = draw.whole(1, 9), draw.number(1e-3, 0.2), draw.number(0, 0.4), draw.number(0.05, 0.5)
    key, real = np.array(draw.numbers(3, 0, 1)), picture.real
    away = np.linalg.norm(effects.hue(real, 1) - effects.hue(key, 1), axis=2) - near
    matte = fitted(np.clip(away / soft, 0, 1), luminance(real), radius, eps)
    graph = f"guided_matting={joined([*key, 1])}:{near:g}:{soft:g}:{radius}:{eps:g}"
    return Case(graph, np.dstack([real, matte]), 2e-3)


def reduced(real: np.ndarray, width: int, height: int) -> np.ndarray:
    """The mean of what an output pixel covers."""
    return np.einsum("yr,xc,rck->yxk", cover(real.shape[0], height), cover(real.shape[1], width), real)


def enlarged(real: np.ndarray, width: int, height: int) -> np.ndarray:
    return geometry.pillow(real, width, height, "bilinear")


def ios_blur(draw: Draw, picture: Picture) -> Case:
    sigma, colorful, smaller, reduction = draw.number(0.2, 8), draw.number(0, 2), draw.number(1, 8), draw.number(0, 1)
    height, width = picture.real.shape[:2]
    border = draw.one(EVERY)
    small = reduced(picture.real, max(int(width / smaller + 0.5), 1), max(int(height / smaller + 0.5), 1))
    small = effects.mix(effects.luminance(small), small, colorful)
    made = enlarged(blurs.gaussian(small, sigma, border), width, height)
    made = made + (0.5 - effects.luminance(made)) * reduction
    graph = f"ios_blur={sigma:g}:{colorful:g}:{smaller:g}:{reduction:g}:{border}"
    clear = all(abs(side / smaller % 1 - 0.5) > 1e-3 for side in (width, height))  # which size that is
    return Case(graph, made if clear else picture.real, 1e-4, clear)


def pyramid_blur(draw: Draw, picture: Picture) -> Case:
    radius, smaller = draw.number(0, 12), draw.whole(1, 6)
    height, width = picture.real.shape[:2]
    small = reduced(picture.real, -(-width // smaller), -(-height // smaller))
    both = lambda plane: blurs.sampled_axis(blurs.sampled_axis(plane, radius, 1), radius, 0)
    made = enlarged(borders.each_channel(both, small), width, height)
    return Case(f"pyramid_blur={radius:g}:{smaller}:replicate", made, 2e-5)


def smooth_toon(draw: Draw, picture: Picture) -> Case:
    sigma, level, count, border = draw.number(0.3, 4), draw.number(0.05, 2), draw.whole(1, 40), draw.one(borders.ALL)
    soft = blurs.gaussian(picture.real, sigma, border)
    plane, mode = luminance(soft), borders.SCIPY[border]
    length = np.hypot(*(ndimage.sobel(plane, axis, mode=mode) for axis in (0, 1)))
    steps = soft * count
    sure = (np.abs(length - level) > 4e-4)[:, :, None] & (np.abs(steps % 1 - 0.5) > 1e-4 * count)
    return Case(f"smooth_toon={sigma:g}:{level:g}:{count}:{border}",
                np.where(length[:, :, None] < level, np.floor(steps + 0.5) / count, 0), 2e-5, sure)


def soft_elegance(draw: Draw, picture: Picture) -> Case:
    """Two tables that do to colors what two formulas do, with a mix of the picture's blur between them."""
    sigma, share, border, n = draw.number(0.3, 8), draw.number(0, 1), draw.one(EVERY), draw.whole(2, 12)
    gain, grey = draw.number(-1, 0), draw.number(0, 1)
    look = picture.real * 2**gain  # of corners and between: both are straight lines
    mixed = effects.mix(look, blurs.gaussian(look, sigma, border), share)
    made = effects.mix(effects.luminance(mixed), mixed, grey)
    graph = (f"identity_table={n},exposure={gain:g}[l];identity_table={n},saturation={grey:g}[m];"
             f"[0][l][m]soft_elegance={sigma:g}:{share:g}:{border}")
    return Case(graph, made, 1e-4)


# ---- measures and sizes

def ssim_map(draw: Draw, a: Picture, b: Picture) -> Case:
    share = draw.number(0, 1)  # alike by as much
    other = effects.mix(a.real, b.real, share)
    _, made = metrics.structural_similarity(a.real, other, channel_axis=2, data_range=1, gaussian_weights=True,
                                            sigma=1.5, use_sample_covariance=False, full=True)
    graph = f"[0]split[a][c];[c][1]blend_dissolve={share:g}[b];[a][b]ssim_map=symmetric"
    return Case(graph, made, 2e-3)


def lanczos_resample(draw: Draw, picture: Picture) -> Case:
    width, height = draw.whole(1, 100), draw.whole(1, 100)
    return Case(f"lanczos_resample={width}:{height}", geometry.pillow(picture.real, width, height, "lanczos3"), 5e-6)


GRAVITY = {"center": (0.5, 0.5), "north": (0.5, 0), "northeast": (1, 0), "east": (1, 0.5), "southeast": (1, 1),
           "south": (0.5, 1), "southwest": (0, 1), "west": (0, 0.5), "northwest": (0, 0)}


def cover_size(draw: Draw, picture: Picture) -> Case:
    """Pillow's resize to the smallest size of that shape that covers the other picture, and numpy's part of it."""
    height, width = picture.real.shape[:2]
    wide, high = draw.whole(1, 70), draw.whole(1, 70)
    method, gravity = draw.one(tuple(geometry.PILLOW)), draw.one(tuple(GRAVITY))
    scale = max(wide / width, high / height)
    sides = [int(np.floor(side * scale + 0.5)) for side in (width, height)]
    large = geometry.pillow(picture.real, *sides, method)
    x, y = (int(np.floor((side - room) * share + 0.5))
            for side, room, share in zip(sides, (wide, high), GRAVITY[gravity]))
    size = Picture(np.zeros((high, wide, 1), np.uint8))
    return Case(f"[0][1]cover={method}:{gravity}", large[y:y + high, x:x + wide], 5e-6, more=(size,))


def picture_in_picture(draw: Draw, first: Picture, second: Picture) -> Case:
    """Pillow's resize to whole pixels, laid over with a share."""
    center, size, opacity = draw.numbers(2, -0.2, 1.2), draw.numbers(2, 0, 1), draw.number(0, 1)
    height, width = first.real.shape[:2]
    made, parts, sure = first.real.copy(), [], True
    for c, s, side in zip(center, size, (width, height)):
        ends = (c - s / 2) * side, (c + s / 2) * side
        sure = sure and all(abs(end % 1 - 0.5) > 1e-4 for end in ends)
        start = int(np.floor(ends[0] + 0.5))
        parts.append((start, max(int(np.floor(ends[1] + 0.5)), start + 1)))
    (left, right), (top, bottom) = parts
    small = geometry.pillow(second.real, right - left, bottom - top, "bilinear")
    for y in range(max(top, 0), min(bottom, height)):
        for x in range(max(left, 0), min(right, width)):
            made[y, x] = effects.mix(made[y, x], small[y - top, x - left], opacity)
    return Case(f"[0][1]picture_in_picture={joined(center)}:{joined(size)}:{opacity:g}", made, 1e-5, sure)


ROWS = [
    Row("bilateral_1d", "the definition", bilateral_1d),
    Row("bilateral_levels", "the definition", bilateral_levels, ANY, side=24),
    Row("gaussian_blur_r", "scipy gaussian_filter", gaussian_blur_r, ANY, steps=0.05),
    Row("guided_smooth", "formula", guided_smooth, ANY),
    Row("guided_matting", "formula", guided_matting, ("f32x3",)),
    Row("ios_blur", "scipy, Pillow", ios_blur, RGB, steps=0.05),
    Row("pyramid_blur", "scipy shift, Pillow", pyramid_blur, ANY, steps=0.05),
    Row("smooth_toon", "scipy", smooth_toon, ("f32x1", "f32x3")),
    Row("soft_elegance", "scipy, the formula", soft_elegance, RGB, steps=0.1),
    Row("ssim_map", "skimage", ssim_map, REAL, inputs=2, least=11),
    Row("lanczos_resample", "Pillow", lanczos_resample, steps=0.05),
    Row("cover", "Pillow", cover_size, steps=0.05),
    Row("picture_in_picture", "Pillow", picture_in_picture, inputs=2, steps=0.05),
]
