#!/bin/sh
# SPDX-License-Identifier: MIT
# dependencies.sh [test] [bench] [docs] [deb] [wheel] [ci]: installs the packages that a build needs and that are missing, on
# Debian and Ubuntu; with `test` those of the tests too, with `bench` those that `make bench` compares with, with `docs` those
# that make the site, with `deb` those of make deb, with `wheel` those of make wheel, with `ci` those of make check. Where
# everything is there it does nothing. Without those of the Vulkan backend and its tests, those of some file formats, the peers,
# and what looks at the site, weft is built, tested and
# compared without them, with a word about it.
set -eu
cd "$(dirname "$0")/.."

command_there() { command -v "$1" >/dev/null 2>&1; }
header_there() { printf '#include <stdio.h>\n#include <%s>\n' "$1" | cc -E - >/dev/null 2>&1; }
header_of_python() {
    python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' 2>/dev/null
}
file_there() { ls $1 >/dev/null 2>&1; }

missing=
need() { missing="$missing $*"; }
wanted=
want() { wanted="$wanted $*"; }
command_there cc || need gcc
header_there stdlib.h || need libc6-dev
command_there cmake || need cmake
command_there ninja || need ninja-build
header_there png.h || need libpng-dev
header_there libdeflate.h || need libdeflate-dev
header_there jpeglib.h || need libjpeg-dev
header_there tiffio.h || want libtiff-dev
header_there webp/mux.h || want libwebp-dev
header_there OpenEXR/openexr.h || want libopenexr-dev
header_there avif/avif.h || want libavif-dev
header_there dav1d/dav1d.h || want libdav1d-dev
header_there lcms2.h || want liblcms2-dev
header_there libavformat/avformat.h || want libavformat-dev
header_there libavcodec/avcodec.h || want libavcodec-dev
header_there libavutil/avutil.h || want libavutil-dev
file_there /usr/include/freetype2/ft2build.h || want libfreetype-dev # its headers are not found without a folder of their own
header_there harfbuzz/hb.h || want libharfbuzz-dev
header_there fontconfig/fontconfig.h || want libfontconfig-dev
command_there glslangValidator || want glslang-tools
command_there spirv-opt || want spirv-tools
header_there vulkan/vulkan.h || want libvulkan-dev
for more in "$@"; do
    case $more in
    test)
        command_there python3 || need python3
        command_there pkg-config || need pkg-config
        # The peers are installed into an environment of their own.
        python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
        # What makes videos for the tests and looks at those that weft made.
        command_there ffmpeg || want ffmpeg
        # Shells whose completions are tested.
        command_there zsh || want zsh
        command_there fish || want fish
        # A font for texts.
        file_there '/usr/share/fonts/truetype/*/*.ttf' || want fonts-dejavu-core
        # Hosts of frei0r modules.
        command_there melt || want melt
        { command_there gst-launch-1.0 && file_there '/usr/lib/*/gstreamer-1.0/libgstfrei0r.so'; } ||
            want gstreamer1.0-tools gstreamer1.0-plugins-bad
        # The package pyweft is built for its tests.
        command_there c++ || want g++
        header_of_python || want python3-dev
        # What draws plans for the site, and the browser that looks at it.
        command_there dot || want graphviz
        command_there chromium || command_there google-chrome || want chromium
        # Software Vulkan, so that GPU kernels are tested where there is no GPU; and what checks how it is used.
        file_there '/usr/share/vulkan/icd.d/lvp_icd*.json' || want mesa-vulkan-drivers
        file_there '/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json' || want vulkan-validationlayers
        ;;
    docs)
        command_there python3 || need python3
        python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
        command_there dot || need graphviz
        ;;
    bench)
        command_there python3 || need python3
        python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
        /usr/bin/python3 -c 'import cv2' 2>/dev/null || want python3-opencv
        command_there ffmpeg || want ffmpeg
        command_there vips || want libvips-tools
        command_there magick || command_there convert || want imagemagick
        ;;
    deb)
        command_there dpkg-shlibdeps || need dpkg-dev
        command_there strings || need binutils
        ;;
    wheel)
        command_there c++ || need g++
        header_of_python || need python3-dev
        python3 -c 'import ensurepip' 2>/dev/null || need python3-venv
        ;;
    ci)
        command_there clang || need clang
        command_there c++ || need g++
        header_there valgrind/memcheck.h || want valgrind
        # Formats that builds with AddressSanitizer take in.
        header_there jxl/decode.h || want libjxl-dev
        header_there libheif/heif.h || want libheif-dev
        ;;
    esac
done

root=
if [ "$(id -u)" != 0 ]; then
    root=sudo
fi
can_install() { command_there apt-get && { [ -z "$root" ] || command_there sudo; }; }
# install PACKAGE...: fails after the last words of what went wrong.
install() {
    echo "installing $*"
    log=$(mktemp)
    apt="$root env DEBIAN_FRONTEND=noninteractive apt-get -y -q"
    if ! { $apt update && $apt install --no-install-recommends "$@"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

if [ -n "$missing" ] && ! can_install; then
    echo "weft needs these packages, by their Debian names, and cannot install them here:" >&2
    printf '    %s\n' $missing >&2
    echo "Install them and try again." >&2
    exit 1
fi
if [ -n "$missing" ] && ! install $missing; then
    echo "weft could not install these packages:" >&2
    printf '    %s\n' $missing >&2
    echo "Install them, as root: apt-get install$missing" >&2
    exit 1
fi

# What failed once is not tried again by every make; make clean forgets it.
refused=build/packages-refused
if [ -n "$wanted" ] && [ "$(cat "$refused" 2>/dev/null)" != "$wanted" ] && can_install; then
    install $wanted && wanted=
fi
if [ -n "$wanted" ]; then
    mkdir -p build
    echo "$wanted" >"$refused"
    echo "going on without these packages, and so without what needs them:$wanted" >&2
fi

version=$(cmake --version | sed -n 's/^cmake version //p')
if ! printf '3.25\n%s\n' "$version" | sort -V -C; then
    echo "weft needs cmake 3.25 or newer; this is $version." >&2
    echo "Debian 12, Ubuntu 23.04 and later have it; cmake.org has it for older ones." >&2
    exit 1
fi
