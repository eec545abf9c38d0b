#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_frei0r.py BUILD: the frei0r module in the hosts that load such: FFmpeg, MLT and GStreamer, where they are installed.
What comes out is what weft itself makes of the frame."""

import os
import shutil
import subprocess
import sys
import tempfile

WIDTH, HEIGHT = 64, 48
SIZE = 4 * WIDTH * HEIGHT
passed = failed = skipped = 0


def check(good, message):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"failed: {message}", flush=True)


def skip(why):
    global skipped
    skipped += 1
    print(f"skipped: {why}", flush=True)


def run(*words, data=None):
    done = subprocess.run(words, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def differs(one, two):
    return max(map(abs, (a - b for a, b in zip(one, two)))) if len(one) == len(two) and one else 256


def picture():
    _, data, _ = run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}", "-frames:v", "1", "-f",
                     "rawvideo", "-pix_fmt", "rgba", "-")
    return data


def by_weft(graph, pixels):
    head = b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" % (WIDTH, HEIGHT)
    _, made, _ = run(weft, "run", "-", graph, "-", data=head + pixels)
    return made[-SIZE:]


def test_ffmpeg():
    if not shutil.which("ffmpeg") or "frei0r" not in run("ffmpeg", "-hide_banner", "-filters")[1].decode():
        return skip("no ffmpeg with frei0r")
    pixels = picture()
    cases = (("weft", "gaussian=2,sobel", "gaussian=2,sobel,swizzle,opacity=1"), ("weft_invert", "", "invert"),
             ("weft_gaussian", "1.5", "gaussian=1.5"), ("weft_contrast", "0.5", None),
             ("weft_threshold_edge", "", "threshold_edge,swizzle,opacity=1"))
    for name, words, graph in cases:
        escaped = words.replace(",", "\\,").replace(":", "\\:")
        chain = f"frei0r=filter_name={name}" + (f":filter_params={escaped}" if words else "")
        status, made, said = run("ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{WIDTH}x{HEIGHT}", "-i",
                                 "-", "-vf", chain, "-f", "rawvideo", "-pix_fmt", "rgba", "-", data=pixels)
        check(status == 0 and len(made) == SIZE, f"ffmpeg {name}: {said[-300:]}")
        if graph:
            check(differs(made, by_weft(graph, pixels)) == 0, f"ffmpeg {name} makes something else")
    # A graph that is wrong leaves the picture, and says so.
    _, made, said = run("ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{WIDTH}x{HEIGHT}", "-i", "-",
                        "-vf", "frei0r=filter_name=weft:filter_params=gausian", "-f", "rawvideo", "-pix_fmt", "rgba", "-",
                        data=pixels)
    check(made == pixels and "did you mean 'gaussian'" in said, f"a wrong graph: {said}")


def test_melt(folder):
    if not shutil.which("melt") or not shutil.which("ffmpeg"):
        return skip("no melt")
    clip, out = os.path.join(folder, "in.mkv"), os.path.join(folder, "out.mkv")
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"color=c=0x206040:size={WIDTH}x{HEIGHT}:rate=25:duration=0.4", "-c:v",
        "ffv1", "-pix_fmt", "bgr0", clip)
    for words in (("frei0r.weft_invert",), ("frei0r.weft", "graph=0=gaussian=2,invert")):
        if os.path.exists(out):
            os.remove(out)
        status, _, said = run("melt", clip, "-filter", *words, "-consumer", f"avformat:{out}", "vcodec=ffv1", "pix_fmt=bgr0",
                              "an=1",
                              f"width={WIDTH}", f"height={HEIGHT}", "real_time=0")
        _, made, _ = run("ffmpeg", "-v", "error", "-i", out, "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
        center = made[3 * (WIDTH * HEIGHT // 2 + WIDTH // 2):][:3]
        wanted = (255 - 0x20, 255 - 0x60, 255 - 0x40)
        check(len(center) == 3 and max(abs(a - b) for a, b in zip(center, wanted)) <= 4,
              f"melt: {words} {status} {tuple(center)}, not {wanted}: {said[-300:]}")


def test_gstreamer(folder):
    if not shutil.which("gst-launch-1.0") or run("gst-inspect-1.0", "frei0r")[0] != 0:
        return skip("no gst-launch-1.0 with frei0r")
    os.environ["GST_REGISTRY_1_0"] = os.path.join(folder, "registry")
    out = os.path.join(folder, "frame")
    caps = f"video/x-raw,format=RGBA,width={WIDTH},height={HEIGHT}"
    for words in (("frei0r-filter-weft-invert",), ("frei0r-filter-weft", "graph=gaussian=2,invert")):
        status, _, said = run("gst-launch-1.0", "-q", "videotestsrc", "num-buffers=1", "pattern=white", "!", caps, "!", *words, "!",
                              caps, "!", "filesink", f"location={out}")
        made = open(out, "rb").read() if os.path.exists(out) else b""
        check(len(made) == SIZE and made[:3] == b"\0\0\0", f"gst-launch-1.0: {words} {status} {said[-300:]}")
        if made:
            os.remove(out)


def main():
    global weft
    build = os.path.abspath(sys.argv[1])
    weft = os.path.join(build, "weft")
    if not shutil.which("ffmpeg"):
        print("skipped: no ffmpeg\nfrei0r: 0 passed, 0 failed, 1 skipped")
        return 0
    names = run(weft, "generate", "effects")[1].decode().split()
    check(len(names) > 60 and len(set(names)) == len(names), f"effects: {names}")
    check("gaussian" in names and "yuv_encode" not in names, "steps of other filters are no effects")
    with tempfile.TemporaryDirectory(prefix="weft-frei0r-") as folder:
        for name in ("weft", "weft_invert", "weft_gaussian", "weft_contrast", "weft_threshold_edge"):
            shutil.copy(os.path.join(build, "frei0r", "weft.so"), os.path.join(folder, name + ".so"))
        os.environ["FREI0R_PATH"] = folder
        test_ffmpeg()
        test_melt(folder)
        test_gstreamer(folder)
    print(f"frei0r: {passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
