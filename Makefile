# SPDX-License-Identifier: MIT
# What there is to make:
#
#   make build     the library and the tool, build/release/weft
#   make demo      filter the shipped photograph; the result is out/demo.png
#   make test      build, and test all: what is drawn by chance, shortly
#   make check     what must pass before a change is shared: that, more cases, valgrind, sanitizers, clang, fuzz targets
#   make test-gpu  run the tests of GPUs on all that this machine has, software ones included
#   make bench-video   time weft run beside ffmpeg -vf on the same clips
#   make bench-files   time weft beside vips, ImageMagick and ffmpeg, file to file; BENCH=--help for options
#   make bench     time weft beside OpenCV, libvips, SciPy, Pillow and Halide on the same work; BENCH=--help for options
#   make measure   that and the errors of all filters and peers; writes docs/performance.md and docs/accuracy.md
#   make wheel     make a wheel of the Python package in build/wheels; WHEEL="python3.12 python3.13t" for those of others
#   make docs      write docs/filters/ and docs/pictures/ from the filters' own descriptions, and the site, build/site
#   make install   put the tool, the library and its headers under PREFIX, /usr/local by default (in DESTDIR)
#   make deb       make a Debian package of that, build/release/weft_VERSION_ARCHITECTURE.deb
#   make clean     remove all that was built
#
# build, demo, test, check, bench and docs install the Debian packages that they need and do not find.
.PHONY: help build demo test check test-gpu bench bench-files bench-video measure wheel docs install deb clean

PREFIX ?= /usr/local

help: ; @sed -n -e '/^\.PHONY/q' -e 's/^# \{0,1\}//' -e '2,$$p' Makefile
build: ; @scripts/dependencies.sh && scripts/build.sh release weft_tool
demo: build ; @scripts/demo.sh
test: ; @scripts/dependencies.sh test && scripts/test.sh
check: ; @scripts/check.sh make test
test-gpu: ; @scripts/dependencies.sh test && scripts/test_gpu.sh
bench: build ; @scripts/dependencies.sh bench && bench/run.sh $(BENCH)
bench-files: build ; @scripts/dependencies.sh bench && python3 bench/files.py build/release/weft $(BENCH)
bench-video: build ; @scripts/dependencies.sh bench && python3 bench/video.py build/release/weft $(BENCH)
measure: build ; @scripts/dependencies.sh test bench && bench/pages.sh
wheel: ; @scripts/dependencies.sh wheel && scripts/wheel.sh $(WHEEL)
docs: build
	@scripts/dependencies.sh docs && python3 scripts/docs.py build/release/weft
	@scripts/site.sh build/release build/site measure
install:
	@scripts/dependencies.sh && scripts/build.sh release weft_installed
	@cmake --install build/release --prefix '$(PREFIX)'
deb:
	@scripts/dependencies.sh deb && scripts/build.sh release weft_installed && scripts/deb.sh build/release
clean: ; rm -rf build python/build out
