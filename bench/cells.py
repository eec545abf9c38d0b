# SPDX-License-Identifier: MIT
"""The cells: which filters are timed, in which formats, at which radii, and weft's graph for each."""

from collections.abc import Callable, Iterator

from cell import Cell

FORMATS = ("u8x1", "u8x3", "u8x4", "u16x1", "f32x1")
COLORS = ("u8x3", "u8x4")
RADII = (1, 2, 4, 8, 16, 32, 100)
# Up to here weft and its peers cut a gaussian at the same radius. Above, weft is given sigma alone: its form for wide
# gaussians has no radius, and leaves out less than the peers do.
CUT_RADIUS = 8
SHARPEN = ((0, -1, 0), (-1, 5, -1), (0, -1, 0))
SEPIA = ((0.3588, 0.7044, 0.1368), (0.299, 0.587, 0.114), (0.2392, 0.4696, 0.0912))
SIGMA_COLOR = 0.1
ANGLE = 10        # degrees, counterclockwise
TILTED = ((1.2, 0.1, -300), (-0.08, 1.2, -100), (1e-5, 5e-6, 1))  # where a pixel goes; nothing shrinks, as OpenCV then aliases
ELLIPSE = 4       # radius
CANNY = (100, 200)
CLIP_LIMIT, TILES = 2, 8
WINDOW, EPS = 8, 0.01  # of a guided filter by the image itself: the radius
PATCHES = (0.1, 3, 10)  # of nl_means: the strength, and the radii of patches and of the search
SQUARE = 5        # kuwahara's are so many pixels and one wide
# A bilateral's work grows with the square of its radius: from here on the image shrinks as much, by powers of two.
FULL_SIZE_RADIUS = 16
SMALLER = {"nl_means": 8}  # whose images are as much smaller, since a call takes seconds


def gaussian(radius: int) -> str:
    return f"gaussian=sigma={radius / 3:.6g}" + (f":radius={radius}" if radius <= CUT_RADIUS else "")


def color_matrix() -> str:
    rows = [*((*row, 0) for row in SEPIA), (0, 0, 0, 1)]
    return "color_matrix=" + "|".join(f"{value:g}" for row in rows for value in row)


# border=shrink leaves out what is outside, as the peers' extrema do.
WITH_RADIUS: dict[str, Callable[[int], str]] = {
    "gaussian": gaussian,
    "box": lambda radius: f"box={radius}",
    "dilate": lambda radius: f"dilate={radius}:border=shrink",
    "erode": lambda radius: f"erode={radius}:border=shrink",
    "median": lambda radius: f"median={radius}:border=replicate",
    "bilateral": lambda radius:
        f"bilateral=sigma_space={radius / 1.5:.6g}:sigma_color={SIGMA_COLOR}:radius={radius}",
}
WITHOUT_RADIUS: list[tuple[str, str, tuple[str, ...]]] = [
    ("sobel", "sobel", FORMATS),
    ("sobel x", "sobel=x", ("u8x1", "u16x1", "f32x1")),
    ("convolve3x3", "convolve3x3=" + "|".join(str(value) for row in SHARPEN for value in row), FORMATS),
    *((f"resize x{scale:g} {method}", f"resize=scale={scale:g}:method={method}", FORMATS)
      for scale, methods in ((0.5, ("bilinear", "lanczos3", "area")), (2, ("bilinear", "lanczos3")))
      for method in methods),
    ("grayscale", "grayscale", COLORS),
    ("color_matrix", color_matrix(), COLORS),
    ("blend_source_over", "blend_source_over", ("u8x4",)),  # without alpha it is a copy
    ("luminance_threshold", "luminance_threshold", FORMATS),
    ("histogram", "histogram", FORMATS),
    ("rotate", f"rotate={ANGLE}:same", ("u8x1", "u8x3", "u8x4")),
    ("perspective", "perspective=matrix=" + "|".join(f"{value:g}" for row in TILTED for value in row),
     ("u8x1", "u8x3", "u8x4")),
    ("structure close ellipse", f"structure=close:ellipse:{ELLIPSE}:border=shrink", ("u8x1", "u8x3")),
    ("canny", "canny={}:{}:sigma=0:unit=levels".format(*CANNY), ("u8x1",)),
    ("equalize_histogram", "equalize_histogram", ("u8x1",)),
    ("clahe", f"clahe={CLIP_LIMIT}:{TILES}", ("u8x1",)),
    ("guided_filter", f"split[a][b];[a][b]guided_filter={WINDOW}:{EPS}", ("u8x1", "f32x1")),
    ("connected_components", "connected_components=result=areas", ("u8x1",)),
    ("distance_transform", "distance_transform", ("u8x1",)),
    ("nl_means", "nl_means={}:{}:{}:cutoff=6.9".format(*PATCHES), ("u8x1", "u8x3")),
    ("kuwahara", f"kuwahara={SQUARE}:border=mirror", ("u8x1", "u8x3")),
]
# The chain against the last of its filters.
POINTS = ("brightness=0.05", "contrast=1.1", "gamma=0.9", "saturation=1.2", "levels=in_min=0.05:in_max=0.95",
          "exposure=0.1", "sepia=0.3", "vibrance=0.4", "hue_rotate=20", "invert")


def chain(radius: int) -> str:
    return ",".join((*POINTS, gaussian(radius)))


def cells(width: int, height: int) -> Iterator[Cell]:
    for filter, graph in WITH_RADIUS.items():
        for format in FORMATS:
            for radius in RADII:
                shrink = 1
                while filter == "bilateral" and radius / shrink > FULL_SIZE_RADIUS:
                    shrink *= 2
                yield Cell(filter, graph(radius), format, radius, width // shrink, height // shrink)
    for filter, graph, formats in WITHOUT_RADIUS:
        for format in formats:
            shrink = SMALLER.get(filter, 1)
            yield Cell(filter, graph, format, None, width // shrink, height // shrink)
