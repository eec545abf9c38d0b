# SPDX-License-Identifier: MIT
"""Files of several pictures: what is left out of them is said, and they are not lost by writing one over all."""

import base64
import os
import struct
import zlib

import tool
from formats import has_format
from tool import check, check_in, need, weft


def note(*words, data=None, status=0):
    """What the tool said of pictures that were left out."""
    _, errors = weft(*words, data=data, status=status, text=False)
    lines = [line for line in errors.splitlines() if "left out" in line]
    check(len(lines) < 2, errors)
    return lines[0] if lines else ""


def tiff(pages, order="<", big=False, ring=False, kinds=()):
    """Pages of one pixel, a directory each; the last one may lead back to the first. kinds: tag 254 of each."""
    word, entry, data = ("Q", "HHQ", b"") if big else ("I", "HHI", b"")
    head = 16 if big else 8
    size = (8 + 20 * 9 + 8) if big else (2 + 12 * 9 + 4)
    for page in range(pages):
        at = head + page * (size + 8)
        tags = [(254, 4, kinds[page] if page < len(kinds) else 0), (256, 4, 1), (257, 4, 1), (258, 3, 8), (262, 3, 1),
                (273, 4, at + size), (277, 3, 1), (278, 4, 1), (279, 4, 1)]
        data += struct.pack(order + ("Q" if big else "H"), len(tags))
        for tag, kind, value in tags:
            field = struct.pack(order + ("H" if kind == 3 else "I"), value)
            data += struct.pack(order + entry, tag, kind, 1) + field.ljust(8 if big else 4, b"\0")
        last = page == pages - 1
        data += struct.pack(order + word, head if last and ring else 0 if last else at + size + 8)
        data += bytes([100 + page]) + bytes(7)
    mark = b"II" if order == "<" else b"MM"
    return mark + (struct.pack(order + "HHHQ", 43, 8, 0, 16) if big else struct.pack(order + "HI", 42, 8)) + data


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def apng(frames, first_is_one):
    """An animation of one grey pixel; the picture that others see is its first frame, or none of it."""
    control = [chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 1, 1, 0, 0, 1, 10, 0, 0))]
    pixel = zlib.compress(b"\0\x80")
    more = b"".join(chunk(b"fcTL", struct.pack(">IIIIIHHBB", 2 * i + 1, 1, 1, 0, 0, 1, 10, 0, 0)) +
                    chunk(b"fdAT", struct.pack(">I", 2 * i + 2) + pixel) for i in range(frames - first_is_one))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) +
            chunk(b"acTL", struct.pack(">II", frames, 0)) + (control[0] if first_is_one else b"") +
            chunk(b"IDAT", pixel) + more + chunk(b"IEND", b""))


def save(name, data):
    with open(name, "wb") as file:
        file.write(data)


def test_pages_of_tiff():
    need("opacity")
    if not has_format("tif"):
        raise tool.Skip("no TIFF")
    for form, (order, big) in enumerate((("<", False), (">", False), ("<", True), (">", True))):
        save("in.tif", tiff(3, order, big))
        said = note("run", "in.tif", "opacity=1", "out.tif")
        check_in("'in.tif' holds 3 pictures: one of them is taken, 2 are left out", said)
        check(not note("run", "out.tif", "opacity=1", "again.tif"))
        save("in.tif", tiff(1, order, big))
        check(not note("run", "in.tif", "opacity=1", "out.tif"), form)
        save("in.tif", tiff(4, order, big, kinds=(0, 1, 4, 0)))  # a smaller copy and a mask are no pages
        check_in("holds 2 pictures: one of them is taken, 1 is left out", note("run", "in.tif", "opacity=1", "out.tif"))
        save("in.tif", tiff(3, order, big, ring=True))  # ends
        check_in("left out", note("run", "in.tif", "opacity=1", "out.tif"))
        data = tiff(3, order, big)
        for cut in range(len(data) - 1, len(data) // 3 + 60, -29):
            save("in.tif", data[:cut])
            note("run", "in.tif", "opacity=1", "out.tif")


def test_pages_are_not_replaced():
    need("opacity", "invert")
    files = {"in.ppm": tool.pam(2, 1, 1, b"ab") * 3}
    if has_format("tif"):
        files["in.tif"] = tiff(3)
    if has_format("png"):
        files["in.png"] = apng(4, True)
    for name, data in files.items():
        save(name, data)
        os.symlink(name, "link" + name[2:])
        for output in (name, "./" + name, "link" + name[2:]):
            _, errors = weft("run", name, "invert", output, status=2)
            check_in("pictures, and one of them would take its place", errors)
            with open(name, "rb") as file:
                check(file.read() == data, f"{name} was changed")
        _, errors = weft("run", name, "invert", "-o", "./", status=2)
        check_in("would take its place", errors)
        with open(name, "rb") as file:
            check(file.read() == data, f"{name} was changed")
        os.remove("link" + name[2:])
        check(tool.files() == [name], tool.files())
        os.remove(name)


def test_pictures_in_a_row():
    """PNM and PAM of all kinds in a file and in a pipe."""
    need("opacity")
    kinds = (b"P5\n2 1\n255\nab", b"P6\n1 1\n65535\nabcdef", b"P4\n9 1\n\x80\x80", tool.pam(1, 1, 4, b"abcd"),
             b"P2\n2 1\n9\n1 2\n", b"P1\n3 1\n101\n")
    for first in kinds[:5]:
        for others in (kinds[:1], kinds, kinds * 30):
            data = first + b"".join(others)
            save("in.ppm", data)
            wanted = f"holds {len(others) + 1} pictures"
            check_in(wanted, note("run", "in.ppm", "opacity=1", "out.pam"))
            check_in(f"standard input' {wanted}", note("run", "-", "opacity=1", "out.pam", data=data))
        for rest in (b"", b"\n", b"\n\n", b"junk", b"\0" * 70000, b"P", b"P6", b"P9\n1 1\n"):
            check(not note("run", "-", "opacity=1", "out.pam", data=first + rest), rest)
        check_in("holds 2 pictures", note("run", "-", "opacity=1", "out.pam", data=first + b"P5\n5000 5000\n255\ncut"))
    with open("/dev/zero", "rb") as zeros:
        check(not note("run", "-", "opacity=1", "out.pam", data=kinds[0] + zeros.read(1 << 20)))


def test_frames_of_png():
    need("opacity")
    if not has_format("png"):
        raise tool.Skip("no PNG")
    for frames, first_is_one, pictures in ((5, True, 5), (5, False, 6), (1, True, 1)):
        save("in.png", apng(frames, first_is_one))
        said = note("run", "in.png", "opacity=1", "out.png")
        check(f"holds {pictures} pictures" in said or (pictures == 1 and not said), said)
        check(not note("run", "out.png", "opacity=1", "again.png"))


def animated_png(frames, width, height, depth=8, first=True, said=None):
    """Of (x, y, width, height, dispose, over, pixels); the first covers all, and is what all programs read, or that is black."""
    def pixels(part, rows):
        step = part * 4 * depth // 8
        return zlib.compress(b"".join(b"\0" + rows[at:at + step] for at in range(0, len(rows), step or 1)))

    def control(number, frame):
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, frame[2], frame[3], frame[0], frame[1], 1, 10, *frame[4:6]))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, 6, 0, 0, 0))
    data += chunk(b"acTL", struct.pack(">II", said or len(frames), 0))
    number = 0
    if not first:
        data += chunk(b"IDAT", pixels(width, bytes(width * height * depth // 2)))
    for index, frame in enumerate(frames):
        data += control(number, frame)
        number += 1
        coded = pixels(frame[2], frame[6])
        if first and index == 0:
            data += chunk(b"IDAT", coded)
        else:  # in two parts
            data += chunk(b"fdAT", struct.pack(">I", number) + coded[:5])
            data += chunk(b"fdAT", struct.pack(">I", number + 1) + coded[5:])
            number += 2
    return data + chunk(b"IEND", b"")


def test_frames_of_png_are_chosen():
    """Frames are drawn over what those before left, or were drawn on, or nothing."""
    if not has_format("png"):
        raise tool.Skip("no PNG")
    red, green, blue, clear = b"\xff\0\0\xff", b"\0\xff\0\xff", b"\0\0\xff\x80", bytes(4)
    frames = [(0, 0, 3, 2, 0, 0, red * 6), (1, 0, 1, 2, 2, 0, green + clear), (0, 1, 2, 1, 1, 1, blue + clear),
              (2, 0, 1, 1, 0, 1, blue)]
    over = bytes([127, 0, 128, 255])
    shown = [red * 6, red + green + red + red + clear + red, red * 3 + over + red * 2, red * 2 + over + clear * 2 + red]
    for depth in (8, 16):
        def deep(data):
            return data if depth == 8 else bytes(byte for byte in data for _ in range(2))
        for first in (True, False):
            data = animated_png([(*frame[:6], deep(frame[6])) for frame in frames], 3, 2, depth, first, said=1000000000)
            save("in.png", data)
            for i, expected in enumerate(shown):
                weft("convert", f"in.png[page={i + 1 + (not first)}]", "out.pam")
                with open("out.pam", "rb") as file:
                    check(file.read().endswith(b"ENDHDR\n" + deep(expected)), f"frame {i + 1} of {depth} bits")
            check_in(f"no page 9, it has {4 + (not first)} pictures", weft("convert", "in.png[page=9]", "out.pam", status=2)[1])
            weft("convert", "in.png[page=all]", f"{depth}{first}/{{page}}.png")
            check(len(os.listdir(f"{depth}{first}")) == 4 + (not first))
            weft("convert", "in.png[page=1]", "out.pam")
    for at in range(60, len(data), 11):  # cut, or a byte of it changed, it ends in a picture or a message
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:]):
            save("bad.png", damaged)
            status, errors = tool.outcome("convert", "bad.png[page=4]", "bad.pam")
            check(status in (0, 1, 2), f"{at}: {status} {errors}")
    for part in ((4, 0, 1, 1), (0, 0, 4, 1), (0, 0, 0, 1), (0, 2 ** 32 - 1, 1, 1)):
        save("bad.png", animated_png([frames[0], (*part, 0, 0, red)], 3, 2))
        check_in("a damaged frame", weft("convert", "bad.png[page=2]", "bad.pam", status=1)[1])
    save("one.png", data[:33] + chunk(b"IDAT", zlib.compress((b"\0" + bytes(24)) * 2)) + chunk(b"IEND", b""))
    weft("convert", "one.png[page=1]", "out.pam")
    check_in("no page 2, it has 1 picture", weft("convert", "one.png[page=2]", "out.pam", status=2)[1])


def test_stacks_of_imagej():
    """Which have one directory and all pictures behind the first."""
    need("opacity")
    if not has_format("tif"):
        raise tool.Skip("no TIFF")
    for said_images, images, pictures in ((3, 3, 3), (3, 1, 1), (1, 3, 1)):
        text = f"ImageJ=1.54f\nimages={said_images}\nslices={said_images}\n".encode() + b"\0"
        tags = [(256, 4, 1, 5), (257, 4, 1, 4), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1),
                (270, 2, len(text), 134), (273, 4, 1, 134 + len(text)), (277, 3, 1, 1), (278, 4, 1, 4), (279, 4, 1, 20)]
        data = b"II" + struct.pack("<HIH", 42, 8, len(tags))
        data += b"".join(struct.pack("<HHI", tag, kind, count) + struct.pack("<H" if kind == 3 else "<I", value).ljust(4, b"\0")
                         for tag, kind, count, value in tags) + bytes(4)
        save("in.tif", data + text + bytes(range(20 * images)))
        said = note("run", "in.tif", "opacity=1", "out.tif")
        check(f"holds {pictures} pictures" in said or (pictures == 1 and not said), said)


def test_several_jpegs_in_one():
    """MPO, as cameras with two lenses write it; a copy for screens is no other picture."""
    need("opacity")
    if not has_format("jpg"):
        raise tool.Skip("no JPEG")
    tool.write_ppm("in.ppm", 16, 16)
    weft("run", "in.ppm", "opacity=1", "in.jpg")
    with open("in.jpg", "rb") as file:
        plain = file.read()
    for purposes, pictures in (((0x30000, 0x20002), 2), ((0x30000, 0x10001), 1), ((0x20030000, 0, 0x10002, 0x20003), 3)):
        for order, mark in (("<", b"II*\0"), (">", b"MM\0*")):
            fields = ((0xB000, 7, 4, b"0100"), (0xB001, 4, 1, struct.pack(order + "I", len(purposes))),
                      (0xB002, 7, 16 * len(purposes), struct.pack(order + "I", 8 + 2 + 3 * 12 + 4)))
            data = mark + struct.pack(order + "IH", 8, 3)
            data += b"".join(struct.pack(order + "HHI", *field[:3]) + field[3] for field in fields) + bytes(4)
            data += b"".join(struct.pack(order + "IIIHH", purpose, len(plain), 0, 0, 0) for purpose in purposes)
            for cut in (0, 20, 60):
                part = b"MPF\0" + data[:len(data) - cut]
                save("several.jpg", plain[:2] + b"\xff\xe2" + struct.pack(">H", len(part) + 2) + part + plain[2:] +
                     plain * (len(purposes) - 1))
                said = note("run", "several.jpg", "opacity=1", "out.jpg")
                check(cut or f"holds {pictures} pictures" in said or (pictures == 1 and not said), said)
            if pictures > 1:
                save("several.jpg", plain[:2] + b"\xff\xe2" + struct.pack(">H", len(data) + 6) + b"MPF\0" + data + plain[2:])
                _, errors = weft("run", "several.jpg", "contrast=1", "several.jpg", status=2)
                check_in("would take its place", errors)


def test_pages_among_many_files():
    """One line for all of them."""
    need("opacity")
    if not has_format("tif"):
        raise tool.Skip("no TIFF")
    for name in ("a.tif", "b.tif", "c.tif"):
        save(name, tiff(2))
    os.mkdir("out")
    said = note("run", "a.tif", "b.tif", "c.tif", "opacity=1", "-o", "out/")
    check_in("1 is left out; so with 2 other files", said)


def test_pages_are_chosen():
    need("reduce")
    if not has_format("tif"):
        raise tool.Skip("no TIFF")
    for order, big in (("<", False), (">", True)):
        save("in.tif", tiff(4, order, big, kinds=(0, 1, 0, 0)))  # a smaller copy is no page
        for page, value in ((1, 100), (2, 102), (3, 103)):
            out, said = weft("run", f"in.tif[page={page}]", "reduce=max")
            check(abs(float(out) * 255 - value) < 1e-3 and "left out" not in said, out + said)
        check_in("no page 4, it has 3 pages", weft("run", "in.tif[page=4]", "reduce=max", status=2)[1])


def test_all_pages():
    need("reduce")
    if not has_format("tif"):
        raise tool.Skip("no TIFF")
    save("a.tif", tiff(3))
    save("b.tif", tiff(2))
    save("one.tif", tiff(1))
    out, _ = weft("run", "a.tif[page=all]", "reduce=max")
    check([round(float(line.split()[-1]) * 255) for line in out.splitlines()] == [100, 101, 102], out)
    weft("convert", "*.tif[page=all]", "out/{stem}-{page}.pgm")
    check(sorted(os.listdir("out")) == ["a-1.pgm", "a-2.pgm", "a-3.pgm", "b-1.pgm", "b-2.pgm", "one-1.pgm"])
    check(tool.read_ppm("out/b-2.pgm") == (1, 1, bytes([101])))
    _, errors = weft("convert", "a.tif[page=all]", "out/{stem}.pgm", status=2)
    check_in("pages 1 and ", errors)
    check_in(" of 'a.tif' would both be written to 'out/a.pgm'; a name with {page} in it keeps them apart", errors)
    weft("convert", "none.tif[page=all]", "out/{page}.pgm", status=1)
    tool.write_ppm("in.ppm")
    check_in("no option 'page'", weft("convert", "in.ppm[page=all]", "{page}.png", status=2)[1])


def animated_webp(frames, width, height):
    """Lossless still pictures, which weft wrote, one after the other on a canvas."""
    def riff(kind, data):
        return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    def size(number):
        return struct.pack("<I", number - 1)[:3]
    data = b"WEBP" + riff(b"VP8X", b"\x02\0\0\0" + size(width) + size(height)) + riff(b"ANIM", bytes(6))
    for frame in frames:
        picture = frame[frame.index(b"VP8L"):]
        data += riff(b"ANMF", bytes(6) + size(width) + size(height) + size(101) + b"\x02" + picture)
    return riff(b"RIFF", data)


def test_frames_of_animations():
    need("reduce")
    if not has_format("webp"):
        raise tool.Skip("no WebP")
    frames = []
    for value in (10, 20, 30):
        save("in.ppm", b"P6\n3 2\n255\n" + bytes([value]) * 18)
        weft("convert", "in.ppm", "in.webp[lossless]")
        with open("in.webp", "rb") as file:
            frames.append(file.read())
    data = animated_webp(frames, 3, 2)
    save("in.webp", data)
    check_in("'in.webp' holds 3 pictures", note("run", "in.webp", "opacity=1", "out.pam"))
    for settings, value in (("", 10), ("[page=1]", 10), ("[page=2]", 20), ("[page=3]", 30)):
        weft("convert", "in.webp" + settings, "out.ppm")
        check(tool.read_ppm("out.ppm") == (3, 2, bytes([value]) * 18), f"{settings}: {tool.read_ppm('out.ppm')}")
    check_in("no page 4, it has 3 frames", weft("convert", "in.webp[page=4]", "out.ppm", status=2)[1])
    weft("convert", "in.webp[page=all]", "out/{page}.ppm")
    check(tool.read_ppm("out/2.ppm")[2] == bytes([20]) * 18)
    save("still.webp", frames[1])
    check_in("no page 2, it has 1 picture", weft("convert", "still.webp[page=2]", "out.ppm", status=2)[1])
    for cut in range(0, len(data), 7):
        save("cut.webp", data[:cut])
        tool.outcome("convert", "cut.webp[page=2]", "out.ppm")
    for place in range(12, len(data), 9):
        save("bad.webp", data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1:])
        tool.outcome("convert", "bad.webp[page=3]", "out.ppm")


def test_pages_of_avif():
    if not has_format("avif"):
        raise tool.Skip("no AVIF")
    tool.write_ppm("in.ppm")
    try:
        weft("convert", "in.ppm", "in.avif")
    except AssertionError:
        raise tool.Skip("this libavif writes none")
    weft("convert", "in.avif", "a.ppm")
    weft("convert", "in.avif[page=1]", "b.ppm")
    check(tool.read_ppm("a.ppm") == tool.read_ppm("b.ppm"))
    check_in("no page 2, it has 1 picture", weft("convert", "in.avif[page=2]", "b.ppm", status=2)[1])


# 6x4 pixels: an animation of cjxl's, of frames of 10, 20 and 30, and three pictures of heif-enc's, of which the first is of 10 and
# the last of 30.
FRAMES_JXL = (
    "/woYQMEAAopLAggCkgkAADwASxiLFUKp0AtEAJAAAAAACAKSCQAAPABLGIsVQrHgC0QAEAEAAAAIApIFADwASxiLFUKx4AtEAJADAAAA")
PICTURES_HEIF = (
    "AAAANGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZm1pZjFoZWljbWlhZm1pZjFoZWljbWlhZgAAA+1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaW"
    "N0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAAIGlkYXQAAAAAAAYABAAAAAAABgAEAAAAAAAGAAQAAACIaWxvYwEAAABEQAAGAAEAAAAA"
    "AAAEKQABAAAAAAAAAE0AAgABAAAAAAAAAAEAAAAAAAAACAADAAAAAAAABHYAAQAAAAAAAABiAAQAAQAAAAAAAAABAAAACAAAAAgABQAAAAAAAA"
    "TYAAEAAAAAAAAATQAGAAEAAAAAAAAAAQAAABAAAAAIAAAAjGlpbmYAAAAAAAYAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAA"
    "Z3JpZAAAAAAVaW5mZQIAAAEAAwAAaHZjMQAAAAAVaW5mZQIAAAAABAAAZ3JpZAAAAAAVaW5mZQIAAAEABQAAaHZjMQAAAAAVaW5mZQIAAAAABg"
    "AAZ3JpZAAAAAJIaXBycAAAAhJpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAD/8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwD/ugJA"
    "IQABACpCAQEDcAAAAwCQAAADAAADAP+gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXGLEgAAABRpc3BlAAAAAAAAAEAAAABAAAAAFG"
    "lzcGUAAAAAAAAABgAAAAQAAAAQcGl4aQAAAAADCAgIAAAAdmh2Y0MBA3AAAAAAAAAAAAD/8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAA"
    "AwAAAwD/ugJAIQABACpCAQEDcAAAAwCQAAADAAADAP+gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXGLEgAAABRpc3BlAAAAAAAAAE"
    "AAAABAAAAAFGlzcGUAAAAAAAAABgAAAAQAAAAQcGl4aQAAAAADCAgIAAAAdmh2Y0MBA3AAAAAAAAAAAAD/8AD8/fj4AAAPAyAAAQAYQAEMAf//"
    "A3AAAAMAkAAAAwAAAwD/ugJAIQABACpCAQEDcAAAAwCQAAADAAADAP+gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXGLEgAAABRpc3"
    "BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAABgAAAAQAAAAQcGl4aQAAAAADCAgIAAAALmlwbWEAAAAAAAAABgABAoECAAICA4QAAwKFBgAE"
    "AgeIAAUCiQoABgILjAAAADZpcmVmAAAAAAAAAA5kaW1nAAIAAQABAAAADmRpbWcABAABAAMAAAAOZGltZwAGAAEABQAAAQRtZGF0AAAASSgBrw"
    "WyGqHGgC8WVIZ//+x/2H9Z+k+U+U+U+U+V+V+V+V+V+V+V+V/8KCJmEsjWXLo636pf30HNvkSsgGLBhsdfC0BP7v7y52wAAABeKAGvBbId+HDQ"
    "Lu2Rz//9jP9gl/WfpBfK/K/K/K/K/K/K/K2EUrr97LWrK9DBvnYYHf4APZtkLGb8h6BXeKaOLlF9A7GuAyTdnWBj4aLYWmNAZJkF/yALYFIu6/"
    "InDAAAAEkoAa8FshqhxoAvFlSGf//nf85/MfkPgPgPgPgPgfgfgfgfgfgfgfgf/CgiZhLI1ly6Ot+qX99Bzb5ErIBiwYbHXwtAT+7+8uds")


def test_frames_of_jpeg_xl_and_pictures_of_heif():
    need("reduce")
    for name, text, what, values in (("in.jxl", FRAMES_JXL, "frame", (10, 20, 30)),
                                     ("in.heic", PICTURES_HEIF, "picture", (10, None, 30))):
        if not has_format("heif" if name == "in.heic" else "jxl"):
            continue
        data = base64.b64decode(text)
        save(name, data)
        check_in(f"'{name}' holds 3 pictures", note("run", name, "opacity=1", "out.pam"))
        weft("convert", f"{name}[page=all]", "out/{page}.ppm")
        for page, value in enumerate(values, 1):
            weft("convert", f"{name}[page={page}]", "out.ppm")
            pixels = tool.read_ppm("out.ppm")
            check(pixels == tool.read_ppm(f"out/{page}.ppm") and pixels[:2] == (6, 4))
            check(value is None or pixels[2] == bytes([value]) * 72, f"{name} {page}: {pixels}")
            check(value is not None or len(set(pixels[2])) > 2)
        weft("convert", name, "out.ppm")
        check(tool.read_ppm("out.ppm")[2] == bytes([10]) * 72)
        check_in(f"no page 4, it has 3 {what}s", weft("convert", f"{name}[page=4]", "out.ppm", status=2)[1])
        for cut in range(0, len(data), 23):
            save("cut", data[:cut])
            tool.outcome("convert", "cut[page=2]", "out.ppm")
    tool.write_ppm("in.ppm")
    if has_format("jxl"):
        weft("convert", "in.ppm", "still.jxl")
        check_in("no page 2, it has 1 picture", weft("convert", "still.jxl[page=2]", "out.ppm", status=2)[1])
