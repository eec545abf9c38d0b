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
