#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fuzz.py [--seconds N] [--jobs N] [--seed N] [TARGET...]: builds the fuzz targets and runs each for a minute, or so long.

Targets are text, graphs, graphs-vulkan, video, and files-FORMAT for every format that weft reads; all of them without a name.
What a target has learnt is kept in build/fuzz/corpus, where the next run goes on, what it found in build/fuzz/found.
An input that is worth keeping goes to tests/fuzz/kept/text, graphs, files or video: every target starts with those, and every
build replays them.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
BUILD = os.path.abspath(os.path.join(ROOT, "build/fuzz"))
LEAKS = os.path.abspath(ROOT) + "/.ci/lsan"  # of libraries, not ours
CORPUS, FOUND, KEPT = BUILD + "/corpus", BUILD + "/found", os.path.abspath(ROOT) + "/tests/fuzz/kept"


def targets():
    """The program, the folders of seeds and the options of each target."""
    found = {"text": ("target_text", ["text"], [f"-dict={CORPUS}/words", "-max_len=4096"]),
             "graphs": ("target_graphs", ["graphs"], ["-max_len=2048"])}
    if os.path.isdir(CORPUS + "/video"):
        found["video"] = ("target_video", ["video"], ["-max_len=65536"])
    # Mesa leaks a little whenever it is unloaded, here and in run.
    quiet = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    devices = json.loads(subprocess.check_output([BUILD + "/weft", "devices", "--json"], env=quiet))
    if any(device["backend"] == "vulkan" and device["available"] for device in devices):
        found["graphs-vulkan"] = ("target_graphs", ["graphs"], ["--device=vulkan", "-max_len=2048"])
    for folder in sorted(glob.glob(CORPUS + "/files/*")):
        name = os.path.basename(folder)
        found["files-" + name] = ("target_files", ["files/" + name, "files"], ["--format=" + name, "-max_len=65536"])
    return found


def report(lines):
    """What a target said of its input, and how it ended: libFuzzer writes a long trace between them."""
    said = [i for i, line in enumerate(lines) if line.startswith(("FAILED", "==")) or "runtime error" in line]
    if said and said[0] < len(lines) - 40:
        print("\n".join(lines[said[0]:said[0] + 20]))
    print("\n".join(lines[-20:]))


def run(name, target, seconds, seed):
    """True when libFuzzer ended by itself, having run inputs."""
    program, rooms, options = target
    grown = f"{CORPUS}/grown/{name}"
    os.makedirs(grown, exist_ok=True)
    rooms = [room for room in [CORPUS + "/" + rooms[0], *(KEPT + "/" + room for room in rooms)] if os.path.isdir(room)]
    software = name.endswith("-vulkan")  # which may compile a graph's kernels for minutes, and keeps them at some 20 MB each
    leaks = "0" if software else "1"
    environment = dict(os.environ, ASAN_OPTIONS=f"detect_leaks={leaks}:allocator_may_return_null=1",
                       LSAN_OPTIONS=f"suppressions='{LEAKS}':print_suppressions=0",
                       UBSAN_OPTIONS="print_stacktrace=1")
    log = f"{FOUND}/{name}.log"
    with open(log, "wb") as file:
        done = subprocess.run([f"{BUILD}/tests/{program}", *options, f"-max_total_time={seconds}", f"-seed={seed}",
                               f"-timeout={3600 if software else 600}", f"-rss_limit_mb={16384 if software else 4096}",
                               "-print_final_stats=1", f"-detect_leaks={leaks}",
                               f"-artifact_prefix={FOUND}/{name}-", grown, *rooms],
                              stdout=file, stderr=subprocess.STDOUT, env=environment)
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    inputs = re.search(r"^stat::number_of_executed_units: *(\d+)", text, flags=re.M)
    good = done.returncode == 0 and inputs is not None and int(inputs[1]) > 0
    if not good:
        report(text.split("\n"))
    print(f"{name}: {inputs[1] if inputs else 'no'} inputs, exit status {done.returncode}; {log}")
    print(f"fuzz {name}: {int(good)} passed, {int(not good)} failed", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seed", type=int, default=0,
                        help="the same seed tries the same inputs; 0, the default: others every time")
    parser.add_argument("--without", action="append", default=[], help="a target that is not wanted")
    parser.add_argument("targets", nargs="*")
    options = parser.parse_args()
    os.chdir(ROOT)
    programs = ["target_graphs", "target_text", "target_files", "target_video", "fuzz_seeds", "weft_tool"]
    subprocess.run(["scripts/build.sh", "fuzz", *programs], check=True, stdout=sys.stderr)
    os.makedirs(CORPUS, exist_ok=True)
    os.makedirs(FOUND, exist_ok=True)
    subprocess.run([BUILD + "/tests/fuzz_seeds", CORPUS], check=True,
                   env=dict(os.environ, LSAN_OPTIONS=f"suppressions='{LEAKS}':print_suppressions=0"))
    known = targets()
    unknown = [name for name in options.targets if name not in known]
    if unknown:
        sys.exit(f"no target {unknown[0]}; there are {', '.join(known)}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(run, name, known[name], options.seconds, options.seed)
                   for name in options.targets or known if name not in options.without]
        good = [future.result() for future in running]
    sys.exit(0 if all(good) else 1)


main()
