# SPDX-License-Identifier: MIT
"""What goes along beside pixels: no picture of what was before, true sizes, and nothing where that is asked for. Files are
put together and taken apart here, without a library."""

import os
import struct
import zlib

import tool
from formats import has_format, peak_memory
from tool import check, check_in, need, weft

THUMBNAIL = b"\xff\xd8\xff\xe0THE PICTURE AS IT WAS\xff\xd9"
NOTE = b"maker's note"
NOTE_WITH_PICTURE = b"note\xff\xd8\xff\xdbANOTHER COPY\xff\xd9"
CARRIERS = ("jpg", "png", "tif", "webp", "avif", "heic", "jxl")
XMP = (b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>'
       b'<rdf:Description tiff:Orientation="6" exif:PixelXDimension="4000">'
       b'<exif:PixelYDimension>3000</exif:PixelYDimension><dc:title>A LOOM</dc:title>%s</rdf:Description>'
       b'</rdf:RDF></x:xmpmeta><?xpacket end="w"?>')
XMP_THUMBNAIL = b"<xmp:Thumbnails><rdf:Alt><rdf:li><xmpGImg:image>/9j/4AAQ</xmpGImg:image></rdf:li></rdf:Alt></xmp:Thumbnails>"
CAPTION, PREVIEW = b"\x1c\x02\x78\x00\x09a caption", b"\x1c\x02\xca\x00\x0bTHE PREVIEW"
RATIONAL_7 = b"\x07\0\0\0\x01\0\0\0"
GPS_DIGITS = struct.pack("<6I", 59, 1, 19, 1, 4211, 100)


def entry(tag, kind, count, value):
    return struct.pack("<HHI", tag, kind, count) + (value if isinstance(value, bytes) else struct.pack("<I", value))


def make_exif(note=NOTE, orientation=1):
    """A camera, a place and a thumbnail, each in a directory."""
    make, camera, place, second = 120, 160, 300, 400
    main = [entry(256, 4, 1, 4000), entry(271, 2, 10, make), entry(274, 3, 1, orientation), entry(34665, 4, 1, camera),
            entry(34853, 4, 1, place)]
    parts = [(8, struct.pack("<H", len(main)) + b"".join(main) + struct.pack("<I", second)), (make, b"Jacquard!\0")]
    lens = [entry(33434, 5, 1, 240), entry(37500, 7, len(note), 250), entry(40962, 3, 1, 4000), entry(40963, 4, 1, 3000)]
    parts += [(camera, struct.pack("<H", len(lens)) + b"".join(lens) + bytes(4)), (240, RATIONAL_7), (250, note)]
    where = [entry(1, 2, 2, b"N\0\0\0"), entry(2, 5, 3, 340)]
    parts += [(place, struct.pack("<H", 2) + b"".join(where) + bytes(4)), (340, GPS_DIGITS)]
    small = [entry(259, 3, 1, 6), entry(513, 4, 1, 450), entry(514, 4, 1, len(THUMBNAIL))]
    parts += [(second, struct.pack("<H", 3) + b"".join(small) + bytes(4)), (450, THUMBNAIL)]
    exif = bytearray(520)
    exif[:8] = b"II*\0\x08\0\0\0"
    for at, data in parts:
        check(not any(exif[at:at + len(data)]), "directories of the test lie over one another")
        exif[at:at + len(data)] = data
    return bytes(exif)


def write_jpeg(name, exif=None, xmp=None, iptc=None):
    """A photograph's pixels with other metadata."""
    tool.write_ppm("pixels.ppm", 64, 48)
    weft("run", "pixels.ppm", "opacity=1", "pixels.jpg")
    with open("pixels.jpg", "rb") as file:
        data = file.read()
    os.remove("pixels.ppm")
    os.remove("pixels.jpg")
    block = iptc and b"Photoshop 3.0\0" + b"8BIM\x03\xed\0\0\0\0\0\x10" + bytes(16) + \
        b"8BIM\x04\x04\0\0" + struct.pack(">I", len(iptc)) + iptc + bytes(len(iptc) % 2)
    segments = b"".join(b"\xff" + bytes([marker]) + struct.pack(">H", len(body) + 2) + body
                        for marker, body in ((0xe1, exif and b"Exif\0\0" + exif),
                                             (0xe1, xmp and b"http://ns.adobe.com/xap/1.0/\0" + xmp), (0xed, block)) if body)
    with open(name, "wb") as file:
        file.write(data[:2] + segments + data[2:])


def read(name):
    with open(name, "rb") as file:
        return file.read()


def find_exif(data, text=b"Jacquard!"):
    """Entries by their directory and tag, from where EXIF begins in a file: behind the header the text is near."""
    at = data.find(text)
    check(at >= 0, "no EXIF")
    start = max(data.rfind(b"II*\0", 0, at), data.rfind(b"MM\0*", 0, at))
    exif = data[start:] if start >= 0 else data
    order = "<" if exif[:2] == b"II" else ">"
    found, links = {}, {}

    def walk(offset, name):
        count, = struct.unpack_from(order + "H", exif, offset)
        for i in range(count):
            tag, kind, amount = struct.unpack_from(order + "HHI", exif, offset + 2 + 12 * i)
            value, = struct.unpack_from(order + ("H" if kind == 3 and amount == 1 else "I"), exif, offset + 10 + 12 * i)
            found[name, tag] = value
            if tag in (34665, 34853):
                walk(value, {34665: "camera", 34853: "place"}[tag])
        links[name], = struct.unpack_from(order + "I", exif, offset + 2 + 12 * count)

    walk(struct.unpack_from(order + "I", exif, 4)[0], "main")
    return found, links["main"]


def carriers():
    if not has_format("jpg"):
        raise tool.Skip("no JPEG")
    return [extension for extension in CARRIERS if has_format(extension)]


def test_no_picture_of_before():
    """Thumbnails, wherever they hide, stay behind; the rest goes along, with the sizes that are true."""
    need("pixellate", "resize", "opacity")
    formats = carriers()
    write_jpeg("in.jpg", make_exif(), XMP % XMP_THUMBNAIL, CAPTION + PREVIEW)
    for graph, width, height in (("pixellate=0.2", 64, 48), ("resize=32", 32, 24), ("opacity=1", 64, 48)):
        for extension in formats:
            name = "out." + extension
            weft("run", "in.jpg", graph, name)
            data = read(name)
            for secret in (b"AS IT WAS", b"/9j/4AAQ", b"THE PREVIEW"):
                check(secret not in data, f"{name} holds {secret}")
            found, link = find_exif(data)
            check(link == 0 or extension == "tif", f"{name}: a directory follows the main one")
            check(found["camera", 40962] == width and found["camera", 40963] == height, f"{name}: {found}")
            check(found["main", 256] == width or extension != "jpg", f"{name}: {found}")
            check(("place", 2) in found, f"{name}: no place")
            for part in (NOTE, RATIONAL_7, GPS_DIGITS, b"A LOOM", b'PixelXDimension="%d"' % width,
                         b"PixelYDimension>%d<" % height, b'Orientation="1"'):
                check(part in data, f"{name} lacks {part}")
            check(CAPTION in data or extension not in ("jpg", "tif"), f"{name} lacks its caption")


def test_pictures_in_notes():
    """A maker's note in which a JPEG begins is left out; and so are bytes that belong to nothing."""
    need("pixellate")
    formats = carriers()
    write_jpeg("in.jpg", make_exif(NOTE_WITH_PICTURE) + b"A LEFTOVER THUMBNAIL")
    for extension in formats:
        weft("run", "in.jpg", "pixellate=0.2", "out." + extension)
        data = read("out." + extension)
        check(b"ANOTHER COPY" not in data and b"LEFTOVER" not in data, extension)
        check(b"Jacquard!" in data, extension)


def test_strip():
    """--strip leaves all of them out, exif=off does for one output, exif=no-gps keeps what is no place; a profile stays
    (test_file_metadata has that)."""
    need("opacity")
    formats = carriers()
    write_jpeg("in.jpg", make_exif(), XMP % b"", CAPTION)
    write_jpeg("placed.jpg", make_exif(), XMP % b"<exif:GPSLatitude>59,19N</exif:GPSLatitude>", CAPTION)
    for extension in formats:
        for words in (["--strip", "in.jpg", "opacity=1", "out." + extension],
                      ["in.jpg", "opacity=1", f"out.{extension}[exif=off]"]):
            weft("run", *words)
            data = read("out." + extension)
            for part in (b"Jacquard!", b"A LOOM", b"a caption", GPS_DIGITS, b"Exif"):
                check(part not in data or (part == b"Exif" and extension in ("avif", "heic")), f"{words}: {part}")
        weft("run", "--strip", "in.jpg", "opacity=1", f"out.{extension}[exif=keep]")
        check_in(b"Jacquard!", read("out." + extension))
        weft("run", "in.jpg", "opacity=1", f"out.{extension}[exif=no-gps]")
        data = read("out." + extension)
        check(GPS_DIGITS not in data and b"Jacquard!" in data and b"A LOOM" in data, extension)
        found, _ = find_exif(data)
        check(("main", 34853) not in found, extension)
        weft("run", "placed.jpg", "opacity=1", f"out.{extension}[exif=no-gps]")
        check(b"59,19N" not in read("out." + extension), extension)
    _, errors = weft("run", "in.jpg", "opacity=1", "out.jpg[exif=some]", status=2)
    check_in("exif is one of keep off no-gps, not 'some'", errors)


def test_descriptions_of_shapes():
    """What ImageJ and OME say of the pixels is not said of others; a description in words is."""
    need("opacity")
    if not has_format("tif"):
        raise tool.Skip("no TIFF")
    for text, stays in ((b"ImageJ=1.53\nimages=9\nslices=9\0", False), (b'<?xml version="1.0"?><OME><Image/></OME>\0', False),
                        (b'{"shape": [9, 8, 8]}\0', False), (b"A loom of 1804\0", True)):
        tags = [entry(256, 3, 1, 4), entry(257, 3, 1, 1), entry(258, 3, 1, 8), entry(262, 3, 1, 1),
                entry(270, 2, len(text), 200), entry(273, 4, 1, 8), entry(277, 3, 1, 1), entry(278, 3, 1, 1),
                entry(279, 4, 1, 4)]
        head = b"II*\0\x0c\0\0\0" + b"\1\2\3\4" + struct.pack("<H", len(tags)) + b"".join(tags) + bytes(4)
        with open("in.tif", "wb") as file:
            file.write(head.ljust(200, b"\0") + text)
        for name in ("out.tif", "out.png"):
            if has_format(name[4:]):
                weft("run", "in.tif", "opacity=1", name)
                check((text[:-1] in read(name)) == stays, f"{name}: {text}")


def test_text_that_unfolds():
    """Compressed text of a PNG, of which there may be much in a small file, does not fill the memory."""
    tool.need_plain_build()
    need("opacity")
    if not has_format("png"):
        raise tool.Skip("no PNG")
    zeros = zlib.compress(b" " * (60 << 20), 9)
    text = b"XML:com.adobe.xmp\0\1\0\0\0" + zeros
    bomb = struct.pack(">I", len(text)) + b"iTXt" + text + struct.pack(">I", zlib.crc32(b"iTXt" + text))
    tool.write_ppm("in.ppm")
    weft("run", "in.ppm", "opacity=1", "in.png")
    data = read("in.png")
    with open("in.png", "wb") as file:
        file.write(data[:33] + bomb * 20 + data[33:])
    peak = peak_memory("run", "in.png", "opacity=1", "out.png")
    check(peak < 400e6, f"{peak / 1e6:.0f} MB for a file of {os.path.getsize('in.png')} bytes")


def swapped_profile():
    """sRGB with red, green and blue in the places of green, blue and red, as an ICC profile of version 2 by hand."""
    def fixed(*numbers):
        return struct.pack(f">{len(numbers)}i", *(round(65536 * number) for number in numbers))
    red, green, blue = (0.4360747, 0.2225045, 0.0139322), (0.3850649, 0.7168786, 0.0971045), (0.1430804, 0.0606169, 0.7141733)
    curve = b"curv" + bytes(4) + struct.pack(">I", 1024) + b"".join(
        struct.pack(">H", round(65535 * (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4)))
        for v in (i / 1023 for i in range(1024)))
    text = b"desc" + bytes(4) + struct.pack(">I", 8) + b"swapped\0" + bytes(78)
    tags = [(b"desc", text), (b"cprt", b"text" + bytes(4) + b"none\0"), (b"wtpt", b"XYZ " + bytes(4) + fixed(0.9642, 1, 0.8249)),
            (b"rXYZ", b"XYZ " + bytes(4) + fixed(*green)), (b"gXYZ", b"XYZ " + bytes(4) + fixed(*blue)),
            (b"bXYZ", b"XYZ " + bytes(4) + fixed(*red)), (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]
    table, data, at = struct.pack(">I", len(tags)), b"", 132 + 12 * len(tags)
    for name, body in tags:
        body += bytes(-len(body) % 4)
        table += name + struct.pack(">II", at + len(data), len(body))
        data += body
    head = struct.pack(">I4sI4s4s4s12s4s", 132 + 12 * len(tags) + len(data), bytes(4), 0x02100000, b"mntr", b"RGB ", b"XYZ ",
                       struct.pack(">6H", 2020, 1, 1, 0, 0, 0), b"acsp") + bytes(28) + fixed(0.9642, 1, 0.8249)
    return head + bytes(128 - len(head)) + table + data


def test_color_profiles():
    """Colors are brought from the input's profile to the one that is asked for: here places of channels change, and
    nothing else."""
    if not has_format("png"):
        raise tool.Skip("no PNG")
    profile, pixels = swapped_profile(), bytes((200, 100, 50, 255, 10, 20, 30, 128, 0, 0, 0, 9, 255, 255, 255, 255))
    with open("swapped.icc", "wb") as file:
        file.write(profile)
    with open("a.pam", "wb") as file:
        file.write(tool.pam(4, 1, 4, pixels))
    status, errors = tool.outcome("convert", "a.pam", "b.png[color_profile=swapped.icc]")
    if status and "Little CMS" in errors:
        raise tool.Skip("no Little CMS")
    check(status == 0, errors)

    def near(made, expected):
        check(all(abs(a - b) <= 1 for a, b in zip(made, expected)), f"{list(made)}, not {list(expected)}")

    # What is red in sRGB is the third number of the profile, green the first, blue the second. Alpha stays.
    expected = b"".join(bytes((p[1], p[2], p[0], p[3])) for p in (pixels[i:i + 4] for i in range(0, 16, 4)))
    weft("convert", "b.png", "c.pam")
    with open("c.pam", "rb") as file:
        near(tool.read_pam(file.read())[4], expected)
    weft("convert", "b.png", "d.pam[color_profile=srgb]")
    with open("d.pam", "rb") as file:
        near(tool.read_pam(file.read())[4], pixels)
    with open("b.png", "rb") as file:
        data = file.read()
    place = data.index(b"iCCP")
    size = struct.unpack(">I", data[place - 4:place])[0]
    check(zlib.decompress(data[place + 4:place + 4 + size].split(b"\0", 1)[1][1:]) == profile, "the profile goes into the file")
    weft("convert", "b.png", "e.png[color_profile=srgb,compression=1]")
    with open("e.png", "rb") as file:
        check(b"iCCP" not in file.read(), "a file without a profile is sRGB")
    os.mkdir("profiles")
    os.rename("swapped.icc", "profiles/swapped.icc")
    for output in ("new/f.png[color_profile=profiles/swapped.icc]",
                   f"{{stem}}-2.png[color_profile={os.getcwd()}/profiles/swapped.icc]"):
        weft("convert", "a.pam", output)
        name = output.partition("[")[0].replace("{stem}", "a")
        with open(name, "rb") as file:
            check(file.read() == data, f"{name}: the name of the profile has a folder in it")
    os.rename("profiles/swapped.icc", "swapped.icc")
    with open("bad.icc", "wb") as file:
        file.write(profile[:200])
    for word, said in (("absent.icc", "No such file"), ("a.pam", "not an ICC profile"), ("bad.icc", "bad.icc")):
        check_in(said, weft("convert", "b.png", f"f.png[color_profile={word}]", status=1)[1])
    weft("run", "a.pam", "grayscale,take_channel", "g.png")
    check_in("is not of grey", weft("convert", "g.png", "f.png[color_profile=swapped.icc]", status=2)[1])


def test_color_profiles_in_graphs():
    """First in a graph colors are brought to the profile before its filters, last after them. The profile has channels in other
    places, so that a filter that makes the first channel black shows which it was."""
    if not has_format("png"):
        raise tool.Skip("no PNG")
    need("color_matrix", "absolute_difference", "reduce")
    with open("swapped.icc", "wb") as file:
        file.write(swapped_profile())
    pixels = bytes((200, 100, 50, 10, 20, 30, 0, 0, 0, 255, 255, 255))
    with open("a.pam", "wb") as file:
        file.write(tool.pam(4, 1, 3, pixels))
    status, errors = tool.outcome("run", "a.pam", "color_profile=swapped.icc", "b.png")
    if status and "needs Little CMS" in errors:
        raise tool.Skip("no Little CMS")
    check(status == 0, errors)

    def made(*words):
        weft(*words, "out.pam")
        with open("out.pam", "rb") as file:
            return tool.read_pam(file.read())[4]

    def near(data, expected):
        check(len(data) == len(expected) and all(abs(a - b) <= 1 for a, b in zip(data, expected)),
              f"{list(data)}, not {list(expected)}")

    def without(channel):
        return bytes(0 if i % 3 == channel else value for i, value in enumerate(pixels))

    dark = "color_matrix=0|0|0|0|0|1|0|0|0|0|1|0|0|0|0|1"
    near(made("run", "b.png", "color_profile=srgb"), pixels)
    near(made("run", "b.png", f"color_profile=srgb,{dark}"), without(0))
    near(made("run", "b.png", f"{dark},color_profile=srgb"), without(1))  # green is the profile's first
    near(made("run", "b.png", f"color_profile,{dark},color_profile=profile=swapped.icc"),
         bytes(b for p in (without(0)[i:i + 3] for i in range(0, 12, 3)) for b in (p[1], p[2], p[0])))
    near(made("run", "a.pam", "b.png", "[0]color_profile=srgb[a];[1]color_profile=srgb[b];[a][b]absolute_difference"), bytes(12))
    near(made("color_profile", "b.png"), pixels)
    near(made("color_profile", "b.png", "--profile=srgb", "--threads", "1"), pixels)
    near(made("convert", "b.png[color_profile=srgb]"), pixels)
    weft("run", "b.png", f"color_profile=srgb,{dark}", "c.png")
    weft("run", "b.png", dark, "kept.png")
    for name, there in (("c.png", False), ("kept.png", True)):
        with open(name, "rb") as file:
            check((b"iCCP" in file.read()) == there, f"{name}: whether it has a profile")
    weft("run", "b.png", "-g", "color_profile", "-o", "one.png", "-g", dark, "-o", "two.png")
    with open("two.png", "rb") as kept, open("kept.png", "rb") as file:
        check(kept.read() == file.read(), "another graph has the picture as it is")
    os.mkdir("in")
    for name in ("x", "y"):
        weft("convert", "b.png", f"in/{name}.png")
    weft("run", "in", f"color_profile=srgb,{dark}", "-o", "all/{stem}.pam")
    for name in ("x", "y"):
        with open(f"all/{name}.pam", "rb") as file:
            near(tool.read_pam(file.read())[4], without(0))

    for graph, said in ((f"{dark},color_profile=srgb,{dark}", "stands first, at an input, or last, at an output"),
                        (f"split[a][b];[a]color_profile,{dark}[x];[b]{dark}", "is also read as it is"),
                        ("reduce=mean,color_profile=srgb", "is numbers"), ("color_profile=to=srgb", "has one parameter: profile"),
                        ("color_profile=srgb:2", "takes one value"), ("color_profile=@m", "takes srgb or the name of a file"),
                        ("color_profile[a][b]", "split copies")):
        check_in(said, weft("run", "b.png", graph, "out.png", status=2)[1])
    check_in("none.icc", weft("run", "b.png", "color_profile=none.icc", "out.png", status=1)[1])
    twice = "color_profile is asked for twice, as srgb and as swapped.icc: remove one"
    for graph in (f"color_profile=srgb,{dark}", f"{dark},color_profile=srgb", "color_profile=srgb"):
        option = "[color_profile=swapped.icc]"
        read, written = (option, "") if graph.startswith("color_profile=srgb,") else ("", option)
        check_in(twice, weft("run", "b.png" + read, graph, "out.png" + written, status=2)[1])
    check_in("leave it out", weft("plan", "color_profile=srgb,gaussian=2", status=2)[1])
    check_in("color_profile", weft("list", "profile")[0])
    check_in("--profile srgb", weft("help", "color_profile")[0])
    check(weft("color_profile", "--help")[0] == weft("help", "color_profile")[0])
    for shell in ("bash", "zsh", "fish"):
        check_in("color_profile:profile", weft("generate", shell)[0])
    check_in("color_profile", weft("generate", "man-filters")[0])
