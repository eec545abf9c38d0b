# SPDX-License-Identifier: MIT
"""weft run where all goes well: files, pipes, several images, numbers."""

import json
import os
import re
import stat
import subprocess

import tool
from tool import (Skip, check, check_caret, check_in, files, need, need_blend, need_gpus, pam, pixels, read_pam,
                  read_ppm, weft, write_ppm)


def test_point_filter_is_right():
    need("invert")
    data = write_ppm("in.ppm")
    weft("run", "in.ppm", "invert", "out.ppm")
    check(read_ppm("out.ppm") == (64, 48, bytes(255 - byte for byte in data)))
    check(stat.S_IMODE(os.stat("out.ppm").st_mode) == 0o666 & ~umask(), "the usual permissions")


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_two_inputs():
    need("blend_multiply")
    a, b = write_ppm("a.ppm", seed=1), write_ppm("b.ppm", seed=2)
    weft("run", "a.ppm", "b.ppm", "blend_multiply", "out.ppm")
    out = read_ppm("out.ppm")[2]
    check(all(abs(o - x * y / 255) <= 1 for o, x, y in zip(out, a, b)), "a times b")


def test_two_outputs():
    need("invert", "gaussian")
    data = write_ppm("in.ppm")
    graph = "split[a][b];[a]invert;[b]gaussian=2"
    weft("run", "in.ppm", graph, "x.ppm", "y.ppm")
    check(read_ppm("x.ppm")[2] == bytes(255 - byte for byte in data))
    check(read_ppm("y.ppm")[:2] == (64, 48) and read_ppm("y.ppm")[2] != data)
    weft("run", "in.ppm", graph, "x.ppm", "x.ppm", status=2)
    weft("run", "in.ppm", graph, "-", "-", status=2)


def test_picture_and_numbers():
    need("invert", "reduce")
    data = write_ppm("in.ppm")
    graph = "split[a][b];[a]invert;[b]reduce=mean"
    out, _ = weft("run", "in.ppm", graph, "x.ppm")
    numbers = [float(word) for word in out.split()]
    check(len(numbers) == 3 and all(abs(numbers[c] - sum(data[c::3]) / len(data[c::3]) / 255) < 1e-4 for c in range(3)),
          out)
    check(read_ppm("x.ppm")[2] == bytes(255 - byte for byte in data))
    weft("run", "in.ppm", graph, "y.ppm", "numbers.json")
    check(len(json.load(open("numbers.json"))["values"]) == 3)
    weft("run", "in.ppm", graph, "-", "-", status=2)
    weft("run", "in.ppm", graph, "y.ppm", "numbers.png", status=2)


def test_histogram():
    need("histogram")
    data = write_ppm("in.pgm", channels=1)
    out, _ = weft("run", "in.pgm", "histogram")
    lines = out.splitlines()
    check(len(lines) == 257 and lines[0].split() == ["bin", "value"], lines[0])
    expected = [data.count(value) for value in range(256)]
    check([int(line.split()[1]) for line in lines[1:]] == expected, "counts")
    check(weft("run", "in.pgm", "histogram", "-")[0] == out)
    report = json.loads(weft("run", "--json", "in.pgm", "histogram")[0])
    check(report["width"] == 256 and report["values"] == expected)
    weft("run", "in.pgm", "histogram", "h.csv")
    lines = open("h.csv").read().splitlines()
    check(lines[0] == "bin,value" and [int(line.split(",")[1]) for line in lines[1:]] == expected)
    weft("run", "in.pgm", "histogram", "h.txt")
    check(open("h.txt").read() == out)
    write_ppm("in.ppm")
    check(len(weft("run", "in.ppm", "histogram")[0].splitlines()[1].split()) == 4, "a column for each channel")
    check(files() == ["h.csv", "h.txt", "in.pgm", "in.ppm"])


def test_list():
    """A picture of one channel as CSV: its pixels that are not 0, in order."""
    need("invert")
    with open("in.pgm", "wb") as file:
        file.write(b"P5\n3 2\n255\n" + bytes([255, 204, 0, 153, 255, 51]))
    weft("run", "in.pgm", "invert", "out.csv")
    lines = open("out.csv").read().splitlines()
    check(lines == ["x,y,value", "1,0,0.2", "2,0,1", "0,1,0.4", "2,1,0.8"], lines)
    check(weft("run", "in.pgm", "invert", "-", "--to", "csv")[0].splitlines() == lines)
    write_ppm("in.ppm")
    check_in("one channel", weft("run", "in.ppm", "invert", "three.csv", status=2)[1])
    weft("run", "out.csv", "invert", "-", text=False)  # its points, drawn
    check(files() == ["in.pgm", "in.ppm", "out.csv"])


CORNERS = ("harris=result=corners", "noble=quality=0.1:border=wrap:result=corners", "shi_tomasi=radius=1:result=corners",
           "harris=sigma=4:sensitivity=3.3:distance=2:result=corners",
           "shi_tomasi=threshold=0.01:compat=gpuimage:border=replicate:result=corners", "fast_corner=0.05")


def test_corners_are_the_same_everywhere():
    need("crop", "fast_corner", "harris", "noble", "shi_tomasi")
    write_ppm("gray.pgm", 120, 90, channels=1)
    write_ppm("color.ppm", 120, 90)
    write_ppm("deep.ppm", 120, 90, seed=2, maximum=65535)
    for channels in (2, 4):
        with open(f"alpha{channels}.pam", "wb") as file:
            file.write(pam(120, 90, channels, pixels(120, 90, channels, seed=channels)))
    photo = os.path.join(tool.photos, "photo.jpg")
    labels = [f"[{name}]" for name in "abcdef"]
    graph = f"split={len(CORNERS)}{''.join(labels)};" + ";".join(map(str.__add__, labels, CORNERS))
    for name, cut in (("gray.pgm", ""), ("color.ppm", ""), ("deep.ppm", ""), ("alpha2.pam", ""), ("alpha4.pam", ""),
                      (photo, "crop=512:320:120:90,"), (photo, "crop=380:180:120:90,")):
        found = {}
        for device in ("reference", "cpu", *tool.gpus()):
            outputs = [f"{k}.csv" for k in range(len(CORNERS))]
            weft("run", "--device", device, name, "--graph", cut + graph, *outputs)
            for output, corners in zip(outputs, CORNERS):
                with open(output) as file:
                    found.setdefault(corners, []).append(file.read())
        for corners, lists in found.items():
            places = [tuple(map(int, line.split(",")[1::-1])) for line in lists[0].splitlines()[1:]]
            check(len(places) > 2 and places == sorted(places), f"{name}: {corners}: {places}")
            check(all(each == lists[0] for each in lists), f"{name}: {corners}: {lists}")


def test_generator():
    generators = [name for name, info in tool.filters.items() if info["inputs"] == 0]
    if not generators:
        raise Skip("no generator")
    for name in generators:
        weft("run", tool.filters[name]["example"] or name, "out.png")
        os.remove("out.png")


def test_every_example_runs():
    write_ppm("in.ppm", 400, 300)
    failed = []
    for name, info in tool.filters.items():
        graph = info["example"] or name
        for count in (info["inputs"], 0, 1, 2):
            done = subprocess.run([tool.path, "run", *["in.ppm"] * count, graph, "out.png"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=120)
            if done.returncode and b"is numbers" in done.stderr:
                done = subprocess.run([tool.path, "run", *["in.ppm"] * count, graph], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, timeout=120)
            if done.returncode == 0 or b"the graph takes" not in done.stderr:
                break
        if done.returncode:
            failed.append(f"{graph}: {done.stderr.decode().strip()}")
    check(not failed, "\n".join(failed))


def test_graph_file():
    need("invert", "gaussian")
    data = write_ppm("in.ppm")
    with open("twice.weft", "w") as file:
        file.write("# there and back\ninvert,\n  invert   # again\n")
    weft("run", "in.ppm", "-f", "twice.weft", "out.ppm")
    check(read_ppm("out.ppm")[2] == data)
    weft("run", "--graph", "invert,invert", "in.ppm", "out2.ppm")
    check(read_ppm("out2.ppm")[2] == data)
    weft("run", "in.ppm", "-f", "-", "out3.ppm", data=b"invert,invert\n")
    check(read_ppm("out3.ppm")[2] == data)
    with open("bad.weft", "w") as file:
        file.write("# a comment\ninvert,\n\tgausian=4,\ninvert\n")
    _, errors = weft("run", "in.ppm", "-f", "bad.weft", "out4.ppm", status=2)
    check_in("(bad.weft:3:2)", errors)
    check_caret(errors, "gausian=4,", "gausian")
    weft("run", "in.ppm", "-f", "missing.weft", "out4.ppm", status=1)
    weft("plan", "-f", "twice.weft")
    with open("binary.weft", "wb") as file:
        file.write(bytes(range(256)))
    weft("plan", "-f", "binary.weft", status=2)


def test_pipes():
    need("invert")
    data = pixels(40, 30, 4)
    out, _ = weft("run", "-", "invert", "-", data=pam(40, 30, 4, data), text=False)
    width, height, channels, maximum, result = read_pam(out)
    check((width, height, channels, maximum) == (40, 30, 4, 255))
    check(result[0::4] == bytes(255 - byte for byte in data[0::4]) and result[3::4] == data[3::4], "alpha is kept")
    png, _ = weft("run", "--to", "png", "-", "invert", "-", data=pam(40, 30, 4, data), text=False)
    check(png.startswith(b"\x89PNG"))
    back, _ = weft("run", "-", "invert", "-", data=png, text=False)
    check(read_pam(back)[4] == data, "PNG is known by its content")
    weft("run", "-", "-", "blend_multiply" if "blend_multiply" in tool.filters else need_blend(), "-", data=png, status=2)


def test_16_bits_and_types():
    need("invert")
    write_ppm("in.ppm", maximum=65535)
    weft("run", "in.ppm", "invert", "out.png")
    out, _ = weft("run", "out.png", "invert", "-", text=False)
    check(read_pam(out)[3] == 65535, "16 bits stay 16 bits")
    out, _ = weft("run", "--type", "u8", "in.ppm", "invert", "-", text=False)
    check(read_pam(out)[3] == 255)
    weft("run", "--type", "f32", "in.ppm", "invert", "out.pfm")
    check(open("out.pfm", "rb").read(2) == b"PF")
    _, errors = weft("run", "--type", "f32", "in.ppm", "invert", "out2.png", status=2)
    check_in("out2.png", errors)


def test_tables_of_colors():
    need("lut3d", "identity_table", "invert")
    data = write_ppm("in.ppm")
    with open("invert.cube", "w") as file:
        file.write("LUT_3D_SIZE 2\n1 1 1\n0 1 1\n1 0 1\n0 0 1\n1 1 0\n0 1 0\n1 0 0\n0 0 0\n")
    weft("run", "in.ppm", "invert.cube", "lut3d", "out.ppm")
    check(read_ppm("out.ppm")[2] == bytes(255 - byte for byte in data))
    weft("run", "identity_table=2,invert", "made.cube")
    weft("run", "made.cube", "invert.cube", "[0]invert,invert[a];[a][1]lut3d=interpolation=tetrahedral", "back.cube")
    check(open("back.cube").read().split()[-3:] == ["1", "1", "1"], "a table goes through a table")
    weft("run", "in.ppm", "made.cube", "lut3d", "out.ppm")
    check(read_ppm("out.ppm")[2] == bytes(255 - byte for byte in data))
    _, errors = weft("run", "in.ppm", "in.ppm", "lut3d", "none.ppm", status=2)
    check_in("64x48", errors)
    check_in("curves", errors)
    with open("bad.cube", "w") as file:
        file.write("LUT_3D_SIZE 2\n1 1 1\n1 x 1\n")
    _, errors = weft("run", "in.ppm", "bad.cube", "lut3d", "none.ppm", status=1)
    check_in("line 3", errors)
    check(not os.path.exists("none.ppm"))


def test_alpha_into_a_file_without_it():
    need("invert")
    data = pixels(40, 30, 4)
    with open("in.pam", "wb") as file:
        file.write(pam(40, 30, 4, data))
    _, errors = weft("run", "in.pam", "invert", "out.ppm")
    check_in("alpha", errors)
    out = read_ppm("out.ppm")[2]
    expected = [(255 - data[4 * i + c]) * data[4 * i + 3] / 255 for i in range(1200) for c in range(3)]
    check(all(abs(a - b) <= 1 for a, b in zip(out, expected)), "put on black")


def test_color_into_a_file_of_one_channel():
    need("invert")
    write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm", "invert", "out.pgm", status=2)
    check_in("one channel", errors)
    check(files() == ["in.ppm"])


def test_explain():
    need("gaussian")
    write_ppm("in.ppm")
    out, errors = weft("run", "--explain", "--device", "cpu", "--threads", "1", "in.ppm", "gaussian=2", "out.ppm")
    check(out == "")
    check_in("cpu", errors)
    check_in("MB/s", errors)
    need("equalize_histogram")
    _, errors = weft("run", "--explain", "--device", "cpu", "in.ppm", "equalize_histogram", "out.ppm")
    passes = int(re.search(r"^(\d+) pass", errors, flags=re.M)[1])
    times = re.findall(r"^pass (\d+) of (\d+) took [0-9.]+ ms$", errors, flags=re.M)
    check(passes > 1 and times == [(str(i + 1), str(passes)) for i in range(passes)], errors)
    for what in ("decoding 'in.ppm'", "encoding 'out.ppm'"):
        check(len(re.findall(rf"^{what} took [0-9.]+ ms$", errors, flags=re.M)) == 1, errors)


def test_streams_give_the_same():
    need("gaussian")
    write_ppm("in.ppm", 200, 3000)
    for threads in ("1", "2"):
        _, errors = weft("run", "--explain", "--threads", threads, "in.ppm", "gaussian=3", f"out{threads}.ppm")
        check_in("as it went", errors)
    check(read_ppm("out1.ppm") == read_ppm("out2.ppm"), "the number of threads does not matter")
    _, errors = weft("run", "--explain", "--device", "reference", "in.ppm", "gaussian=3", "model.ppm")
    check("as it went" not in errors, "the model needs whole images")
    check(all(abs(a - b) <= 1 for a, b in zip(read_ppm("out1.ppm")[2], read_ppm("model.ppm")[2])), "as the model")
    with open("in.ppm", "rb") as file:
        out, _ = weft("run", "-", "gaussian=3", "-", data=file.read(), text=False)
    check(read_pam(out)[4] == read_ppm("out1.ppm")[2])


def test_gpus_give_the_same():
    need("gaussian", "invert", "reduce")
    names = need_gpus()
    write_ppm("in.ppm", 200, 150)
    weft("run", "--device", "cpu", "in.ppm", "gaussian=3,invert", "cpu.ppm")
    for name in names:
        weft("run", "--device", name, "in.ppm", "gaussian=3,invert", "gpu.ppm")
        check(all(abs(a - b) <= 1 for a, b in zip(read_ppm("cpu.ppm")[2], read_ppm("gpu.ppm")[2])), name)
        host, gpu = (weft("run", "--device", each, "in.ppm", "reduce=mean")[0].split() for each in ("cpu", name))
        check(all(abs(float(a) - float(b)) < 1e-5 for a, b in zip(host, gpu)), f"{name}: {gpu}, not {host}")


def test_input_as_output():
    need("invert", "gaussian")
    data = write_ppm("in.ppm", 300, 400)
    weft("run", "in.ppm", "invert", "in.ppm")
    check(read_ppm("in.ppm")[2] == bytes(255 - byte for byte in data))
    check(files() == ["in.ppm"])


def test_file_named_like_a_filter():
    need("invert")
    data = write_ppm("in.ppm")
    write_ppm("invert")
    weft("run", "in.ppm", "invert", "out.ppm")
    check(read_ppm("out.ppm")[2] == bytes(255 - byte for byte in data))
    os.mkdir("gaussian")
    if "gaussian" in tool.filters:
        weft("run", "in.ppm", "gaussian", "out2.ppm")


def test_odd_file_names():
    need("invert")
    for name in ("a=b,c.ppm", "-dash.ppm", "white space.ppm", "ü.ppm", "x" * 240 + ".ppm"):
        data = write_ppm(name)
        weft("run", "--", name, "invert", "out.ppm")
        check(read_ppm("out.ppm")[2] == bytes(255 - byte for byte in data))
        weft("run", "--", "out.ppm", "invert", name)
        check(read_ppm(name)[2] == data, name)


def test_photo():
    need("gaussian")
    photos = [os.path.join(tool.photos, name) for name in sorted(os.listdir(tool.photos))] if os.path.isdir(tool.photos) else []
    photos = [path for path in photos if path.rsplit(".", 1)[-1].lower() in ("jpg", "jpeg", "png", "ppm")]
    if not photos:
        raise Skip("no photo")
    for form in ("png", "jpg", "ppm", "pam", "pfm"):
        weft("run", photos[0], "gaussian=2", "out." + form)
        weft("run", "out." + form, "gaussian=2", "again.png")
    weft("run", "-q", "10", photos[0], "gaussian=2", "small.jpg")
    check(os.path.getsize("small.jpg") < os.path.getsize("out.jpg"), "quality")
