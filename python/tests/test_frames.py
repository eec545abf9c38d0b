# SPDX-License-Identifier: MIT
"""Filters with a memory: streams of frames."""

import concurrent.futures
import gc

import numpy
import pytest
import pyweft as weft
from conftest import picture

FRAMES = picture((9, 21, 37, 3), "float32")


def low_pass(frames, share):
    made = [frames[0].astype("float64")]
    for frame in frames[1:]:
        made.append(frame * share + made[-1] * (1 - share))
    return numpy.stack(made)


def test_frames_one_by_one_and_several_at_once():
    plan = weft.plan("low_pass=0.7", FRAMES[0])
    assert plan.remembers and not weft.plan("gamma=2", FRAMES[0]).remembers
    stream, want = plan.frames(), low_pass(FRAMES, 0.3)
    for t, frame in enumerate(FRAMES):
        assert numpy.abs(stream(frame) - want[t]).max() < 1e-6 and stream.count == t + 1
    stream.reset()
    assert stream.count == 0
    made = numpy.concatenate([stream(FRAMES[:4]), stream.run(FRAMES[4:])])
    assert numpy.abs(made - want).max() < 1e-6
    assert numpy.array_equal(plan.run(FRAMES[5]), FRAMES[5])  # without a stream every frame is a first one


def test_streams_share_a_plan():
    plan = weft.plan("frame_delay=2", FRAMES[0])
    one, other = plan.frames(), plan.frames()
    for t, frame in enumerate(FRAMES):
        assert numpy.array_equal(one(frame), FRAMES[max(t - 2, 0)] if t >= 2 else one.plan.run(FRAMES[t]))
        assert numpy.array_equal(other(FRAMES[-1]), FRAMES[-1])
    del plan, one
    gc.collect()
    assert numpy.array_equal(other(FRAMES[-1]), FRAMES[-1])


def test_streams_in_many_threads():
    plan, want = weft.plan("low_pass=0.7", FRAMES[0]), low_pass(FRAMES, 0.3)[-1]

    def run(_):
        stream = plan.frames()
        return [stream(frame) for frame in FRAMES][-1]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(numpy.abs(made - want).max() < 1e-6 for made in pool.map(run, range(32)))


def test_two_threads_at_one_stream():
    large = numpy.zeros((1500, 1500, 3), "uint8")
    stream = weft.plan("bilateral=8,low_pass=0.7", large).frames()

    def inside(done):
        with pytest.raises(weft.ArgumentError, match="one run at a time"):
            stream(large)
        with pytest.raises(weft.ArgumentError, match="one run at a time"):
            stream.reset()
        return False

    with pytest.raises(weft.CancelledError):
        stream(large, progress=inside)


def test_frames_that_do_not_fit():
    stream = weft.plan("low_pass=0.7", FRAMES[0]).frames()
    with pytest.raises(weft.FormatError):
        stream(FRAMES[0][:5])
    assert stream(FRAMES[0]) is not None
