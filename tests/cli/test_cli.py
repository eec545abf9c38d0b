# SPDX-License-Identifier: MIT
"""Tests the weft tool from outside: python3 test_cli.py WEFT PHOTO_FOLDER

Each test is a function whose name begins with test_; it gets a fresh folder as its working folder. Filters that a test
needs are looked up in the tool's own list, and a test whose filters are not there is skipped.
"""

import json
import os
import random
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import traceback

WEFT = ""
PHOTOS = ""
FILTERS = {}


class Skip(Exception):
    pass


# Images ---------------------------------------------------------------------------------------------------------------

def pixels(width, height, channels, seed=1):
    generator = random.Random(seed)
    smooth = bytearray()
    for y in range(height):
        for x in range(width):
            for c in range(channels):
                value = (x * 255 // width * (c + 1) + y * 3) % 256
                smooth.append((value + generator.randrange(16)) % 256)
    return bytes(smooth)


def write_ppm(path, width=64, height=48, channels=3, seed=1, maximum=255):
    data = pixels(width, height, channels, seed)
    if maximum > 255:
        data = b"".join(struct.pack(">H", byte * 257) for byte in data)
    with open(path, "wb") as file:
        file.write(b"P%d\n%d %d\n%d\n" % (6 if channels == 3 else 5, width, height, maximum) + data)
    return data


def pam(width, height, channels, data):
    names = {1: b"GRAYSCALE", 2: b"GRAYSCALE_ALPHA", 3: b"RGB", 4: b"RGB_ALPHA"}
    return (b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL 255\nTUPLTYPE %s\nENDHDR\n"
            % (width, height, channels, names[channels]) + data)


def read_pam(data):
    header, rest = data.split(b"ENDHDR\n", 1)
    fields = dict(line.split(b" ", 1) for line in header.split(b"\n")[1:] if b" " in line)
    return int(fields[b"WIDTH"]), int(fields[b"HEIGHT"]), int(fields[b"DEPTH"]), int(fields[b"MAXVAL"]), rest


def read_ppm(path):
    with open(path, "rb") as file:
        data = file.read()
    parts = data.split(None, 4)
    return int(parts[1]), int(parts[2]), data[len(data) - int(parts[1]) * int(parts[2]) * (3 if parts[0] == b"P6" else 1):]


# Running --------------------------------------------------------------------------------------------------------------

def weft(*words, data=None, status=0, text=True, env=None):
    """Runs the tool; checks its exit status and that failures say one message; returns (stdout, stderr)."""
    environment = dict(os.environ, **(env or {}))
    done = subprocess.run([WEFT, *words], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                          stdin=subprocess.DEVNULL if data is None else None, env=environment)
    errors = done.stderr.decode(errors="replace")
    shown = " ".join(["weft", *words])
    assert done.returncode == status, f"{shown}: exit status {done.returncode}, not {status}: {errors}"
    if status:
        messages = [line for line in errors.splitlines() if line.startswith("weft: ")]
        assert len(messages) == 1, f"{shown}: {len(messages)} messages: {errors}"
    return (done.stdout.decode() if text else done.stdout), errors


def need(*names):
    for name in names:
        if name not in FILTERS:
            raise Skip(f"no filter {name}")


def need_pointwise():
    """A filter that changes each pixel by itself and takes no parameters."""
    for name in ("invert", "grayscale"):
        if name in FILTERS:
            return name
    for name, info in sorted(FILTERS.items()):
        if info["kind"] == "point" and info["inputs"] == 1:
            return name
    raise Skip("no point filter")


def need_blend():
    for name, info in sorted(FILTERS.items()):
        if info["kind"] == "point" and info["inputs"] == 2:
            return name
    raise Skip("no filter of two images")


def need_reduction():
    for name in ("mean", "histogram"):
        if name in FILTERS:
            return name
    raise Skip("no reduction")


def check(condition, message="unexpected"):
    if not condition:
        raise AssertionError(message)


def check_in(part, whole):
    check(part in whole, f"{part!r} is not in {whole!r}")


def check_caret(errors, graph, word):
    """The carets stand exactly under `word`."""
    lines = errors.splitlines()
    carets = [i for i, line in enumerate(lines) if line.strip() and set(line.strip()) == {"^"}]
    check(len(carets) == 1, f"no caret line in {errors!r}")
    line, shown = lines[carets[0]], lines[carets[0] - 1]
    check_in(graph, shown)
    check(shown[line.index("^"):line.rindex("^") + 1] == word, f"the caret is not under {word!r}:\n{shown}\n{line}")


def files():
    return sorted(os.listdir("."))


# Commands that only tell ----------------------------------------------------------------------------------------------

def test_no_arguments_teach():
    _, errors = subprocess_usage()
    for word in ("run", "list", "help", "plan", "bench", "devices"):
        check_in(f"weft {word}", errors)
    check(len(errors.splitlines()) <= 24, "more than a screen")
    check(max(map(len, errors.splitlines())) <= 100, "lines too long")


def subprocess_usage():
    done = subprocess.run([WEFT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    check(done.returncode == 2, "usage without arguments is exit 2")
    return done.stdout.decode(), done.stderr.decode()


def test_version():
    out, _ = weft("--version")
    check(out.startswith("weft ") and out.count(".") == 2, out)


def test_help_of_tool_and_commands():
    for words in (["help"], ["--help"], ["-h"]):
        check_in("weft run", weft(*words)[0])
    for name in ("run", "list", "help", "plan", "bench", "devices"):
        check_in(f"weft {name}", weft("help", name)[0])
        check_in(f"weft {name}", weft(name, "--help")[0])
    check_in("--threads", weft("run", "--help")[0])
    check_in("[0]", weft("help", "graph")[0])


def test_help_of_every_filter():
    for name, info in FILTERS.items():
        out, _ = weft("help", name)
        check_in(info["summary"], out)
        for parameter in info["parameters"]:
            check_in(parameter["name"] + "=", out)
            check_in(parameter["doc"], out)
        for alias in info["aliases"]:
            check_in(info["summary"], weft("help", alias)[0])
    name = sorted(FILTERS)[0]
    check(weft(name, "--help")[0] == weft("help", name)[0])
    check(json.loads(weft("help", name, "--json")[0])["name"] == name)


def test_help_of_unknown_name():
    need("gaussian")
    check_in("'gaussian'", weft("help", "gausian", status=2)[1])
    check_in("weft list", weft("help", "qqqqqqqqqqqq", status=2)[1])


def test_list():
    out, _ = weft("list")
    for name, info in FILTERS.items():
        check_in(f"  {name} ", out)
        check_in("\n" + info["family"] + "\n", "\n" + out)
    names = [item["name"] for item in json.loads(weft("list", "--json")[0])]
    check(sorted(names) == sorted(FILTERS) and len(set(names)) == len(names), "list --json has every filter once")
    name = sorted(FILTERS)[0]
    check_in(name, weft("list", name.upper())[0])
    weft("list", "qqqqqqqqqqqq", status=1)


def test_devices():
    check_in("cpu", weft("devices")[0])
    devices = json.loads(weft("devices", "--json")[0])
    check(any(item["backend"] == "cpu" and item["available"] for item in devices))


def test_plan():
    need("gaussian")
    out, _ = weft("plan", "gaussian=4")
    check(len(out) > 10, out)
    json.loads(weft("plan", "--json", "gaussian=4")[0])
    check_in("digraph", weft("plan", "--dot", "gaussian=4")[0])
    weft("plan", "--size", "320x200", "--format", "f32x1", "--device", "cpu", "--threads", "1", "gaussian=4")
    weft("plan", "--json", "--dot", "gaussian=4", status=2)
    weft("plan", status=2)
    weft("plan", "gaussian=4", "out.png", status=2)


def test_bench():
    need("gaussian")
    out, _ = weft("bench", "gaussian=2", "--size", "320x200", "--format", "f32x1", "--device", "cpu", "--threads", "1",
                  "--seconds", "0.05")
    check_in("ratio", out)
    report = json.loads(weft("bench", "gaussian=2", "--size", "320x200", "--format", "f32x1", "--device", "cpu",
                             "--threads", "1", "--seconds", "0.05", "--json")[0])
    for key in ("graph", "device", "width", "height", "format", "time_us", "min_us", "copy_us", "ratio", "passes",
                "bytes"):
        check_in(key, report)
    check(report["graph"] == "gaussian=2" and report["device"] == "cpu" and report["format"] == "f32x1", report)
    check(report["width"] == 320 and report["height"] == 200 and report["passes"] >= 1, report)
    check(report["bytes"] == 2 * 320 * 200 * 4, report)
    check(0 < report["min_us"] <= report["time_us"] and report["copy_us"] > 0, report)
    check(abs(report["ratio"] - report["time_us"] / report["copy_us"]) < 0.01 * report["ratio"], report)


def test_bench_all():
    out, _ = weft("bench", "--all", "--size", "64x48", "--seconds", "0.002", "--json")
    reports = json.loads(out)
    examples = [info["example"] for info in FILTERS.values() if info["example"]]
    check(sorted(report["graph"] for report in reports) == sorted(examples), "a report for every example")
    weft("bench", "--all", "gaussian=2", status=2)


def test_unwritable_standard_output():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    for words in (["list"], ["--version"], ["help"], ["list", "--json"], ["devices"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([WEFT, *words], stdout=full, stderr=subprocess.PIPE, timeout=60)
        check(done.returncode == 1, f"{words}: exit status {done.returncode}")
        check_in("standard output", done.stderr.decode())


# Mistakes -------------------------------------------------------------------------------------------------------------

def test_mistyped_command():
    check_in("'weft run'", weft("rum", status=2)[1])
    check_in("'weft devices'", weft("device", status=2)[1])
    check_in("run, list", weft("qqqqqqqqqqqq", status=2)[1])
    weft("--json", status=2)


def test_filter_as_command():
    need("gaussian")
    check_in("weft run", weft("gaussian", status=2)[1])


def test_file_as_command():
    write_ppm("in.ppm")
    check_in("weft run in.ppm", weft("in.ppm", "gaussian", "out.ppm", status=2)[1])


def test_options():
    check_in("'--threads'", weft("run", "--thread", "2", "x", status=2)[1])
    check_in("needs a value", weft("run", "--threads", status=2)[1])
    check_in("takes no option", weft("list", "--threads", "2", status=2)[1])
    check_in("takes no value", weft("list", "--json=1", status=2)[1])
    for words in (["--threads", "-1"], ["--threads", "x"], ["--threads", "99999999999999999999"], ["--quality", "0"],
                  ["--type", "u7"], ["--to", "gif89"]):
        weft("run", *words, "a", "b", "c", status=2)
    for words in (["--size", "12"], ["--size", "0x4"], ["--size", "4x"], ["--size", "axb"], ["--format", "u8x9"],
                  ["--format", "q"], ["--alpha", "some"]):
        weft("plan", *words, "gaussian", status=2)
    weft("bench", "--seconds", "nan", "gaussian", status=2)
    weft("run", "-f", "a", "-g", "b", status=2)


def test_unknown_filter_has_caret_and_nearest():
    need("gaussian", "sobel")
    write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm", "sobel,gausian=4", "out.ppm", status=2)
    check_caret(errors, "sobel,gausian=4", "gausian")
    check_in("'gaussian'", errors)
    _, errors = weft("plan", "gaussian=sigmaa=4", status=2)
    check_caret(errors, "gaussian=sigmaa=4", "sigmaa")
    check_in("sigma", errors)
    check(files() == ["in.ppm"])


def test_parameter_out_of_range():
    need("gaussian")
    for graph, word in (("gaussian=-1", "-1"), ("gaussian=sigma=x", "x"), ("gaussian=2:border=moon", "moon")):
        _, errors = weft("plan", graph, status=2)
        check_caret(errors, graph, word)


def test_caret_after_wide_text_and_in_long_graphs():
    need("gaussian")
    chain = ",".join(["gaussian=1"] * 60)
    _, errors = weft("plan", chain + ",gausian," + chain, status=2)
    check(max(map(len, errors.splitlines())) < 200, "the shown part is short")
    lines = errors.splitlines()
    check(lines[1][lines[2].index("^"):lines[2].rindex("^") + 1] == "gausian", errors)
    _, errors = weft("plan", "[größe]gaussian[é];[é]gausian", status=2)
    lines = errors.splitlines()
    check("^" in lines[2])


def test_no_graph():
    need("gaussian")
    write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm", "gausian", "out.ppm", status=2)
    check_in("'gaussian'", errors)
    check_in("no graph", weft("run", "in.ppm", "out.ppm", status=2)[1])
    check_in("weft help run", weft("run", status=2)[1])
    weft("run", "in.ppm", status=2)


def test_missing_file_is_reported_as_missing():
    need("gaussian")
    for path in ("photo.jgp", "photo.jpg", "folder/photo"):
        _, errors = weft("run", path, "gaussian=4", "out.ppm", status=1)
        check_in(path, errors)
        check("^" not in errors, errors)
    check(files() == [])


def test_wrong_number_of_files():
    blend, point = need_blend(), need_pointwise()
    write_ppm("a.ppm")
    check_in("takes 2 inputs", weft("run", "a.ppm", blend, "out.ppm", status=2)[1])
    check_in("takes 1 input", weft("run", "a.ppm", "a.ppm", point, "out.ppm", status=2)[1])
    check_in("1 output", weft("run", "a.ppm", point, status=2)[1])
    check_in("1 output", weft("run", "a.ppm", point, "x.ppm", "y.ppm", status=2)[1])
    check(files() == ["a.ppm"])


def test_different_sizes():
    blend = need_blend()
    write_ppm("a.ppm", 64, 48)
    write_ppm("b.ppm", 32, 48)
    weft("run", "a.ppm", "b.ppm", blend, "out.ppm", status=2)
    check(files() == ["a.ppm", "b.ppm"])


def test_unknown_device():
    point = need_pointwise()
    write_ppm("a.ppm")
    weft("run", "--device", "cpuu", "a.ppm", point, "out.ppm", status=1)
    check(files() == ["a.ppm"])


# Runs -----------------------------------------------------------------------------------------------------------------

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
    need("invert", "mean")
    data = write_ppm("in.ppm")
    graph = "split[a][b];[a]invert;[b]mean"
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


def test_generator():
    generators = [name for name, info in FILTERS.items() if info["inputs"] == 0]
    if not generators:
        raise Skip("no generator")
    for name in generators:
        weft("run", FILTERS[name]["example"] or name, "out.png")
        os.remove("out.png")


def test_every_example_runs():
    write_ppm("in.ppm", 96, 64)
    failed = []
    for name, info in FILTERS.items():
        graph = info["example"] or name
        for count in (info["inputs"], 0, 1, 2):
            done = subprocess.run([WEFT, "run", *["in.ppm"] * count, graph, "out.png"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=120)
            if done.returncode and b"is numbers" in done.stderr:
                done = subprocess.run([WEFT, "run", *["in.ppm"] * count, graph], stdout=subprocess.PIPE,
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
    weft("plan", "", status=2)


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
    weft("run", "-", "-", "blend_multiply" if "blend_multiply" in FILTERS else need_blend(), "-", data=png, status=2)


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


def test_streams_give_the_same():
    need("gaussian")
    write_ppm("in.ppm", 200, 3000)
    for threads in ("1", "2"):
        _, errors = weft("run", "--explain", "--threads", threads, "in.ppm", "gaussian=3", f"out{threads}.ppm")
        check_in("as it went", errors)
    check(read_ppm("out1.ppm") == read_ppm("out2.ppm"), "the number of threads does not matter")
    with open("in.ppm", "rb") as file:
        out, _ = weft("run", "-", "gaussian=3", "-", data=file.read(), text=False)
    check(read_pam(out)[4] == read_ppm("out1.ppm")[2])


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
    if "gaussian" in FILTERS:
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
    photos = [os.path.join(PHOTOS, name) for name in sorted(os.listdir(PHOTOS))] if os.path.isdir(PHOTOS) else []
    photos = [path for path in photos if path.rsplit(".", 1)[-1].lower() in ("jpg", "jpeg", "png", "ppm")]
    if not photos:
        raise Skip("no photo")
    for form in ("png", "jpg", "ppm", "pam", "pfm"):
        weft("run", photos[0], "gaussian=2", "out." + form)
        weft("run", "out." + form, "gaussian=2", "again.png")
    weft("run", "-q", "10", photos[0], "gaussian=2", "small.jpg")
    check(os.path.getsize("small.jpg") < os.path.getsize("out.jpg"), "quality")


# Files that fail ------------------------------------------------------------------------------------------------------

def test_bad_inputs():
    point = need_pointwise()
    write_ppm("good.ppm")
    good = open("good.ppm", "rb").read()
    bad = {"empty.ppm": b"", "cut.ppm": good[:len(good) // 2], "header.ppm": good[:5], "zero.ppm": b"P6\n0 0\n255\n",
           "huge.ppm": b"P6\n2000000000 2000000000\n255\n" + b"x" * 100, "text.png": b"this is text, not an image\n",
           "cut.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "random.jpg": random.Random(4).randbytes(500)}
    for name, data in bad.items():
        with open(name, "wb") as file:
            file.write(data)
        for out in ("out.ppm", "out.png"):
            _, errors = weft("run", name, point, out, status=1)
            check_in(name, errors)
            check(not os.path.exists(out), name)
    os.mkdir("folder.ppm")
    weft("run", "folder.ppm", point, "out.ppm", status=1)
    check(files() == sorted([*bad, "good.ppm", "folder.ppm"]), "nothing is left")


def test_lying_extension():
    need("invert")
    data = write_ppm("photo.png")
    weft("run", "photo.png", "invert", "out.ppm")
    check(read_ppm("out.ppm")[2] == bytes(255 - byte for byte in data))


def test_truncated_where_memory_is_used():
    """The same failure on the path that reads everything first."""
    reduction = need_reduction()
    write_ppm("good.ppm")
    good = open("good.ppm", "rb").read()
    open("cut.ppm", "wb").write(good[:-10])
    weft("run", "cut.ppm", reduction, "out.csv", status=1)
    weft("run", "cut.ppm", reduction, status=1)
    check(files() == ["cut.ppm", "good.ppm"])


def test_unreadable_file():
    if os.geteuid() == 0:
        raise Skip("everything is readable for root")
    point = need_pointwise()
    write_ppm("in.ppm")
    os.chmod("in.ppm", 0)
    check_in("Permission", weft("run", "in.ppm", point, "out.ppm", status=1)[1])


def test_unwritable_places():
    point, reduction = need_pointwise(), need_reduction()
    write_ppm("in.ppm")
    check_in("missing/out.ppm", weft("run", "in.ppm", point, "missing/out.ppm", status=1)[1])
    check_in("missing/out.csv", weft("run", "in.ppm", reduction, "missing/out.csv", status=1)[1])
    os.mkdir("folder.ppm")
    weft("run", "in.ppm", point, "folder.ppm", status=1)
    if os.geteuid():
        os.mkdir("closed")
        os.chmod("closed", 0o500)
        weft("run", "in.ppm", point, "closed/out.ppm", status=1)
        weft("run", "in.ppm", reduction, "closed/out.csv", status=1)
        os.chmod("closed", 0o700)
        os.rmdir("closed")
    check(files() == ["folder.ppm", "in.ppm"])


def test_unknown_extension():
    point = need_pointwise()
    write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm", point, "out.xyz", status=1)
    check_in("png", errors)
    weft("run", "--to", "png", "in.ppm", point, "out.xyz")
    check(open("out.xyz", "rb").read(4) == b"\x89PNG")


def test_existing_output_is_untouched_after_failure():
    point, reduction = need_pointwise(), need_reduction()
    write_ppm("good.ppm")
    good = open("good.ppm", "rb").read()
    open("cut.ppm", "wb").write(good[:-10])
    for name, graph in (("out.ppm", point), ("out.csv", reduction)):
        open(name, "w").write("precious")
        weft("run", "cut.ppm", graph, name, status=1)
        check(open(name).read() == "precious")
    check(files() == ["cut.ppm", "good.ppm", "out.csv", "out.ppm"])


def test_one_bad_output_leaves_none():
    need("invert", "gaussian")
    write_ppm("in.ppm")
    weft("run", "in.ppm", "split[a][b];[a]invert;[b]gaussian=2", "x.ppm", "missing/y.ppm", status=1)
    check(files() == ["in.ppm"])


def test_full_disk():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    point = need_pointwise()
    write_ppm("in.ppm", 400, 400)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([WEFT, "run", "in.ppm", point, "-"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    check(done.returncode == 1 and done.stderr.count(b"weft:") == 1, done.stderr)


def test_closed_pipe():
    point = need_pointwise()
    write_ppm("in.ppm", 1500, 1500)
    for words in ([WEFT, "run", "in.ppm", point, "-"], [WEFT, "list", "--json"]):
        first = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first.stdout.read(1)
        first.stdout.close()
        errors = first.stderr.read()
        status = first.wait(60)
        first.stderr.close()
        if words[1] == "list" and status == 0:
            continue  # all of it fitted into the pipe
        check(status == 1 and errors.count(b"weft:") == 1, (status, errors))


# Interrupts -----------------------------------------------------------------------------------------------------------

def interrupted(words, number, data=None, patience=20):
    """Starts the tool, gives it `data` without closing its input, interrupts it; returns its exit status."""
    process = subprocess.Popen([WEFT, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        if data:
            process.stdin.write(data)
            process.stdin.flush()
        deadline = time.time() + patience
        while not [name for name in files() if name != "in.ppm"] and time.time() < deadline and process.poll() is None:
            time.sleep(0.01)  # until the output's temporary file is there
        time.sleep(0.1)
        check(process.poll() is None, f"ended by itself: {process.stderr.read() if process.poll() is not None else ''}")
        check("out.png" not in files(), "the output has its name before it is whole")
        process.send_signal(number)
        status = process.wait(patience)
        errors = process.stderr.read()
        check(errors.count(b"weft:") == 1, errors)
        return status
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdin.close()
        process.stderr.close()


def test_interrupt_while_waiting_for_input():
    need("gaussian")
    data = pixels(64, 48, 3)
    half = b"P6\n64 48\n255\n" + data[:len(data) // 2]
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        got = interrupted(["run", "-", "gaussian=2", "out.png"], number, half)
        check(got == status, f"exit status {got}, not {status}")
        check(files() == [], files())


def test_interrupt_while_busy():
    slow = next((graph for name, graph in (("bilateral", "bilateral,bilateral,bilateral"),
                                           ("gaussian", ",".join(["gaussian=30"] * 20))) if name in FILTERS), None)
    if not slow:
        raise Skip("no slow filter")
    row = pixels(4000, 1, 3)
    with open("in.ppm", "wb") as file:
        file.write(b"P6\n4000 4000\n255\n")
        for _ in range(4000):
            file.write(row)
    got = interrupted(["run", "--threads", "1", "in.ppm", slow, "out.png"], signal.SIGINT)
    check(got == 130, f"exit status {got}")
    check(files() == ["in.ppm"], files())


# The runner -----------------------------------------------------------------------------------------------------------

def main():
    global WEFT, PHOTOS, FILTERS
    if len(sys.argv) < 3:
        sys.exit("usage: test_cli.py WEFT PHOTO_FOLDER [TEST...]")
    WEFT, PHOTOS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    FILTERS = {item["name"]: item for item in json.loads(subprocess.check_output([WEFT, "list", "--json"]))}
    os.environ.pop("NO_COLOR", None)
    wanted = sys.argv[3:]
    passed, failed, home = 0, 0, os.getcwd()
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (wanted and name not in wanted):
            continue
        folder = tempfile.mkdtemp(prefix="weft-cli-")
        os.chdir(folder)
        try:
            test()
            passed += 1
        except Skip as reason:
            print(f"skipped {name}: {reason}")
        except Exception:
            failed += 1
            print(f"FAILED {name}\n{traceback.format_exc(limit=3)}")
        finally:
            os.chdir(home)
            shutil.rmtree(folder, ignore_errors=True)
    print(f"cli: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
