# SPDX-License-Identifier: MIT
"""Files of every format: what is kept of them, and how much memory they take."""

import json
import os
import subprocess
import sys

import tool
from tool import check, check_in, need, weft


def has_format(extension):
    """Whether this build writes such files."""
    status, errors = tool.outcome("run", "-", "invert", "x." + extension, data=tool.pam(1, 1, 1, b"\0"))
    if status == 0:
        os.remove("x." + extension)
    return status == 0 or "no file format" not in errors


def peak_memory(*words):
    """Bytes that the tool took at most. A process counts what its parent held when it was made, so a small one makes it."""
    code = ("import os, sys\nprocess = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)\n"
            "_, status, usage = os.wait4(process, 0)\nprint(status, usage.ru_maxrss)")
    done = subprocess.run([sys.executable, "-S", "-c", code, tool.path, *words], stdout=subprocess.PIPE, timeout=300)
    status, peak = done.stdout.split()[-2:]
    check(int(status) == 0, f"weft {' '.join(words)}: status {status}")
    return int(peak) * 1024


def test_large_files_stream():
    """Pictures go from file to file in less memory than the pixels of one of them take, by any number of threads."""
    tool.need_plain_build()
    need("gaussian", "contrast")
    width, height = 6000, 4000
    row = tool.pixels(width, 1, 3)
    with open("in.ppm", "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height))
        for y in range(height):
            file.write(row[3 * (y % 100):] + row[:3 * (y % 100)])
    for extension in filter(has_format, ("ppm", "tif", "jpg", "png", "exr")):
        # An EXR file has three floats a pixel and takes long: a part of the picture is as large.
        rows = height * 3 // 12 if extension == "exr" else height
        name = "in." + extension
        if extension != "ppm":
            weft("run", "in.ppm", f"crop=0:0:{width}:{rows}", name)
        for threads in (1, 8):
            peak = peak_memory("run", "--device", "cpu", "--threads", str(threads), name, "gaussian=8,contrast=1.2",
                               "out." + extension)
            check(peak < 3 * width * height, f"{name} by {threads} threads: {peak / 1e6:.0f} MB")


def test_bands_on_a_gpu():
    """A picture that a GPU's memory would not hold goes through it in bands, to the pixels that it is without them."""
    tool.need_plain_build()
    tool.need_gpus()
    need("gaussian", "contrast")
    tool.write_ppm("in.ppm", 1500, 1500)
    for device in tool.gpus():
        words = ["run", "--device", device, "in.ppm", "gaussian=8,contrast=1.2"]
        weft(*words, "whole.ppm")
        _, explained = weft(*words, "bands.ppm", "--device-memory", "4", "--explain")
        check_in("bands of rows", explained)
        check(tool.read_ppm("bands.ppm") == tool.read_ppm("whole.ppm"), device)
    _, errors = weft("run", "--device-memory", "0", "in.ppm", "invert", "out.ppm", status=2)
    check_in("--device-memory takes a number of megabytes, not '0'", errors)


def test_pixel_limit():
    tool.write_ppm("in.ppm", 64, 48)
    _, errors = weft("run", "--pixel-limit", "3071", "in.ppm", "invert", "out.ppm", status=1)
    check_in("64x48 pixels are more than the pixel limit of 3071", errors)
    weft("run", "--pixel-limit", "3072", "in.ppm", "invert", "out.ppm")
    weft("run", "--pixel-limit", "0", "in.ppm", "invert", "out.ppm", status=2)
    with open("bomb.pgm", "wb") as file:
        file.write(b"P5\n40000 40000\n255\n")
    _, errors = weft("run", "bomb.pgm", "invert", "out.pgm", status=1)
    check_in("more than the pixel limit", errors)


def test_list_of_formats():
    text, _ = weft("list", "--formats")
    described = json.loads(weft("list", "--formats", "--json")[0])
    check({"pnm", "pam", "pfm"} <= {item["name"] for item in described})
    for item in described:
        check_in(item["summary"], text)
        for option in item["options"]:
            check_in(f"{option['name']}={option['default']} ", text)
    weft("list", "--formats", "blur", status=2)


def test_options_of_outputs():
    """They follow the name in brackets, are not part of it, and mistakes name what would be right."""
    tool.write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm", "invert", "out.ppm[speed=3]", status=2)
    check_in("out.ppm: a pnm file has no option 'speed'; it has none", errors)
    _, errors = weft("run", "in.ppm", "invert", "two.ppm", "out.pam[a]", status=2)
    check_in("1 output", errors)
    check(tool.files() == ["in.ppm"], tool.files())
    weft("run", "in.ppm", "invert", "out.ppm[]")
    os.rename("out.ppm", "odd[1].ppm")
    weft("run", "odd[1].ppm", "invert", "odd[2].ppm")
    check(tool.read_ppm("odd[2].ppm") == tool.read_ppm("in.ppm"))
    if has_format("jpg"):
        weft("run", "in.ppm", "invert", "small.jpg[quality=5,subsampling=420]")
        weft("run", "in.ppm", "invert", "large.jpg[quality=95]")
        weft("run", "--quality", "5", "in.ppm", "invert", "same.jpg[subsampling=420]")
        check(os.path.getsize("small.jpg") < os.path.getsize("large.jpg"))
        with open("small.jpg", "rb") as small, open("same.jpg", "rb") as same:
            check(small.read() == same.read())
        _, errors = weft("run", "in.ppm", "invert", "a.jpg[qualty=5]", status=2)
        check_in("a.jpg: a jpeg file has no option 'qualty'; it has quality, subsampling", errors)


def claimed_memory(name):
    """Megabytes that a file is said to take where one may be taken; None when it is read."""
    status, errors = tool.outcome("run", "--decode-limit", "1", name, "opacity=1", "out.pam")
    if status == 0:
        return None
    words = errors.split()
    check_in("of memory, more than the limit of 1 MB", errors)
    return int(words[words.index("takes") + 1])


def test_reduced_decoding():
    """A file that is decoded smaller because the graph begins with a reduction: the size is that of the whole one, the pixels
    nearly."""
    need("resize", "crop", "invert", "flip", "blend_difference", "opacity")
    if not has_format("jpg"):
        raise tool.Skip("no JPEG")
    photo = os.path.join(tool.photos, "photo.jpg")
    weft("run", photo, "resize=1600:1200", "large.jpg")
    weft("run", photo, "resize=1608:1208", "gradual.jpg[progressive,subsampling=420]")
    weft("run", photo, "resize=1601:1203", "odd.jpg")  # which hardly divide
    names = ["large.jpg", "gradual.jpg", "odd.jpg"]
    if has_format("webp"):
        weft("convert", "large.jpg", "large.webp")
        weft("convert", "odd.jpg", "odd.webp[lossless,effort=0]")
        names += ["large.webp", "odd.webp"]
    for name in names:
        for graph, reduced in (("resize=fit=150x150", True), ("resize=scale=0.1", True), ("resize=fill=40x40", True),
                               ("resize=200,flip,invert", True), ("resize=scale=0.4", False), ("resize=100:method=nearest", False),
                               ("resize=fit=100x100:space=linear", False), ("crop=200:200,resize=20", False),
                               ("split[a][b];[a]resize=100:70[c];[b]resize=100:70,invert[d];[c][d]blend_difference", False)):
            whole = tool.read_pam(weft("run", name + "[reduce=off]", graph, "-", "--device", "cpu", text=False)[0])
            least = tool.read_pam(weft("run", name, graph, "-", "--device", "cpu", text=False)[0])
            check(whole[:4] == least[:4], f"{graph}: {least[:4]} by reduced decoding, {whole[:4]} without")
            apart = [abs(a - b) for a, b in zip(whole[4], least[4])]
            mean = sum(apart) / len(apart)
            check(max(apart) <= 10 and mean < 1, f"{name} {graph}: differs by {max(apart)}, {mean:.2f} in the mean")
            check((max(apart) > 0) == reduced or name.startswith("odd"), f"{name} {graph}: {max(apart)}")
    if has_format("webp"):  # colors under an alpha of 0 must not show, so such are decoded whole
        weft("run", "large.jpg", "opacity=0.5", "clear.webp")
        runs = [weft("run", "clear.webp" + option, "resize=fit=150x150", "-", "--device", "cpu", text=False)[0]
                for option in ("[reduce=off]", "")]
        check(runs[0] == runs[1])


def test_memory_of_decoders():
    """What formats that are decoded as a whole are said to take is enough, and not far from what they take."""
    tool.need_plain_build()
    need("opacity", "reduce")
    side = 1440
    tool.write_ppm("row.ppm", side, 16)
    _, _, row = tool.read_ppm("row.ppm")
    with open("in.ppm", "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (side, side) + row * (side // 16))
    base = peak_memory("run", "--threads", "1", "in.ppm", "reduce=mean", "x.csv")
    fast = {"webp": ("[lossless,effort=0]", ""), "avif": ("[speed=10]", "[speed=10,subsampling=420]"),
            "heic": ("[preset=ultrafast]",), "jxl": ("[effort=1]", "[lossless,effort=1]"), "jpg": ("[progressive]",)}
    for extension in filter(has_format, fast):
        for settings in fast[extension]:
            for words in (["in.ppm", "contrast=1"], ["--type", "u16", "in.ppm", "contrast=1"], ["in.ppm", "opacity=0.9"]):
                name = "in." + extension
                if extension in ("jpg", "webp") and "u16" in words:
                    continue
                weft("run", *words, name + settings)
                claimed = claimed_memory(name)
                check(claimed, f"{name} is read in a megabyte")
                weft("run", "--decode-limit", str(claimed + 1), name, "reduce=mean", "x.csv")
                taken = peak_memory("run", "--threads", "4", name, "reduce=mean", "x.csv") - base
                check(taken < claimed * 1.15e6 + 8e6, f"{name}{settings}: {taken / 1e6:.0f} MB taken, {claimed} said")
                check(extension == "jxl" or claimed * 1e6 < taken * 3 + 3e7,
                      f"{name}{settings}: {claimed} MB said, {taken / 1e6:.0f} taken")
    check(claimed_memory("in.ppm") is None)


def test_decoders_of_avif():
    """libdav1d decodes what has no alpha, libaom what has: the colors are the same, and so are rows at the ends of strips."""
    if not has_format("avif"):
        raise tool.Skip("this build has no AVIF")
    need("alpha_remove")
    for width, height in ((64, 48), (5, 1), (33, 131), (2, 64), (70, 66), (16, 203)):
        tool.write_ppm("in.ppm", width, height)
        colors = tool.read_ppm("in.ppm")[2]
        with open("opaque.pam", "wb") as file:
            file.write(tool.pam(width, height, 4, b"".join(colors[i:i + 3] + b"\xff" for i in range(0, len(colors), 3))))
        for subsampling in (444, 422, 420):
            for name, source in (("plain", "in.ppm"), ("alpha", "opaque.pam")):
                weft("convert", source, f"{name}.avif[subsampling={subsampling},speed=10]")
            weft("convert", "plain.avif", "plain.ppm")
            weft("run", "alpha.avif", "alpha_remove", "alpha.ppm")
            check(tool.read_ppm("plain.ppm") == tool.read_ppm("alpha.ppm"), f"{width}x{height}, {subsampling}")


def test_damaged_avif_is_told_once():
    """What a decoder finds wrong is said by weft alone, in one line."""
    if not has_format("avif"):
        raise tool.Skip("this build has no AVIF")
    tool.write_ppm("in.ppm")
    weft("convert", "in.ppm", "in.avif")
    check(weft("convert", "in.avif", "out.ppm", "-t", "257")[1] == "", "more threads than libdav1d takes")
    with open("in.avif", "rb") as file:
        data = file.read()
    start = data.index(b"mdat") + 4
    found = 0
    places = [*range(start, start + 32), *range(start + 32, len(data), 199)]  # headers are at the beginning
    for at, change in ((at, change) for at in places for change in (0x01, 0x55, 0x80, 0xff)):
        with open("bad.avif", "wb") as file:
            file.write(data[:at] + bytes([data[at] ^ change]) + data[at + 1:])
        status, errors = tool.outcome("convert", "bad.avif", "out.ppm")
        check(status in (0, 1) and errors.count("\n") == status, f"byte {at}, status {status}: {errors}")
        found += status
    check(found > 0, "a picture of damaged bytes")


def test_memory_limit():
    """A small file that claims many pixels is refused before they are decoded, in files that are decoded as a whole."""
    need("opacity")
    tool.write_ppm("in.ppm")
    formats = [extension for extension in ("avif", "heic") if has_format(extension)]
    for extension in formats:
        name = "in." + extension
        weft("run", "in.ppm", "contrast=1", name)
        with open(name, "rb") as file:
            data = bytearray(file.read())
        at = data.rindex(b"ispe") + 8
        check(data[at:at + 8] == (64).to_bytes(4, "big") + (48).to_bytes(4, "big"))
        data[at:at + 8] = (16000).to_bytes(4, "big") * 2
        with open(name, "wb") as file:
            file.write(data)
        _, errors = weft("run", name, "opacity=1", "out.pam", status=1)
        check_in(f"{name}: decoding 16000x16000 pixels takes ", errors)
        check_in("more than the limit of 2147 MB", errors)
    if has_format("jpg"):  # a picture that has to be turned waits, too
        from metadata import make_exif, write_jpeg
        write_jpeg("in.jpg", make_exif(orientation=6))
        weft("run", "--decode-limit", "1", "in.jpg", "opacity=1", "out.pam")
        tool.write_ppm("in.ppm", 600, 600)
        weft("run", "in.ppm", "contrast=1", "big.jpg")
        with open("big.jpg", "rb") as big, open("in.jpg", "rb") as turned:
            data, segment = big.read(), turned.read()
        length = int.from_bytes(segment[4:6], "big") + 2
        with open("big.jpg", "wb") as file:
            file.write(data[:2] + segment[2:2 + length] + data[2:])
        _, errors = weft("run", "--decode-limit", "1", "big.jpg", "opacity=1", "out.pam", status=1)
        check_in("decoding 600x600 pixels takes 1 MB of memory", errors)
    _, errors = weft("run", "--decode-limit", "0", "in.ppm", "opacity=1", "out.pam", status=2)
    check_in("--decode-limit takes a number of megabytes, not '0'", errors)
