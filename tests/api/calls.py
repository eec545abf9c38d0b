#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""calls.py FOLDER OUT.inc: writes the calls of tests/api/nulls.c: every function of the public headers in FOLDER, with
good arguments but one pointer, which is NULL, for each of its pointers, and with all of them NULL.

What a good argument is follows from its type and, where that is not enough, its name; a header that brings a new one
stops the build here, until GOOD or NAMED knows it."""

import re
import sys
from pathlib import Path

HANDLES = ("catalog", "device", "graph", "plan", "parameters", "queue", "state", "sequence", "reader", "writer")

# Types whose good value is for the name to say.
PLAIN = ("const char *", "void *", "const void *", "size_t", "int32_t", "int64_t", "weft_node")

# By type, and before that by function and name: expressions of nulls.c, whose struct `f` is new for each call.
GOOD = {
    "weft_error *": "&f.error",
    "const weft_image_info *": "&f.info",
    "weft_image_info *": "&f.any_info",
    "weft_device_info *": "&f.device_info",
    "const weft_device_options *": "&f.device_options",
    "const weft_queue_options *": "&f.queue_options",
    "const weft_reader_options *": "&f.reader_options",
    "const weft_writer_options *": "&f.writer_options",
    "const weft_plan_options *": "&f.plan_options",
    "const weft_custom_filter *": "&f.custom",
    "const weft_run *": "&f.run",
    "const weft_files *": "&f.files",
    "const weft_image *": "&f.image",
    "weft_image *": "&f.region",
    "const weft_filter_info *": 'weft_filter_find("gaussian")',
    "weft_node *": "&f.node",
    "const weft_node *": "&f.input",
    "const weft_value *": "&f.value",
    "const double *": "&f.number",
    "size_t *": "&f.size",
    "int64_t *": "&f.count",
    "char *": "f.text",
    "weft_kernels_each *": "count_kernel",
    "const weft_video_reader_options *": "NULL",
    "const weft_video_writer_options *": "NULL",
    "const weft_video_info *": "&(weft_video_info){.width = 0}",
    "const weft_video *": "&(weft_video){.graph = NULL}",
    "weft_video_reader *": "NULL",
    "const weft_video_reader *": "NULL",
    "weft_video_reader **": "&(weft_video_reader *){NULL}",
    "weft_video_writer *": "NULL",
    "const weft_video_writer *": "NULL",
    "weft_video_writer **": "&(weft_video_writer *){NULL}",
    "weft_video_frame **": "&(weft_video_frame *){NULL}",
    "weft_from *": "&(weft_from){.bound = false}",
    "weft_reach *": "&(weft_reach){.whole = false}",
    "weft_cells *": "&(weft_cells){.side = 0}",
    "weft_format *": "&f.format",
    "weft_format": "f.info.format",
    "weft_type": "WEFT_U8",
    "weft_status": "WEFT_OK",
    "weft_plan_format": "WEFT_PLAN_TEXT",
    "double": "1",
    "ptrdiff_t": "(ptrdiff_t)SIDE",
}
NAMED = {
    ("weft_catalog_find", "name"): '"gaussian"',
    ("weft_device_open", "name"): '"cpu"',
    ("weft_filter_find", "name"): '"gaussian"',
    ("weft_filter_nearest", "name"): '"gausian"',
    ("weft_format_parse", "text"): '"u8x3"',
    ("weft_format_print", "text"): "f.text",
    ("weft_graph_set_text", "text"): '"0.25"',
    ("weft_graph_join", "other"): "another(&f)",
    ("weft_graph_node_infos", "infos"): "(weft_image_info[16]){{.width = 0}}",
    ("weft_image_copy", "to"): "&f.other",
    ("weft_queue_copy", "to"): "&f.other",
    ("weft_memory_create", "image"): "&f.made",
    ("weft_memory_destroy", "image"): "&f.made",
    ("weft_plan_print", "text"): "&f.printed",
    ("weft_plan_reach", "output"): "0",
    ("weft_plan_reach", "input"): "0",
    ("weft_free", "memory"): "malloc(1)",
    ("weft_kernels_list", "user"): "&f",
    ("weft_kernels_device", "architecture"): "90",
    ("weft_kernels_pack", "devices"): "&f.device",
    ("weft_reader_open", "path"): "f.read_path",
    ("weft_reader_finish", "reader"): "read_all(&f)",
    ("weft_writer_finish", "writer"): "write_all(&f)",
    ("weft_video_settings", "settings"): '"codec=ffv1"',
    (None, "path"): "f.write_path",
    (None, "filter"): '"exposure"',
    (None, "parameter"): '"exposure"',
    (None, "text"): "GRAPH",
    (None, "length"): "strlen(GRAPH)",
    (None, "offset"): "0",
    (None, "size"): "sizeof f.text",
    (None, "rows"): "f.pixels",
    (None, "node"): "1",
    (None, "index"): "0",
    (None, "from"): "0",
    (None, "count"): "1",
    (None, "value_count"): "1",
    (None, "x"): "0",
    (None, "y"): "0",
    (None, "width"): "2",
    (None, "height"): "2",
}
# Where the headers allow NULL.
ALLOWED = {(None, "error"), (None, "options"), ("weft_graph_input", "node"), ("weft_graph_add", "node"),
           ("weft_graph_add_with", "node"), ("weft_catalog_graph", "catalog"), ("weft_catalog_parse", "catalog"),
           ("weft_kernels_clear", "removed"), ("weft_kernels_list", "user")}
# What good arguments get depends on the machine: only NULL is tried.
MACHINE = {"weft_kernels_device", "weft_kernels_pack", "weft_filter_video", "weft_video_reader_open", "weft_video_reader_read",
           "weft_video_writer_open", "weft_video_writer_frame", "weft_video_writer_write", "weft_video_writer_finish"}
NEEDED = {("weft_plan_create", "options")}


def prototypes(folder: Path) -> list[tuple[str, str, list[tuple[str, str]]]]:
    found = []
    for path in sorted(folder.glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for match in re.finditer(r"WEFT_API\s+([^;#{]*?)(\w+)\(([^;]*?)\);", text, flags=re.S):
            result, name, arguments = (re.sub(r"\s+", " ", part).strip() for part in match.groups())
            pairs = []
            for argument in [] if arguments == "void" else arguments.split(","):
                kind, word = re.fullmatch(r"\s*(.*?)(\w+)\s*", argument).groups()
                pairs.append((kind.strip(), word))
            found.append((result, name, pairs))
    return found


def good(function: str, kind: str, name: str) -> str:
    if (function, name) in NAMED:
        return NAMED[function, name]
    if kind in PLAIN and (None, name) in NAMED:
        return NAMED[None, name]
    handle = re.fullmatch(r"(?:const )?weft_(\w+) (\*\*?)", kind)
    if handle and handle[1] in HANDLES:
        if handle[2] == "*":
            return f"f.{handle[1]}"
        ends = function.endswith(("_destroy", "_close", "_abandon", "_finish"))
        return f"&f.{handle[1]}" if ends else f"&f.new_{handle[1]}"
    if kind in GOOD:
        return GOOD[kind]
    raise SystemExit(f"calls.py: {function} takes a '{kind}' named {name}, which GOOD and NAMED do not know")


def calls(result: str, function: str, arguments: list[tuple[str, str]]) -> list[str]:
    pointers = [i for i, (kind, _) in enumerate(arguments) if kind.endswith("*")]
    lines = []
    for nulls in [[]] + [[i] for i in pointers] + ([pointers] if len(pointers) > 1 else []):
        words = ["NULL" if i in nulls else good(function, kind, name) for i, (kind, name) in enumerate(arguments)]
        call = f"{function}({', '.join(words)})"

        def may(i: int) -> bool:
            name = arguments[i][1]
            return (function, name) not in NEEDED and bool({(function, name), (None, name)} & ALLOWED)

        wanted = "GOOD" if all(may(i) for i in nulls) else "REFUSED"
        if wanted == "GOOD" and function in MACHINE:
            continue
        if result == "weft_status" and arguments:
            lines.append(f"CASE({wanted}, {call})")
        elif result == "void":
            lines.append(f"CASE_VOID({call})")
        else:
            lines.append(f"CASE_VOID((void){call})")
    return lines


def main() -> int:
    found = prototypes(Path(sys.argv[1]))
    lines = [line for prototype in found for line in calls(*prototype)]
    text = "/* Written by tests/api/calls.py. */\n" + "\n".join(lines) + "\n"
    Path(sys.argv[2]).write_text(text)
    return 0 if len(found) > 50 else 1


if __name__ == "__main__":
    sys.exit(main())
