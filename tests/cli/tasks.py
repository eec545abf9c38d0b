# SPDX-License-Identifier: MIT
"""What people do with pictures every day: one filter by its name, formats, folders, contact sheets, pages."""

import os
import subprocess

import tool
from tool import check, check_in, need, read_ppm, weft, write_ppm


def test_filter_by_its_name():
    need("gaussian", "reduce", "overlay", "crop")
    write_ppm("in.ppm")
    write_ppm("logo.ppm", 10, 8, seed=3)
    weft("run", "in.ppm", "gaussian=4:border=wrap:space=linear", "a.ppm")
    weft("gaussian", "in.ppm", "b.ppm", "--sigma", "4", "--border=wrap", "--space", "linear")
    check(read_ppm("a.ppm") == read_ppm("b.ppm"))
    check(weft("reduce", "in.ppm", "--op", "max")[0] == weft("run", "in.ppm", "reduce=max")[0])
    weft("overlay", "in.ppm", "logo.ppm", "c.ppm", "--gravity", "southeast", "--margin", "3x2")
    weft("crop", "c.ppm", "d.ppm", "--x", "51", "--y", "38", "--width", "10", "--height", "8")
    check(read_ppm("d.ppm") == read_ppm("logo.ppm"), "it lies 3 and 2 pixels from the corner")
    weft("crop", "c.ppm", "e.ppm", "--width", "50")
    weft("crop", "in.ppm", "f.ppm", "--width", "50")
    check(read_ppm("e.ppm") == read_ppm("f.ppm"), "and nowhere else")
    check_in("sigma", weft("gaussian", "--help")[0])


def test_boxes_keep_shape_and_never_enlarge():
    need("resize", "cover")
    write_ppm("wide.ppm", 300, 100)
    write_ppm("small.ppm", 30, 40)
    for name, graph, size in (("wide", "resize=fit=60x60", (60, 20)), ("wide", "resize=fit=0x50", (150, 50)),
                              ("wide", "resize=fill=60x60", (60, 60)), ("wide", "resize=fill=60x90", (60, 90)),
                              ("small", "resize=fit=60x60", (30, 40)), ("small", "resize=fill=20x60", (20, 40)),
                              ("small", "resize=fit=60x60:enlarge=1", (45, 60)),
                              ("small", "resize=fill=60x60:enlarge=1", (60, 60))):
        weft("run", f"{name}.ppm", graph, "out.ppm")
        check(read_ppm("out.ppm")[:2] == size, f"{name} {graph}: {read_ppm('out.ppm')[:2]}")
    weft("run", "wide.ppm", "resize=fill=100x100:gravity=west", "out.ppm")
    weft("run", "wide.ppm", "crop=0:0:100:100", "left.ppm")
    check(read_ppm("out.ppm") == read_ppm("left.ppm"))
    weft("run", "small.ppm", "wide.ppm", "cover", "out.ppm")
    check(read_ppm("out.ppm")[:2] == (300, 100))
    check_in("overlay", weft("run", "small.ppm", "wide.ppm", "blend_screen", "out.ppm", status=2)[1])
    for graph in ("resize=fit=9x9:fill=9x9", "resize=40:fit=9x9", "resize=fill=9x0"):
        weft("run", "small.ppm", graph, "out.ppm", status=2)


def test_attention():
    """What is cut out is where the edges, the colors or the skin are, the same on every device, and the middle where nothing is."""
    need("resize")
    grey, skin, blue = (128, 128, 128), (200, 150, 120), (120, 150, 200)

    def picture(width, height, boxes):
        rows = [[grey] * width for _ in range(height)]
        for left, top, side, color in boxes:
            for y in range(top, top + side):
                for x in range(left, left + side):
                    rows[y][x] = color if color != "checked" else (255,) * 3 if (x // 8 + y // 8) % 2 else (0,) * 3
        return b"P6\n%d %d\n255\n" % (width, height) + bytes(v for row in rows for pixel in row for v in pixel)

    for width, height, boxes, graph, side, least, most in (
            (300, 100, [], "fill=100x100", "x", 100, 100),
            (300, 100, [(220, 20, 40, "checked")], "fill=100x100", "x", 160, 200),
            (100, 300, [(20, 10, 40, "checked")], "fill=100x100", "y", 0, 10),
            (240, 60, [(5, 10, 40, skin), (195, 10, 40, blue)], "fill=60x60", "x", 0, 5),
            (80, 20, [(60, 4, 12, blue)], "fill=20x20", "x", 52, 60)):
        with open("in.ppm", "wb") as file:
            file.write(picture(width, height, boxes))
        found = set()
        for device in ("cpu", "reference"):
            weft("run", "in.ppm", f"resize={graph}:gravity=attention", "out.ppm", "--device", device)
            out = read_ppm("out.ppm")
            places = []
            for first in range(least, most + 1):
                weft("run", "in.ppm", f"crop={first}:0:{out[0]}:{out[1]}" if side == "x" else
                     f"crop=0:{first}:{out[0]}:{out[1]}", "cut.ppm", "--device", "cpu")
                if read_ppm("cut.ppm") == out:
                    places.append(first)
            check(places, f"{width}x{height}: not from {least} to {most}")
            found.add(tuple(places))
        check(len(found) == 1, str(found))


def test_convert():
    data = write_ppm("in.ppm")
    weft("convert", "in.ppm", "out.png")
    weft("convert", "out.png", "back.ppm")
    weft("run", "back.ppm", "", "again.ppm")
    check(read_ppm("again.ppm") == (64, 48, data))
    os.mkdir("many")
    for i in range(3):
        write_ppm(f"many/p{i}.ppm", seed=i)
    weft("convert", "many/*.ppm", "new/deeper/{stem}.png[compression=1]")
    check(sorted(os.listdir("new/deeper")) == ["p0.png", "p1.png", "p2.png"])
    weft("convert", "many/p0.ppm", "many/p1.ppm", "few/", "--to", "png")
    check(sorted(os.listdir("few")) == ["p0.png", "p1.png"])
    weft("convert", status=2)
    weft("convert", "in.ppm", status=2)


def test_folders_in_folders():
    for folder in ("in", "in/b", "in/b/c"):
        os.mkdir(folder)
        write_ppm(f"{folder}/p.ppm", seed=len(folder))
    os.symlink("..", "in/b/loop")
    out, _ = weft("convert", "in", "out/", "--recursive", "--dry-run")
    check(out.splitlines() == ["in/b/c/p.ppm -> out/b/c/p.ppm", "in/b/p.ppm -> out/b/p.ppm", "in/p.ppm -> out/p.ppm"])
    check(not os.path.exists("out"), "a dry run makes nothing")
    weft("convert", "in", "out/", "--recursive")
    check(read_ppm("out/b/c/p.ppm") == read_ppm("in/b/c/p.ppm"))
    _, errors = weft("convert", "in", "out/", "--recursive", "--newer")
    check_in("3 files are left out", errors)
    os.utime("in/b/p.ppm")
    os.utime("out/b/p.ppm", (1, 1))
    out, errors = weft("convert", "in/", "out/", "-r", "-n", "--dry-run")
    check(out.splitlines() == ["in/b/p.ppm -> out/b/p.ppm"], out)
    weft("convert", "in", "kept/{sub}/x-{stem}.ppm", "-r")
    check(os.path.exists("kept/b/c/x-p.ppm") and os.path.exists("kept/x-p.ppm"))
    weft("convert", "in", "one/", "--to", "png")
    check(os.listdir("one") == ["p.png"], "folders in it are left out")


def test_folders_of_single_outputs():
    need("invert", "reduce", "blend_screen")
    write_ppm("in.ppm")
    weft("run", "in.ppm", "split[a][b];[b]reduce=mean", "new/a/out.ppm", "new/b/mean.csv")
    check(read_ppm("new/a/out.ppm") == read_ppm("in.ppm") and os.path.exists("new/b/mean.csv"))
    weft("montage", "in.ppm", "sheets/one.ppm")
    weft("convert", "in.ppm", "other/out.nothing", status=1)
    weft("run", "in.ppm", "blend_screen", "other/out.ppm", status=2)
    check(sorted(os.listdir(".")) == ["in.ppm", "new", "sheets"], "what is wrong at once makes no folders")


def test_words_that_are_no_commands():
    """A file that is not there is no misspelled command, and many files without an extension want a folder."""
    for name in ("absent.mp4", "absent.png"):
        check_in(f"'{name}' is no command, and no file of that name is there", weft(name, status=2)[1])
    check_in("unknown command 'absent'", weft("absent", status=2)[1])
    write_ppm("a.ppm")
    write_ppm("b.ppm")
    check_in("ends in '/': 'out/'", weft("convert", "a.ppm", "b.ppm", "-o", "out", status=2)[1])
    check_in("in.tif[page=all]", weft("help", "formats")[0])


def test_what_keeps_outputs_apart():
    """The message names a placeholder that would, not those that were there already."""
    os.makedirs("in/b")
    for name in ("in/a.ppm", "in/a.pnm", "in/c.ppm", "in/b/c.ppm"):
        write_ppm(name)
    for words, apart in ((("in/a.ppm", "in/c.ppm", "-o", "out/{ext}.png"), "{stem}"),
                         (("in/a.p?m", "out/{stem}.png"), "{name}"),
                         (("in", "out/{name}.png", "--recursive"), "{sub}"),
                         (("in/a.ppm", "in/a.ppm", "-o", "out/"), "{number}")):
        _, errors = weft("convert", *words, status=2)
        check_in("would both be written to 'out/", errors)
        check_in(f"; a name with {apart} in it keeps them apart", errors)


def test_several_graphs_in_one_run():
    need("resize", "invert")
    data = write_ppm("in.ppm")
    weft("run", "in.ppm", "-g", "resize=fit=20x20", "-o", "a.ppm", "-g", "invert", "-o", "b.ppm", "-g", "", "-o", "c.ppm")
    check(read_ppm("a.ppm")[:2] == (20, 15) and read_ppm("c.ppm")[2] == data)
    check(read_ppm("b.ppm")[2] == bytes(255 - byte for byte in data))
    _, errors = weft("run", "in.ppm", "-g", "invert", "-o", "a.ppm", "-g", "inverd", "-o", "b.ppm", status=2)
    check_in("inverd\n", errors)
    check_in("(line 2:1)", errors)


def test_montage():
    os.mkdir("in")
    for i in range(3):
        write_ppm(f"in/p{i}.ppm", 40, 20 + 10 * i, seed=i)
    weft("montage", "in/*.ppm", "sheet.ppm", "--grid", "2x2", "--cell", "20x20", "--gap", "4")
    width, height, data = read_ppm("sheet.ppm")
    check((width, height) == (2 * 24 + 4, 2 * 24 + 4))
    white = [all(data[3 * (y * width + x) + c] == 255 for c in range(3)) for y in range(height) for x in range(width)]
    check(all(white[y * width + x] for x, y in ((0, 0), (26, 12), (2, 30), (40, 40))), "gaps and the empty cell")
    weft("run", "in/p0.ppm", "resize=fit=20x20", "one.ppm")
    small = read_ppm("one.ppm")
    check(small[:2] == (20, 10))
    row = data[3 * ((4 + 5) * width + 4):][:60]
    check(row == small[2][:60], "the first lies in the middle of its cell")
    check_in("into a grid of 1x2, but into one of 1x3", weft("montage", "in", "sheet.ppm", "--grid", "1x2", status=2)[1])
    weft("montage", "sheet.ppm", status=2)


def test_montage_without_bad_files():
    """A file that is no picture, and one that ends too early, are named; the sheet is that of the others."""
    os.mkdir("in")
    for i in range(3):
        write_ppm(f"in/p{i}.ppm", 40, 30, seed=i)
    for output in ("good.ppm", "-"):
        good = weft("montage", "in", output, text=False)[0]
        with open("in/bad.ppm", "wb") as file:
            file.write(b"no picture")
        with open("in/p1.ppm", "rb") as short, open("in/short.ppm", "wb") as file:
            file.write(short.read()[:2000])
        words = [tool.path, "montage", "in", "sheet.ppm" if output != "-" else "-"]
        done = subprocess.run(words, capture_output=True, timeout=120)
        made, errors = done.stdout, done.stderr.decode()
        check(done.returncode == 1, errors)
        check_in("in/bad.ppm", errors)
        check_in("in/short.ppm", errors)
        check_in("2 of 5 files could not be done", errors)
        check(len(errors.splitlines()) == 3, errors)
        check(made == good if output == "-" else read_ppm("sheet.ppm") == read_ppm("good.ppm"))
        os.remove("in/bad.ppm")
        os.remove("in/short.ppm")
    with open("bad.png", "wb") as file:
        file.write(b"no picture")
    check(tool.outcome("montage", "bad.png", "none.ppm")[0] == 1)
    check(not os.path.exists("none.ppm"))
    check_in("exit status", weft("help", "montage")[0])


def test_comparing_unequal_sizes():
    write_ppm("a.ppm", 40, 30)
    write_ppm("b.ppm", 20, 30)
    for measure in ("mse", "ssim", "psnr", "delta_e"):
        said = weft("compare", "a.ppm", "b.ppm", "--measure", measure, status=2)[1]
        check_in("compare needs two pictures of one size, but the first is 40x30 and the second 20x30", said)
        check_in("resize=fit=40x30 or crop", said)
