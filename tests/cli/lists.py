# SPDX-License-Identifier: MIT
"""Numbers of a graph that lie in a picture: /NAME=FILE."""

from tool import check, check_in, need, read_ppm, weft, write_ppm


def write_element(name, width, numbers):
    with open(name, "w") as file:
        file.write(f"P2 {width} {len(numbers) // width} 1\n{' '.join(map(str, numbers))}\n")


def made_by(graph):
    weft("run", "in.ppm", graph, "out.ppm")
    return read_ppm("out.ppm")


def test_element_from_a_picture():
    need("structure_element")
    write_ppm("in.ppm")
    cross, hook = [0, 1, 0, 1, 1, 1, 0, 1, 0], [1, 1, 0, 1, 0, 0]
    write_element("cross.pgm", 3, cross)
    write_element("a hook.pgm", 3, hook)
    words = "|".join(map(str, cross))
    check(made_by("structure_element=erode:/element=cross.pgm:border=wrap") ==
          made_by(f"structure_element=erode:element={words}:border=wrap"))
    words = "|".join(map(str, hook))
    check(made_by("structure_element=/element='a hook.pgm',invert") ==
          made_by(f"structure_element=element={words}:columns=3,invert"))
    with open("graph.weft", "w") as file:
        file.write("structure_element=/element=cross.pgm")
    weft("run", "-f", "graph.weft", "in.ppm", "other.ppm")
    check(read_ppm("other.ppm") == made_by("structure_element"))
    with open("graph.weft", "w") as file:
        file.write("# not structure_element=/element=missing.pgm\ninvert, # don't\nstructure_element=/element=cross.pgm")
    weft("run", "-f", "graph.weft", "in.ppm", "other.ppm")
    check(read_ppm("other.ppm") == made_by("invert,structure_element"))
    weft("run", "in.ppm", "-g", "invert", "-g", "structure_element=/element=cross.pgm", "inverted.ppm", "other.ppm")
    check(read_ppm("other.ppm") == made_by("structure_element"))


def test_picture_without_an_element():
    need("structure_element")
    write_ppm("in.ppm")
    write_element("none.pgm", 3, [0] * 9)
    write_ppm("large.ppm", 300, 300)
    for name, words, status in (("none.pgm", "element has no pixel", 2), ("missing.pgm", "missing.pgm", 1),
                                ("large.ppm", "300x300 pixels are more than a list takes", 2)):
        errors = weft("run", "in.ppm", f"structure_element=/element={name}", "out.ppm", status=status)[1]
        check_in(words, errors)


def test_only_lists_come_from_pictures():
    """What looks like one in quotes, behind a backslash, or of another parameter is the parser's."""
    need("structure_element")
    write_ppm("in.ppm")
    write_element("wide.pgm", 3, [0, 0, 0, 1, 1, 1, 0, 0, 0])
    for graph in ("structure_element=element='1:/element=wide.pgm'", "structure_element=element=1\\:/element=wide.pgm",
                  "gaussian=/sigma=wide.pgm", "structure_element=/op=wide.pgm"):
        errors = weft("run", "in.ppm", graph, "out.ppm", status=2)[1]
        check("cannot open" not in errors and graph in errors, errors)
