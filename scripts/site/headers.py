# SPDX-License-Identifier: MIT
"""The C interface from the comments of the public headers: a page per header, an entry per declaration."""

import glob
import html
import os
import re
import textwrap

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import CLexer

FOLDER = "include/weft"
NAME = re.compile(r"\b((?:weft|WEFT)_\w+)\b")


def comment_text(comment):
    lines = [re.sub(r"^ ?\*? ?", "", line, count=1) for line in comment.strip()[2:-2].split("\n")]
    return "\n".join([lines[0].strip()] + [line.rstrip() for line in lines[1:]])


def split(text):
    """The header's own comment, and its entries: (comment or "", declarations)."""
    first = re.match(r"/\*.*?\*/", text, flags=re.S)
    intro = re.sub(r"^SPDX-License-Identifier: MIT\n", "", comment_text(first[0]))
    body = text[first.end():]
    body = re.sub(r"#ifdef __cplusplus\n(?:extern \"C\" \{|\})\n#endif\n", "", body)
    body = re.sub(r"^#(?:include|endif|ifndef WEFT_\w+_H|define WEFT_\w+_H).*\n", "", body, flags=re.M)
    entries, comment, code, depth = [], "", [], 0
    lines = body.split("\n")

    def end():
        nonlocal comment, code
        if "".join(code).strip():
            entries.append((comment, "\n".join(code).strip("\n")))
            comment = ""
        code = []

    i = 0
    while i < len(lines):
        line = lines[i]
        if depth == 0 and line.startswith("/*"):
            end()
            start = i
            while "*/" not in lines[i]:
                i += 1
            comment = comment_text("\n".join(lines[start:i + 1]))
        elif depth == 0 and not line.strip():
            end()
        else:
            code.append(line)
            bare = re.sub(r"/\*.*?\*/|\"[^\"]*\"", "", line)
            depth += bare.count("{") + bare.count("(") - bare.count("}") - bare.count(")")
        i += 1
    end()
    return intro, entries


def names_of(code):
    """What an entry declares: functions, types, enumerators and macros."""
    bare = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    names = re.findall(r"\bWEFT_API [^;(]*?(weft_\w+)\(", bare)
    names += re.findall(r"\}\s*(weft_\w+);", bare) + re.findall(r"typedef (?:struct )?\w+ (weft_\w+);", bare)
    names += re.findall(r"#define (WEFT_\w+)", bare)
    for block in re.findall(r"enum \w*\s*\{(.*?)\}", bare, flags=re.S):
        names += re.findall(r"\b(WEFT_\w+)", block)
    return list(dict.fromkeys(names))


def builders(text, shown):
    """The generated header without what it has for each filter but one: that is on the filters' pages."""
    head, *sections = re.split(r"(?m)^(?=/\* ---- )", text)
    return head + "".join(section for section in sections if section.startswith(f"/* ---- {shown}:"))


class Reference:
    def __init__(self, generated):
        self.headers = {}  # "graph" -> (introduction, entries)
        self.where = {}    # name -> page#name
        for path in sorted(glob.glob(f"{FOLDER}/*.h")):
            stem = os.path.splitext(os.path.basename(path))[0]
            with open(path, encoding="utf-8") as file:
                self.headers[stem] = split(file.read())
        self.headers["builders"] = split(builders(generated, "gaussian"))
        for stem, (_, entries) in self.headers.items():
            for _, code in entries:
                for name in names_of(code):
                    self.where.setdefault(name, f"{stem}.html#{name}")

    def linked(self, text, own=(), folder=""):
        def link(match):
            target = self.where.get(match[1])
            return match[1] if not target or match[1] in own else f'<a href="{folder}{target}">{match[1]}</a>'
        return NAME.sub(link, text)

    def prose(self, text):
        parts = []
        for block in filter(str.strip, re.split(r"\n\s*\n", text)):
            if all(line.startswith("    ") for line in block.split("\n") if line):
                parts.append(f"<pre><code>{html.escape(textwrap.dedent(block))}</code></pre>")
            else:
                inner = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(block.strip(), quote=False))
                parts.append(f"<p>{self.linked(inner)}</p>")
        return "".join(parts)

    def code(self, code, own=(), folder=""):
        plain = re.sub(r"^WEFT_API ([^;]*;)", lambda call: call[1].replace("\n" + " " * len("WEFT_API "), "\n"), code,
                       flags=re.M)  # how names are exported is no part of what they mean
        shown = highlight(plain, CLexer(), HtmlFormatter(nowrap=True))
        shown = re.sub(r">((?:weft|WEFT)_\w+)<", lambda m: ">" + self.linked(m[1], own, folder) + "<", shown)
        return f"<pre><code>{shown}</code></pre>"

    def entry(self, comment, code):
        names = names_of(code)
        anchors = "".join(f'<span id="{name}"></span>' for name in names)
        return f'<div class="entry">{anchors}{self.prose(comment)}{self.code(code, names)}</div>'

    def page(self, stem):
        intro, entries = self.headers[stem]
        body = [f"<h1>weft/{stem}.h</h1>", self.prose(intro)]
        body += [self.entry(comment, code) for comment, code in entries if code.strip()]
        return "".join(body)

    def index(self):
        rows = []
        for stem, (intro, entries) in self.headers.items():
            if stem == "weft":
                continue
            functions = [name for _, code in entries for name in names_of(code) if name.startswith("weft_")]
            links = ", ".join(f'<a href="{self.where[name]}">{name}</a>' for name in functions)
            rows.append(f'<h2><a href="{stem}.html">weft/{stem}.h</a></h2>{self.prose(intro)}<p>{links}</p>')
        return "<h1>C interface</h1>" + self.prose(
            "Everything by `#include \"weft/weft.h\"`, or header by header. Every call that can fail returns a "
            "weft_status and fills in a weft_error.") + "".join(rows)
