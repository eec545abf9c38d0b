#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""video.py WEFT [--frames N] [--sizes 1080p,4K] [--rounds N] [--threads N] [--x264]: weft run beside ffmpeg -vf on the same clip,
with as many threads each, in turn; the least of several rounds. What comes out is thrown away, or encoded by x264. Prints a
table: frames per second, and milliseconds of processors for a frame, of which decoding alone takes what the first row says."""

import argparse
import os
import resource
import subprocess
import time

SIZES = {"1080p": "1920x1080", "4K": "3840x2160"}
# What is done: ffmpeg's filters, weft's graph, and what it sees; a graph behind a bar is that of chroma.
CASES = [
    ("one", "gblur=4", "gaussian=4", "each"),
    ("one", "unsharp", "unsharp_mask | ", "each"),
    ("one", "median=radius=2", "median=2", "each"),
    ("one", "scale=iw/2:ih/2:flags=bicubic", "resize=scale=0.5", "each"),
    ("one", "eq=brightness=0.1", "brightness=0.1", "y"),
    ("one", "hue=s=1.3", " | contrast=1.3", "each"),
    ("one", "hue=s=1.3", "saturation=1.3", "color"),
    ("one", "lut3d=table.cube:interp=trilinear", "lut3d", "color"),
    ("three", "gblur=4,unsharp,median=radius=1", "gaussian=4,unsharp_mask,median=1 | gaussian=4,median=1", "each"),
    ("three", "eq=brightness=0.1,gblur=4,hue=s=1.3", "brightness=0.1,gaussian=4 | gaussian=4,contrast=1.3", "each"),
    ("three", "eq=brightness=0.1,gblur=4,hue=s=1.3", "brightness=0.1,gaussian=4,saturation=1.3", "color"),
    ("three", "format=gbrp,lut3d=table.cube,colorbalance=rs=0.1,eq=gamma=0.9", "lut3d,channel_gain=1.1:1:1,gamma=0.9", "color"),
    ("six", "eq=brightness=0.05,eq=contrast=1.2,gblur=4,hue=s=1.3,unsharp,eq=gamma=0.9",
     "brightness=0.05,contrast=1.2,gaussian=4,unsharp_mask,gamma=0.9 | gaussian=4,contrast=1.3", "each"),
    ("six", "eq=brightness=0.05,eq=contrast=1.2,gblur=4,hue=s=1.3,unsharp,eq=gamma=0.9",
     "brightness=0.05,contrast=1.2,gaussian=4,saturation=1.3,unsharp_mask,gamma=0.9", "color"),
    ("six", "eq=brightness=0.05,eq=contrast=1.2,eq=gamma=0.9,hue=s=1.3,colorbalance=rs=0.1,lut3d=table.cube",
     "brightness=0.05,contrast=1.2,gamma=0.9,saturation=1.3,channel_gain=1.1:1:1[a];[a][1]lut3d", "color"),
]


def run(words):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr.decode()[-400:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def least(rounds, *commands):
    """For each command the least time and the least time of processors, of rounds in turn."""
    results = [[run(words) for words in commands] for _ in range(rounds)]
    return [tuple(min(row[i][k] for row in results) for k in (0, 1)) for i in range(len(commands))]


def clip(size, frames):
    name = f"{size}-{frames}.mp4"
    if not os.path.exists(name):
        run(["ffmpeg", "-y", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=size={SIZES[size]}:rate=25", "-frames:v", str(frames),
             "-vf", "noise=alls=8", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-pix_fmt", "yuv420p", "-colorspace",
             "bt709", "-color_range", "tv", name])
    return name


def table():
    with open("table.cube", "w") as file:
        file.write("LUT_3D_SIZE 17\n")
        for b in range(17):
            for g in range(17):
                for r in range(17):
                    file.write(f"{(r / 16) ** 0.8:.6f} {g / 16:.6f} {(b / 16) ** 1.2:.6f}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--frames", type=int, default=50)
    parser.add_argument("--sizes", default="1080p,4K")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--x264", action="store_true")
    options = parser.parse_args()
    weft = os.path.abspath(options.weft)
    os.makedirs("build/bench-video", exist_ok=True)
    os.chdir("build/bench-video")
    table()
    threads = str(options.threads)
    ends = ((["-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-threads", threads, "out.mkv"],
             "out.mkv[codec=libx264,preset=ultrafast,crf=20]") if options.x264 else
            (["-f", "null", "-"], "out.mkv[container=null,codec=wrapped_avframe]"))
    print("| size | filters | ffmpeg | weft | fps ffmpeg | fps weft | ms CPU ffmpeg | ms CPU weft | by time | by CPU |\n"
          "|---|---|---|---|---|---|---|---|---|---|")
    for size in options.sizes.split(","):
        name, count = clip(size, options.frames), options.frames
        base = least(options.rounds, ["ffmpeg", "-v", "error", "-threads", threads, "-i", name, "-f", "null", "-"])[0]
        print(f"| {size} | none, decoding alone | | | {count / base[0]:.0f} | | {1e3 * base[1] / count:.1f} | | | |", flush=True)
        for number, theirs, ours, planes in CASES:
            inputs = [name, "table.cube"] if "lut3d" in ours else [name]
            graph, _, chroma = (f"[0][1]{ours}" if ours.startswith("lut3d") else ours).partition(" | ")
            graphs = [graph, ends[1], "--planes", planes, *(["--chroma", chroma] if " | " in ours else [])]
            a, b = least(options.rounds,
                         ["ffmpeg", "-y", "-v", "error", "-threads", threads, "-filter_threads", threads, "-i", name,
                                          "-vf", theirs, *ends[0]],
                         [weft, "run", "--threads", threads, "--device", "cpu", *inputs, *graphs])
            shown = f"`{graph or 'nothing'}`" + (f" and `{chroma or 'nothing'}` for chroma" if " | " in ours else "")
            print(f"| {size} | {number} | `{theirs}` | {shown} ({planes}) | {count / a[0]:.1f} | {count / b[0]:.1f} | "
                  f"{1e3 * a[1] / count:.1f} | {1e3 * b[1] / count:.1f} | {a[0] / b[0]:.2f} x | {a[1] / b[1]:.2f} x |", flush=True)


if __name__ == "__main__":
    main()
