# SPDX-License-Identifier: MIT
"""The commands that only tell something: help, list, plan, bench, devices."""

import json
import os
import re
import shutil
import subprocess

import tool
from tool import Skip, check, check_in, need, need_gpus, weft


def test_no_arguments_teach():
    _, errors = subprocess_usage()
    for word in ("run", "list", "help", "plan", "bench", "devices", "kernels"):
        check_in(f"weft {word}", errors)
    check(len(errors.splitlines()) <= 24, "more than a screen")
    check(max(map(len, errors.splitlines())) <= 100, "lines too long")


def subprocess_usage():
    done = subprocess.run([tool.path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    check(done.returncode == 2, "usage without arguments is exit 2")
    return done.stdout.decode(), done.stderr.decode()


def test_version():
    out, _ = weft("--version")
    check(out.startswith("weft ") and out.count(".") == 2, out)


def test_libraries_are_opened_late():
    """What takes longer to load than to filter a picture is not linked with."""
    tool.need_plain_build()
    if not shutil.which("ldd"):
        raise Skip("no ldd")
    loaded = subprocess.run(["ldd", tool.path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for name in ("avif", "aom", "dav1d", "avcodec", "freetype", "vulkan", "cuda"):
        check(f"lib{name}." not in loaded, f"lib{name} is loaded at the start")


def test_help_of_tool_and_commands():
    for words in (["help"], ["--help"], ["-h"]):
        check_in("weft run", weft(*words)[0])
    for name in ("run", "list", "help", "plan", "bench", "devices", "kernels"):
        check_in(f"weft {name}", weft("help", name)[0])
        check_in(f"weft {name}", weft(name, "--help")[0])
    check_in("--threads", weft("run", "--help")[0])
    check_in("[0]", weft("help", "graph")[0])


def test_help_of_every_filter():
    for name, info in tool.filters.items():
        out, _ = weft("help", name)
        check_in(info["summary"], out)
        for parameter in info["parameters"]:
            check_in(parameter["name"] + "=", out)
            check_in(parameter["doc"], out)
        check("\ncost  " in out or not info["example"], f"{name}: no cost")
        check(f"weft bench '{info['example']}'" in out or not info["example"], f"{name}: no example")
        for alias in info["aliases"]:
            check_in(info["summary"], weft("help", alias)[0])
    name = sorted(tool.filters)[0]
    check(weft(name, "--help")[0] == weft("help", name)[0])
    check(json.loads(weft("help", name, "--json")[0])["name"] == name)


def test_help_shows_defaults_ranges_example_and_cost():
    need("gaussian")
    out, _ = weft("help", "gaussian")
    for part in ("sigma=2 ", "0 to 10000 px", "weft run photo.jpg 'gaussian=4' out.png", "1 pass over memory", "12.4 MB"):
        check_in(part, out)


def test_help_of_unknown_name():
    need("gaussian")
    check_in("'gaussian'", weft("help", "gausian", status=2)[1])
    check_in("weft list", weft("help", "qqqqqqqqqqqq", status=2)[1])


def check_users_of_step(name, users):
    """Who uses a building block: filters by name, or "every KIND ..." of them."""
    kind = re.match(r"every ([a-z]+) ", users)
    if kind:
        check(any(info["kind"] == kind[1] for info in tool.filters.values()), f"{name} is a step of a kind that is there")
        return
    for other in re.findall(r"[a-z0-9_]+", users.split(" with ")[0].replace(" and ", " ")):
        check(other in tool.filters, f"{name} is a step of {other}, which is there")


def test_list():
    out, _ = weft("list")
    every, _ = weft("list", "--all")
    for name, info in tool.filters.items():
        check_in(f"  {name} ", every)
        check((f"\n  {name} " in out) == (not info["step_of"]), f"list shows {name} where a user would use it")
        if info["step_of"]:
            check_in(f": a step of {info['step_of']}\n", every)
            check_in(f"building block of {info['step_of']}", weft("help", name)[0])
            check_users_of_step(name, info["step_of"])
        check_in("\n" + info["family"] + "\n", "\n" + out)
    names = [item["name"] for item in json.loads(weft("list", "--json")[0])]
    check(sorted(names) == sorted(tool.filters) and len(set(names)) == len(names), "list --json has every filter once")
    name = sorted(tool.filters)[0]
    check_in(name, weft("list", name.upper())[0])
    weft("list", "qqqqqqqqqqqq", status=1)
    step = next((name for name, info in tool.filters.items() if info["step_of"]), None)
    if step:
        check_in("--all", weft("list", step, status=1)[1])
        check_in(f"  {step} ", weft("list", "--all", step)[0])
    weft("list", "--formats", "--all", status=2)


def test_devices():
    check_in("cpu", weft("devices")[0])
    devices = json.loads(weft("devices", "--json")[0])
    check(any(item["backend"] == "cpu" and item["available"] for item in devices))
    for backend in ("cuda", "vulkan"):  # there, or why not
        found = [item for item in devices if item["backend"] == backend]
        check(found and all(item["detail"] for item in found), f"nothing about {backend}")
    check(len({item["device"] for item in devices}) == len(devices), "names are unique")


def test_plan_says_why_auto_chose():
    need("gaussian")
    out, _ = weft("plan", "--size", "64x64", "gaussian=4")
    check(out.startswith("auto chose cpu: ") and "\n1 pass " in out, out)
    check_in("radius 1 and 2: a network", weft("plan", "--device", "cpu", "--explain", "median=2")[0])
    check("a network" not in weft("plan", "--device", "cpu", "median=2")[0], "reasons are asked for")
    weft("plan", "--explain", "--json", "median=2", status=2)
    check(json.loads(weft("plan", "--size", "64x64", "--json", "gaussian=4")[0])["auto"].startswith("auto chose cpu: "))
    check("auto chose" not in weft("plan", "--device", "cpu", "gaussian=4")[0], "who names a device does not ask")


def test_plan_and_bench_on_gpus():
    need("gaussian")
    for name in need_gpus():
        check_in(name.split(":")[0], weft("plan", "--device", name, "gaussian=4")[0])
        json.loads(weft("plan", "--device", name, "--json", "gaussian=4")[0])
        check_in("digraph", weft("plan", "--device", name, "--dot", "gaussian=4")[0])
        report = json.loads(weft("bench", "gaussian=2", "--size", "320x200", "--format", "f32x1", "--device", name,
                                 "--seconds", "0.05", "--json")[0])
        check(report["device"] == name and report["bytes"] == 2 * 320 * 200 * 4, report)
        check(0 < report["min_us"] <= report["time_us"] and report["copy_us"] > 0, report)


def test_plan():
    need("gaussian")
    out, _ = weft("plan", "gaussian=4")
    check(len(out) > 10, out)
    json.loads(weft("plan", "--json", "gaussian=4")[0])
    check_in("digraph", weft("plan", "--dot", "gaussian=4")[0])
    weft("plan", "--size", "320x200", "--format", "f32x1", "--device", "cpu", "--threads", "1", "gaussian=4")
    weft("plan", "--json", "--dot", "gaussian=4", status=2)
    weft("plan", status=2)
    weft("plan", "gaussian=4", "out.png", status=2)


def test_bench():
    need("gaussian")
    out, _ = weft("bench", "gaussian=2", "--size", "320x200", "--format", "f32x1", "--device", "cpu", "--threads", "1",
                  "--seconds", "0.05")
    check_in("ratio", out)
    report = json.loads(weft("bench", "gaussian=2", "--size", "320x200", "--format", "f32x1", "--device", "cpu",
                             "--threads", "1", "--seconds", "0.05", "--json")[0])
    for key in ("graph", "device", "width", "height", "format", "time_us", "min_us", "copy_us", "alone_us",
                "ratio", "passes", "bytes"):
        check_in(key, report)
    check(report["graph"] == "gaussian=2" and report["device"] == "cpu" and report["format"] == "f32x1", report)
    check(report["width"] == 320 and report["height"] == 200 and report["passes"] >= 1, report)
    check(report["bytes"] == 2 * 320 * 200 * 4, report)
    check(0 < report["min_us"] <= report["time_us"] and report["copy_us"] > 0, report)
    check(report["alone_us"] > 0, report)
    check(abs(report["ratio"] - report["time_us"] / report["copy_us"]) < 0.01 * report["ratio"], report)


def test_bench_all():
    tool.need_plain_build()
    # So short that few images are made for each graph.
    out, _ = weft("bench", "--all", "--size", "400x300", "--seconds", "0.0002", "--json", timeout=600)
    reports = json.loads(out)
    examples = [info["example"] for info in tool.filters.values() if info["example"]]
    check(sorted(report["graph"] for report in reports) == sorted(examples), "a report for every example")
    weft("bench", "--all", "gaussian=2", status=2)


def test_unwritable_standard_output():
    if not os.path.exists("/dev/full"):
        raise Skip("no /dev/full")
    for words in (["list"], ["--version"], ["help"], ["list", "--json"], ["devices"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([tool.path, *words], stdout=full, stderr=subprocess.PIPE, timeout=60)
        check(done.returncode == 1, f"{words}: exit status {done.returncode}")
        check_in("standard output", done.stderr.decode())


def test_catalogue_is_whole():
    """Every filter of docs/catalogue.md is there, by its name or an alias, once for each number from 1 on."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "catalogue.md")
    with open(folder, encoding="utf-8") as file:
        lines = [line.split("|") for line in file if line.startswith("| ") and line[2].isupper()]
    known = set()
    for item in json.loads(weft("list", "--json")[0]):
        known |= {item["name"], *item["aliases"]}
    numbers = [line[1].strip() for line in lines]
    for line in lines:
        for name in line[2].replace("`", "").split(","):
            check(not name.strip() or name.strip() in known, f"{line[1].strip()}: {name.strip()}")
    for family, count in (("P", 42), ("B", 30), ("S", 24), ("SP", 9), ("G", 22), ("R", 4), ("N", 7), ("M", 24), ("T", 4)):
        check([f"{family}{k + 1}" for k in range(count)] == [n for n in numbers if n.rstrip("0123456789") == family], family)


def test_topics():
    """They are told by what says so elsewhere: the cookbook's page, the list of formats."""
    page = os.path.join(tool.photos, "..", "docs", "cookbook.md")
    shown = weft("help", "cookbook")[0]
    if os.path.exists(page):
        with open(page, encoding="utf-8") as file:
            commands = [line for block in re.findall(r"^```sh\n(.*?)^```$", file.read(), flags=re.M | re.S)
                        for line in block.splitlines()]
        check(len(commands) > 30)
        for command in commands:
            check_in(f"\n    {command}\n", shown)
    check("`" not in shown and "](" not in shown, "no marks of Markdown")
    check(weft("help", "formats")[0] == weft("list", "--formats")[0])
    check_in("--device", weft("help", "devices")[0])
    check_in("did you mean 'cookbook'", weft("help", "cokbook", status=2)[1])
    for topic in ("graph", "formats", "cookbook"):
        check_in(topic, weft("help")[0])


def test_help_of_filters_has_tasks():
    """Commands of the cookbook that use them, and none of those that only have a file of such a name."""
    need("overlay", "cover", "tonemap")
    check_in("weft overlay examples/photo.jpg", weft("help", "overlay")[0])
    check_in("exposure=1,tonemap=hable", weft("help", "tonemap")[0])
    check_in("[1][0]cover[b]", weft("help", "cover")[0])
    check("cookbook" not in weft("help", "exclusion" if "exclusion" in tool.filters else "blend_exclusion")[0])
