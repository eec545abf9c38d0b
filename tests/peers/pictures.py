# SPDX-License-Identifier: MIT
"""The photograph in every format that the comparisons use, and image files: PAM for integers, PFM for f32."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

# Odd and not a multiple of any vector's length; large enough for a photograph's detail, small enough for every peer.
WIDTH, HEIGHT = 403, 303
# Above 1, as light in f32 images is: nothing may clip on the way.
BRIGHTEST = 1.25
FULL_SCALE = {"u8": 255.0, "u16": 65535.0, "f32": 1.0}
STORED = {"u8": np.uint8, "u16": np.uint16, "f32": np.float32}


@dataclass
class Picture:
    """Pixels of shape (height, width, channels). `alpha` says that the last channel is straight alpha."""
    pixels: np.ndarray
    alpha: bool = False
    path: Path | None = None

    @property
    def type(self) -> str:
        return {"uint8": "u8", "uint16": "u16", "float32": "f32"}[self.pixels.dtype.name]

    @property
    def format(self) -> str:
        return f"{self.type}x{self.pixels.shape[2]}"

    @property
    def real(self) -> np.ndarray:
        """The pixels in double precision, 1 being full scale."""
        return self.pixels / np.float64(FULL_SCALE[self.type])

    @property
    def flat(self) -> np.ndarray:
        """The pixels as OpenCV and SciPy like them: one channel has no axis of its own."""
        return self.pixels[:, :, 0] if self.pixels.shape[2] == 1 else self.pixels


def quantize(real: np.ndarray, kind: str) -> np.ndarray:
    if kind == "f32":
        return real.astype(np.float32)
    return np.floor(np.clip(real, 0, 1) * FULL_SCALE[kind] + 0.5).astype(STORED[kind])


def write(path: Path, picture: Picture) -> None:
    height, width, channels = picture.pixels.shape
    if picture.type == "f32":
        name = {1: "Pf", 3: "PF", 4: "PF4"}[channels]
        data = picture.pixels[::-1].astype("<f4").tobytes()  # rows from the bottom up, -1: little endian
        path.write_bytes(f"{name}\n{width} {height}\n-1\n".encode() + data)
        return
    # Four channels without a tuple type are just channels.
    tuples = {1: "TUPLTYPE GRAYSCALE\n", 3: "TUPLTYPE RGB\n", 4: "TUPLTYPE RGB_ALPHA\n" if picture.alpha else ""}
    maximum = int(FULL_SCALE[picture.type])
    header = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {maximum}\n{tuples[channels]}ENDHDR\n"
    path.write_bytes(header.encode() + picture.pixels.astype(">u1" if maximum == 255 else ">u2").tobytes())


def read(path: Path) -> np.ndarray:
    data = path.read_bytes()
    if data[:2] == b"P7":
        header, body = data.split(b"ENDHDR\n", 1)
        fields = dict(line.split(b" ", 1) for line in header.split(b"\n")[1:] if line)
        width, height, channels, maximum = (int(fields[key]) for key in (b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL"))
        pixels = np.frombuffer(body, ">u1" if maximum == 255 else ">u2")
        return pixels.reshape(height, width, channels).astype(np.uint8 if maximum == 255 else np.uint16)
    name, size, scale, body = data.split(b"\n", 3)
    width, height = map(int, size.split())
    channels = {b"Pf": 1, b"PF": 3, b"PF4": 4}[name]
    pixels = np.frombuffer(body, "<f4" if float(scale) < 0 else ">f4").reshape(height, width, channels)
    return pixels[::-1].astype(np.float32)


def soft_disc() -> np.ndarray:
    """Alpha that is 1 in the middle, falls off, and is 0 in the corners, where colors must have no effect."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    distance = np.hypot((x + 0.5) / WIDTH - 0.5, (y + 0.5) / HEIGHT - 0.5)
    return np.clip(2 - 3.4 * distance, 0, 1)[:, :, None]


def load(photo: str, folder: Path) -> dict[str, Picture]:
    """The photograph by format: u8, u16 and f32 x 1, 3 and 4. x4 has alpha in u8 and u16, and is data in f32."""
    image = cv2.imread(photo, cv2.IMREAD_COLOR)
    if image is None:
        raise SystemExit(f"test_peers.py: cannot read the photograph '{photo}'")
    image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB).astype(np.float32)
    # A reduction by a factor that is not whole leaves more than 256 levels, which u16 and f32 need to mean something.
    image = cv2.resize(image, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float64)
    image = (image - image.min()) / (image.max() - image.min())
    grey = image @ np.array([0.2125, 0.7154, 0.0721])
    alpha = soft_disc()
    found = {}
    for kind in STORED:
        scale = BRIGHTEST if kind == "f32" else 1.0
        fourth = image[:, ::-1, :1] * scale if kind == "f32" else alpha
        for channels, real in ((1, grey[:, :, None] * scale), (3, image * scale),
                               (4, np.concatenate([image * scale, fourth], axis=2))):
            found[f"{kind}x{channels}"] = Picture(quantize(real, kind), channels == 4 and kind != "f32")
    for name, picture in found.items():
        picture.path = folder / (name + (".pfm" if picture.type == "f32" else ".pam"))
        write(picture.path, picture)
    return found


def premultiplied(real: np.ndarray) -> np.ndarray:
    return np.concatenate([real[:, :, :3] * real[:, :, 3:], real[:, :, 3:]], axis=2)


def straight(real: np.ndarray) -> np.ndarray:
    alpha = real[:, :, 3:]
    colors = np.divide(real[:, :, :3], alpha, out=np.zeros_like(real[:, :, :3]), where=alpha > 0)
    return np.concatenate([colors, alpha], axis=2)
