#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chroot.py FOLDER [debian] [ubuntu]: in fresh roots, which debootstrap makes in FOLDER and which are kept there: builds weft
there, by make install and make deb as somebody would who has nothing yet, builds a program against what was installed, by
pkg-config and by CMake, and installs the package where nothing was built. Takes a network, root, some 4 GB and minutes, so it is no
part of make test; WEFT_ISAS=v3 in the environment builds in less time."""

import glob
import os
import shutil
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
# The release, and a script of debootstrap that is older and does the same, for debootstraps that do not know the release.
ROOTS = {"debian": ("bookworm", "bullseye", "main"), "ubuntu": ("noble", "jammy", "main,universe")}
PROGRAM = "filter_file.c"
passed = failed = 0


def check(good, message, said=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"failed: {message}" + "".join(f"\n    {line}" for line in said.splitlines()[-25:]), flush=True)
    return bool(good)


def run(words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    return done.returncode == 0, done.stdout.decode(errors="replace")


def fresh(name, folder):
    """The root of that name, made once."""
    suite, script, components = ROOTS[name]
    root = os.path.join(folder, suite)
    if os.path.exists(os.path.join(root, "usr/bin/apt-get")) and not os.path.exists(os.path.join(root, "debootstrap")):
        return root
    scripts = "/usr/share/debootstrap/scripts"
    words = ["debootstrap", "--variant=minbase", f"--components={components}"]
    if not glob.glob(f"/usr/share/keyrings/{name}-archive-keyring*.gpg"):
        print(f"{name}: its keys are not on this machine, so signatures are not looked at")
        words.append("--no-check-gpg")
    words += [suite, root]
    if not os.path.exists(f"{scripts}/{suite}"):
        words += ["", f"{scripts}/{script}"]
    good, said = run(words)
    return root if check(good, " ".join(words), said) else None


def copied(root, ending):
    target = f"{root}-{ending}"
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["cp", "-a", "--reflink=auto", root, target], check=True)
    return target


def inside(root, command, folder="/root"):
    """What is mounted goes with the process that it is for, however that ends."""
    for device in ("null", "zero", "random", "urandom", "tty"):
        path = f"{root}/dev/{device}"
        if not os.path.exists(path):
            open(path, "w").close()
    mounts = "".join(f"mount --bind /dev/{device} {root}/dev/{device} && "
                     for device in ("null", "zero", "random", "urandom", "tty"))
    good, said = run(["unshare", "--mount", "sh", "-c",
                      f"{mounts}mount -t proc proc {root}/proc && cp -L /etc/resolv.conf {root}/etc/resolv.conf && "
                      f'exec chroot {root} /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin '
                      f'HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive {isas()} sh -c "$0"',
                      f"cd {folder} && {command}"])
    return check(good, f"{os.path.basename(root)}: {command}", said)


def isas():
    return f"'WEFT_ISAS={os.environ['WEFT_ISAS']}'" if "WEFT_ISAS" in os.environ else ""


def give_program(root):
    for name in ("photo.jpg", PROGRAM):
        shutil.copy(os.path.join(SOURCE, "examples", name), f"{root}/root")
    with open(f"{root}/root/CMakeLists.txt", "w", encoding="utf-8") as file:
        file.write("cmake_minimum_required(VERSION 3.25)\nproject(try C)\nfind_package(weft REQUIRED)\n"
                   f"add_executable(by_cmake {PROGRAM})\ntarget_link_libraries(by_cmake weft::weft)\n")


def build_program(root):
    inside(root, f"cc {PROGRAM} $(pkg-config --cflags --libs weft) -o by_pkg && ./by_pkg photo.jpg invert by_pkg.png")
    inside(root, "cmake -S . -B try && cmake --build try && try/by_cmake photo.jpg invert by_cmake.png")
    inside(root, "cmp by_pkg.png by_cmake.png")


def build(root):
    """Builds and installs; the package's path, None where there is none."""
    os.mkdir(f"{root}/weft")
    names = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout
    packed = subprocess.run(["tar", "-C", SOURCE, "--null", "-T", "-", "-c"], input=names, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-C", f"{root}/weft", "-x", "--no-same-owner"], input=packed.stdout, check=True)
    give_program(root)
    if not (inside(root, "apt-get update -q && apt-get install -y -q --no-install-recommends make ca-certificates") and
            inside(root, "make install", "/weft") and inside(root, "make deb", "/weft")):
        return None
    inside(root, "ldconfig && weft --version && weft gaussian photo.jpg soft.png --sigma 4")
    inside(root, "apt-get install -y -q --no-install-recommends pkg-config")
    build_program(root)
    return glob.glob(f"{root}/weft/build/release/weft_*.deb")[0]


def install(root, package):
    """Where nothing of weft's was."""
    shutil.copy(package, f"{root}/root/weft.deb")
    give_program(root)
    inside(root, "apt-get update -q && apt-get install -y -q --no-install-recommends ./weft.deb")
    inside(root, "weft gaussian photo.jpg soft.png --sigma 4 && weft convert photo.jpg a.webp && weft convert a.webp b.tif")
    inside(root, "! weft convert photo.jpg a.avif 2>said && grep -q 'needs the library libavif.so' said && test ! -e a.avif")
    inside(root, "apt-get install -y -q $(dpkg-deb -f weft.deb Recommends | tr -d ,)")
    inside(root, "weft convert photo.jpg a.avif && weft convert a.avif b.png")
    inside(root, "weft overlay photo.jpg 'text:Hello[outline=black]' text.jpg")
    inside(root, "apt-get install -y -q --no-install-recommends gcc libc6-dev pkg-config cmake make")
    build_program(root)
    inside(root, "apt-get remove -y -q weft && ! command -v weft && test ! -e /usr/include/weft")


def main():
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(ROOTS):
        raise SystemExit(__doc__)
    missing = [name for name in ("debootstrap", "chroot", "unshare", "git") if not shutil.which(name)]
    if missing or os.geteuid() != 0:
        print(f"skipped: there is no {missing[0]}" if missing else "skipped: only root can make roots")
        print("chroot: 0 passed, 0 failed, 1 skipped")
        return
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    for name in sys.argv[2:] or ROOTS:
        root = fresh(name, folder)
        if root:
            builder = copied(root, "build")
            package = build(builder)
            if package:
                install(copied(root, "bare"), package)
    print(f"chroot: {passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
