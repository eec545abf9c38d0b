# SPDX-License-Identifier: MIT
"""What runs take of memory: plans tell it, --memory bounds it, and no result depends on it."""

import filecmp
import hashlib
import json
import os
import subprocess
import time
from random import Random

import tool
from formats import has_format
from tool import Skip, check, check_in, need_plain_build, weft, write_ppm

SIDE = 4000
MEGABYTE = 1e6
NEAR = 0.25  # of what the plan says, and beside it what allocators and codecs hold more or less of, and rows that are read ahead
SLACK = 3 * MEGABYTE + 1 * MEGABYTE + 2 * MEGABYTE  # (files/read_ahead.c) and written behind (files/write_behind.c)

# Graphs, at least one of each kind, and megabytes that they may take: less than the picture does, and more than all do.
LITTLE, MUCH = 32, 1000
PLANNED = (("invert", LITTLE), ("sobel", LITTLE), ("gaussian=8", LITTLE), ("gaussian=100", LITTLE), ("gaussian=200", MUCH),
           ("gaussian=200", LITTLE), ("gaussian=8:border=wrap", LITTLE), ("resize=400", LITTLE), ("median=3", LITTLE),
           ("box=30", LITTLE), ("dilate=9", LITTLE), ("bilateral=2", LITTLE), ("flip=both", LITTLE),
           ("transpose", LITTLE), ("transpose", MUCH), ("swirl", LITTLE), ("rotate=30", LITTLE), ("pixellate", LITTLE),
           ("pixellate", MUCH), ("canny", LITTLE), ("canny", MUCH), ("average_luminance_threshold", LITTLE),
           ("equalize_histogram", LITTLE), ("vignette,transpose", LITTLE), ("morphology_gradient=9", MUCH),
           ("split[a][b];[b]resize=160[c];[a][c]overlay=southeast", LITTLE),
           ("split[a][b];[b]resize=10[c];[a][c]overlay=southeast", LITTLE),  # a row of this reads 400 rows from far above
           ("split[a][b];[b]swirl[c];[a][c]blend_screen", LITTLE))


def watched(process):
    """Bytes that a process had in memory at most: the system tells until it ends. What wait4 tells would be no less than
    what this process has, which the other one is a copy of before it becomes the tool."""
    most = 0
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            lines = [line.split() for line in file if line.startswith("VmHWM:")]
        most = max([most, *(int(line[1]) * 1024 for line in lines)])
        time.sleep(0.002)
    return most


def peak(*words, status=0, said=os.devnull):
    """Bytes that a run of the tool had in memory at most; what it says of what fails goes to the file `said`."""
    with open(said, "wb") as errors, subprocess.Popen([tool.path, *words], stdout=subprocess.DEVNULL,
                                                      stderr=errors if status else None) as process:
        most = watched(process)
    check(process.returncode == status, f"{words[-8:]}: status {process.returncode}")
    return most


def write_noise(name, side):
    noise = os.urandom(3 * (side + 97))
    with open(name, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (side, side))
        for y in range(side):
            file.write(noise[3 * (y % 97):3 * (y % 97 + side)])


def test_plan_tells_what_a_run_takes():
    need_plain_build()
    if not os.path.exists("/proc/self/status"):
        raise Skip("the system does not tell what a process has in memory")
    write_noise("large.ppm", SIDE)
    write_noise("small.ppm", 64)
    common = ("--device", "cpu", "--threads", "2")
    without = max(peak("run", "small.ppm", graph, "out.ppm", *common)
                  for graph in 3 * ("invert", "gaussian=8", "canny"))
    wrong = []
    for graph, memory in PLANNED:
        words = (*common, "--memory", str(memory))
        plan, _ = weft("plan", graph, "--size", f"{SIDE}x{SIDE}", "--json", *words)
        told = json.loads(plan)["memory"]
        took = peak("run", "large.ppm", graph, "out.ppm", *words) - without
        if max(told, took - SLACK) > memory * MEGABYTE or abs(took - told) > NEAR * told + SLACK:
            wrong.append(f"{graph} in {memory} MB: {took / MEGABYTE:.1f} MB, planned {told / MEGABYTE:.1f}")
    check(not wrong, "\n".join(wrong))


def test_forks_stream():
    """Filters that fold rows, two of which read the same picture, do not keep it."""
    for graph in ("morphology_gradient=20", "split[a][b];[a]resize=4000[c];[b]dilate=9,resize=4000[d];[c][d]blend_difference"):
        for threads in ("1", "2"):
            plan, _ = weft("plan", graph, "--size", "20000x20000", "--json", "--memory", "4000", "--threads", threads, "--device",
                           "cpu")
            check(json.loads(plan)["memory"] < 100 * MEGABYTE, f"{graph} by {threads} threads: {plan}")


def test_memory_changes_no_result():
    write_ppm("in.ppm", 301, 280)
    for graph in ("gaussian=20,sobel", "median=4,unsharp_mask", "resize=900:37", "box=30:border=wrap", "dilate=9",
                  "flip=both", "transpose,gaussian=2", "swirl", "pixellate,canny", "average_luminance_threshold",
                  "bilateral=6", "local_binary_pattern", "crop=20:20:90:90,rotate=30"):
        results = set()
        for threads in ("1", "3"):
            for memory in ("1", "1000"):
                weft("run", "in.ppm", graph, "out.ppm", "--device", "cpu", "--threads", threads, "--memory", memory)
                with open("out.ppm", "rb") as file:
                    results.add(hashlib.md5(file.read()).hexdigest())
        check(len(results) == 1, f"{graph} gives {len(results)} results by memory and threads")


def test_pictures_of_a_batch_share_memory():
    need_plain_build()
    write_noise("large.ppm", 3000)
    write_noise("small.ppm", 64)
    names = [f"{kind}{i}.ppm" for kind in ("large", "small") for i in range(4)]
    for name in names:
        os.link(name[:5] + ".ppm", name)
    common = ("transpose", "-o", "{stem}-out.ppm", "--device", "cpu", "--threads", "4", "--memory", "32")
    took = peak("run", *names[:4], *common) - peak("run", *names[4:], *common)
    check(took < 1.25 * 32 * MEGABYTE + 4 * SLACK, f"four pictures in 32 MB took {took / MEGABYTE:.1f} MB")
    for name in names[:4]:
        with open(name.replace(".ppm", "-out.ppm"), "rb") as one, open("large0-out.ppm", "rb") as other:
            check(one.read() == other.read(), f"{name} differs")


def test_heavy_inputs():
    """Many files, large ones and bad ones among them, from file to file: memory stays what is asked for, and all good ones are
    done. WEFT_HEAVY=1 takes 1000 files and 100 megapixels."""
    need_plain_build()
    if not has_format("jpg") or not has_format("png"):
        raise Skip("no JPEG or PNG")
    heavy = os.environ.get("WEFT_HEAVY", "") == "1"
    side, count = (10000, 1000) if heavy else (3000, 60)
    os.makedirs("in")
    photo = os.path.join(tool.photos, "photo.jpg")
    weft("run", photo, "resize=300", "small.jpg")
    weft("run", photo, f"resize={side}:{side}:method=bilinear", "large.jpg")
    with open("small.jpg", "rb") as file:
        small = file.read()
    bad = {"cut": small[:len(small) // 2], "empty": b"", "text": b"no image", "head": small[:20]}
    for i in range(count):
        os.link("small.jpg", f"in/{i:04d}.jpg")
    for name, data in bad.items():
        with open(f"in/9{name}.jpg", "wb") as file:
            file.write(data)
    common = ("gaussian=3", "--device", "cpu", "--threads", "2", "--memory", "64")
    few = peak("run", "in/*.jpg", "-o", "few/{stem}.png", *common, status=1)
    for i in range(3):
        os.link("large.jpg", f"in/{5 * i:04d}-large.jpg")
    took = peak("run", "in/*.jpg", "-o", "out/{stem}.png", *common, status=1, said="said")
    with open("said", encoding="utf-8") as file:
        said = file.read()
    for name in bad:
        check(said.count(f"in/9{name}.jpg") == 1, f"9{name}.jpg is not named once in {said!r}")
    check_in(f"{len(bad)} of {count + 3 + len(bad)} files could not be done", said)
    check(len(os.listdir("few")) == count and len(os.listdir("out")) == count + 3, f"{len(os.listdir('out'))} files were made")
    check(took - few < 64 * MEGABYTE + 4 * SLACK, f"large files took {(took - few) / MEGABYTE:.1f} MB beside small ones")
    check(few < 100 * MEGABYTE, f"{count} small files took {few / MEGABYTE:.1f} MB")


def test_large_pictures_take_little():
    """From file to file, by what is done most, all that the process has is no more than --memory, but for what libwebp makes of a
    picture. WEFT_HEAVY=1 takes 100 megapixels."""
    need_plain_build()
    side = 10000 if os.environ.get("WEFT_HEAVY", "") == "1" else SIDE
    for extension, pixel in (("jpg", 0), ("png", 0), ("tif", 0), ("webp", 10)):
        if not has_format(extension):
            continue
        weft("run", os.path.join(tool.photos, "photo.jpg"), f"resize={side}:{side}:method=bilinear", "large." + extension)
        for graph in ("gaussian=4", "resize=fit=200x200", "unsharp_mask"):
            took = peak("run", "large." + extension, graph, "out." + extension, "--device", "cpu", "--threads", "2", "--memory",
                        str(LITTLE))
            most = LITTLE * MEGABYTE + pixel * side * side
            check(took < most, f"{graph} of {extension}: {took / MEGABYTE:.0f} MB, more than {most / MEGABYTE:.0f}")


def test_pipes_of_tiff_take_little():
    need_plain_build()
    write_noise("large.ppm", SIDE)
    weft("run", "large.ppm", "invert", "large.tif", "--device", "cpu")
    weft("run", "large.tif", "invert", "file.tif", "--device", "cpu")
    with open("pipe.tif", "wb") as target, subprocess.Popen(["cat", "large.tif"], stdout=subprocess.PIPE) as source:
        with subprocess.Popen([tool.path, "run", "-", "invert", "-", "--to", "tiff", "--device", "cpu"],
                              stdin=source.stdout, stdout=subprocess.PIPE) as process:
            with subprocess.Popen(["cat"], stdin=process.stdout, stdout=target):
                most = watched(process)
    check(process.returncode == 0, f"status {process.returncode}")
    check(most < 100 * MEGABYTE, f"a pipe of 108 MB took {most / MEGABYTE:.0f} MB")
    with open("pipe.tif", "rb") as one, open("file.tif", "rb") as other:
        check(one.read() == other.read(), "what goes through a pipe differs from what goes through a file")


def test_temporary_folder_that_is_not_there():
    write_noise("in.ppm", 900)
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = "/nonexistent"
    try:
        _, errors = weft("run", "in.ppm", "transpose", "out.ppm", "--device", "cpu", "--memory", "1", status=1)
    finally:
        del os.environ["TMPDIR"]
        if before is not None:
            os.environ["TMPDIR"] = before
    check_in("cannot make a temporary file of 3.1 MB in '/nonexistent': No such file or directory", errors)
    check(not os.path.exists("out.ppm"), "a file was left")
    _, errors = weft("run", "in.ppm", "transpose", "out.ppm", "--memory", "0", status=2)
    check_in("--memory takes a number of megabytes, not '0'", errors)


def test_narrow_outputs_beside_wide_ones():
    """Strips of columns in which an output has none read less than others of a picture that comes row by row."""
    write_noise("in.ppm", 1100)
    graphs = ("resize=800:900", "resize=100:90", "gaussian=9", "resize=30:400,median=2")
    weft("run", "in.ppm", *(word for i, graph in enumerate(graphs) for word in ("-g", graph, "-o", f"{i}.ppm")), "--threads", "2")
    for i, graph in enumerate(graphs):
        weft("run", "in.ppm", graph, "alone.ppm", "--threads", "1")
        with open("alone.ppm", "rb") as alone, open(f"{i}.ppm", "rb") as beside:
            check(alone.read() == beside.read(), graph)


def test_picture_laid_far_below_where_it_was_read():
    """In windows of few rows: with little memory."""
    write_noise("in.ppm", 1100)
    graph = "split[a][b];[b]resize=160[c];[a][c]overlay=southeast:margin=16|16"
    weft("run", "in.ppm", graph, "whole.ppm", "--threads", "1")
    for memory, threads in (("4", "1"), ("4", "2"), ("20", "2"), ("1000", "2")):
        weft("run", "in.ppm", graph, "out.ppm", "--memory", memory, "--threads", threads)
        with open("whole.ppm", "rb") as whole, open("out.ppm", "rb") as out:
            check(whole.read() == out.read(), f"{memory} {threads}")


def test_crops_far_apart():
    """Crops of one filtered file, anywhere in it and in any order, are what each of them is alone, in one window of rows and in
    several."""
    random = Random(7)
    filters = ("gaussian=1", "gaussian=6", "gaussian=30", "dilate=3", "median=3", "box=20", "sobel,gaussian=2",
               "convolve3x3,erode=2", "resize=scale=0.7,gaussian=1", "resize=scale=1.6")
    for case in range(40):
        width, height = random.choice(((64, 500), (7, 3000), (900, 1200)))
        write_ppm("in.ppm", width, height, seed=case)
        graph, names, parts = random.choice(filters), "abc"[:random.choice((2, 3))], []
        rows = int(height * (0.7 if "0.7" in graph else 1))
        for _ in names:
            y = random.randrange(rows - 1)
            parts.append(f"crop=y={y}:height={random.randint(1, rows - y)}" + random.choice(("", ",gaussian=1", ",dilate=2")))
        forked = f"{graph},split" + "".join(f"[{name}]" for name in names) + "".join(
            f";[{name}]{part}[o{name}]" for name, part in zip(names, parts))
        extra = ["--threads", str(random.randint(1, 3)), *random.choice(([], ["--memory", "16"]))]
        weft("run", "in.ppm", forked, *(f"{name}.ppm" for name in names), *extra)
        for name, part in zip(names, parts):
            weft("run", "in.ppm", f"{graph},{part}", "alone.ppm")
            check(filecmp.cmp(f"{name}.ppm", "alone.ppm", shallow=False), f"{width}x{height}: {forked}, {extra}: {name}")
