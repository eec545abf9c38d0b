#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generate.py WEFT FOLDER: writes _filters.py and _filters.pyi, a function and a method for each filter, from the
descriptions that the tool prints. Nothing about a filter is written by hand."""

import json
import keyword
import os
import subprocess
import sys

OPTIONS = {  # of every function, behind its parameters
    "layout": ('"HWC"', "Layout"), "alpha_form": ("None", "AlphaForm | None"), "dtype": ("None", "DType | None"),
    "out": ("None", "Array | None"), "device": ("None", "Device | str | None"), "stream": ("None", "object"),
}
HEAD = '''# SPDX-License-Identifier: MIT
"""The filters, made from their descriptions by generate.py."""

'''
IMAGES = ["image", "other", "third", "fourth"]
LARGE = 1e30


def number(text):
    value = float(text)
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def default_of(parameter):
    """As Python text."""
    kind, text = parameter["type"], parameter["default"]
    if parameter["automatic"] and text == "auto":
        return "None"
    if kind == "choice":
        return repr(text).replace("'", '"')
    if kind == "bool":
        return "True" if text in ("1", "true", "yes") else "False"
    if kind in ("color", "floats", "list"):
        numbers = [number(part) for part in text.split("|")]
        return f"({', '.join(numbers)}{',' * (len(numbers) == 1)})"
    return number(text) if kind == "int" else repr(float(text))


def annotation_of(parameter):
    kind = parameter["type"]
    if kind == "choice":
        return "Literal[" + ", ".join(f'"{choice}"' for choice in parameter["choices"]) + "]"
    name = {"float": "float | Number", "int": "int", "bool": "bool", "color": "Color"}.get(kind, "Numbers")
    return name + (" | None" if parameter["automatic"] else "")


def range_of(parameter):
    kind = parameter["type"]
    if kind == "choice":
        return "one of " + ", ".join(f'"{choice}"' for choice in parameter["choices"])
    if kind == "bool":
        return "bool"
    low, high = parameter["minimum"], parameter["maximum"]
    limit = 2147483646 if kind == "int" else LARGE
    words = {"float": "float", "int": "int", "color": "a number, 3 or 4 numbers, or the text of a color, each",
             "floats": f"{parameter['count']} numbers, each", "list": "numbers, each"}[kind]
    words += (f" {low:.10g} to {high:.10g}" if low > -limit and high < limit else f" at least {low:.10g}" if low > -limit
              else f" at most {high:.10g}" if high < limit else " of any size")
    words += f" {parameter['unit']}" if parameter["unit"] else ""
    return words + (", or None to let the filter choose" if parameter["automatic"] else "")


def python_name(name):
    return name + "_" if keyword.iskeyword(name) else name


def document(item, images):
    lines = [item["summary"] + ".", ""]
    if images:
        lines += [f"{', '.join(images)}: {'an array' if len(images) == 1 else 'arrays'} of uint8, uint16, float16 or float32, "
                  "1 to 4 channels; full scale is 1.0 of floats. Leading axes are batches."]
    for parameter in item["parameters"]:
        lines += [f"{python_name(parameter['name'])}: {range_of(parameter)}; {parameter['doc']}"
                  f"{'' if parameter['dynamic'] else ' (another value makes another plan)'}."]
    if has_space(item):
        lines += ['space: "linear" works in linear light; None on the numbers as they are.']
    lines += ["layout, alpha_form, dtype, out, device, stream: see help(weft)."]
    lines += ["", "Returns an array of the library and in the memory that the first image has; numbers of a reduction as a "
              "float or float64 array."]
    if item.get("alpha"):
        lines += [f"Alpha: {item['alpha']}."]
    lines += ["Integer formats come out the same on every device." if item["exact"] else
              f"Devices differ by at most {item['tolerance']:.2g} of full scale."]
    lines += ["Raises weft.ParameterError for values that are out of range, weft.FormatError for arrays that are no images "
              "or do not fit together."]
    lines += [f"Source: {item['source']}."] if item["source"] else []
    lines += [f"As graph text: {item['example']}"]
    return [line.replace("\\", "\\\\").replace('"""', "'''") for line in lines]


def wrapped(line, indent, width=118):
    out, words = [], line.split(" ")
    while words:
        row = words.pop(0)
        while words and len(indent + row) + 1 + len(words[0]) <= width:
            row += " " + words.pop(0)
        out.append(indent + row)
    return [row.rstrip() for row in out]


def has_space(item):
    return item["inputs"] > 0 and all(parameter["name"] != "space" for parameter in item["parameters"])


def values_of(item):
    names = [python_name(parameter["name"]) for parameter in item["parameters"]] + ["space"] * has_space(item)
    return f"({', '.join(names)}{',' * (len(names) == 1)})"


def parameters_of(item, typed):
    words = []
    for parameter in item["parameters"]:
        annotation = f": {annotation_of(parameter)}" if typed else ""
        equals = " = " if typed else "="
        words.append(f"{python_name(parameter['name'])}{annotation}{equals}{default_of(parameter)}")
    if has_space(item):
        words.append('space: Literal["encoded", "linear"] | None = None' if typed else "space=None")
    return words


def options_of(typed, images):
    chosen = [name for name in OPTIONS if images or name not in ("alpha_form", "stream")]
    return ["*"] + [f"{name}: {OPTIONS[name][1]} = {OPTIONS[name][0]}" if typed else f"{name}={OPTIONS[name][0]}"
                    for name in chosen]


def signature(name, words, result=""):
    line, lines = f"def {name}(", []
    indent = " " * 8
    for i, word in enumerate(words):
        word += ", " if i + 1 < len(words) else f"){result}:"
        if len(line) + len(word) > 116:
            lines.append(line.rstrip())
            line = indent
        line += word
    return lines + [line] if words else [line + f"){result}:"]


def write_item(item, lines, methods, makers, typed):
    name, images = item["name"], IMAGES[:item["inputs"]]
    own = {python_name(parameter["name"]) for parameter in item["parameters"]}
    taken = own & (set(OPTIONS) | set(images) | {"self"})
    if taken or keyword.iskeyword(name):
        sys.exit(f"generate.py: the filter {name} has the parameters {sorted(taken)}, which the function needs itself")
    parameters = parameters_of(item, typed)
    annotated = [f"{image}: Array" if typed else image for image in images]
    text = document(item, images)
    body = [row for line in ['"""' + text[0]] + text[1:] + ['"""'] for row in (wrapped(line, "    ") if line else [""])]
    lines += [""] + signature(name, annotated + parameters + options_of(typed, images), " -> Any" if typed else "")
    number_name = f"_{name.upper()}"
    if typed:
        lines[-1] += " ..."
    else:
        form, stream = ("alpha_form", "stream") if images else ("None", "None")
        lines += body + [f"    return _call({number_name}, ({''.join(image + ', ' for image in images)}), {values_of(item)}, "
                         f"layout, {form}, dtype, out, device, {stream})", ""]
        lines.insert(lines.index(signature(name, annotated + parameters + options_of(typed, images))[0]),
                     f'{number_name} = _number("{name}")')
        lines += [f"{alias} = {name}" for alias in item["aliases"] if alias.isidentifier()]
    typed_nodes = [f"{image}: Node" if typed else image for image in images[1:]]
    first = ["self"] if images else []
    rows = signature(name, first + typed_nodes + parameters, " -> Node" if typed else "")
    into = methods if images else makers
    into += [""] + ([] if images else ["    @staticmethod"]) + ["    " + row for row in rows]
    if typed:
        into[-1] += " ..."
    else:
        into += [f'        """{text[0]}"""']
        nodes = ", ".join(["self"] * bool(images) + images[1:])
        into += [f"        return _add({number_name}, ({nodes}{',' * (len(images) == 1)}), {values_of(item)})"]


def module_text(items, typed):
    lines, methods, makers = [], [], []
    for item in items:
        write_item(item, lines, methods, makers, typed)
    head = HEAD
    if typed:
        head += ("from typing import Any, Literal, Sequence, Union\n\n"
                 "from ._core import Device\nfrom ._graph import Node, Number\n\n"
                 "Array = Any\nLayout = str\nDType = Any\nAlphaForm = Literal[\"none\", \"straight\", \"premultiplied\"]\n"
                 "Numbers = Union[Sequence[float], Sequence[Sequence[float]], Any]\nColor = Union[float, Sequence[float], str]\n")
    else:
        names = [item["name"] for item in items]
        head += ("from ._core import call_filter as _call, filter_number as _number\n"
                 "from ._nodes import add as _add\n\n"
                 f"__all__ = {json.dumps(names + ['Chain', 'make'])}\n")
    text = head + "\n".join(lines) + "\n\n\n" + "class Chain:\n" + '    """What every node of a graph can be followed by."""\n'
    text += "\n".join(methods) + "\n\n\n"
    text += "class make:\n" + '    """Nodes that make a picture from nothing."""\n' + "\n".join(makers) + "\n"
    return text


def main():
    weft, folder = sys.argv[1:]
    items = [json.loads(subprocess.check_output([weft, "help", item["name"], "--json"]))
             for item in json.loads(subprocess.check_output([weft, "list", "--json"]))]
    items.sort(key=lambda item: item["name"])
    for name, typed in (("_filters.py", False), ("_filters.pyi", True)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(module_text(items, typed))


main()
