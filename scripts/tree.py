#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tree.py WEFT: checks the rules of the tree: includes point one way, filters are named nowhere outside their files, no
file or line is long, no folder has many files, a family's folders are called alike, one file chooses among its kernels, few files
call each other in circles, and every source file states its license."""

import collections
import json
import os
import re
import subprocess
import sys

FAMILIES = {"convolve", "multirate", "box", "rank", "extremum", "resample", "point", "stencil", "window", "warp", "lookup",
            "reduce", "global"}
# Folders that have a folder per family, and what else is in them: a family's is called the same in all of them.
BY_FAMILY = {
    "src/kernels/cpu": {"isa", "convert"},
    "src/kernels/gpu": {"dialect", "tile", "program", "mma"},
    "src/backend/cpu/steps": {"image"},
    "src/backend/gpu/lower": set(),
}
BASE = ["src/base", "src/image"]
GRAPHS = [*BASE, "src/filter", "src/graph"]
CPU, GPU = "src/backend/cpu", "src/backend/gpu"
ROOMS = {  # a room may include from itself and from these; of two rooms that a file is in, the inner one counts
    "src/base": [],
    "src/image": ["src/base"],
    "src/kernels": BASE,
    "src/filter": [*BASE, "src/kernels"],
    "src/filters": [*BASE, "src/kernels", "src/filter"],
    "src/graph": [*BASE, "src/filter"],
    "src/backend": [*GRAPHS, "src/kernels"],
    f"{CPU}/device": [*BASE, "src/kernels"],
    f"{CPU}/pipeline": [*GRAPHS, "src/kernels", f"{CPU}/device"],
    f"{CPU}/choose": [*BASE, "src/kernels"],  # pure: from facts to a kernel
    f"{CPU}/steps": [*GRAPHS, "src/kernels", f"{CPU}/pipeline", f"{CPU}/choose"],
    f"{CPU}/plan": [*GRAPHS, f"{CPU}/pipeline", f"{CPU}/steps"],
    CPU: [*GRAPHS, f"{CPU}/pipeline"],
    f"{GPU}/device": [*GRAPHS, "src/kernels"],
    f"{GPU}/pass": [*GRAPHS, "src/kernels"],
    f"{GPU}/choose": [*BASE, "src/kernels"],  # pure: from facts to a kernel
    f"{GPU}/lower": [*GRAPHS, "src/kernels", f"{GPU}/pass", f"{GPU}/choose"],
    f"{GPU}/plan": [*GRAPHS, "src/kernels", f"{GPU}/pass", f"{GPU}/lower", f"{GPU}/choose"],
    f"{GPU}/run": [*GRAPHS, f"{GPU}/plan"],
    GPU: ["src/backend/gpu/device", "src/kernels"],
    "src/backend/cuda": [*GRAPHS, "src/kernels", GPU],
    "src/backend/vulkan": [*GRAPHS, "src/kernels", GPU],
    "src/io": BASE,
    "src/files": [*BASE, "src/graph", "src/io"],
    "src/video": [*GRAPHS, "src/filters"],
    "tools/weft": [],
    "tests/harness": [],
    "examples": [],
}
# What a room takes from a later one, and why that is right.
ALLOWED = {
    ("src/graph", "backend/backend.h"),  # plans ask the backend what it wants
    *((room, "backend/backend.h") for room in (f"{CPU}/pipeline", GPU)),  # what all backends are
    *((room, "backend/gpu/driver.h") for room in (f"{GPU}/device", f"{GPU}/pass")),  # what a driver is
    *((room, "backend/gpu/gpu.h") for room in (f"{GPU}/device", f"{GPU}/plan")),
    (f"{GPU}/device", "backend/gpu/run/values.h"),  # a device is closed when all numbers have been delivered
    (f"{GPU}/plan", "backend/gpu/run/values.h"),  # a plan has the slots of the numbers of its runs
    ("src/kernels", "point_operations.h"),  # the build makes it
    ("src/kernels", "known.h"),  # the CUDA backend makes it for each kernel
    ("tests/harness", "poison/poison.h"),  # what memory holds in all test programs
    ("tests/harness", "backend/reference/model.h"),  # steady.c moves what the reference makes
}
# Words of this project alone, for which the field has its own: launch record, run state, frame slot or iteration, fused
# reduction, partition and generated program, node context, warp synchronization and shuffle, programmatic dependent launch,
# occupancy, code path, tensor cores, packed pixels and u16.
PRIVATE = re.compile(r"\b(?:gpu_shot|shots?|journeys?|rides?|riding|weav(?:e[sd]?|ing)|woven|weft_gpu_weave|gpu_site|MEET|"
                     r"exchange_with|follow_launches|RESIDENT|GPU_TURNS|loop_turns|EACH_TURN\w*|way_known|"
                     r"(?:KNOWN|SPECIAL|EXTREMUM)_WAY|multiplies_(?:bytes|numbers|together)|\w+_(?:takes|by|store)_words|"
                     r"products of (?:matrices|words|numbers)|owe[sd]?|TURNS_\d+|weft_words_call|weigh_\w*words?\w*|"
                     r"words_\w+over)\b")
STEPS_OF_ONE = {"global", "reduce"}  # families whose kernels run one after the other
ONE_ON_CPU = {"window"}  # families that have one kernel on the CPU
LONGEST_CIRCLE = 3  # files that call each other in a circle
LONGEST = 500
LONGEST_PAGE = 700  # of docs
WIDEST = 132  # columns, as .clang-format has it
# What stays wider: data, and a script whose text is a part of the key of what it compiled.
WIDE = ("bench/gpu_targets.txt", "cmake/spirv.sh")
MOST_FILES = 20  # of a folder of src or tools; but src/filters/FAMILY has a file per filter
SOURCE = (".c", ".cpp", ".h", ".inc", ".gpu", ".py", ".sh", ".cmake", ".weft")


def files():
    if os.path.exists(".git"):  # a file in a worktree
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    else:
        command = ["find", "include", "src", "tools", "tests", "scripts", "examples", "cmake", "-type", "f"]
    names = subprocess.check_output(command, text=True).split("\n")
    return sorted(name for name in names if name and os.path.isfile(name))


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)


def room_of(name):
    return max((room for room in ROOMS if name.startswith(room + "/")), key=len, default=None)


def check_includes(name, text):
    room = room_of(name)
    if not room or not name.endswith((".c", ".h", ".inc")):
        return
    for included in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, flags=re.M):
        target = "src/" + included
        folders = [os.path.dirname(name), "tools/weft"] if room == "tools/weft" else [os.path.dirname(name)]
        if included.startswith("weft/") or any(os.path.exists(os.path.join(folder, included)) for folder in folders):
            continue
        if (room, included) in ALLOWED or any(target.startswith(r + "/") for r in [room] + ROOMS[room]):
            continue
        yield f"{name} includes {included}, which {room} does not build on"


def check_names(name, text, filters):
    """A string that is a filter's name, all of it, outside src/filters. Some kinds have the name of a filter."""
    if not name.endswith((".c", ".h", ".inc")) or not name.startswith(("src/", "tools/", "include/")):
        return
    if name.startswith("src/filters/"):
        return
    for line in without_comments(text).split("\n"):
        if "DESCRIPTOR(" in line:
            continue
        for word in re.findall(r'"([a-z0-9_]+)"', line):
            if word in filters:
                yield f"{name} names the filter {word}"


def check_summary(name, text):
    if name.startswith("src/filters/") and re.search(r'#define SUMMARY[^#]*: (a|the last) (step|building block) of [a-z]', text):
        yield f"{name} says whose step it is in its SUMMARY: STEP_OF is the place"


def licensed(name):
    """.inc files are parts of others."""
    return name.endswith(SOURCE) and not name.endswith(".inc") and not name.startswith("cmake/")


def check_file(name, filters):
    with open(name, encoding="utf-8") as file:
        text = file.read()
    lines = text.count("\n")
    longest = LONGEST_PAGE if name.endswith(".md") else LONGEST
    if lines > longest and not name.startswith("docs/filters/"):  # a program writes these, an entry a filter
        yield f"{name} has {lines} lines, more than {longest}"
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > WIDEST and not name.endswith(".md") and not name.startswith(WIDE):
            yield f"{name}:{number} has {len(line)} columns, more than {WIDEST}"
    if licensed(name) and "SPDX-License-Identifier: MIT" not in "\n".join(text.split("\n")[:3]):
        yield f"{name} does not state its license in its first lines"
    if name != "scripts/tree.py" and not name.startswith(("docs/performance", "docs/log/")):  # logs keep the words of their time
        for word in sorted(set(PRIVATE.findall(text))):
            yield f"{name} says {word}, which the field calls otherwise"
    if name.startswith("src/") and name != "src/base/library.c" and "<dlfcn.h>" in text:
        yield f"{name} opens libraries by itself: base/library.h is for that"
    yield from check_includes(name, text)
    yield from check_summary(name, text)
    yield from check_names(name, text, filters)


def check_folders(names):
    counts = collections.Counter(os.path.dirname(name) for name in names if name.startswith(("src/", "tools/")))
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES and not folder.startswith("src/filters/"):
            yield f"{folder} has {count} files, more than {MOST_FILES}"


def check_families(names):
    for folder, others in BY_FAMILY.items():
        found = {name[len(folder) + 1:].split("/")[0] for name in names if name.startswith(folder + "/") and
                 "/" in name[len(folder) + 1:]}
        for each in sorted(found - FAMILIES - others):
            yield f"{folder}/{each} is not called after a family of filters"


def check_choices(names):
    """Who chooses among a family's kernels is a file of choose/, and a unit test knows it."""
    tests = ""
    for name in names:
        if name.startswith("tests/unit/test_choose"):
            with open(name, encoding="utf-8") as file:
                tests += file.read()
    for folder in (f"{CPU}/choose", f"{GPU}/choose"):
        for name in names:
            family = os.path.basename(name)[:-2]
            if name.startswith(folder + "/") and family not in FAMILIES:
                yield f"{name} is not called after a family of filters"
            if name.startswith(folder + "/") and name.endswith(".h") and f'"{name[4:]}"' not in tests:
                yield f"{name} has no test among tests/unit/test_choose*.c"
    for backend in ("cpu", "gpu"):
        code = set()
        for name in names:
            if name.startswith((f"src/kernels/{backend}/", "src/kernels/rows.h")):
                code.add(os.path.basename(name).split(".")[0])
                with open(name, encoding="utf-8") as file:
                    code |= set(re.findall(r"\w+", file.read()))
        for name in names:
            if re.match(f"src/backend/{backend}/choose/\\w+\\.c$", name):
                with open(name, encoding="utf-8") as file:
                    for said in re.findall(r'^    \{[A-Z0-9_]+, "([^"]*)"', file.read(), re.M):
                        for kernel in filter(None, said.split(", ")):
                            if kernel not in code:
                                yield f"{name}: src/kernels/{backend} has nothing of the name {kernel}"
    steps = {name.split("/")[4] for name in names if re.match(f"{CPU}/steps/\\w+/\\w+\\.c$", name)}
    for family in sorted((steps & FAMILIES) - STEPS_OF_ONE - ONE_ON_CPU):
        if f"{CPU}/choose/{family}.c" not in names:
            yield f"{CPU}/choose/{family}.c is missing: nothing else may choose among kernels"
    kernels = collections.Counter(name.split("/")[3] for name in names if re.match(r"src/kernels/gpu/\w+/\w+\.gpu$", name))
    for family in sorted(family for family, count in kernels.items() if count > 1 and family not in STEPS_OF_ONE):
        if f"{GPU}/choose/{family}.c" not in names:
            yield f"{GPU}/choose/{family}.c is missing: nothing else may choose among kernels"


def calls_between(names):
    """Of each C file of src the others whose functions it calls; kernels and filters call nobody."""
    sources = {}
    for name in names:
        if name.startswith("src/") and name.endswith(".c") and not name.startswith(("src/kernels/", "src/filters/")):
            with open(name, encoding="utf-8") as file:
                sources[name] = without_comments(file.read())
    made_by = {}
    for name, text in sources.items():
        for match in re.finditer(r"^(?!static|extern)[a-z][\w *]*?[ *](\w+)\([^;{]*\)\s*\{", text, flags=re.M):
            made_by[match[1]] = name
    return {name: {made_by[word] for word in set(re.findall(r"\w+", text)) if made_by.get(word, name) != name}
            for name, text in sources.items()}


def check_circles(calls):
    """The longest circle through a file, counted once: from its file that comes first."""
    def longest(path):
        best = path if path[0] in calls[path[-1]] else []
        for each in calls[path[-1]]:
            if each > path[0] and each not in path and path[0] in reached[each]:
                best = max(best, longest([*path, each]), key=len)
        return best

    reached = {name: set(called) for name, called in calls.items()}
    grown = True
    while grown:
        grown = False
        for name in calls:
            more = set().union(*(reached[each] for each in reached[name])) - reached[name]
            reached[name] |= more
            grown = grown or bool(more)
    seen = set()
    for name in sorted(calls):
        circle = {each for each in reached[name] if name in reached[each]}
        if not circle or name in seen:
            continue
        seen |= circle
        if len(circle) > 3 * LONGEST_CIRCLE:  # too many ways to go through
            yield f"{len(circle)} files call each other: {', '.join(sorted(circle))}"
            continue
        path = max((longest([each]) for each in sorted(circle)), key=len)
        if len(path) > LONGEST_CIRCLE:
            yield f"more than {LONGEST_CIRCLE} files call each other in a circle: {', '.join(path)}"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    described = json.loads(subprocess.check_output([sys.argv[1], "list", "--json"]))
    filters = {name for item in described for name in [item["name"], *item["aliases"]]}
    filters = {name for name in filters if not os.path.exists(f"src/filter/{name}.h")}  # kinds
    passed = failed = 0
    names = files()
    wrong = [*check_folders(names), *check_families(names), *check_choices(names), *check_circles(calls_between(names))]
    print("\n".join(wrong) + "\n" if wrong else "", end="")
    failed += len(wrong)
    for name in names:
        if not name.endswith(SOURCE + (".md", ".txt")) and os.path.basename(name) != "Makefile":
            continue
        wrong = list(check_file(name, filters))
        print("\n".join(wrong) + "\n" if wrong else "", end="")
        passed += not wrong
        failed += bool(wrong)
    print(f"tree: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
