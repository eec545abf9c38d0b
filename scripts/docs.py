#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs.py [--check] WEFT: writes the reference of all filters, docs/filters/, from their descriptions, that of all commands,
docs/commands.md, from their help, and the pictures, docs/pictures/, by running their examples. --check writes nothing: it says
which pages are out of date and runs every example."""

import json
import os
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

PHOTO = "examples/photo.jpg"
PART = "crop=300:120:640:480"  # of the photograph, shown at half size
WIDTH = 320
PAGES, PICTURES, COMMANDS = "docs/filters", "docs/pictures", "docs/commands.md"
FAMILIES = {
    "arithmetic": "Sums, differences and products of two pictures",
    "blend": "Two pictures into one",
    "blur": "Blurring, smoothing and sharpening",
    "color": "Color and tone",
    "compare": "How two pictures differ",
    "edge": "Edges and other small neighborhoods",
    "feature": "Corners, patterns and other features",
    "generate": "Pictures from nothing",
    "geometry": "Size and place",
    "key": "Color keys",
    "morphology": "Growing, shrinking and sorting",
    "reduce": "Numbers from pictures",
    "time": "Filters of frames, with a memory",
    "tone": "Levels by the histogram",
    "video": "Luma and chroma of video",
}


def weft(*words):
    done = subprocess.run([tool, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(done.stderr, end="", flush=True)
        done.check_returncode()
    return done.stdout


def example_of(item):
    """The command that help shows, for the shipped photograph."""
    lines = weft("help", item["name"]).split("\n")
    words = shlex.split(lines[lines.index("example") + 1])
    return ["examples/" + word if word == "photo.jpg" else word for word in words]


def shown(words):
    return " ".join(f"'{word}'" if i and set(word) & set("[];=|#,:*@") else word for i, word in enumerate(words))


def number(value):
    return f"{value:.10g}"


def values_of(parameter):
    kind = parameter["type"]
    if kind == "choice":
        text = ", ".join(f"`{choice}`" for choice in parameter["choices"])
    elif kind == "bool":
        text = "0 or 1"
    else:
        limit = 2147483646 if kind == "int" else 1e30
        low, high = parameter["minimum"] > -limit, parameter["maximum"] < limit
        text = {"list": "numbers joined by `|`, each ", "floats": f"{parameter['count']} numbers joined by `|`, each ",
                "color": "a color, or components joined by `|`, each "}.get(kind, "")
        text += (f"{number(parameter['minimum'])} to {number(parameter['maximum'])}" if low and high else
                 f"at least {number(parameter['minimum'])}" if low else
                 f"at most {number(parameter['maximum'])}" if high else "any number")
        text += f" {parameter['unit']}" if parameter["unit"] else ""
        text += ", whole" if kind == "int" else ""
    return text + (", or `auto`" if parameter["automatic"] else "")


def picture_of(item):
    """The name of its picture; None for filters whose example makes numbers."""
    return f"{item['name']}.jpg" if example_of(item)[-1].endswith(".png") else None


def cell(text):
    return text.replace("|", "\\|")


def section(item):
    step = f" A building block of {item['step_of']}." if item["step_of"] else ""
    lines = [f"## {item['name']}", "", item["summary"] + "." + step, ""]
    picture = picture_of(item)
    if picture:
        lines += [f"![{item['name']}](../pictures/{picture})", ""]
    lines += ["```text", shown(example_of(item)), "```", ""]
    if item["parameters"]:
        lines += ["| parameter | default | values | meaning |", "|---|---|---|---|"]
        for parameter in item["parameters"]:
            meaning = parameter["doc"] + ("" if parameter["dynamic"] else " \\*")
            lines.append(f"| `{parameter['name']}` | {cell('`' + parameter['default'] + '`')} | "
                         f"{cell(values_of(parameter))} | {cell(meaning)} |")
        lines.append("")
    inputs = item["inputs"]
    facts = [f"kind {item['kind']}",
             "no input" if inputs == 0 else f"{inputs} input{'s' if inputs > 1 else ''}",
             "integer formats come out the same on every device" if item["exact"] else
             f"devices differ by at most {item['tolerance']:.2g} of full scale in f32"]
    if item["aliases"]:
        facts.append("also called " + ", ".join(f"`{alias}`" for alias in item["aliases"]))
    lines += ["; ".join(facts)[0].upper() + "; ".join(facts)[1:] + "."]
    if item["alpha"]:
        lines += [f"Alpha: {item['alpha']}."]
    if item["source"]:
        lines += [f"Source: {item['source']}."]
    return lines + [""]


def page(family, items):
    lines = ["<!-- Written by scripts/docs.py from the filters' descriptions: do not edit. -->",
             f"# {FAMILIES.get(family, family.capitalize())}", "",
             "[All filters](README.md). Parameters are given in this order, or by name. Those with \\* are part of the "
             "plan: changing one takes a new plan.", ""]
    for item in items:
        lines += section(item)
    return "\n".join(lines)


def index(families):
    lines = ["<!-- Written by scripts/docs.py from the filters' descriptions: do not edit. -->", "# Filters", "",
             "Every filter with its parameters, a command and what the command makes. The pictures are made from the "
             f"middle of [{PHOTO}](../../{PHOTO}) and shown at half its size:", "",
             "![before](../pictures/before.jpg)", ""]
    for family, items in families.items():
        lines += [f"## [{FAMILIES.get(family, family.capitalize())}]({family}.md)", "", "| filter | |", "|---|---|"]
        for item in items:
            step = f": a step of {item['step_of']}" if item["step_of"] else ""
            lines.append(f"| [{item['name']}]({family}.md#{item['name']}) | {cell(item['summary'])}{step} |")
        lines.append("")
    return "\n".join(lines)


def commands():
    """The commands that help lists, each with its help."""
    listed = [line.split()[1] for line in weft("help").split("\n") if line.startswith("  weft ") and line.split()[1].islower()]
    names = list(dict.fromkeys(listed[:listed.index("generate") + 1]))
    lines = ["<!-- Written by scripts/docs.py from the tool's help: do not edit. -->", "# Commands and their options", "",
             "What `weft help COMMAND` says of each command. `weft FILTER`, as `weft gaussian`, takes the options of `weft run`,",
             "but for `--graph` and `--file`, and the filter's [parameters](filters/README.md) as options.", ""]
    for name in names:
        synopsis, _, rest = weft("help", name).rstrip("\n").partition("\n")
        lines += [f"## weft {name}", "", f"`{synopsis}`", "", "```text", rest, "```", ""]
    return "\n".join(lines)


def pages():
    families = {}
    for item in json.loads(weft("list", "--json")):
        families.setdefault(item["family"], []).append(item)
    texts = {f"{PAGES}/{family}.md": page(family, items) for family, items in families.items()}
    texts[f"{PAGES}/README.md"] = index(families)
    texts[COMMANDS] = commands()
    return texts, [item for items in families.values() for item in items]


def run_example(item, photo, output):
    """Runs the example with other files in place of the photograph and the result."""
    return weft(*[photo if word == PHOTO else output if word == "out.png" else word for word in example_of(item)[1:]])


def small(source, target):
    with open(source, "rb") as file:
        width, = struct.unpack(">I", file.read(20)[16:])
    graph = f"resize={WIDTH}" if width > WIDTH else "crop"
    weft("run", "-q", "82", source, graph, target)


def write_pictures(items, folder):
    shutil.rmtree(PICTURES, ignore_errors=True)
    os.makedirs(PICTURES)
    part, output = os.path.join(folder, "part.png"), os.path.join(folder, "out.png")
    weft("run", PHOTO, PART, part)
    small(part, f"{PICTURES}/before.jpg")
    for item in items:
        if picture_of(item):
            run_example(item, part, output)
            small(output, f"{PICTURES}/{picture_of(item)}")
    weft("run", PHOTO, "-f", "examples/demo.weft", output)
    weft("run", PHOTO, output, "-f", "examples/before-after.weft", part)
    weft("run", "-q", "85", part, "resize=768", f"{PICTURES}/before-after.jpg")


def write(texts, items, folder):
    shutil.rmtree(PAGES, ignore_errors=True)
    os.makedirs(PAGES)
    for name, text in texts.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    write_pictures(items, folder)
    print(f"{len(texts) - 1} pages in {PAGES}, {COMMANDS}, {len(os.listdir(PICTURES))} pictures in {PICTURES}")


def check(texts, items, folder):
    wrong = []
    there = {f"{PAGES}/{name}" for name in (os.listdir(PAGES) if os.path.isdir(PAGES) else [])}
    there |= {COMMANDS} if os.path.exists(COMMANDS) else set()
    for name in sorted(there | set(texts)):
        if name not in texts or name not in there or open(name, encoding="utf-8").read() != texts[name]:
            wrong.append(f"{name} is not what 'make docs' writes")
    done = len(there | set(texts))
    part = os.path.join(folder, "part.png")  # what the pictures are made from, too
    weft("run", PHOTO, PART, part)
    for item in items:
        done += 1
        output = os.path.join(folder, item["name"] + ".png")
        try:
            said = run_example(item, part, output)
            if picture_of(item):
                if not os.path.exists(output) or not os.path.exists(f"{PICTURES}/{picture_of(item)}"):
                    wrong.append(f"{item['name']}: a picture is missing")
            elif not said:
                wrong.append(f"{item['name']}: the example prints nothing")
        except subprocess.CalledProcessError as error:
            wrong.append(f"{item['name']}: the example exits with {error.returncode}")
    print("".join(line + "\n" for line in wrong), end="")
    print(f"docs: {done - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--check"]
    if len(words) != 1:
        sys.exit("usage: docs.py [--check] WEFT")
    tool = os.path.abspath(words[0])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    with tempfile.TemporaryDirectory(prefix="weft-docs-") as folder:
        sys.exit((check if "--check" in sys.argv else write)(*pages(), folder))
