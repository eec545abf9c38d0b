# SPDX-License-Identifier: MIT
"""Mistakes in what is typed: the message, its caret, the nearest name, exit status 2."""

from tool import check, check_caret, check_in, files, need, need_blend, need_pointwise, weft, write_ppm


def test_mistyped_command():
    check_in("'weft run'", weft("rum", status=2)[1])
    check_in("'weft devices'", weft("device", status=2)[1])
    check_in("run, convert", weft("qqqqqqqqqqqq", status=2)[1])
    weft("--json", status=2)


def test_filter_as_command():
    need("gaussian")
    check_in("weft gaussian in.png out.png", weft("gaussian", status=2)[1])
    write_ppm("in.ppm")
    check_in("sigma", weft("gaussian", "in.ppm", "out.ppm", "--sigma", status=2)[1])
    check_in("'--sigmo'", weft("gaussian", "in.ppm", "out.ppm", "--sigmo", "4", status=2)[1])
    weft("gaussian", "in.ppm", "out.ppm", "--graph", "sobel", status=2)
    check(files() == ["in.ppm"])


def test_file_as_command():
    write_ppm("in.ppm")
    check_in("weft run in.ppm", weft("in.ppm", "gaussian", "out.ppm", status=2)[1])


def test_options():
    check_in("'--threads'", weft("run", "--thread", "2", "x", status=2)[1])
    check_in("needs a value", weft("run", "--threads", status=2)[1])
    check_in("takes no option", weft("list", "--threads", "2", status=2)[1])
    check_in("takes no value", weft("list", "--json=1", status=2)[1])
    for words in (["--threads", "-1"], ["--threads", "x"], ["--threads", "99999999999999999999"], ["--quality", "0"],
                  ["--type", "u7"], ["--to", "gif89"]):
        weft("run", *words, "a", "b", "c", status=2)
    for words in (["--size", "12"], ["--size", "0x4"], ["--size", "4x"], ["--size", "axb"], ["--format", "u8x9"],
                  ["--format", "q"], ["--alpha", "some"]):
        weft("plan", *words, "gaussian", status=2)
    weft("bench", "--seconds", "nan", "gaussian", status=2)
    weft("run", "-f", "a", "-g", "b", status=2)


def test_unknown_filter_has_caret_and_nearest():
    need("gaussian", "sobel")
    write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm", "sobel,gausian=4", "out.ppm", status=2)
    check_caret(errors, "sobel,gausian=4", "gausian")
    check_in("'gaussian'", errors)
    _, errors = weft("plan", "gaussian=sigmaa=4", status=2)
    check_caret(errors, "gaussian=sigmaa=4", "sigmaa")
    check_in("sigma", errors)
    check(files() == ["in.ppm"])


def test_parameter_out_of_range():
    need("gaussian")
    for graph, word in (("gaussian=-1", "-1"), ("gaussian=sigma=x", "x"), ("gaussian=2:border=moon", "moon")):
        _, errors = weft("plan", graph, status=2)
        check_caret(errors, graph, word)


def test_caret_after_wide_text_and_in_long_graphs():
    need("gaussian")
    chain = ",".join(["gaussian=1"] * 60)
    _, errors = weft("plan", chain + ",gausian," + chain, status=2)
    check(max(map(len, errors.splitlines())) < 200, "the shown part is short")
    lines = errors.splitlines()
    check(lines[1][lines[2].index("^"):lines[2].rindex("^") + 1] == "gausian", errors)
    _, errors = weft("plan", "[größe]gaussian[é];[é]gausian", status=2)
    lines = errors.splitlines()
    check("^" in lines[2])


def test_no_graph():
    need("gaussian")
    write_ppm("in.ppm")
    _, errors = weft("run", "in.ppm", "gausian", "out.ppm", status=2)
    check_in("'gaussian'", errors)
    check_in("no graph", weft("run", "in.ppm", "out.ppm", status=2)[1])
    check_in("weft help run", weft("run", status=2)[1])
    weft("run", "in.ppm", status=2)


def test_missing_file_is_reported_as_missing():
    need("gaussian")
    for path in ("photo.jgp", "photo.jpg", "folder/photo"):
        _, errors = weft("run", path, "gaussian=4", "out.ppm", status=1)
        check_in(path, errors)
        check("^" not in errors, errors)
    check(files() == [])


def test_wrong_number_of_files():
    blend, point = need_blend(), need_pointwise()
    write_ppm("a.ppm")
    check_in("takes 2 inputs", weft("run", "a.ppm", blend, "out.ppm", status=2)[1])
    check_in("takes 1 input", weft("run", "a.ppm", "a.ppm", point, "out.ppm", status=2)[1])
    check_in("1 output", weft("run", "a.ppm", point, status=2)[1])
    check_in("1 output", weft("run", "a.ppm", point, "x.ppm", "y.ppm", status=2)[1])
    check(files() == ["a.ppm"])


def test_different_sizes():
    blend = need_blend()
    write_ppm("a.ppm", 64, 48)
    write_ppm("b.ppm", 32, 48)
    weft("run", "a.ppm", "b.ppm", blend, "out.ppm", status=2)
    check(files() == ["a.ppm", "b.ppm"])
    need("poisson_blend")
    refused = weft("run", "a.ppm", "b.ppm", "poisson_blend", "out.ppm", status=2)[1]
    check_in("poisson_blend: it needs images of one size", refused)
    check(refused.count("needs") == 1)


def test_unknown_device():
    point = need_pointwise()
    write_ppm("a.ppm")
    check_in("did you mean 'cpu'?", weft("run", "--device", "cpuu", "a.ppm", point, "out.ppm", status=1)[1])
    for name in ("cpu:1", "cuda:99", "vulkan:99", "vulkan:no such thing", "nonsense"):
        weft("run", "--device", name, "a.ppm", point, "out.ppm", status=1)
    check(files() == ["a.ppm"])


def test_options_of_filters():
    """What a filter has not is told by what it has."""
    need("crop", "gaussian", "resize", "compare")
    write_ppm("in.ppm")
    check_in("'10' is no file; parameters are options: weft crop IN OUT --x 10",
             weft("crop", "in.ppm", "out.ppm", "10", "10", status=2)[1])
    check_in("--flip_x takes no value: to give it turns it on, and --flip_x=0 turns it off",
             weft("transpose", "in.ppm", "out.ppm", "--flip_x", "1", status=2)[1])
    check_in("'weft gaussian' has no option '-sigma': did you mean '--sigma'?",
             weft("gaussian", "in.ppm", "out.ppm", "-sigma", "2", status=2)[1])
    check_in("did you mean weft compare FILES --measure psnr?", weft("psnr", "in.ppm", "in.ppm", status=2)[1])
    check_in("'crop=9' is a graph, not a command: weft run IN 'crop=9' OUT", weft("crop=9", "in.ppm", "out.ppm", status=2)[1])
    check_in("no name of a file is given for it", weft("crop", "in.ppm", status=2)[1])
    check_in("files for outputs stand behind it, as in: weft run in.png GRAPH out.png",
             weft("run", "in.ppm", "out.ppm", "crop", status=2)[1])
    _, errors = weft("crop", "in.ppm", "out.ppm", "--gravity", "center", status=2)
    check_in("'weft crop' has no option '--gravity'; of its own it has --x, --y, --width, --height", errors)
    check_in("did you mean '--sigma'", weft("gaussian", "in.ppm", "out.ppm", "--sigm", "2", status=2)[1])
    check_in("fit takes 2 numbers joined by x or |, 1 given", weft("resize", "in.ppm", "o.ppm", "--fit", "9", status=2)[1])
    weft("gaussian", "in.ppm", "out.ppm", "--sigma=2", "--threads=1", "--device", "cpu")
    check_in("weft help cookbook", weft("text", "in.ppm", status=2)[1])
    check_in("weft help cookbook", weft("help", "text", status=2)[1])
