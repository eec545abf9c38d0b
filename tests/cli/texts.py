# SPDX-License-Identifier: MIT
"""Text as a picture, an input of a graph like any other."""

import os
import shutil
import subprocess
import tool
from tool import check, check_in, need, read_pam, weft


def need_text():
    status, said = tool.outcome("run", "text:x", "reduce=max")
    if any(words in said for words in ("text needs the libraries", "no font of the family", "draws no text")):
        raise tool.Skip(f"no text is drawn here: {said.strip()}")
    check(status == 0, said)


def draw(text):
    """Width, height, and the pixels as tuples."""
    out, _ = weft("convert", text, "-", text=False)
    width, height, depth, _, data = read_pam(out)
    check(depth == 4, f"{depth} channels")
    return width, height, [tuple(data[i:i + 4]) for i in range(0, len(data), 4)]


def ink(pixels):
    return sum(pixel[3] for pixel in pixels) / 255


def test_text_is_drawn():
    need("reduce")
    need_text()
    width, height, pixels = draw("text:Hxg[size=40,color=#ff8000]")
    check(40 <= height <= 60 and 50 <= width <= 120, f"{width}x{height}")
    check({pixel[:3] for pixel in pixels} == {(255, 128, 0)}, "one color, at all alpha")
    check(max(pixel[3] for pixel in pixels) == 255 and pixels[0][3] == 0)
    double = draw("text:Hxg[size=80,color=#ff8000]")
    check(abs(double[0] - 2 * width) <= 2 and abs(double[1] - 2 * height) <= 2)
    check(abs(ink(double[2]) / ink(pixels) - 4) < 0.1, "twice as large has four times the ink")
    half = draw("text:Hxg[size=40,color=#ff800080]")
    check(abs(ink(half[2]) / ink(pixels) - 128 / 255) < 0.01)
    check(draw("text:Hxg")[2][0][:3] == (255, 255, 255), "white where nothing is said")


def test_lines_of_text():
    need_text()
    one, two = draw("text:Hx"), draw("text:Hx\nHx")
    check(two[0] == one[0] and two[1] > 1.8 * one[1] - 10 and abs(ink(two[2]) - 2 * ink(one[2])) < 1)
    check(draw("text:Hx\\nHx") == two, "\\n is a new line, too")
    wide = [draw(f"text:HHHHHH\ni[align={align}]") for align in ("left", "center", "right")]
    places = [min(i % width for i, pixel in enumerate(pixels) if pixel[3] > 128 and i // width > height * 0.6)
              for width, height, pixels in wide]
    check(places[0] < places[1] < places[2], places)


def test_outlines_of_text():
    need_text()
    plain, lined = draw("text:o[size=60]"), draw("text:o[size=60,outline=blue,stroke=5]")
    check(lined[0] >= plain[0] and ink(lined[2]) > 1.5 * ink(plain[2]))
    colors = {pixel[:3] for pixel in lined[2] if pixel[3] == 255}
    check((255, 255, 255) in colors and (0, 0, 255) in colors, "letters over their outline")
    check(draw("text:o[size=60,outline=blue]") == draw("text:o[size=60,outline=blue,stroke=6]"))


def test_text_beyond_ascii():
    need_text()
    check(draw("text:ä") != draw("text:a") and draw("text:ä") == draw("text:a\u0308"), "composed, by HarfBuzz")
    check(draw("text:Is it [not] good/bad? *")[0] > 200, "no pattern and no options")
    check(draw("text:[a][size=9]")[1] < 20)


def test_text_on_pictures():
    need("overlay", "absolute_difference")
    need_text()
    tool.write_ppm("a.ppm", 300, 200)
    tool.write_ppm("b.ppm", 200, 300)
    weft("overlay", "a.ppm", "text:Hello[size=32,outline=black]", "out.ppm", "--gravity", "southeast", "--margin", "9x9")
    weft("crop", "out.ppm", "top.ppm", "--height", "100")
    weft("crop", "a.ppm", "same.ppm", "--height", "100")
    check(tool.read_ppm("top.ppm") == tool.read_ppm("same.ppm") and tool.read_ppm("out.ppm") != tool.read_ppm("a.ppm"))
    weft("run", "?.ppm", "text:Hello", "overlay=southeast", "-o", "out/")
    check(tool.read_ppm("out/b.ppm")[:2] == (200, 300))
    _, said = weft("run", "?.ppm", "text:Hello", "overlay=southeast", "-o", "out/", "--newer")
    check_in("2 files are left out", said)
    weft("montage", "a.ppm", "b.ppm", "sheet.ppm", "--cell", "100x100", "--labels")
    check(tool.read_ppm("sheet.ppm")[:2] == (2 * 108 + 8, 100 + 20 + 16))
    weft("montage", "a.ppm", "b.ppm", "bare.ppm", "--cell", "100x100")
    check(tool.read_ppm("bare.ppm")[:2] == (2 * 108 + 8, 100 + 16))


def test_wrong_texts():
    need_text()
    for text, words in (("text:", "1 to 65536 bytes"), ("text:" + "x" * 65537, "1 to 65536 bytes"),
                        ("text:a[color=none]", "color is a color"), ("text:a[size=0]", "size is a whole number"),
                        ("text:a[weight=3]", "it has font, size, color")):
        check_in(words, weft("convert", text, "out.png", status=2)[1])
    check_in("cannot be read as a font", weft("convert", "text:a[font=./none.ttf]", "out.png", status=1)[1])
    weft("convert", "text:" + "mmmm" * 16000 + "[size=4000]", "out.png", status=1)
    weft("convert", "text:\x01\x7f\u202e\ufffe", "out.png")


def test_unknown_fonts():
    """Kinds of fonts are always there; a family that no font has is an error, and none in its place."""
    need_text()
    if draw("text:a[font=sans]") and not shutil.which("fc-list"):
        raise tool.Skip("no fontconfig")
    families = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, check=True).stdout.splitlines()
    for font in ("sans", "Sans", "sans-serif", "serif:bold", "monospace", families[0].split(",")[0].lower()):
        check(draw(f"text:a[font={font}]"), font)
    said = weft("convert", "text:a[font=Jacquard Nonesuch:bold]", "out.png", status=2)[1]
    check_in("there is no font 'Jacquard Nonesuch:bold'", said)
    check_in("fc-list : family", said)
    check(not os.path.exists("out.png"))
    match = subprocess.run(["fc-match", "Arial", "family"], capture_output=True, text=True, check=True).stdout
    if "Liberation Sans" in match:
        check(draw("text:a[font=Arial]") == draw("text:a[font=Liberation Sans]"), "what the configuration has for Arial")
