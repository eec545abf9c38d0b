#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""slide.py [--size 40000] [--graph gaussian=50,unsharp_mask=3:0.5] [--beside]: filters an OME-Zarr pyramid, a synthetic slide, by
pyweft.dask on a local cluster of two workers of 1 GB each, and compares the result with that of the whole image. Printed are the
time, and the most memory that a worker had. --beside runs a gaussian of --sigma alone, and dask-image's on as many workers, too."""

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time

import dask
import dask.array
import numpy
import pyweft as weft
import zarr
from distributed import Client, LocalCluster
from pyweft.dask import apply

LEVELS = 4


def tissue(block_info=None):
    """A chunk of the slide: nuclei on tissue, and the light falling off to the sides; from where it is alone."""
    (top, bottom), (left, right) = block_info[None]["array-location"]
    y, x = numpy.arange(top, bottom, dtype="float32")[:, None], numpy.arange(left, right, dtype="float32")
    light = 200 + 30 * numpy.sin(x / 3100) * numpy.cos(y / 2300)
    nuclei = numpy.sin(x / 9 + 3 * numpy.sin(y / 70)) * numpy.sin(y / 11 + 2 * numpy.sin(x / 90))
    noise = (x.astype("int64") * 73856093 ^ y.astype("int64") * 19349663) >> 7 & 15
    return numpy.clip(light - 90 * (nuclei > 0.4) + noise, 0, 255).astype("uint8")


def halved(block):
    """A quarter of the pixels, each the mean of four."""
    return numpy.asarray(weft.resample(block, block.shape[1] // 2, block.shape[0] // 2, "area"))


def write_pyramid(folder, levels, chunk):
    """Levels, each half of the one before, with the metadata of OME-Zarr 0.5."""
    group = zarr.open_group(folder, mode="w")
    scales = [{"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": [2.0 ** i] * 2}]} for i in range(LEVELS)]
    group.attrs["ome"] = {"version": "0.5", "multiscales": [{
        "axes": [{"name": name, "type": "space", "unit": "micrometer"} for name in "yx"], "datasets": scales}]}
    image = levels
    for i in range(LEVELS):
        stored = group.create_array(str(i), shape=image.shape, chunks=(chunk, chunk), dtype="uint8")
        dask.array.store(image, stored, lock=False)
        image = dask.array.from_zarr(stored)
        if i + 1 < LEVELS:
            sides = tuple(tuple(size // 2 for size in axis) for axis in image.chunks)
            image = image.map_blocks(halved, dtype="uint8", chunks=sides)
            image = image.rechunk((chunk, chunk))


def most_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def on_cluster(work, workers, memory):
    """(seconds, most megabytes that a worker had) of work on fresh workers of one thread each; of no workers, in this process."""
    if workers == 0:
        begun = time.perf_counter()
        with dask.config.set(scheduler="threads", num_workers=2):
            work()
        return time.perf_counter() - begun, most_memory()
    dask.config.set({"distributed.worker.memory.terminate": 0.98})
    with LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit=memory, processes=True,
                      dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.run(lambda: len(weft.plans()))  # takes the libraries in
            begun = time.perf_counter()
            work()
            return time.perf_counter() - begun, max(client.run(most_memory).values())


def largest_difference(folder, text, rows=1000):
    """Of the pyramid's first level from what the graph makes of the whole slide, in steps."""
    slide, made = (zarr.open_group(os.path.join(folder, name), mode="r")["0"] for name in ("slide", "filtered"))
    whole = weft.graph(text)(slide[:])
    return max(int(numpy.abs(whole[y:y + rows].astype("int16") - made[y:y + rows]).max()) for y in range(0, whole.shape[0], rows))


def beside(slide, sigma, workers, memory, chunk):
    """A gaussian by weft and by dask-image."""
    import dask_image.ndfilters

    image = slide.rechunk((chunk, chunk))
    mean = lambda filtered: filtered.astype("uint64").sum().compute()
    for name, filtered in (("weft", apply(f"gaussian={sigma}:border=symmetric", image)),
                           ("dask-image", dask_image.ndfilters.gaussian_filter(image, sigma))):
        seconds, megabytes = on_cluster(lambda: mean(filtered), workers, memory)
        print(f"gaussian of sigma {sigma} by {name}: {seconds:.1f} s, {megabytes:.0f} MB in a worker at most", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--size", type=int, default=40000, help="pixels along a side of the slide")
    options.add_argument("--chunk", type=int, default=2000, help="pixels along a side of a chunk, divisible by 8")
    options.add_argument("--graph", default="gaussian=50,unsharp_mask=3:0.5")
    options.add_argument("--sigma", type=float, default=50, help="of the gaussian that --beside times")
    options.add_argument("--workers", type=int, default=2, help="processes of the cluster; 0 takes threads of this one")
    options.add_argument("--memory", default="1GB", help="that a worker may have")
    options.add_argument("--folder", help="where the pyramids go; kept")
    options.add_argument("--beside", action="store_true", help="time dask-image, too")
    chosen = options.parse_args()
    folder = chosen.folder or tempfile.mkdtemp()
    try:
        sides = (chosen.size // 8 * 8,) * 2
        slide = dask.array.map_blocks(tissue, chunks=dask.array.core.normalize_chunks(chosen.chunk, sides), dtype="uint8",
                                      meta=numpy.zeros((0, 0), "uint8"))
        seconds, _ = on_cluster(lambda: write_pyramid(os.path.join(folder, "slide"), slide, chosen.chunk), chosen.workers,
                                chosen.memory)
        print(f"made a slide of {sides[1]} x {sides[0]} in {seconds:.1f} s", flush=True)
        stored = dask.array.from_zarr(os.path.join(folder, "slide"), component="0")
        seconds, megabytes = on_cluster(
            lambda: write_pyramid(os.path.join(folder, "filtered"), apply(chosen.graph, stored), chosen.chunk),
            chosen.workers, chosen.memory)
        print(f"filtered it by {chosen.graph} in {seconds:.1f} s, {megabytes:.0f} MB in a worker at most", flush=True)
        steps = largest_difference(folder, chosen.graph)
        print(f"the whole image differs by {steps} of 255 at most")
        if chosen.beside:
            beside(stored, chosen.sigma, chosen.workers, chosen.memory, chosen.chunk)
        return 0 if steps <= 1 else 1
    finally:
        if not chosen.folder:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
