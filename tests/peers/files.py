# SPDX-License-Identifier: MIT
"""Files that Pillow writes, as Pillow reads them, and files that weft writes, as Pillow reads those."""

import json
import subprocess

import cv2
import numpy as np
from PIL import Image, ImageOps, features

from compare import Suite
from pictures import Picture

NOTHING = "brightness=0"  # what leaves every pixel as it is
SIZE = (151, 97)
TUPLES = {1: "GRAYSCALE", 2: "GRAYSCALE_ALPHA", 3: "RGB", 4: "RGB_ALPHA"}
FORMS = [  # format, extension, what Pillow is told
    ("tiff", "tif", {}),
    ("tiff", "tif", {"compression": "tiff_lzw"}),
    ("tiff", "tif", {"compression": "tiff_adobe_deflate"}),
    ("tiff", "tif", {"compression": "packbits"}),
    ("png", "png", {}),
    ("webp", "webp", {"lossless": True, "exact": True}),
]


def formats(suite: Suite) -> set[str]:
    """Those of this build that this Pillow has, too."""
    listed = json.loads(subprocess.check_output([suite.weft, "list", "--formats", "--json"]))
    return {item["name"] for item in listed if item["name"] != "webp" or features.check("webp")}


def images(suite: Suite) -> dict[str, Image.Image]:
    photo = Image.fromarray(suite.pictures["u8x3"].pixels[:, :, :3]).resize(SIZE)
    alpha = photo.convert("RGBA")
    alpha.putalpha(photo.convert("L"))
    return {"L": photo.convert("L"), "RGB": photo, "RGBA": alpha, "P": photo.quantize(64), "1": photo.convert("1"),
            "LA": alpha.convert("LA")}


def shown(image: Image.Image) -> np.ndarray:
    """The pixels as weft shows them: palettes looked up, bits as black and white."""
    return np.atleast_3d(np.asarray(image.convert({"P": "RGB", "1": "L"}.get(image.mode, image.mode))))


def compare_reading(suite: Suite) -> None:
    there = formats(suite)
    for number, (format, extension, told) in enumerate(FORMS):
        for mode, image in images(suite).items():
            if format not in there or (format == "webp" and mode not in ("RGB", "RGBA")):
                continue
            pixels = shown(image)
            picture = Picture(pixels, pixels.shape[2] % 2 == 0)
            picture.path = suite.folder / f"{number}-{mode}.{extension}"
            image.save(picture.path, **told)
            suite.same(NOTHING, f"Pillow's {extension} {mode} {' '.join(map(str, told.values()))}", picture, pixels)


def compare_turned(suite: Suite) -> None:
    image = images(suite)["RGB"]
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x112] = orientation
        path = suite.folder / f"turned-{orientation}.png"
        image.save(path, exif=exif)
        pixels = np.asarray(ImageOps.exif_transpose(Image.open(path)))
        picture = Picture(pixels, False)
        picture.path = path
        suite.same(NOTHING, f"Pillow's PNG turned by {orientation}", picture, pixels)


def compare_writing(suite: Suite) -> None:
    there = formats(suite)
    source = suite.pictures["u8x3"]
    for format, name in (("tiff", "a.tif"), ("tiff", "b.tif[compression=lzw,tile=64]"),
                         ("tiff", "c.tif[compression=deflate,big=on]"), ("png", "d.png[compression=1]"),
                         ("webp", "e.webp[lossless]")):
        if format not in there or not suite.wanted(name, "Pillow"):
            continue
        suite.tool([str(source.path), "--graph", NOTHING, str(suite.folder / name)])
        read = np.asarray(Image.open(suite.folder / name.split("[")[0])).astype(float)
        difference = np.abs(read - source.pixels)
        suite.report(name, "read by Pillow", source.format, difference.max(), difference.mean(), 0, "u8",
                     "the same pixels")


def compare_png(suite: Suite) -> None:
    """PNG of all depths and channels in sizes drawn by chance, as OpenCV and Pillow read them."""
    draw = np.random.default_rng(37)
    for case in range(24 if "png" in formats(suite) and suite.wanted("png", "OpenCV") else 0):
        channels, deep = case % 4 + 1, case // 4 % 2 == 1
        height, width = draw.integers(1, 400, 2)
        smooth = np.cumsum(draw.integers(-2, 3, (height, width, channels)), axis=1) * (257 if deep else 1)
        pixels = (smooth % (65536 if deep else 256)).astype(np.uint16 if deep else np.uint8)
        picture = Picture(pixels, channels % 2 == 0)
        source, path = suite.folder / f"png-{case}.pam", suite.folder / f"png-{case}.png"
        source.write_bytes(f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {65535 if deep else 255}\n"
                           f"TUPLTYPE {TUPLES[channels]}\nENDHDR\n".encode() + pixels.astype(">u2" if deep else "u1").tobytes())
        suite.tool([str(source), "--graph", NOTHING, f"{path}[compression={case % 10}]"])
        read = [np.asarray(Image.open(path))] if not deep or channels == 1 else []
        if channels != 2:  # OpenCV makes four channels of grey and alpha
            read.append(cv2.imread(str(path), cv2.IMREAD_UNCHANGED))
            if channels > 2:
                read[-1] = read[-1][:, :, [2, 1, 0, 3][:channels]]
        for other in read:
            difference = np.abs(np.atleast_3d(other).astype(float) - pixels)
            suite.report(f"png[compression={case % 10}] of {width}x{height}", "read by OpenCV and Pillow", picture.format,
                         difference.max(), difference.mean(), 0, picture.type, "the same pixels")


def compare_reduced(suite: Suite) -> None:
    """Thumbnails of JPEG, which weft decodes smaller, and of all pixels by Pillow, whose bicubic filter is the same."""
    if "jpeg" not in formats(suite) or not suite.wanted("resize=fit=150x150", "Pillow"):
        return
    path, made = suite.folder / "large.jpg", suite.folder / "small.png"
    Image.fromarray(suite.pictures["u8x3"].pixels[:, :, :3]).resize((1608, 1208)).save(path, quality=90)
    suite.tool([str(path), "--graph", "resize=fit=150x150", str(made)])
    read = np.asarray(Image.open(made)).astype(float)
    expected = np.asarray(Image.open(path).resize((read.shape[1], read.shape[0]), Image.Resampling.BICUBIC))
    difference = np.abs(read - expected)
    suite.report("resize=fit=150x150", "Pillow, all pixels of a JPEG", "u8x3", difference.max(), difference.mean(), 8, "u8",
                 "an eighth, a quarter or half of the frequencies was decoded")


def compare(suite: Suite) -> None:
    compare_reading(suite)
    compare_turned(suite)
    compare_writing(suite)
    compare_png(suite)
    compare_reduced(suite)
