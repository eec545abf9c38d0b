#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_install.py BUILD: installs BUILD into a folder, moves that elsewhere, and uses it as a stranger would: by
pkg-config and by CMake, with the shared and the static library, from C and C++, its manual and completions too."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import builders
import completion

SOURCE = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
passed = failed = 0


def check(good, message, said=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"failed: {message}" + "".join(f"\n    {line}" for line in said.split("\n")[-20:] if line), flush=True)
    return good


def run(words, **options):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, **options)
    except OSError as error:  # a program that could not be built
        return False, str(error)
    return done.returncode == 0, done.stdout.decode(errors="replace")


def there(program):
    return shutil.which(program) is not None


def install(build, folder):
    """The tree after it has been moved: nothing in it may know where it was made."""
    good, said = run(["cmake", "--install", build, "--prefix", "/opt/weft"], env=dict(os.environ, DESTDIR=folder))
    check(good, "cmake --install", said)
    tree = os.path.join(folder, "moved")
    shutil.move(os.path.join(folder, "opt", "weft"), tree)
    check(not os.listdir(os.path.join(folder, "opt")), "everything is under the prefix")
    return tree


def check_symbols(tree, library):
    """What the libraries show is what the headers declare."""
    declared = set()
    for name in glob.glob(f"{tree}/include/weft/*.h"):
        with open(name, encoding="utf-8") as file:
            declared |= set(re.findall(r"WEFT_API [^;(]*?\b(weft_\w+)\(", file.read()))
    check(len(declared) > 50, f"the headers declare functions: {len(declared)}")
    for words, name in ((["-D"], "libweft.so"), (["-g"], "libweft.a")):
        good, said = run(["nm", *words, "--defined-only", os.path.join(library, name)])
        shown = {line.split()[-1].split("@")[0] for line in said.split("\n") if re.match(r"[0-9a-f]+ [A-Z] ", line)}
        shown.discard("WEFT_0")
        check(good and shown == declared, f"{name} shows what the headers declare",
              f"only there: {sorted(shown - declared)}\nnot there: {sorted(declared - shown)}")
    good, said = run(["readelf", "-d", os.path.join(library, "libweft.so")])
    soname = re.search(r"SONAME.*\[(libweft\.so\.\d+)\]", said)
    check(soname and os.path.exists(os.path.join(library, soname[1])), "the shared library has its soname", said)


def check_headers(tree, library):
    for header in sorted(glob.glob(f"{tree}/include/weft/*.h")):
        line = f'#include "weft/{os.path.basename(header)}"\n'
        for compiler, language in (("gcc", "c17"), ("clang", "c17"), ("g++", "c++17"), ("clang++", "c++17")):
            if there(compiler):
                good, said = run([compiler, f"-std={language}", "-x", language.rstrip("0123456789"), *STRICT,
                                  f"-I{tree}/include", "-fsyntax-only", "-"], input=line.encode())
                check(good, f"{os.path.basename(header)} by {compiler}", said)


def flags(library, *words):
    environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(library, "pkgconfig"))
    good, said = run(["pkg-config", *words, "weft"], env=environment)
    check(good, f"pkg-config {' '.join(words)}", said)
    return said.split()


def by_pkg_config(folder, library, static, environment):
    """Builds the examples; the static library is named by its file, as both lie in one folder."""
    words = flags(library, "--cflags", "--libs", *(["--static"] if static else []))
    if static:
        words = [f"-l:{name}" if name == "libweft.a" else name
                 for name in ("libweft.a" if word == "-lweft" else word for word in words)]
    for name in sorted(glob.glob(f"{SOURCE}/examples/*.c")):
        program = os.path.join(folder, os.path.basename(name)[:-2])
        good, said = run(["cc", "-std=c17", "-O1", *STRICT, name, "-o", program, *words], env=environment)
        check(good, f"{os.path.basename(name)} by pkg-config{' --static' if static else ''}", said)


def by_cmake(folder, tree, static):
    good, said = run(["cmake", "-S", f"{SOURCE}/examples", "-B", folder, f"-DCMAKE_PREFIX_PATH={tree}",
                      f"-DWEFT_STATIC={'ON' if static else 'OFF'}"])
    check(good, "find_package(weft)", said)
    good, said = run(["cmake", "--build", folder])
    check(good, f"the examples by CMake{', static' if static else ''}", said)


def ppm(width, height, value):
    return b"P6\n%d %d\n255\n" % (width, height) + bytes(value(x, y, k) for y in range(height) for x in range(width)
                                                        for k in range(3))


def check_examples(programs, environment, words):
    """Runs the examples on pictures whose results can be told."""
    with tempfile.TemporaryDirectory(prefix="weft-examples-") as folder:
        flat, out = os.path.join(folder, "flat.ppm"), os.path.join(folder, "out.ppm")
        with open(flat, "wb") as file:
            file.write(ppm(4, 6, lambda x, y, k: 100))

        def example(name, *arguments, **options):
            good, said = run([os.path.join(programs, name), *arguments], env=environment, **options)
            return check(good, f"{name} runs, {words}", said) and said

        example("filter_file", flat, "invert", out)
        check(open(out, "rb").read()[-72:] == bytes([155]) * 72, f"filter_file filters, {words}")
        good, said = run([os.path.join(programs, "filter_file"), flat, "inverd", out], env=environment)
        check(not good and "did you mean 'invert'" in said, f"filter_file says what is wrong, {words}", said)
        example("custom_filter", flat, "my_relief,my_scanlines=period=2:amount=0.5,invert", out)
        rows = [open(out, "rb").read()[-72:][12 * y:12 * y + 12] for y in range(6)]
        check(rows == [bytes([205]) * 12, bytes([155]) * 12] * 3, f"custom_filter filters, {words}", str(rows))
        good, said = run([os.path.join(programs, "custom_filter"), flat, "my_relief=11", out], env=environment)
        check(not good and "strength must be from 0 to 10" in said, f"custom_filter checks parameters, {words}", said)
        frames = os.path.join(folder, "frames")
        with open(frames, "wb") as file:
            file.write(bytes([200]) * 24 * 5)
        with open(frames, "rb") as file:
            good, said = run(["sh", "-c", f"'{programs}/frame_loop' 4 2 4 >'{out}'"], env=environment, stdin=file)
        check(good and open(out, "rb").read() == b"".join(bytes([v]) * 24 for v in (50, 100, 150, 200, 200)),
              f"frame_loop fades in, {words}", said)
        said = example("wrap_buffer") or ""
        alpha = re.findall(r"alpha (\d+)", said)
        check(len(alpha) == 3 and alpha[0] == "0" and 100 < int(alpha[1]) < 140 and alpha[2] == "0",
              f"wrap_buffer filters in place, {words}", said)


def check_builders(folder, tree, library, environment):
    """A program that adds every filter by its builder and by its name gets the same plans."""
    weft = os.path.join(tree, "bin", "weft")
    source, program = os.path.join(folder, "builders.c"), os.path.join(folder, "builders")
    with open(source, "w", encoding="utf-8") as file:
        file.write(builders.program(weft))
    words = flags(library, "--cflags", "--libs")
    for compiler in ("clang", "gcc"):
        if there(compiler):
            good, said = run([compiler, "-std=c17", *STRICT, source, "-o", program, *words], env=environment)
            if check(good, f"builders by {compiler}", said):
                good, said = run([program], env=environment)
                check(good, "every builder adds what its name adds", said)
    source += "c"
    with open(source, "w", encoding="utf-8") as file:
        file.write(builders.CPP)
    if there("g++"):
        good, said = run(["g++", "-std=c++20", *STRICT, source, "-o", program, *words], env=environment)
        if check(good, "builders by g++", said):
            good, said = run([program], env=environment)
            check(good, "builders from C++", said)


def check_manual(tree):
    for page in ("man1/weft.1", "man7/weft-filters.7"):
        name = os.path.join(tree, "share", "man", page)
        check(os.path.getsize(name) > 1000, f"{page} is there")
        if there("groff"):
            good, said = run(["groff", "-ww", "-Wbreak", "-man", "-Tutf8", "-z", name])
            check(good and not said, f"{page} is sound roff", said)


def main():
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="weft-install-") as folder:
        tree = install(build, folder)
        pc = glob.glob(f"{tree}/**/weft.pc", recursive=True)
        if check(len(pc) == 1, "there is a weft.pc"):
            library = os.path.dirname(os.path.dirname(pc[0]))
            environment = dict(os.environ, LD_LIBRARY_PATH=library)
            check_symbols(tree, library)
            check_headers(tree, library)
            for static in (False, True):
                words = "static" if static else "shared"
                programs = os.path.join(folder, f"pkg-{words}")
                os.mkdir(programs)
                by_pkg_config(programs, library, static, environment)
                check_examples(programs, os.environ if static else environment, f"pkg-config, {words}")
                programs = os.path.join(folder, f"cmake-{words}")
                by_cmake(programs, tree, static)
                check_examples(programs, os.environ, f"CMake, {words}")
            check_builders(folder, tree, library, environment)
        check_manual(tree)
        for good, message in completion.checks(tree):
            check(good, message)
    print(f"install: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
