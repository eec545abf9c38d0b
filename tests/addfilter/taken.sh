#!/bin/sh
# SPDX-License-Identifier: MIT
# taken.sh BUILD COMPILER...: the compiler's launcher of a build of a copy of the tree: takes from BUILD, a build of the tree by the
# same options, the object that it would compile, and compiles what BUILD does not have and what CMake writes with all filters in
# it. The object taken is named as what this one depends on, so that it is taken anew after BUILD made it anew.
set -eu
build=$1
shift
object=
depends=
source=
before=
for word; do
    case $before in
    -o) object=$word ;;
    -MF) depends=$word ;;
    -c) source=$word ;;
    esac
    before=$word
done
case $object in
*/weft.dir/generated/* | "") exec "$@" ;;
esac
if [ -z "$depends" ] || [ ! -f "$build/$object" ]; then
    exec "$@"
fi
cp "$build/$object" "$object"
echo "$object: $source $build/$object" >"$depends"
