# SPDX-License-Identifier: MIT
"""Videos: limits of memory, full disks, several outputs, and files of several pictures."""

import base64
import os
import resource
import shutil
import signal
import struct
import subprocess
import zlib

import tool
from clips import LUMA
from formats import has_format
from pages import FRAMES_JXL, animated_png, save, tiff
from tool import check, check_in, need, weft
from video import HEIGHT, WIDTH, ffmpeg, frames, need_video, packets, source


def test_limits_of_memory():
    """Large frames, and sound that waits for frames that do not come, are refused when they pass the limit."""
    need("invert")
    need_video()
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=1024x768:rate=10:duration=0.2", "-c:v", "ffv1", "large.mkv")
    _, errors = weft("run", "large.mkv", "invert", "out.mkv", "--decode-limit", "1", status=1)
    check_in("frames of 1024x768 pixels, which take more than 1 MB", errors)
    weft("run", "large.mkv", "invert", "out.mkv", "--decode-limit", "8")
    ffmpeg(*source(1, rate=1), "-f", "lavfi", "-i", "sine=duration=40:sample_rate=48000", "-c:v", "ffv1", "-c:a", "pcm_s16le",
           "late.mkv")
    _, errors = weft("run", "late.mkv", "invert", "few.mkv[codec=ffv1]", "--decode-limit", "1", status=1)
    check_in("more than 1 MB of sound and subtitles without a frame after 1 frames", errors)
    check(len(frames("few.mkv", "gray")) == LUMA)
    weft("run", "late.mkv", "invert", "all.mkv", "--decode-limit", "16")
    check(packets("late.mkv", "a") == packets("all.mkv", "a"))


def test_several_videos_of_one():
    """Outputs of one graph, each with the sound of the input."""
    need("invert", "gaussian")
    need_video()
    ffmpeg(*source(1), "-f", "lavfi", "-i", "sine=duration=1", "-c:v", "ffv1", "-c:a", "aac", "in.mkv")
    weft("run", "in.mkv", "split[a][b];[a]invert;[b]gaussian=2", "one.mkv[codec=ffv1]", "two.mp4")
    for name in ("one.mkv", "two.mp4"):
        check(len(packets(name, "v")) == 10, name)
        check([p["data_hash"] for p in packets(name, "a")] == [p["data_hash"] for p in packets("in.mkv", "a")], name)
    weft("run", "in.mkv", "invert", "alone.mkv[codec=ffv1]")
    check(frames("one.mkv") == frames("alone.mkv"))


def test_full_disk_of_video():
    """Nothing is left, and an older file stays as it was."""
    need("exposure")
    need_video()
    ffmpeg(*source(3, more=",noise=alls=80:allf=t"), "-c:v", "ffv1", "in.mkv")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16384, 16384))

    for name in ("out.mkv[codec=ffv1]", "out.mp4[crf=1]", "out.avi[codec=ffv1]"):
        path = name.split("[")[0]
        with open(path, "wb") as file:
            file.write(b"older")
        done = subprocess.run([tool.path, "run", "in.mkv", "exposure=0", name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              preexec_fn=limit, timeout=120)
        check(done.returncode == 1 and done.stderr.count(b"cannot write") == 1, (name, done.returncode, done.stderr))
        with open(path, "rb") as file:
            check(file.read() == b"older", name)
    check(sorted(os.listdir(".")) == ["in.mkv", "out.avi", "out.mkv", "out.mp4"], os.listdir("."))


def test_pages_as_frames():
    """Pages of TIFF, and PNM one behind the other, are frames of a video."""
    need("invert")
    need_video()
    pages = [tool.pixels(WIDTH, HEIGHT, 1, seed) for seed in range(4)]
    with open("in.pgm", "wb") as file:
        file.write(b"".join(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + page for page in pages))
    names = ["in.pgm"]
    if has_format("tif"):
        save("in.tif", tiff(4))
        names.append("in.tif")
    for name in names:
        wanted = [page.translate(bytes(255 - i for i in range(256))) for page in pages] if name == "in.pgm" else [
            bytes([255 - 100 - i]) for i in range(4)]
        for words, some in (((), wanted), (("--from", "0.04", "--frames", "2"), wanted[1:3]), (("--to", "0.12"), wanted[:3])):
            weft("run", name, "invert", "out.mkv[codec=ffv1,pixels=gray]", *words)
            check(frames("out.mkv", "gray") == b"".join(some), (name, words))
        weft("run", name, "invert", "one.mkv[codec=ffv1,pixels=gray]", "--loop", "0.2")
        check(frames("one.mkv", "gray") == 5 * wanted[0], name)
    _, errors = weft("run", names[-1], "invert", "out.mkv", "--from", "9", status=1)
    check_in("at these times", errors)
    check_in("4 pictures follow one another at 25 a second, since the file gives them no times",
             weft("run", names[-1], "invert", "out.mkv[codec=ffv1,pixels=gray]")[1])


def shown(name):
    """When each frame of a video is shown."""
    return sorted(round(float(packet["pts_time"]), 3) for packet in packets(name, "v"))


def test_times_of_frames():
    """Frames of animations that FFmpeg made are shown as long as the file says; a frame that has no time has that of a page."""
    need("reduce")
    need_video()
    times = [0, 0.1, 0.3, 0.6, 1.0]
    uneven = ("-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate=10:duration=0.5,settb=1/1000,setpts=50*N*(N+1)",
              "-vsync", "passthrough")
    made = {"png": ("-f", "apng", "-c:v", "apng"), "webp": ("-c:v", "libwebp_anim", "-lossless", "1"),
            "avif": ("-c:v", "libaom-av1", "-cpu-used", "8", "-still-picture", "0")}
    for extension, words in made.items():
        if not has_format(extension):
            continue
        name = "in." + extension
        ffmpeg(*uneven, *words, name)
        _, said = weft("run", name, "", "out.mkv[codec=ffv1]")
        check(shown("out.mkv") == times and "a second" not in said, (name, shown("out.mkv"), said))
        weft("run", name, "", "out.mp4")
        check(shown("out.mp4") == times, (name, shown("out.mp4")))
        weft("run", name, "", "out.gif")
        lasts = [float(packet["duration_time"]) for packet in packets("out.gif", "v")]
        check(lasts[:4] == [0.1, 0.2, 0.3, 0.4], (name, lasts))
        for words, some in ((("--from", "0.3", "--to", "1"), times[2:4]), (("--from", "0.05", "--frames", "2"), times[1:3]),
                            (("--to", "0.31"), times[:3])):
            weft("run", name, "", "part.mkv[codec=ffv1]", *words)
            check(shown("part.mkv") == [round(time - some[0], 3) for time in some], (name, words, shown("part.mkv")))
        lines = weft("run", name, "reduce=mean", "--from", "0")[0].splitlines()
        check([float(line.split()[1]) for line in lines] == times, (name, lines))
        _, errors = weft("run", name, "", "out.mkv", "--from", "9", status=1)
        check_in("at these times", errors)
    if has_format("png"):
        data = bytearray(animated_png([(0, 0, 1, 1, 0, 0, bytes(4))] * 4, 1, 1))
        at = [i for i in range(len(data)) if data[i:i + 4] == b"fcTL"]
        for place, delay in zip(at, ((1, 4), (0, 1), (7, 0), (1, 24))):  # parts of a second, of how many; 0 of them are hundredths
            data[place + 24:place + 28] = struct.pack(">HH", *delay)
            data[place + 30:place + 34] = struct.pack(">I", zlib.crc32(data[place:place + 30]))
        save("in.png", bytes(data))
        lines = weft("run", "in.png", "reduce=mean", "--from", "0")[0].splitlines()
        check([round(float(line.split()[1]), 3) for line in lines] == [0, 0.25, 0.29, 0.36], lines)
    if has_format("jxl"):
        save("in.jxl", base64.b64decode(FRAMES_JXL))
        lines = weft("run", "in.jxl", "reduce=mean", "--from", "0")[0].splitlines()
        check([float(line.split()[1]) for line in lines] == [0, 0.1, 0.2], lines)


def test_no_folders_of_failures():
    """Folders that a run made go with it when it fails; those that were there stay, and so do those that hold something."""
    tool.write_ppm("good.ppm")
    with open("short.ppm", "wb") as file, open("good.ppm", "rb") as good:
        file.write(good.read()[:1000])
    os.mkdir("there")
    for words in (("short.ppm", "invert", "new/sub/x.ppm"), ("short.ppm", "invert", "there/sub/x.ppm"),
                  ("good.ppm", "short.ppm", "invert", "-o", "new/{stem}/x.ppm"), ("missing.mp4", "invert", "new/sub/x.mp4")):
        status, errors = tool.outcome("run", *words)
        check(status == 1, errors)
        check(os.path.isdir("there") and not os.listdir("there"), words)
        check(not os.path.exists("new") or os.listdir("new") == ["good"], words)
        shutil.rmtree("new", ignore_errors=True)
