#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""files.py WEFT [--quick | --large] [--rounds N] [--only WORD]... [--peer NAME]... [--threads N] [--processor]: weft beside vips,
vipsthumbnail, ImageMagick and ffmpeg, file to file, with as many threads each, in turn. A ratio is weft's time by the peer's, the
median of the rounds: below 1 weft is faster. Prints the table, with the command that makes it."""

import argparse
import glob
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

PEERS = ["vips", "ImageMagick", "ffmpeg"]
SIZES = {"1 MP": (1200, 900), "24 MP": (6000, 4000), "100 MP": (12000, 8400)}
SMALL, COUNT = (390, 260), 100
FORMATS = ["jpg", "png", "tif", "webp", "avif"]
# What is asked of the files that are written, the same of all: what weft, vips, ImageMagick and ffmpeg call it.
WRITE = {
    "jpg": ("[quality=85]", "[Q=85]", ["-quality", "85"], ["-q:v", "3"]),
    "png": ("", "", [], []),
    "tif": ("", "", ["-compress", "none"], ["-compression_algo", "raw"]),
    "webp": ("[quality=80,effort=4]", "[Q=80,effort=4]", ["-quality", "80", "-define", "webp:method=4"],
             ["-quality", "80", "-compression_level", "4"]),
    "avif": ("[quality=60,speed=8,subsampling=420]", "[Q=60,effort=1,compression=av1]",
             ["-quality", "60", "-define", "heic:speed=8"], None),
}
# weft's graph, vips' operation and what follows the files, ImageMagick's words, ffmpeg's filters.
TASKS = {
    "thumbnail": ("resize=fit=200x200", None, ["-thumbnail", "200x200"], "scale=200:-1"),
    "blur": ("gaussian=4", ("gaussblur", ["4"]), ["-blur", "0x4"], "gblur=4"),
    "sharpen": ("unsharp_mask=1.5", ("sharpen", ["--sigma", "1.5"]), ["-unsharp", "0x1.5"], "unsharp"),
    "half": ("resize=scale=0.5", ("resize", ["0.5"]), ["-resize", "50%"], "scale=iw/2:ih/2"),
    "convert": (None, ("copy", []), [], None),
}


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(words, environment, clock=time.monotonic):
    start = clock()
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr.decode(errors='replace')[-400:]}")
    return clock() - start


class Machine:
    """The tools that are there, and how many threads each gets."""

    def __init__(self, weft, threads, clock):
        self.weft, self.threads, self.clock = weft, str(threads), clock
        self.magick = shutil.which("magick") or shutil.which("convert")
        self.mogrify = shutil.which("mogrify")
        self.environment = dict(os.environ, VIPS_CONCURRENCY=self.threads, MAGICK_THREAD_LIMIT=self.threads,
                                OMP_NUM_THREADS=self.threads)

    def where(self, graph):
        return [*(["--device", "cpu"] if graph else []), "--threads", self.threads]

    def commands(self, task, source, target, ending):
        """The command of each tool that can do it; None of the others."""
        ours, vips, magick, ffmpeg = TASKS[task]
        write = WRITE[ending]
        out = {name: f"{target}-{name}.{ending}" for name in ["weft", *PEERS]}
        result = {"weft": [self.weft, *(["run", source, ours] if ours else ["convert", source]), out["weft"] + write[0],
                           *self.where(ours)]}
        if shutil.which("vips"):
            result["vips"] = (["vips", vips[0], source, out["vips"] + write[1], *vips[1]] if vips else
                              ["vipsthumbnail", source, "-s", "200x200", "-o", os.path.abspath(out["vips"]) + write[1]])
        if self.magick:
            result["ImageMagick"] = [self.magick, source, *magick, *write[2], out["ImageMagick"]]
        if shutil.which("ffmpeg") and write[3] is not None and not source.endswith(("avif", "webp")):
            result["ffmpeg"] = ["ffmpeg", "-y", "-v", "error", "-threads", self.threads, "-i", source,
                                *(["-vf", ffmpeg] if ffmpeg else []), *write[3], "-threads", self.threads, "-update", "1",
                                out["ffmpeg"]]
        return result, out

    def many(self, task, folder, of, ending):
        """The same of a folder. vips has no command for many files but vipsthumbnail, and ffmpeg none: a loop of the shell."""
        ours, vips, magick, ffmpeg = TASKS[task]
        write = WRITE[ending]
        sources = sorted(glob.glob(f"{folder}/*.{of}"))
        for name in ["weft", *PEERS]:
            os.makedirs(f"many-{name}", exist_ok=True)
        goal = f"{{stem}}.{ending}{write[0]}"
        result = {"weft": [self.weft, *(["run", *sources, ours] if ours else ["convert", *sources]), "-o",
                           f"many-weft/{goal}", *self.where(ours)]}
        if shutil.which("vips"):
            loop = f'for f in {folder}/*.{of}; do n=${{f##*/}}; vips {vips[0] if vips else ""} "$f" ' \
                   f'"many-vips/${{n%.*}}.{ending}{write[1]}" ' \
                   f'{" ".join(vips[1]) if vips else ""} || exit 1; done'
            result["vips"] = (["sh", "-c", loop] if vips else
                              ["vipsthumbnail", *sources, "-s", "200x200", "-o",
                               f"{os.path.abspath('many-vips')}/%s.{ending}{write[1]}"])
        if self.mogrify:
            result["ImageMagick"] = [self.mogrify, "-path", "many-ImageMagick", "-format", ending, *magick, *write[2], *sources]
        if shutil.which("ffmpeg") and write[3] is not None and of != "webp":
            loop = f'for f in {folder}/*.{of}; do n=${{f##*/}}; ffmpeg -y -v error -nostdin -threads {self.threads} -i "$f" ' \
                   f'{"-vf " + ffmpeg if ffmpeg else ""} {" ".join(write[3])} -update 1 ' \
                   f'"many-ffmpeg/${{n%.*}}.{ending}" || exit 1; done'
            result["ffmpeg"] = ["sh", "-c", loop]
        return result, {name: f"many-{name}" for name in ["weft", *PEERS]}

    def measure(self, commands, rounds):
        """For each command its times, of rounds in turn."""
        times = {name: [] for name in commands}
        for _ in range(rounds):
            for name, words in commands.items():
                times[name].append(run(words, self.environment, self.clock))
        return times


def bytes_of(path):
    names = glob.glob(path + "/*") if os.path.isdir(path) else [path]
    return sum(os.path.getsize(name) for name in names) or 1


def print_row(words, times, out):
    ratios = [f"{statistics.median(a / b for a, b in zip(times['weft'], times[name])):.2f}" if name in times else ""
              for name in PEERS]
    size = f"{bytes_of(out['weft']) / bytes_of(out['vips']):.2f}" if out and "vips" in times else ""
    print(f"| {' | '.join(words)} | {1e3 * statistics.median(times['weft']):.0f} | {' | '.join(ratios)} | {size} |", flush=True)


def picture(machine, size, name):
    """The shipped photograph enlarged, with the noise of a camera."""
    if not os.path.exists(name + ".ppm"):
        run(["ffmpeg", "-y", "-v", "error", "-i", "../../examples/photo.jpg", "-vf",
             f"scale={size[0]}:{size[1]},noise=alls=6:allf=t", "-pix_fmt", "rgb24", name + ".ppm"], machine.environment)
    return name + ".ppm"


def encoded(machine, size, name, ending):
    target = f"{name}.{ending}"
    if not os.path.exists(target):
        run([machine.weft, "convert", picture(machine, size, name), target + WRITE[ending][0]], machine.environment)
    return target


def source_of(task, ending):
    """A conversion is from another format: what all read fast to all others, and that to PNG."""
    return ending if task != "convert" else "png" if ending == "jpg" else "jpg"


def wanted(only, *words):
    return all(word in words for word in only)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("--quick", action="store_true", help="1 megapixel, once each")
    parser.add_argument("--large", action="store_true", help="100 megapixels, and AVIF of all sizes, too, which takes hours")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", action="append", default=[],
                        help="a size, format or task, as '24 MP', png, blur, 'many' or 'start'")
    parser.add_argument("--peer", action="append", choices=PEERS, help="beside this alone, or these")
    parser.add_argument("--processor", action="store_true", help="the processor's time, for machines that do other work, too")
    options = parser.parse_args()
    machine = Machine(os.path.abspath(options.weft), options.threads, processor if options.processor else time.monotonic)
    large, peers = options.large or "100 MP" in options.only, options.peer or PEERS
    os.makedirs("build/bench-files", exist_ok=True)
    os.chdir("build/bench-files")
    sizes = ["1 MP"] if options.quick else [name for name in SIZES if name != "100 MP" or large]
    rounds = 1 if options.quick else options.rounds
    words = "".join(" " + (f"'{word}'" if " " in word else word) for word in sys.argv[2:])
    print(f"`bench/files.py build/release/weft{words}`\n")
    print(f"| files | format | task | weft, ms | {' | '.join(PEERS)} | bytes by vips' |")
    print(f"|---|---|---|---|{'---|' * len(PEERS)}---|")
    for name in sizes:
        for ending in FORMATS:
            if ending == "avif" and name != "1 MP" and not large and "avif" not in options.only:
                continue  # minutes for each, nearly all of them the encoder's
            for task in TASKS:
                if wanted(options.only, name, ending, task):
                    source = encoded(machine, SIZES[name], name.replace(" ", ""), source_of(task, ending))
                    commands, out = machine.commands(task, source, "out", ending)
                    commands = {who: words for who, words in commands.items() if who in ["weft", *peers]}
                    print_row([name, ending, task], machine.measure(commands, rounds if name != "100 MP" else min(rounds, 2)), out)
    for ending in FORMATS[:2] if options.quick else FORMATS if large or "avif" in options.only else FORMATS[:4]:
        os.makedirs("small", exist_ok=True)
        for task in TASKS:
            if wanted(options.only, "many", ending, task):
                for i in range(COUNT):
                    encoded(machine, (SMALL[0] + i, SMALL[1]), f"small/{i:03d}", source_of(task, ending))
                commands, out = machine.many(task, "small", source_of(task, ending), ending)
                commands = {who: words for who, words in commands.items() if who in ["weft", *peers]}
                print_row([f"{COUNT} of 0.1 MP", ending, task], machine.measure(commands, 1 if options.quick else min(rounds, 3)),
                          out)
    if wanted(options.only, "start"):
        start = {"weft": [machine.weft, "--version"], "vips": ["vips", "--version"],
                 "ImageMagick": [machine.magick or "convert", "-version"], "ffmpeg": ["ffmpeg", "-version"]}
        print_row(["none", "", "start-up, `--version`"], machine.measure(
            {name: words for name, words in start.items() if shutil.which(words[0])}, 5 if options.quick else 40), None)


if __name__ == "__main__":
    main()
