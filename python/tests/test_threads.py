# SPDX-License-Identifier: MIT
"""Threads, forks, and Ctrl-C."""

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest
import pyweft as weft
from conftest import picture


def test_the_interpreter_is_free_while_a_run_takes_its_time():
    image = picture((1500, 1500, 3))
    counted = [0]
    stop = threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before, start = counted[0], time.perf_counter()
    weft.bilateral(image, 9)
    took, ticks = time.perf_counter() - start, counted[0] - before
    stop.set()
    thread.join()
    assert ticks > min(10, took / 0.02)


def test_one_plan_in_many_threads():
    images = [picture((60, 70, 3), seed=seed) for seed in range(16)]
    want = [weft.input().gaussian(2).gamma(1 + i / 10)(image) for i, image in enumerate(images)]

    def run(i):
        return weft.input().gaussian(2).gamma(1 + i / 10)(images[i])

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            for ours, theirs in zip(pool.map(run, range(16)), want):
                assert numpy.array_equal(ours, theirs)


def test_plans_that_go_while_they_run():
    image = picture((100, 100, 3))
    most = weft.plans()["most"]
    weft.limit_plans(1)
    try:
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            runs = [pool.submit(weft.gaussian, image, 1 + i % 7 / 4) for i in range(200)]
            want = [weft.gaussian(image, 1 + i / 4) for i in range(7)]
            for i, run in enumerate(runs):
                assert numpy.array_equal(run.result(), want[i % 7])
    finally:
        weft.limit_plans(most)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_the_child_of_a_fork():
    image = picture((64, 64, 3))
    want = weft.gaussian(image, 2)
    child = os.fork()
    if child == 0:
        good = False
        try:
            good = numpy.array_equal(weft.gaussian(image, 2), want)
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


CODE = """
import numpy, pyweft as weft, signal, sys, threading, time, os
image = numpy.random.default_rng(1).integers(0, 256, {shape}, dtype="uint8")
if "apply" in {call!r}:
    from dask.array import from_array
    from pyweft.dask import apply
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has what it runs in the background ignore it
sent = [0.0]
def interrupt():
    time.sleep({wait})
    sent[0] = time.process_time()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    {call}
    print("done")
except KeyboardInterrupt:
    print(time.process_time() - sent[0])
assert weft.invert(image[:8, :8] if image.ndim == 2 else image[..., :8, :8, :]) is not None
"""


@pytest.mark.skipif("WEFT_SANITIZED" in os.environ, reason="a sanitized library takes its time")
@pytest.mark.parametrize("call,shape", [("weft.bilateral(image, 20)", (6000, 6000, 3)),
                                        ("weft.bilateral(image, 20)", (60, 1000, 1000, 3)),
                                        ("weft.graph(','.join(['bilateral=20:0.2'] * 40))(image)", (4000, 4000, 3)),
                                        ("weft.bilateral(image, 300)", (4000, 4000, 3)),
                                        ("weft.graph(','.join(['gaussian=30:downsample=1'] * 100))(image)", (1200, 20000, 4)),
                                        ("weft.box(image, 300)", (20, 2000, 4000, 4)),
                                        ("weft.median(image, 250)", (3000, 3000, 3)),
                                        ("weft.median(image.astype('float32'), 60)", (3000, 3000, 1)),
                                        ("weft.nl_means(image)", (4000, 4000, 3)),
                                        ("weft.graph('luminance_threshold=0.9,distance_transform')(image)", (16000, 9000)),
                                        ("weft.graph('luminance_threshold=0.5,connected_components')(image)", (16000, 9000)),
                                        ("weft.graph('split[a][b];[b]brightness=-0.2[m];[m][a]reconstruction')(image)",
                                         (9000, 9000)),
                                        ("weft.plan('bilateral=20', image).run(image)", (6000, 6000, 3)),
                                        ("apply('bilateral=12', from_array(image, (1500, 1500, 3))).compute()", (6000, 6000, 3))])
def test_ctrl_c_cancels(call, shape):
    code = CODE.format(call=call, shape=shape, wait=1.5 if "gaussian" in call else 0.6)  # many steps take a while to begin
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert told.returncode == 0, told.stderr
    assert told.stdout.strip() != "done", "the run was too short to be interrupted"
    # Time of all processors together, which other programs do not lengthen: 0.2 seconds where all of them are weft's.
    assert float(told.stdout) < 0.2 * os.cpu_count()


def test_progress_cancels():
    image = picture((4000, 4000, 3))
    seen = []

    def stop(done):
        seen.append(done)
        return False

    with pytest.raises(weft.CancelledError):
        weft.graph("bilateral=30")(image, progress=stop)
    assert len(seen) == 1 and 0 <= seen[0] <= 1
    with pytest.raises(ZeroDivisionError):
        weft.graph("bilateral=30")(image, progress=lambda done: 1 / 0)
