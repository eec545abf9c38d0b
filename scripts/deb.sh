#!/bin/sh
# SPDX-License-Identifier: MIT
# deb.sh BUILD [OUT]: makes a Debian package of what BUILD has, as `make install` installs it, in OUT or BUILD, and prints its
# name. What the programs are linked with is what it depends on; what they open when it is needed is recommended, where this
# system has it in packages.
set -eu
build=$1
out=${2:-$build}
command -v dpkg-shlibdeps >/dev/null || { echo "deb.sh needs dpkg-shlibdeps, of the Debian package dpkg-dev" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
DESTDIR=$root cmake --install "$build" --prefix /usr >/dev/null

# Manual pages are compressed, programs and libraries without debugging symbols, as Debian has them.
gzip -9n "$root"/usr/share/man/man*/*
strip --strip-unneeded "$root"/usr/bin/weft "$root"/usr/lib/libweft.so.*.* "$root"/usr/lib/frei0r-1/*.so
# A copy of a module for each effect is one file.
for module in "$root"/usr/lib/frei0r-1/weft_*.so; do
    ln -f "$root/usr/lib/frei0r-1/weft.so" "$module"
done
mkdir -p "$root/usr/share/doc/weft" "$root/usr/share/zsh/vendor-completions" "$root/DEBIAN" "$work/debian"
mv "$root"/usr/share/zsh/site-functions/_weft "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
cp LICENSE "$root/usr/share/doc/weft/copyright"

version=$("$root/usr/bin/weft" --version | cut -d' ' -f2)
: >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/weft root/usr/lib/libweft.so.*.* 2>"$work/said") ||
    { cat "$work/said" >&2; exit 1; }
depends=$(echo "$depends" | sed -n 's/^shlibs:Depends=//p')

# The packages of libraries that are opened by name; those whose name ends in a version are of this system. The byte
# before a name may be printable, and is then in its string.
recommends=
opened='freetype|harfbuzz|fontconfig|avif|dav1d|avformat|avcodec|avutil|vulkan'
for library in $(strings -n 8 "$root/usr/bin/weft" | grep -Eo "lib($opened)\.so\.[0-9]+\$" | sort -u); do
    package=$(dpkg -S "*/$library" 2>/dev/null | sed -n '1s/:.*//p')
    case ", $recommends, " in *", $package, "*) ;; *) recommends="${recommends:+$recommends, }$package" ;; esac
done
cat >"$root/DEBIAN/control" <<END
Package: weft
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: weft
Section: graphics
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends
${recommends:+Recommends: $recommends, fonts-dejavu-core
}Description: image filters, fused into few passes over memory
 A tool and a C library that filter images and videos by graphs of filters, on
 the CPU and on GPUs. With the library come its headers, and what pkg-config and
 CMake need to find it.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
# The library is found once ldconfig has looked.
echo 'activate-noawait ldconfig' >"$root/DEBIAN/triggers"
chmod -R u=rwX,go=rX "$root"
mkdir -p "$out"
name=$out/weft_${version}_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$name" >/dev/null
echo "$name"
