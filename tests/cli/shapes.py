# SPDX-License-Identifier: MIT
"""Tables of points, lines and rectangles as pictures, inputs of a graph like any other."""

import os

import tool
from tool import check, check_in, need, read_pam, weft


def draw(text, options=""):
    """Width, height, and the pixels as tuples by their place."""
    with open("in.csv", "w") as file:
        file.write(text)
    out, _ = weft("convert", "in.csv" + options, "-", text=False)
    width, height, depth, _, data = read_pam(out)
    check(depth == 4, f"{depth} channels")
    return width, height, {(i // 4 % width, i // 4 // width): tuple(data[i:i + 4]) for i in range(0, len(data), 4)}


def drawn(pixels):
    return {place for place, pixel in pixels.items() if pixel[3]}


def test_rectangles():
    """On whole pixels they are sharp: the lines lie inside."""
    width, height, pixels = draw("rectangle,3,2,10,6,#102030\n", "[width=2]")
    check((width, height) == (13, 8))
    wanted = {(x, y) for x in range(3, 13) for y in range(2, 8)} - {(x, y) for x in range(5, 11) for y in range(4, 6)}
    check(drawn(pixels) == wanted, sorted(drawn(pixels) ^ wanted))
    check({pixels[place] for place in wanted} == {(16, 32, 48, 255)})
    check(drawn(draw("rectangle,13,8,-10,-6\n", "[width=2,columns=13,rows=8]")[2]) == wanted, "from the other corner")
    check(len(drawn(draw("rectangle,3,2,10,6\n", "[filled]")[2])) == 60)
    check(drawn(draw("rectangle,3,2,10,6\n", "[columns=4,rows=3,filled]")[2]) == {(3, 2)})
    check(draw("rectangle,0.5,0,1,1\n", "[filled]")[2][(0, 0)] == (255, 0, 0, 128), "half of a pixel, in red")


def test_points_and_lines():
    """As much alpha as their areas have pixels."""
    _, _, pixels = draw("point,20,20\n", "[size=15]")
    area = sum(pixel[3] for pixel in pixels.values()) / 255
    check(abs(area - 3.14159 * 7.5 ** 2) < 2, area)
    check(pixels[(20, 20)] == (255, 0, 0, 255) and pixels[(20, 28)][3] == 0 and pixels[(20, 12)][3] == 0)
    for line, length in (("10,10,40,10", 30), ("10,10,10,40", 30), ("10,10,40,50", 50), ("40,50,10,10", 50)):
        _, _, pixels = draw(f"line,{line},blue\n", "[width=4]")
        area = sum(pixel[3] for pixel in pixels.values()) / 255
        check(abs(area - (length * 4 + 3.14159 * 4)) < 3, f"{line}: {area}")
        check({pixel[:3] for pixel in pixels.values() if pixel[3]} == {(0, 0, 255)})
    check(draw("line,-5,-5,-1,-1\npoint,0,0\n")[:2] == (5, 5), "what lies outside is cut off")


def test_tables_that_weft_wrote():
    need("fast_corner", "overlay")
    tool.write_ppm("in.ppm")
    weft("run", "in.ppm", "fast_corner=threshold=0.02", "corners.csv")
    with open("corners.csv") as file:
        count = len(file.readlines()) - 1
    check(count > 0)
    _, _, pixels = draw(open("corners.csv").read(), "[size=1]")
    check(sum(pixel[3] > 128 for pixel in pixels.values()) == count)
    weft("overlay", "in.ppm", "corners.csv", "out.ppm", "--gravity", "northwest")
    check(tool.read_ppm("out.ppm")[:2] == (64, 48))
    weft("convert", "./", "out/", "--to", "pam")
    check(sorted(os.listdir("out")) == ["in.pam", "out.pam"],
          "tables in a folder are no pictures")


def test_wrong_tables():
    for text, words in (("line,1,2,3\n", "line 1: 4 numbers"), ("point,1,2\nbox,1,2,3,4\n", "line 2 begins with 'box'"),
                        ("point,1,nan\n", "2 numbers"), ("point,1,70000\n", "2 numbers up to 65536"),
                        ("point,1,2,pinkish\n", "one color, not 'pinkish'"), ("point,1,2,red,3,4,5\n", "one color")):
        with open("in.csv", "w") as file:
            file.write(text)
        check_in(words, weft("convert", "in.csv", "out.png", status=1)[1])
    check(draw("point,1,2\r\n\n# nothing\n line , 1 , 2 , 3 , 4 , red \n")[:2] == (6, 7))
    with open("in.csv", "w") as file:
        file.write("rectangle,0,0,65536,65536\n")
    check_in("limit", weft("convert", "in.csv", "out.png", status=1)[1])
