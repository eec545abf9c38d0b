# SPDX-License-Identifier: MIT
"""OpenEXR files of several layers and parts, and pictures that lie in a larger frame. Files are put together and taken
apart here, without a library."""

import os
import struct

import tool
from formats import has_format
from tool import check, check_in, need, weft


def attribute(name, kind, data):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<I", len(data)) + data


def header(channels, data, display, compression=0, part=None):
    """channels: names. data, display: x, y of the first and of the last pixel."""
    names = sorted(channels)
    listed = b"".join(name.encode() + b"\0" + struct.pack("<IBxxxII", 2, 0, 1, 1) for name in names) + b"\0"
    result = (attribute("channels", "chlist", listed) + attribute("compression", "compression", bytes([compression])) +
              attribute("dataWindow", "box2i", struct.pack("<4i", *data)) +
              attribute("displayWindow", "box2i", struct.pack("<4i", *display)) +
              attribute("lineOrder", "lineOrder", b"\0") + attribute("pixelAspectRatio", "float", struct.pack("<f", 1)) +
              attribute("screenWindowCenter", "v2f", bytes(8)) +
              attribute("screenWindowWidth", "float", struct.pack("<f", 1)))
    if part is not None:
        result += (attribute("name", "string", part.encode()) + attribute("type", "string", b"scanlineimage") +
                   attribute("chunkCount", "int", struct.pack("<i", data[3] - data[1] + 1)))
    return result + b"\0"


def exr(parts, data=(0, 0, 3, 1), display=None, compression=0):
    """parts: names and, for each channel, the number that all of its pixels are. One part without a name, or several."""
    many = len(parts) > 1
    display = display or data
    start = b"\x76\x2f\x31\x01" + struct.pack("<I", 2 | (0x1000 if many else 0))
    start += b"".join(header(channels, data, display, compression, name if many else None) for name, channels in parts)
    start += b"\0" if many else b""
    rows, width = data[3] - data[1] + 1, data[2] - data[0] + 1
    at = len(start) + 8 * rows * len(parts)
    table = chunks = b""
    for number, (_, channels) in enumerate(parts):
        for y in range(data[1], data[3] + 1):
            pixels = b"".join(struct.pack("<f", channels[name]) * width for name in sorted(channels))
            chunk = (struct.pack("<i", number) if many else b"") + struct.pack("<ii", y, len(pixels)) + pixels
            table += struct.pack("<Q", at + len(chunks))
            chunks += chunk
    return start + table + chunks


def save(name, data):
    with open(name, "wb") as file:
        file.write(data)


def windows(name):
    """The data and the display window of a file."""
    with open(name, "rb") as file:
        data = file.read()
    return tuple(struct.unpack_from("<4i", data, data.index(b"%s\0box2i\0" % window) + len(window) + 11)
                 for window in (b"dataWindow", b"displayWindow"))


def means(path, status=0):
    text, errors = weft("run", path, "reduce=mean", status=status)
    return errors if status else [round(float(word), 4) for word in text.split()]


def need_exr():
    need("opacity", "reduce", "crop")
    if not has_format("exr"):
        raise tool.Skip("no OpenEXR")


def test_layers():
    """Channels of a name before the dot, one channel alone, and what is of no layer."""
    need_exr()
    beauty = {"R": .125, "G": .25, "B": .375}
    layers = {"diffuse.R": .5, "diffuse.G": .625, "diffuse.B": .75, "diffuse.A": 1, "a.b.Y": .875, "normal.X": .1,
              "normal.Y": .2, "normal.Z": .3, "depth.Z": .4, "Z": .6}
    save("in.exr", exr([("", {**beauty, **layers})]))
    wanted = {"": [.125, .25, .375], "[]": [.125, .25, .375], "[layer=diffuse]": [.5, .625, .75, 1],
              "[layer=a.b]": [.875], "[layer=normal]": [.1, .2, .3], "[layer=depth]": [.4], "[layer=Z]": [.6],
              "[part=1,layer=depth.Z]": [.4]}
    for settings, numbers in wanted.items():
        check(means("in.exr" + settings) == numbers, f"{settings}: {means('in.exr' + settings)}")
    check_in("no layer 'specular'; there is Z, a.b, depth, diffuse, normal", means("in.exr[layer=specular]", 1))
    for wrong in ("a", "diff", "norma", "diffuse.", ".R"):
        check_in("no layer", means(f"in.exr[layer={wrong}]", 1))
    save("only.exr", exr([("", layers)]))
    check_in("a layer can be chosen, of Z, a.b, depth, diffuse, normal", means("only.exr", 1))
    check(means("only.exr[layer=diffuse]") == [.5, .625, .75, 1])
    os.mkdir("out")  # of many files, and beside a name that has brackets in it
    weft("run", "*.exr[layer=diffuse]", "opacity=1", "-o", "out/{stem}.exr")
    check(sorted(os.listdir("out")) == ["in.exr", "only.exr"] and means("out/only.exr") == [.5, .625, .75, 1])
    save("in.exr[layer=diffuse]", exr([("", beauty)]))
    check(means("in.exr[layer=diffuse]") == [.125, .25, .375])


def test_parts():
    need_exr()
    save("in.exr", exr([("beauty", {"R": .125, "G": .25, "B": .375}), ("left", {"R": .5, "G": .625, "B": .75}),
                        ("data", {"motion.Y": .875})]))
    wanted = {"": [.125, .25, .375], "[part=2]": [.5, .625, .75], "[layer=left]": [.5, .625, .75],
              "[layer=motion]": [.875], "[part=3,layer=motion]": [.875]}
    for settings, numbers in wanted.items():
        check(means("in.exr" + settings) == numbers, f"{settings}: {means('in.exr' + settings)}")
        said = weft("run", "in.exr" + settings, "reduce=mean")[1]
        check(("holds 3 pictures" in said) == (not settings), f"{settings}: only what nobody chose is news: {said}")
    _, errors = weft("run", "in.exr[part=2]", "opacity=1", "in.exr", status=2)
    check_in("one of them would take its place", errors)
    check_in("part is from 1 to 3, for so many there are, not 4", means("in.exr[part=4]", 2))
    check_in("no layer 'motion'; there is none", means("in.exr[part=1,layer=motion]", 1))
    check_in("no layer 'right'; there is beauty, left, data, motion", means("in.exr[layer=right]", 1))
    data = exr([("beauty", {"R": .125, "G": .25, "B": .375}), ("left", {"R": .5, "G": .625, "B": .75})])
    for cut in range(0, len(data), 23):
        save("cut.exr", data[:cut])
        tool.outcome("run", "cut.exr[part=2]", "reduce=mean")


def test_options_of_inputs():
    """They are written as those of outputs, and unknown ones name what there is."""
    need("opacity")
    tool.write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm[page=2]", "opacity=1", "out.ppm", status=2)
    check_in("in.ppm: a pnm file that is read has no option 'page'; it has linear, alpha, drop", errors)
    if has_format("exr"):
        save("in.exr", exr([("", {"Y": .5})]))
        _, errors = weft("run", "in.exr[layers=a]", "opacity=1", "out.ppm", status=2)
        check_in("an exr file that is read has no option 'layers'; it has part, layer", errors)
        check_in("layer has no value", means("in.exr[layer=]", 2))
        check_in("part is a whole number from 0 to 65535, not 'x'", means("in.exr[part=x]", 2))
        check_in("layer=NAME", weft("list", "--formats")[0])


def test_frames():
    """Both windows go along; where they cannot, that is said."""
    need_exr()
    data, display = (-10, 20, -1, 25), (-30, 0, 69, 49)
    save("in.exr", exr([("", {"R": .1, "G": .2, "B": .3})], data, display))
    for settings in ("", "[compression=none]", "[compression=piz]"):
        _, errors = weft("run", "in.exr", "opacity=1", "out.exr" + settings)
        check(windows("out.exr") == (data, display) and "frame" not in errors, (windows("out.exr"), errors))
        check(means("out.exr")[:3] == [.1, .2, .3])
    for output, graph in (("out.ppm", "opacity=1"), ("out.exr", "crop=0:0:5:5")):
        _, errors = weft("run", "in.exr", graph, output)
        check_in("the input lies at -10, 20 of a frame of 100x50 from -30, 0", errors)
    check(windows("out.exr") == ((0, 0, 4, 4), (0, 0, 4, 4)))
    save("in.exr", exr([("", {"Y": .5})]))
    _, errors = weft("run", "in.exr", "opacity=1", "out.ppm")
    check("frame" not in errors, errors)


def test_compressions_that_are_not_read():
    """DWAA and DWAB are read by newer versions of OpenEXR; else the message is weft's, before anything is read."""
    need_exr()
    for number, name in ((8, "DWAA"), (9, "DWAB")):
        save("in.exr", exr([("", {"Y": .5})], compression=number))
        status, errors = tool.outcome("run", "in.exr", "reduce=mean")
        check(status == 1 and ("row 0" in errors or f"in.exr: compressed by {name}" in errors), errors)
