#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_deb.py BUILD: makes the Debian package and looks at it: what it depends on, what is in it, and, unpacked, whether
the tool runs and pkg-config finds the library. chroot.py installs it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checked import check, done  # noqa: E402

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def run(words, **options):
    ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    return ran.returncode == 0, ran.stdout


def field(package, name):
    return run(["dpkg-deb", "-f", package, name])[1].strip()


def look(package, folder):
    check(field(package, "Package") == "weft" and re.fullmatch(r"\d+\.\d+\.\d+", field(package, "Version")), "its name")
    depends = field(package, "Depends")
    check(re.search(r"\blibc6 \(>= ", depends) and "weft" not in depends, f"what it depends on: {depends}")
    good, said = run(["dpkg-deb", "-x", package, folder])
    check(good, said)
    with open(os.path.join(folder, "usr", "bin", "weft"), "rb") as file:
        opened = {name.decode() for name in re.findall(rb"lib(?:avif|dav1d|avformat|vulkan)\.so\.\d+(?=\0)", file.read())}
    check("libvulkan.so.1" in opened, f"libraries that are opened by name: {opened}")
    recommended = field(package, "Recommends").split(", ")
    for library in sorted(opened):
        good, said = run(["dpkg", "-S", f"*/{library}"])
        check(not good or said.split(":")[0] in recommended, f"{library} is opened, and its package not recommended: {recommended}")
    for name in ("bin/weft", "lib/libweft.so", "lib/libweft.a", "lib/pkgconfig/weft.pc", "lib/cmake/weft/weftConfig.cmake",
                 "include/weft/weft.h", "share/man/man1/weft.1.gz", "share/man/man7/weft-filters.7.gz",
                 "share/bash-completion/completions/weft", "share/zsh/vendor-completions/_weft",
                 "share/fish/vendor_completions.d/weft.fish", "share/doc/weft/copyright"):
        check(os.path.exists(os.path.join(folder, "usr", name)), f"{name} is not in it")
    good, said = run(["dpkg-deb", "-c", package])
    owners = {line.split()[1] for line in said.splitlines() if line}
    modes = {line[:10] for line in said.splitlines() if line}
    check(owners == {"root/root"} and modes <= {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x", "lrwxrwxrwx", "hrw-r--r--"},
          f"owners and modes: {owners} {modes}")
    good, said = run(["md5sum", "-c", "--quiet", "-"], cwd=folder, input=sums(package, folder))
    check(good, said)
    good, said = run([os.path.join(folder, "usr", "bin", "weft"), "--version"])
    check(good and said == f"weft {field(package, 'Version')}\n", said)
    if shutil.which("pkg-config"):
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(folder, "usr", "lib", "pkgconfig"))
        good, said = run(["pkg-config", "--modversion", "weft"], env=environment)
        check(good and said.strip() == field(package, "Version"), said)


def sums(package, folder):
    control = os.path.join(folder, "control")
    run(["dpkg-deb", "-e", package, control])
    with open(os.path.join(control, "md5sums"), encoding="utf-8") as file:
        return file.read()


def main():
    build = os.path.abspath(sys.argv[1])
    if not shutil.which("dpkg-shlibdeps"):
        print("skipped: there is no dpkg-shlibdeps")
        done("deb", skipped=1)
    with tempfile.TemporaryDirectory(prefix="weft-deb-") as folder:
        good, said = run([os.path.join(SOURCE, "scripts", "deb.sh"), build, folder], cwd=SOURCE)
        if check(good, said):
            look(said.split()[-1], os.path.join(folder, "unpacked"))
    done("deb")


main()
