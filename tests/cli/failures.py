# SPDX-License-Identifier: MIT
"""weft run where a file, a pipe or the user stops it: nothing is left, nothing is spoiled."""

import os
import random
import resource
import signal
import subprocess
import time

import tool
from tool import Skip, check, check_in, files, need, need_pointwise, need_reduction, pixels, read_ppm, weft, write_ppm


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
    check_in("in.ppm/out.ppm", weft("run", "in.ppm", point, "in.ppm/out.ppm", status=1)[1])
    check_in("in.ppm/out.csv", weft("run", "in.ppm", reduction, "in.ppm/out.csv", status=1)[1])
    check_in("'in.ppm/deep' cannot be made", weft("run", "in.ppm", point, "in.ppm/deep/out.ppm", status=1)[1])
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
    weft("run", "in.ppm", "split[a][b];[a]invert;[b]gaussian=2", "x.ppm", "in.ppm/y.ppm", status=1)
    check(files() == ["in.ppm"])


def test_full_disk():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    point = need_pointwise()
    write_ppm("in.ppm", 400, 400)
    with open("/dev/full", "wb") as full:
        done = subprocess.run([tool.path, "run", "in.ppm", point, "-"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    check(done.returncode == 1 and done.stderr.count(b"weft:") == 1, done.stderr)


def test_closed_pipe():
    point = need_pointwise()
    write_ppm("in.ppm", 1500, 1500)
    for words in ([tool.path, "run", "in.ppm", point, "-"], [tool.path, "list", "--json"]):
        first = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        first.stdout.read(1)
        first.stdout.close()
        errors = first.stderr.read()
        status = first.wait(60)
        first.stderr.close()
        if words[1] == "list" and status == 0:
            continue  # all of it fitted into the pipe
        check(status == 1 and errors.count(b"weft:") == 1, (status, errors))



def interrupted(words, number, data=None, patience=20):
    """Starts the tool, gives it `data` without closing its input, interrupts it; returns its exit status."""
    process = subprocess.Popen([tool.path, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    try:
        if data:
            process.stdin.write(data)
            process.stdin.flush()
        deadline = time.time() + patience
        while not tool.is_writing(process) and time.time() < deadline and process.poll() is None:
            time.sleep(0.01)
        time.sleep(0.1)
        check(process.poll() is None, f"ended by itself: {process.stderr.read() if process.poll() is not None else ''}")
        check("out.png" not in files(), "the output has its name before it is whole")
        process.send_signal(number)
        status = process.wait(patience)
        errors = process.stderr.read()
        check(errors.count(b"weft:") == (number != signal.SIGKILL), errors)
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


def stopped(signals):
    """Has the tool wait for an image that never comes, sends it signals; its exit status, its errors, the seconds it took."""
    os.mkfifo("silent.ppm")
    held = os.open("silent.ppm", os.O_RDWR)  # so that the tool can open it, and waits for bytes
    process = subprocess.Popen([tool.path, "run", "silent.ppm", "invert", "out.ppm"], stderr=subprocess.PIPE)
    try:
        time.sleep(0.5)
        start = time.time()
        for number in signals:
            process.send_signal(number)
            time.sleep(0.3)
        errors = process.communicate(timeout=30)[1].decode()
        return process.returncode, errors, time.time() - start
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
        os.close(held)
        os.remove("silent.ppm")


def test_second_signal_ends_at_once():
    """Whatever the tool is at, and whichever of the signals comes second; the first has it end within seconds."""
    need("invert")
    for signals in ((signal.SIGINT, signal.SIGTERM), (signal.SIGTERM, signal.SIGTERM), (signal.SIGTERM,)):
        status, errors, seconds = stopped(signals)
        check(status == 128 + signals[0] and errors.count("weft:") == 1, (signals, status, errors))
        check(seconds < (3 if len(signals) == 2 else 10), (signals, seconds))
        check(files() == [], files())


def test_interrupt_while_busy():
    slow = next((graph for name, graph in (("bilateral", "bilateral,bilateral,bilateral"),
                                           ("gaussian", ",".join(["gaussian=30"] * 20))) if name in tool.filters), None)
    if not slow:
        raise Skip("no slow filter")
    write_large()
    got = interrupted(["run", "--threads", "1", "in.ppm", slow, "out.png"], signal.SIGINT)
    check(got == 130, f"exit status {got}")
    check(files() == ["in.ppm"], files())


def write_large(name="in.ppm", width=4000, height=4000):
    row = pixels(width, 1, 3)
    with open(name, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height))
        for _ in range(height):
            file.write(row)


def has_unnamed_files():
    """Whether the file system of this folder has files without a name: then not even SIGKILL leaves one."""
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_WRONLY))
        return True
    except (OSError, AttributeError):
        return False


def test_killed_while_writing():
    """An output is whole or as it was, whatever moment the end comes at."""
    need("gaussian")
    half = b"P6\n64 48\n255\n" + pixels(64, 48, 3)[:64 * 48]
    for existing in (None, b"precious"):
        if existing:
            open("kept.png", "wb").write(existing)
        got = interrupted(["run", "-", "gaussian=2", "kept.png"], signal.SIGKILL, half)
        check(got == -signal.SIGKILL, got)
        if existing:
            check(open("kept.png", "rb").read() == existing)
        if has_unnamed_files():
            check(files() == (["kept.png"] if existing else []), files())


def limited(words, size, data=None):
    """Runs the tool where no file may grow beyond `size` bytes, as on a disk that fills."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    done = subprocess.run([tool.path, *words], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                          preexec_fn=limit)
    return done.returncode, done.stderr.decode()


def test_disk_that_fills():
    """At the first row, in the middle and at the very end, in every format, of pictures and of numbers."""
    point, reduction = need_pointwise(), need_reduction()
    write_ppm("in.ppm", 300, 200)
    before = files()
    for name in ["out." + word for word in writable_extensions()] + ["out.csv"]:
        graph = reduction if name == "out.csv" else point
        done = subprocess.run([tool.path, "run", "in.ppm", graph, name], stderr=subprocess.PIPE, timeout=120)
        if done.returncode:
            continue  # this format holds other pictures
        whole = os.path.getsize(name)
        open(name, "w").write("precious")
        for size in (0, 1, whole // 2, whole - 1):
            status, errors = limited(["run", "in.ppm", graph, name], size)
            check(status == 1 and errors.count("weft:") == 1, f"{name}, {size} bytes: {status} {errors}")
            check_in(name, errors)
            check(open(name).read() == "precious", name)
        os.remove(name)
        limited(["run", "in.ppm", graph, name], whole // 2)
        check(files() == before, f"{name}: {files()}")


def writable_extensions():
    """One of each format."""
    _, errors = weft("run", "--to", "none of them", "a", "b", "c", status=2)
    return [line.split()[0] for line in errors.splitlines() if line.startswith("    ")]


def test_disk_that_fills_for_one_of_many():
    point = need_pointwise()
    os.mkdir("in")
    os.mkdir("out")
    for i in range(4):
        write_ppm(f"in/p{i}.ppm", 20 if i != 2 else 400, 20)
    status, errors = limited(["run", "in", point, "-o", "out/{stem}.ppm"], 5000)
    check(status == 1 and "1 of 4 files" in errors, errors)
    check(sorted(os.listdir("out")) == ["p0.ppm", "p1.ppm", "p3.ppm"], os.listdir("out"))


def test_folder_that_is_read_only():
    """As another user: everything is writable for root."""
    point = need_pointwise()
    write_ppm("in.ppm")
    os.mkdir("closed")
    open("closed/old.ppm", "w").write("precious")
    os.chmod(".", 0o755)
    os.chmod("closed", 0o555)
    user = 65534 if os.geteuid() == 0 else None
    for name in ("closed/new.ppm", "closed/old.ppm", "closed/new.csv"):
        graph = need_reduction() if name.endswith("csv") else point
        try:
            done = subprocess.run([tool.path, "run", "in.ppm", graph, name], stderr=subprocess.PIPE, timeout=60,
                                  user=user)
        except PermissionError:
            raise Skip("the other user may not run the tool") from None
        check(done.returncode == 1 and done.stderr.count(b"weft:") == 1, done)
        check(name.encode() in done.stderr, done.stderr)
    os.chmod("closed", 0o755)
    check(os.listdir("closed") == ["old.ppm"] and open("closed/old.ppm").read() == "precious")


def test_file_that_shrinks_while_it_is_read():
    """The tool has read the header and some rows when the file is cut: an error, and no output."""
    need("gaussian", "bilateral")
    for graph in ("bilateral=8,bilateral=8", "bilateral=8,transpose,reduce=mean"):
        write_large("in.ppm", 1500, 1500)
        output = [] if "reduce" in graph else ["out.ppm"]
        process = subprocess.Popen([tool.path, "run", "--device", "cpu", "--threads", "1", "in.ppm", graph, *output],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.time() + 20
        while time.time() < deadline and process.poll() is None and position(process, "in.ppm") < 70000:
            time.sleep(0.001)
        os.truncate("in.ppm", 70000)
        out, errors = process.communicate(timeout=120)
        if process.returncode == 0 and "reduce" in graph:
            continue  # all of it was read before the cut
        check(process.returncode == 1 and errors.count(b"weft:") == 1, (process.returncode, errors))
        check(b"in.ppm" in errors, errors)
        check(out == b"" and files() == ["in.ppm"], files())


def position(process, name):
    """How far the process has read in the file of that name."""
    try:
        for number in os.listdir(f"/proc/{process.pid}/fd"):
            if os.path.basename(os.readlink(f"/proc/{process.pid}/fd/{number}")) == name:
                with open(f"/proc/{process.pid}/fdinfo/{number}") as file:
                    return int(file.readline().split()[1])
    except OSError:
        pass
    return 0


def test_one_file_by_two_names():
    """Two outputs that are one file are refused before anything is written, however they are called."""
    need("invert", "opacity")
    tool.write_ppm("in.ppm")
    os.mkdir("folder")
    os.symlink("folder", "other")
    os.symlink("new.ppm", "folder/dangling.ppm")
    weft("run", "in.ppm", "invert", "there.ppm")
    before = open("there.ppm", "rb").read()
    os.symlink("../there.ppm", "folder/link.ppm")
    for first, second in (("s.ppm", "./s.ppm"), ("folder/s.ppm", "other/s.ppm"), ("there.ppm", "folder/link.ppm"),
                          ("folder/new.ppm", "folder/dangling.ppm"), ("s.ppm", os.path.abspath("s.ppm")),
                          ("s.ppm", "folder/../s.ppm")):
        _, errors = weft("run", "in.ppm", "split[a][b];[a]invert;[b]opacity=1", first, second, status=2)
        check_in("two outputs would go to", errors)
        check(open("there.ppm", "rb").read() == before)
        check(sorted(os.listdir("folder")) == ["dangling.ppm", "link.ppm"], os.listdir("folder"))


def test_dangling_links():
    """An output that is a link to a file which is not there makes that file, and stays a link."""
    tool.write_ppm("in.ppm")
    os.mkdir("folder")
    os.symlink("folder/target.ppm", "link.ppm")
    os.symlink("link.ppm", "twice.ppm")
    weft("run", "in.ppm", "invert", "twice.ppm")
    check(os.path.islink("link.ppm") and os.path.islink("twice.ppm"))
    check(tool.read_ppm("folder/target.ppm")[:2] == (64, 48))
    check(os.listdir("folder") == ["target.ppm"])
    os.symlink("loop.ppm", "loop.ppm")
    _, errors = weft("run", "in.ppm", "invert", "loop.ppm", status=1)
    os.symlink("nowhere/target.ppm", "lost.ppm")
    _, errors = weft("run", "in.ppm", "invert", "lost.ppm", status=1)
    check_in("lost.ppm", errors)
