# SPDX-License-Identifier: MIT
"""weft run on many files: names, failures among successes, interrupts, the bar."""

import os
import pty
import signal
import subprocess
import time

import tool
from tool import check, check_in, files, need, need_blend, need_pointwise, need_reduction, read_ppm, weft, write_ppm


def make_inputs(count=5, folder="in"):
    """Pictures of which each is another; returns their names."""
    os.makedirs(folder, exist_ok=True)
    os.makedirs("out", exist_ok=True)
    names = [f"{folder}/p{i}.ppm" for i in range(count)]
    for i, name in enumerate(names):
        write_ppm(name, 40 + i, 30, seed=i + 1)
    return names


def stems(names):
    return [os.path.basename(name).rsplit(".", 1)[0] for name in names]


def test_pattern_gives_what_single_runs_give():
    need("gaussian")
    names = make_inputs()
    for threads in ("1", "3"):
        weft("run", "--threads", threads, "in/*.ppm", "gaussian=2", "-o", "out/{stem}.pnm")
        check(sorted(os.listdir("out")) == [f"p{i}.pnm" for i in range(5)])
        for name, stem in zip(names, stems(names)):
            weft("run", name, "gaussian=2", "one.ppm")
            check(read_ppm(f"out/{stem}.pnm") == read_ppm("one.ppm"), name)
            os.remove(f"out/{stem}.pnm")


def test_list_of_files_and_one_file():
    point = need_pointwise()
    names = make_inputs(3)
    weft("run", *names, point, "-o", "out/{stem}.ppm")
    check(len(os.listdir("out")) == 3)
    weft("run", names[0], point, "-o", "plain.ppm")
    weft("run", names[0], point, "{stem}_after.ppm")
    weft("run", "-g", point, *names[1:], "-o", "{stem}_after.ppm")
    check([name for name in files() if "after" in name] == ["p0_after.ppm", "p1_after.ppm", "p2_after.ppm"])
    check(read_ppm("plain.ppm") == read_ppm("p0_after.ppm"))


def test_sequence():
    """Each frame knows those before it; one of another size is left out, and those after it go on."""
    need("low_pass")
    os.makedirs("frames"), os.makedirs("out")
    levels = [0, 200, 200, 40, 40, 40]
    for i, level in enumerate(levels):
        with open(f"frames/f{i}.pgm", "wb") as file:
            file.write(b"P5 3 2 255\n" + bytes([level]) * 6)
    for threads in ("1", "3"):
        weft("run", "--threads", threads, "frames/*.pgm", "low_pass=0.75", "-o", "out/{stem}.pgm", "--sequence")
        mean = levels[0]
        for i, level in enumerate(levels):
            mean += 0.25 * (level - mean)
            shown = open(f"out/f{i}.pgm", "rb").read()[-6:]
            check(shown == bytes([int(mean + 0.5)]) * 6, f"frame {i}: {list(shown)} for {mean}")
    with open("frames/f2.pgm", "wb") as file:
        file.write(b"P5 4 2 255\n" + bytes(8))
    _, said = weft("run", "frames/*.pgm", "low_pass=0.75", "-o", "out/{stem}.pgm", "--sequence", status=1)
    check_in("frames/f2.pgm is 4x2 u8x1, but the sequence began with 3x2 u8x1; all its frames must be alike", said)
    mean = 0.25 * 200
    for i in (3, 4, 5):
        mean += 0.25 * (levels[i] - mean)
    check(open("out/f5.pgm", "rb").read()[-6:] == bytes([int(mean + 0.5)]) * 6)


def test_folders():
    point = need_pointwise()
    make_inputs(3)
    open("in/notes.txt", "w").write("not an image")
    write_ppm("in/.hidden.ppm")
    os.mkdir("in/deeper.ppm")
    weft("run", "in", point, "-o", "out")
    weft("run", "in/", point, "out/")
    check(sorted(os.listdir("out")) == ["p0.ppm", "p1.ppm", "p2.ppm"])
    os.mkdir("nothing")
    check_in("'nothing'", weft("run", "nothing", point, "-o", "out", status=1)[1])


def test_placeholders():
    point = need_pointwise()
    make_inputs(11, "a.b")
    weft("run", "a.b/*.ppm", point, "-o", "out/{number}-{stem}-{ext}.{ext}")
    check(sorted(os.listdir("out"))[:2] == ["01-p0-ppm.ppm", "02-p1-ppm.ppm"], os.listdir("out"))
    weft("run", "a.b/*.ppm", point, "-o", "{dir}/{name}.pam")
    check(os.path.exists("a.b/p10.ppm.pam"))
    check_in("did you mean {stem}?", weft("run", "a.b/*.ppm", point, "-o", "out/{stm}.ppm", status=2)[1])
    check_in("number", weft("run", "a.b/*.ppm", point, "-o", "out/{qqqqqqqq}.ppm", status=2)[1])
    write_ppm("odd*[1]{2}.ppm")
    weft("run", "--", "odd*[1]{2}.ppm", point, "{also}.ppm")
    check(os.path.exists("{also}.ppm"), "braces that are no placeholder are a name")


def test_one_bad_file_and_the_rest_is_done():
    point = need_pointwise()
    make_inputs(5)
    whole = open("in/p1.ppm", "rb").read()
    open("in/p1.ppm", "wb").write(whole[:-5])
    open("in/p3.ppm", "wb").write(b"no image")
    open("out/p3.png", "w").write("precious")
    _, errors = weft("run", "in/*.ppm", point, "-o", "out/{stem}.png", status=1)
    check_in("2 of 5 files", errors)
    for name in ("in/p1.ppm", "in/p3.ppm"):
        check(errors.count(name) == 1, errors)
    check(sorted(os.listdir("out")) == ["p0.png", "p2.png", "p3.png", "p4.png"], os.listdir("out"))
    check(open("out/p3.png").read() == "precious")


def test_same_failure_is_said_once():
    need("crop")
    make_inputs(4)
    _, errors = weft("run", "in/*.ppm", "crop=0:0:10:5000", "-o", "out/{stem}.png", status=2)
    check_in("4 of 4 files", errors)
    check_in("3 others", errors)
    check(errors.count("5000") <= 4 and not os.listdir("out"), errors)


def test_collisions_are_refused_before_work():
    point = need_pointwise()
    make_inputs(3)
    make_inputs(3, "more")
    for words in (["in/*.ppm", point, "-o", "out/x.ppm"], ["in/*.ppm", "more/*.ppm", point, "-o", "out/{stem}.ppm"],
                  ["in/*.ppm", f"split[a][b];[a]{point};[b]{point}", "-o", "out/{stem}.ppm", "-o", "out/{stem}.ppm"],
                  ["in/*.ppm", point, "-o", "out/p{number}.ppm", "-o", "./out/p{number}.ppm", "-o", "out/p1.ppm"]):
        weft("run", *words, status=2)
        check(not os.listdir("out"), words)
    # p0 would go to p1, which is still to be read
    _, errors = weft("run", "in/*.ppm", point, "-o", "in/p{number}.ppm", status=2)
    check_in("still to be read", errors)
    os.symlink("../in/p2.ppm", "out/p0.ppm")
    weft("run", "in/*.ppm", point, "-o", "out/{stem}.ppm", status=2)


def test_options_of_the_format():
    point = need_pointwise()
    make_inputs(3)
    weft("run", "in/*.ppm", point, "-o", "out/{stem}.jpg[quality=20]")
    check(sorted(os.listdir("out")) == ["p0.jpg", "p1.jpg", "p2.jpg"], os.listdir("out"))
    weft("run", "in/p0.ppm", point, "large.jpg")
    check(os.path.getsize("out/p0.jpg") < os.path.getsize("large.jpg"))
    weft("run", "out/*.jpg", point, "-o", "out/p{number}.jpg[quality=20]", status=2)


def test_in_place():
    need("invert")
    names = make_inputs(3)
    before = [read_ppm(name)[2] for name in names]
    weft("run", "in/*.ppm", "invert", "-o", "{dir}/{name}")
    check([read_ppm(name)[2] for name in names] == [bytes(255 - byte for byte in data) for data in before])
    check(sorted(os.listdir("in")) == ["p0.ppm", "p1.ppm", "p2.ppm"])


def test_two_inputs():
    blend = need_blend()
    for folder in ("in", "more"):
        os.mkdir(folder)
        for i in range(3):
            write_ppm(f"{folder}/p{i}.ppm", seed=i + (7 if folder == "more" else 1))
    os.mkdir("out")
    weft("run", "in/*.ppm", "more/p1.ppm", blend, "-o", "out/{stem}.ppm")
    weft("run", "in/p2.ppm", "more/p1.ppm", blend, "one.ppm")
    check(read_ppm("out/p2.ppm") == read_ppm("one.ppm"), "one file goes with all")
    weft("run", "in/*.ppm", "more/*.ppm", blend, "-o", "out/{stem}.ppm")
    weft("run", "in/p2.ppm", "more/p2.ppm", blend, "one.ppm")
    check(read_ppm("out/p2.ppm") == read_ppm("one.ppm"), "one goes with one")
    os.remove("more/p0.ppm")
    check_in("one by one", weft("run", "in/*.ppm", "more/*.ppm", blend, "-o", "out/{stem}.ppm", status=1)[1])


def test_numbers_come_in_order():
    reduction = need_reduction()
    names = make_inputs(6)
    out, _ = weft("run", "--threads", "4", "in/*.ppm", reduction)
    found = [line.split(":")[0] for line in out.splitlines() if line.startswith("in/")]
    check(found == names, out)
    check_in(weft("run", names[3], reduction)[0], out)
    weft("run", "in/*.ppm", reduction, "-o", "out/{stem}.csv")
    check(len(os.listdir("out")) == 6)
    weft("run", "--json", "in/*.ppm", reduction, status=2)


def test_mistakes_are_found_before_work():
    point = need_pointwise()
    make_inputs(2)
    for words, status, part in ((["in/z*.ppm", point, "-o", "out/{stem}.png"], 1, "'in/z*.ppm'"),
                                (["in/*.ppm", point, "-o", "in/p0.ppm/x/{stem}.png"], 1, "'in/p0.ppm/x'"),
                                (["in/*.ppm", point, "-o", "out/{stem}.xyz"], 1, "png"),
                                (["in/*.ppm", point, "-o", "-"], 2, "standard output"),
                                (["-", "in/*.ppm", point, "-o", "out/{stem}.png"], 2, "standard input"),
                                (["in/*.ppm", point, "x.png", "-o", "out/{stem}.png"], 2, "x.png"),
                                (["in/*.ppm", point], 2, "1 output"),
                                (["--explain", "in/*.ppm", point, "-o", "out/{stem}.png"], 2, "explain"),
                                (["solid_color", "-o", "out/{stem}.png"], 2, "no image")):
        _, errors = weft("run", *words, status=status)
        check_in(part, errors)
        check(not os.listdir("out"), words)


def test_interrupted():
    need("bilateral")
    make_inputs(4)
    for i in range(4):
        write_ppm(f"in/p{i}.ppm", 300 if i else 20, 200 if i else 20)
    process = subprocess.Popen([tool.path, "run", "--device", "cpu", "--threads", "1", "in/*.ppm",
                                ",".join(["bilateral=12"] * 12), "-o", "out/{stem}.png"], stderr=subprocess.PIPE)
    deadline = time.time() + 60
    while "p0.png" not in os.listdir("out") and process.poll() is None and time.time() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1].decode()
    check(process.returncode == 130 and errors.count("weft:") == 1, (process.returncode, errors))
    check_in(" of 4 files are done", errors)
    left = os.listdir("out")
    check("p0.png" in left and len(left) < 4 and all(name.endswith(".png") for name in left), left)


def test_bar_on_terminals_only():
    need("bilateral")
    make_inputs(4)
    for i in range(4):
        write_ppm(f"in/p{i}.ppm", 160, 120)
    words = [tool.path, "run", "--device", "cpu", "--threads", "1", "in/*.ppm", ",".join(["bilateral=12"] * 4), "-o",
             "out/{stem}.png"]
    quiet = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    check(quiet.returncode == 0 and quiet.stdout + quiet.stderr == b"", quiet)
    start = time.time()
    master, slave = pty.openpty()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    shown = b""
    try:
        while chunk := os.read(master, 4096):
            shown += chunk
    except OSError:
        pass  # the terminal's other end is closed
    os.close(master)
    check(process.wait(60) == 0)
    if time.time() - start > 1.5:  # bars come after half a second
        check(b" of 4 files [" in shown, shown)
        check(b" left" in shown, shown)
    check(shown == b"" or shown.endswith(b"\r\033[K"), "the bar is wiped away")


def test_names_of_another_format():
    """In a folder files keep their names, but for the extension where --to says what they are."""
    need("invert")
    tool.write_ppm("a.ppm")
    tool.write_ppm("b.PAM.ppm")
    os.mkdir("out")
    weft("run", "a.ppm", "b.PAM.ppm", "invert", "-o", "out/", "--to", "pam")
    check(sorted(os.listdir("out")) == ["a.pam", "b.PAM.pam"], os.listdir("out"))
    weft("run", "a.ppm", "invert", "-o", "out/", "--to", "pnm")
    check(sorted(os.listdir("out")) == ["a.pam", "a.ppm", "b.PAM.pam"], os.listdir("out"))
    tool.write_ppm("a.pgm")
    _, errors = weft("run", "a.ppm", "a.pgm", "invert", "-o", "out/", "--to", "pam", status=2)
    check_in("would both be written to 'out/a.pam'", errors)
