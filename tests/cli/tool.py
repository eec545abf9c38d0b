# SPDX-License-Identifier: MIT
"""What the tests of the weft tool share: images to feed it, running it, and checks."""

import json
import os
import random
import struct
import subprocess

path = ""     # of the tool
photos = ""   # folder of photographs
filters = {}  # the descriptions of all filters, by name


class Skip(Exception):
    """What a test needs is not there."""


def need_plain_build():
    """For what a sanitizer makes too slow or too large; scripts/check.sh says that it uses one."""
    if "WEFT_SANITIZED" in os.environ:
        raise Skip("a sanitizer's time and memory are not the tool's")


def setup(tool_path, photo_folder):
    global path, photos
    path, photos = os.path.abspath(tool_path), os.path.abspath(photo_folder)
    filters.update((item["name"], item) for item in json.loads(subprocess.check_output([path, "list", "--json"])))


def pixels(width, height, channels, seed=1):
    generator = random.Random(seed)
    smooth = bytearray()
    for y in range(height):
        for x in range(width):
            for c in range(channels):
                value = (x * 255 // width * (c + 1) + y * 3) % 256
                smooth.append((value + generator.randrange(16)) % 256)
    return bytes(smooth)


def write_ppm(name, width=64, height=48, channels=3, seed=1, maximum=255):
    data = pixels(width, height, channels, seed)
    if maximum > 255:
        data = b"".join(struct.pack(">H", byte * 257) for byte in data)
    with open(name, "wb") as file:
        file.write(b"P%d\n%d %d\n%d\n" % (6 if channels == 3 else 5, width, height, maximum) + data)
    return data


def pam(width, height, channels, data):
    names = {1: b"GRAYSCALE", 2: b"GRAYSCALE_ALPHA", 3: b"RGB", 4: b"RGB_ALPHA"}
    return (b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL 255\nTUPLTYPE %s\nENDHDR\n"
            % (width, height, channels, names[channels]) + data)


def read_pam(data):
    header, rest = data.split(b"ENDHDR\n", 1)
    fields = dict(line.split(b" ", 1) for line in header.split(b"\n")[1:] if b" " in line)
    return int(fields[b"WIDTH"]), int(fields[b"HEIGHT"]), int(fields[b"DEPTH"]), int(fields[b"MAXVAL"]), rest


def read_ppm(name):
    with open(name, "rb") as file:
        data = file.read()
    parts = data.split(None, 4)
    return int(parts[1]), int(parts[2]), data[len(data) - int(parts[1]) * int(parts[2]) * (3 if parts[0] == b"P6" else 1):]


def weft(*words, data=None, status=0, text=True, env=None, timeout=120):
    """Runs the tool; checks its exit status and that failures say one message; returns (stdout, stderr)."""
    environment = dict(os.environ, **(env or {}))
    done = subprocess.run([path, *words], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                          stdin=subprocess.DEVNULL if data is None else None, env=environment)
    errors = done.stderr.decode(errors="replace")
    shown = " ".join(["weft", *words])
    assert done.returncode == status, f"{shown}: exit status {done.returncode}, not {status}: {errors}"
    if status:
        messages = [line for line in errors.splitlines() if line.startswith("weft: ")]
        assert len(messages) == 1, f"{shown}: {len(messages)} messages: {errors}"
    return (done.stdout.decode() if text else done.stdout), errors


def outcome(*words, data=None):
    """Exit status and standard error of the tool."""
    done = subprocess.run([path, *words], input=data, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120)
    return done.returncode, done.stderr.decode(errors="replace")


def is_writing(process, folder="."):
    """Whether the process has a file of the folder open for writing, be it one without a name as yet."""
    try:
        for name in os.listdir(f"/proc/{process.pid}/fdinfo"):
            with open(f"/proc/{process.pid}/fdinfo/{name}") as file:
                flags = int(next(line for line in file if line.startswith("flags:")).split()[1], 8)
            place = os.readlink(f"/proc/{process.pid}/fd/{name}")
            if flags & os.O_ACCMODE and os.path.dirname(place) == os.path.realpath(folder):
                return True
    except OSError:
        pass  # it, or its file, is gone meanwhile
    return False


def need(*names):
    for name in names:
        if name not in filters:
            raise Skip(f"no filter {name}")


def need_pointwise():
    """A filter that changes each pixel by itself and takes no parameters."""
    for name in ("invert", "grayscale"):
        if name in filters:
            return name
    for name, info in sorted(filters.items()):
        if info["kind"] == "point" and info["inputs"] == 1:
            return name
    raise Skip("no point filter")


def need_blend():
    for name, info in sorted(filters.items()):
        if info["kind"] == "point" and info["inputs"] == 2:
            return name
    raise Skip("no filter of two images")


def need_reduction():
    """A graph that makes numbers."""
    for name, info in sorted(filters.items()):
        if info["kind"] == "reduce" and info["example"]:
            return info["example"]
    raise Skip("no reduction")


def gpus():
    """The names of the GPUs that are there, software ones included."""
    devices = json.loads(subprocess.check_output([path, "devices", "--json"]))
    return [item["device"] for item in devices if item["available"] and item["backend"] in ("cuda", "vulkan")]


def need_gpus():
    names = gpus()
    if not names:
        raise Skip("no GPU")
    return names


def check(condition, message="unexpected"):
    if not condition:
        raise AssertionError(message)


def check_in(part, whole):
    check(part in whole, f"{part!r} is not in {whole!r}")


def check_caret(errors, graph, word):
    """The carets stand exactly under `word`."""
    lines = errors.splitlines()
    carets = [i for i, line in enumerate(lines) if line.strip() and set(line.strip()) == {"^"}]
    check(len(carets) == 1, f"no caret line in {errors!r}")
    line, shown = lines[carets[0]], lines[carets[0] - 1]
    check_in(graph, shown)
    check(shown[line.index("^"):line.rindex("^") + 1] == word, f"the caret is not under {word!r}:\n{shown}\n{line}")


def files():
    return sorted(os.listdir("."))
