#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_readme.py BUILD: does what the Markdown pages say. Every ```sh block is run in a copy of what it needs, with the
built tool first in PATH; C programs are those in examples/; links lead somewhere; targets of make exist."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checked import check, done  # noqa: E402


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.M | re.S)


def run(script, folder, build):
    environment = dict(os.environ, PATH=build + os.pathsep + os.environ["PATH"])
    ran = subprocess.run(["sh", "-euc", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300)
    return ran.returncode == 0, ran.stdout


def draws_text(build):
    return run("weft run text:x reduce=max", ".", build)[0]


def check_page(name, build):
    with open(name, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory(prefix="weft-readme-") as folder:
        shutil.copytree("examples", os.path.join(folder, "examples"))
        shutil.copytree("include", os.path.join(folder, "include"))
        os.makedirs(os.path.join(folder, "build"))
        os.symlink(build, os.path.join(folder, "build", "release"))
        for block in blocks(text, "sh"):
            if re.search("text:|--labels", block) and not draws_text(build):
                print(f"{name}: skipped where no text is drawn:\n{block}", end="")
                continue
            if ".gif" in block and not run("weft list --formats | grep -q '^video by'", ".", build)[0]:
                print(f"{name}: skipped where no video is read:\n{block}", end="")
                continue
            good, output = run(block, folder, build)
            check(good, f"{name}: this does not run:\n{block}{output}")
    if name == "README.md":
        with open("examples/filter_file.c", encoding="utf-8") as file:
            program = file.read()
        for block in blocks(text, "c"):
            check(block in program, f"{name}: its C program is not examples/filter_file.c")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
        check(os.path.exists(os.path.join(os.path.dirname(name), target)), f"{name}: {target} is not there")
    with open("Makefile", encoding="utf-8") as file:
        targets = re.findall(r"^([\w-]+):", file.read(), flags=re.M)
    for target in re.findall(r"^make ([\w-]+)|`make ([\w-]+)`", text, flags=re.M):
        check("".join(target) in targets, f"{name}: there is no 'make {''.join(target)}'")


def main():
    build = os.path.abspath(sys.argv[1])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    pages = ["README.md", "CONTRIBUTING.md", *glob.glob("examples/*.md"), *glob.glob("docs/**/*.md", recursive=True)]
    for name in sorted(pages):
        check_page(name, build)
    done("readme")


main()
