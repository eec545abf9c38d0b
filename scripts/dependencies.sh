#!/bin/sh
# SPDX-License-Identifier: MIT
# dependencies.sh [test] [ci]: installs the packages that a build needs and that are missing, on Debian and Ubuntu; with
# `test` those of the tests too, with `ci` those of .ci/run. Where everything is there it does nothing.
set -eu

command_there() { command -v "$1" >/dev/null 2>&1; }
header_there() { printf '#include <stdio.h>\n#include <%s>\n' "$1" | cc -E - >/dev/null 2>&1; }

missing=
need() { missing="$missing $*"; }
command_there cc || need gcc
header_there stdlib.h || need libc6-dev
command_there cmake || need cmake
command_there ninja || need ninja-build
header_there png.h || need libpng-dev
header_there jpeglib.h || need libjpeg-dev
for more in "$@"; do
    case $more in
    test)
        command_there python3 || need python3
        # The peers are installed into an environment of their own.
        python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
        command_there glslangValidator || need glslang-tools
        ;;
    ci)
        command_there clang || need clang
        command_there c++ || need g++
        ;;
    esac
done

if [ -n "$missing" ]; then
    root=
    if [ "$(id -u)" != 0 ]; then
        root=sudo
    fi
    if ! command_there apt-get || { [ -n "$root" ] && ! command_there sudo; }; then
        echo "weft needs these packages, by their Debian names, and cannot install them here:" >&2
        printf '    %s\n' $missing >&2
        echo "Install them and try again." >&2
        exit 1
    fi
    echo "installing$missing"
    log=$(mktemp)
    apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -y -q"
    if ! { $apt update && $apt install --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        echo "weft could not install these packages:" >&2
        printf '    %s\n' $missing >&2
        echo "Install them, as root: apt-get install$missing" >&2
        exit 1
    fi
    rm -f "$log"
fi

version=$(cmake --version | sed -n 's/^cmake version //p')
if ! printf '3.25\n%s\n' "$version" | sort -V -C; then
    echo "weft needs cmake 3.25 or newer; this is $version." >&2
    echo "Debian 12, Ubuntu 23.04 and later have it; cmake.org has it for older ones." >&2
    exit 1
fi
