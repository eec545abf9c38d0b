# SPDX-License-Identifier: MIT
"""Graphs by text and by nodes, with several inputs and outputs; plans."""

import numpy
import pytest
import pyweft as weft
from conftest import picture


def test_text_and_nodes_are_the_same(color):
    want = weft.sobel(weft.gaussian(color, 4, dtype="float32"))
    by_text = weft.graph("gaussian=4,sobel")(color, dtype="float32")
    by_nodes = weft.input().gaussian(4).sobel()(color, dtype="float32")
    assert numpy.array_equal(by_text, by_nodes)
    assert numpy.abs(by_text - want).max() < 1e-5


def test_labels(color):
    graph = weft.graph("split[a][b];[a]gaussian=2[soft];[b]sobel[edges]")
    assert graph.labels == ("soft", "edges") and graph.inputs == ("0",)
    results = graph(color)
    assert numpy.array_equal(results["soft"], weft.gaussian(color, 2)) and results["edges"] is results[1]
    assert results.soft is results[0] and len(results) == 2
    with pytest.raises(KeyError, match="soft"):
        results["hard"]
    out = numpy.empty_like(color)
    assert graph(color, out={"soft": out})["soft"] is out
    with pytest.raises(weft.ArgumentError, match="hard"):
        graph(color, out={"hard": out})


def test_named_inputs(color):
    other = picture(color.shape, seed=2)
    graph = weft.graph("[photo]invert[a];[a][logo]blend_screen=0.5", inputs=("photo", "logo"))
    want = weft.graph("[0]invert[a];[a][1]blend_screen=0.5")(color, other)
    assert numpy.array_equal(graph(color, other), want)
    assert numpy.array_equal(graph(logo=other, photo=color), want)
    assert numpy.array_equal(graph(color, logo=other), want)
    for wrong in ({"photo": color}, {"photo": color, "logo": other, "more": other}, {"phto": color, "logo": other}):
        with pytest.raises(weft.ArgumentError):
            graph(**wrong)
    with pytest.raises(weft.ArgumentError, match="by place"):
        graph(color, photo=color, logo=other)


def test_nodes_with_several_ends(color):
    photo = weft.input("photo")
    soft = photo.gaussian(3)
    graph = weft.graph(soft=soft, glow=photo.blend_screen(soft, 0.6))
    results = graph(photo=color)
    assert numpy.abs(results["soft"].astype(int) - weft.gaussian(color, 3)).max() <= 1
    want = weft.graph("split[a][b];[b]gaussian=3[soft];[a][soft]blend_screen=0.6")(color)
    assert numpy.array_equal(results["glow"], want)


def test_numbers_as_parameters(color):
    photo = weft.input()
    grey = photo.grayscale()
    ours = photo.luminance_threshold(grey.reduce("mean")[0] * 0.9)(color)
    want = weft.graph("split[a][b];[a]grayscale,reduce=mean[m];[b]luminance_threshold=@m[0]*0.9")(color)
    assert numpy.array_equal(ours, want)
    assert numpy.array_equal(photo.luminance_threshold(grey.reduce("mean"))(color),
                             weft.graph("split[a][b];[a]grayscale,reduce=mean[m];[b]luminance_threshold=@m")(color))


def test_values_of_nodes_that_change_keep_the_plan(color):
    def run(value):
        return weft.input().gaussian(2).gamma(value)(color)

    run(1.2)
    made = weft.plans()["made"]
    assert not numpy.array_equal(run(1.3), run(2.3))
    assert weft.plans()["made"] == made


def test_makers(color):
    ours = weft.input().blend_multiply(weft.make.solid_color((1, 0, 0), width=53, height=37))(color)
    assert numpy.array_equal(ours[..., 0], color[..., 0]) and not ours[..., 1:].any()
    with pytest.raises(weft.ArgumentError):
        weft.input().blend_multiply(color)
    with pytest.raises(weft.ArgumentError):
        weft.graph()


def test_deep_graphs_do_not_recurse(color):
    node = weft.input()
    for _ in range(3000):
        node = node.invert()
    assert numpy.array_equal(node(color), color)


def test_plans(color):
    plan = weft.plan("gaussian=2,sobel", color)
    assert plan.passes >= 1 and plan.bytes > color.size and plan.workspace > 0 and plan.memory > 0
    assert plan.inputs == [(53, 37, 3, "uint8")] and plan.outputs == [(53, 37, 1, "uint8")]
    assert "sobel" in plan.explain() and plan.dot().startswith("digraph") and plan.json().startswith("{")
    assert numpy.array_equal(plan.run(color), weft.graph("gaussian=2,sobel")(color))
    out = numpy.empty((37, 53, 1), "uint8")
    assert plan.run(color, out=out) is out
    same = weft.plan("gaussian=2", ((1080, 1920, 3), "uint16"), device="cpu", dtype="uint8")
    assert same.outputs == [(1920, 1080, 3, "uint8")] and same.device == "cpu"
    with pytest.raises(weft.FormatError):
        plan.run(color[:-1])
    with pytest.raises(weft.ArgumentError):
        plan.run()
    assert "pass" in repr(plan)
    rgba = picture((20, 30, 4))
    assert numpy.array_equal(weft.plan("gaussian=2", rgba).run(rgba), weft.gaussian(rgba, 2))


def test_devices(color):
    one = weft.Device("cpu", threads=1)
    assert one.threads == 1
    assert numpy.array_equal(weft.median(color, 2, device=one), weft.median(color, 2))
    slow = weft.gaussian(color, 2, device="reference")
    assert numpy.abs(slow.astype(int) - weft.gaussian(color, 2)).max() <= 1
    assert any(device["backend"] == "cpu" and device["available"] for device in weft.devices())


def test_graphs_can_be_sent_to_other_processes(color):
    import pickle

    first, second = weft.input("one"), weft.input()
    made = weft.graph(soft=first.gaussian(2).blend_add(second), dark=second.gamma(first.reduce("mean")[1] * 3))
    for graph in (weft.graph("[a][1]blend_add", inputs="a"), made):
        again = pickle.loads(pickle.dumps(graph))
        assert again.inputs == graph.inputs and again.labels == graph.labels
        for ours, theirs in zip(numpy.atleast_1d(again(color, color[::-1])), numpy.atleast_1d(graph(color, color[::-1]))):
            assert numpy.array_equal(ours, theirs)
