# SPDX-License-Identifier: MIT
"""Ends of what filters and graphs take: values at the ends of their range, long chains, sizes that make no sense."""

import resource

from tool import Skip, check, check_caret, check_in, filters, need, need_plain_build, read_pam, weft

PLAN_SECONDS = 3  # of a processor: a plan of a thousand filters takes about one


def grey(width, height, values):
    return b"P5\n%d %d\n255\n" % (width, height) + bytes(values)


def filtered(graph, width, height, values):
    """The pixels that a graph makes of a grey image."""
    return list(read_pam(weft("run", "-", graph, "-", data=grey(width, height, values), text=False)[0])[4])


def test_split_view_at_both_ends():
    need("split_view", "invert")
    graph = "split[a][b];[b]invert[c];[a][c]split_view=%g:%s"
    for axis, width, height in (("x", 4, 1), ("y", 1, 4)):
        for divider, first in ((0, 0), (0.25, 1), (0.5, 2), (0.75, 3), (1, 4)):
            check(filtered(graph % (divider, axis), width, height, [10] * 4) == [10] * first + [245] * (4 - first),
                  f"{axis} {divider}")


def test_choices_have_names_only():
    """An index is no name, and every filter's error lists the names that there are."""
    for name, item in filters.items():
        for parameter in item["parameters"]:
            if parameter["type"] != "choice":
                continue
            for index in range(len(parameter["choices"]) + 1):
                if str(index) in parameter["choices"]:
                    continue
                graph = f"{name}={parameter['name']}={index}"
                _, errors = weft("plan", graph, status=2)
                check_caret(errors, graph, str(index))
                check_in("|".join(parameter["choices"]), errors)


def test_borders_are_those_that_mean_something():
    """What a filter's help offers is taken, and the other borders are refused with those that there are."""
    known = ("replicate", "mirror", "symmetric", "wrap", "constant", "shrink", "none")
    for name in ("pad", "crop", "flip", "transpose", "resample"):
        if name not in filters:
            raise Skip(name)
        choices = [c for p in filters[name]["parameters"] if p["name"] == "border" for c in p["choices"]]
        for border in known:
            graph = f"{name}=border={border}"
            _, errors = weft("plan", graph, status=0 if border in choices else 2)
            if border not in choices:
                check_caret(errors, graph, border if choices else "border")
    check_in("replicate|mirror", weft("plan", "pad=2:1:2:1:border=shrink", status=2)[1])


def test_crop_beyond_the_image():
    need("crop")
    image = [1, 2, 3, 4, 5, 6]
    check(filtered("crop=-1:-1:5:3:replicate", 3, 2, image) == [1, 1, 2, 3, 3, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6])
    check(filtered("crop=-2:0:3:2:constant:1", 3, 2, image) == [255, 255, 1, 255, 255, 4])
    check(filtered("crop=4:2:2:2:wrap", 3, 2, image) == [2, 3, 5, 6])
    for graph in ("crop=-1:0:2:2", "crop=0:-1:2:2", "crop=3", "crop=0:0:4:2", "crop=0:0:2:3"):
        output, errors = weft("run", "-", graph, "-", data=grey(3, 2, image), status=2)
        check_in("columns" if graph in ("crop=-1:0:2:2", "crop=3", "crop=0:0:4:2") else "rows", errors)
        check(output == "")
    check_in("border", weft("run", "-", "crop=0:0:4:2", "-", data=grey(3, 2, image), status=2)[1])
    check_in("columns 3 to 3", weft("run", "-", "crop=3:border=wrap", "-", data=grey(3, 2, image), status=2)[1])


def test_margins_are_bounded():
    """A number that would make a side of millions of pixels is refused, and the most that is taken plans at once."""
    need("gaussian_reduce", "gaussian")
    for name in ("margin", "margin_y"):
        graph = f"gaussian_reduce={name}=1000000"
        _, errors = weft("plan", graph, status=2)
        check_caret(errors, graph, "1000000")
        check_in("must be from 0 to", errors)
        most = [p["maximum"] for p in filters["gaussian_reduce"]["parameters"] if p["name"] == name][0]
        check(plan_seconds(f"gaussian_reduce={name}={most:.0f}") < PLAN_SECONDS)
    weft("plan", "--size", "8000x7", "gaussian=10000:downsample=2:border=constant")


def plan_seconds(graph):
    """Seconds of a processor that a plan takes, the least of some tries: other work on the machine hardly counts."""
    tries = []
    while not tries or min(tries) >= PLAN_SECONDS and len(tries) < 3:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        weft("plan", "--device", "cpu", "--size", "640x480", "-f", "-", data=graph.encode())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        tries.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(tries)


def test_long_chains():
    """As long as they like: the depth of composites in composites is bounded, their number is not."""
    need_plain_build()
    need("unsharp_mask", "brightness", "average_luminance_threshold")
    for graph in (["unsharp_mask"] * 1000, ["average_luminance_threshold"] * 1000, ["brightness=0.01"] * 10000):
        seconds = plan_seconds(",".join(graph))
        check(seconds < PLAN_SECONDS, f"{graph[0]} x {len(graph)}: {seconds:.1f} s")
    image = list(range(48))
    chain = filtered(",".join(["unsharp_mask=1:0.01"] * 20), 8, 6, image)
    check(len(chain) == 48 and chain != [0] * 48)


def test_deepest_chains():
    """Rows are asked for from step to step, yet the longest chain that a graph may be ends with a picture; and a chain that
    is cut into stages makes the pixels of its halves, one after the other."""
    need_plain_build()
    need("unsharp_mask", "dilate")
    image = [i * 5 for i in range(48)]
    deepest = {"deepest.txt": ["unsharp_mask=1:0.01"] * 9999, "other.txt": ["dilate=1", "unsharp_mask=1:0.01"] * 4999}
    for name, chain in deepest.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(",".join(chain))
        made = weft("run", "-", "-f", name, "-", data=grey(8, 6, image), text=False)[0]
        check(len(read_pam(made)[4]) == 48, name)
    half = ",".join(["unsharp_mask=1:0.2", "gaussian=0.4"] * 300)
    weft("run", "-", half, "half.pfm", data=grey(8, 6, image))
    weft("run", "half.pfm", half, "--type", "f32", "cut.pfm")
    weft("run", "-", f"{half},{half}", "whole.pfm", data=grey(8, 6, image))
    with open("cut.pfm", "rb") as cut, open("whole.pfm", "rb") as whole:
        check(cut.read() == whole.read())
