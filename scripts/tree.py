#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tree.py WEFT: checks the rules of the tree: includes point one way, filters are named nowhere outside their files, no
file is long, no folder has many files, and every source file states its license."""

import collections
import json
import os
import re
import subprocess
import sys

ROOMS = {  # a room may include from itself and from these
    "src/base": [],
    "src/image": ["src/base"],
    "src/kernels": ["src/base", "src/image"],
    "src/filter": ["src/base", "src/image", "src/kernels"],
    "src/filters": ["src/base", "src/image", "src/kernels", "src/filter"],
    "src/graph": ["src/base", "src/image", "src/filter"],
    "src/backend": ["src/base", "src/image", "src/filter", "src/graph", "src/kernels"],
    "src/io": ["src/base", "src/image"],
    "src/files": ["src/base", "src/image"],
    "tools/weft": [],
    "tests/harness": [],
    "examples": [],
}
# What a room takes from a later one, and why that is right.
ALLOWED = {
    ("src/graph", "backend/backend.h"),  # plans ask the backend what it wants
    ("src/kernels", "point_operations.h"),  # the build makes it
    ("src/kernels", "known.h"),  # the CUDA backend makes it for each kernel
    ("tests/harness", "backend/reference/model.h"),  # steady.c moves what the reference makes
}
LONGEST = 700
MOST_FILES = 20  # of a folder of src or tools; but src/filters/FAMILY has a file per filter
SOURCE = (".c", ".h", ".inc", ".gpu", ".py", ".sh", ".cmake", ".weft")


def files():
    if os.path.isdir(".git"):
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    else:
        command = ["find", "include", "src", "tools", "tests", "scripts", "examples", "cmake", "-type", "f"]
    names = subprocess.check_output(command, text=True).split("\n")
    return sorted(name for name in names if name and os.path.isfile(name))


def without_comments(text):
    return re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)


def room_of(name):
    return next((room for room in ROOMS if name.startswith(room + "/")), None)


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


def licensed(name):
    """.inc files are parts of others."""
    return name.endswith(SOURCE) and not name.endswith(".inc") and not name.startswith("cmake/")


def check_file(name, filters):
    with open(name, encoding="utf-8") as file:
        text = file.read()
    lines = text.count("\n")
    if lines > LONGEST and not name.startswith("docs/filters/"):  # a program writes these, an entry a filter
        yield f"{name} has {lines} lines, more than {LONGEST}"
    if licensed(name) and "SPDX-License-Identifier: MIT" not in "\n".join(text.split("\n")[:3]):
        yield f"{name} does not state its license in its first lines"
    yield from check_includes(name, text)
    yield from check_names(name, text, filters)


def check_folders(names):
    counts = collections.Counter(os.path.dirname(name) for name in names if name.startswith(("src/", "tools/")))
    for folder, count in sorted(counts.items()):
        if count > MOST_FILES and not folder.startswith("src/filters/"):
            yield f"{folder} has {count} files, more than {MOST_FILES}"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    described = json.loads(subprocess.check_output([sys.argv[1], "list", "--json"]))
    filters = {name for item in described for name in [item["name"], *item["aliases"]]}
    filters = {name for name in filters if not os.path.exists(f"src/filter/{name}.h")}  # kinds
    passed = failed = 0
    names = files()
    crowded = list(check_folders(names))
    print("\n".join(crowded) + "\n" if crowded else "", end="")
    failed += len(crowded)
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
