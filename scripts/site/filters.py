# SPDX-License-Identifier: MIT
"""The filters' pages: one per family, with parameters, definition, cost, accuracy and a picture before and after."""

import html
import json
import re
import subprocess

import docs  # scripts/docs.py, which says the same in Markdown

KINDS = {
    "point": "each pixel from the same pixel of its inputs; joins the pass of its neighbors in a graph",
    "generator": "each pixel from its place alone",
    "stencil": "each pixel from neighbors within three pixels",
    "window": "each pixel from a neighborhood, weighted by the pixels themselves",
    "separable": "a row of weights, then a column of weights",
    "composite": "a graph of other filters",
    "warp": "each pixel from another place of the input",
    "lookup": "each pixel through a table that is a second image",
    "resample": "weights along each axis at places of its own",
    "reduce": "the whole image to a few numbers",
}


def code(text):
    return f"<code>{html.escape(text)}</code>"


def inline(text):
    """The little Markdown that values_of() writes."""
    return re.sub(r"`([^`]+)`", lambda match: f"<code>{match[1]}</code>", html.escape(text, quote=False))


def cost_of(item):
    """The line of its help."""
    lines = docs.weft("help", item["name"]).split("\n")
    return next((line[len("cost"):].strip() for line in lines if line.startswith("cost ")), "")


def definition_of(item):
    """What stands in the filter's file after its description: the mathematics."""
    path = f"src/filters/{item['family']}/{item['name']}.c"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parts = re.split(r'^#include "(?:filter|filters)/[^"]+"\n', text, flags=re.M)
    return path, parts[-1].strip() if len(parts) > 1 else ""


def builder_of(header, name):
    """The choices, the struct and the function of weft/builders.h."""
    options = f"weft_{name}_options"
    struct = re.search(rf"^typedef struct {options} \{{.*?^\}} {options};", header, flags=re.S | re.M)
    call = re.search(rf"^static inline (weft_status weft_add_{name}\([^{{]*\))", header, flags=re.M)
    if not struct or not call:
        return ""
    enums = [line for line in re.findall(r"^typedef enum .*;$", header, flags=re.M)
             if re.search(rf"\b{line.split()[-1][:-1]} ", struct[0])]
    members = re.sub(r" WEFT_DEFAULT\(.*\);.*", ";", struct[0])
    return "\n".join([*enums, members, call[1] + ";"])


class Filters:
    def __init__(self, weft, reference, builders, measured):
        self.reference, self.header, self.measured = reference, builders, measured
        docs.tool = weft
        self.families = {}
        for item in json.loads(subprocess.check_output([weft, "list", "--json"])):
            self.families.setdefault(item["family"], []).append(item)

    def title(self, family):
        return docs.FAMILIES.get(family, family.capitalize())

    def parameters(self, item):
        if not item["parameters"]:
            return ""
        head = "".join(f"<th>{word}</th>" for word in ("parameter", "default", "values", "meaning"))
        rows = "".join(f"<tr><td>{code(parameter['name'])}</td><td>{code(parameter['default'])}</td>"
                       f"<td>{inline(docs.values_of(parameter))}</td>"
                       f"<td>{html.escape(parameter['doc'])}{'' if parameter['dynamic'] else ' *'}</td></tr>"
                       for parameter in item["parameters"])
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'

    def facts(self, item):
        inputs = item["inputs"]
        facts = [("kind", f"{item['kind']}: {KINDS[item['kind']]}" if item["kind"] in KINDS else item["kind"]),
                 ("inputs", "none, it makes the image" if inputs == 0 else str(inputs)),
                 ("accuracy", "integer formats come out the same on every device" if item["exact"] else
                  f"devices differ by at most {item['tolerance']:.2g} of full scale in f32")]
        cost = cost_of(item)
        time = self.measured.get(item["example"])
        if time:
            ratio = float(format(time["ratio"], ".2g"))
            cost += (f"; when this page was made its example took {ratio:g} times as long as a copy of the same bytes "
                     f"({time['width']}x{time['height']} {time['format']}, {time['device']}, "
                     f"{time['threads']} thread{'s' if time['threads'] != 1 else ''})")
        facts.append(("cost", cost))
        facts += [("also called", ", ".join(item["aliases"]))] if item["aliases"] else []
        facts += [("building block", "of " + item["step_of"])] if item["step_of"] else []
        facts += [("source", item["source"])] if item["source"] else []
        rows = "".join(f"<dt>{name}</dt><dd>{html.escape(text)}</dd>" for name, text in facts)
        return f'<dl class="facts">{rows}</dl>'

    def pictures(self, item):
        picture = docs.picture_of(item)
        if not picture:
            return ""
        before = ("" if item["inputs"] == 0 else
                  '<figure><img src="../pictures/before.jpg" alt="before" width="320" height="240">'
                  "<figcaption>before</figcaption></figure>")
        after = (f'<figure><img src="../pictures/{picture}" alt="after {item["name"]}" loading="lazy">'
                 "<figcaption>after</figcaption></figure>")
        return f'<div class="pair">{before}{after}</div>'

    def code(self, text):
        return self.reference.code(text, folder="../api/")

    def section(self, item):
        path, text = definition_of(item)
        defined = (f'<details class="more"><summary>Definition, from {html.escape(path)}</summary>'
                   f"{self.code(text)}</details>" if text else "")
        built = builder_of(self.header, item["name"])
        built = f'<details class="more"><summary>In C, weft/builders.h</summary>{self.code(built)}</details>'
        head = f'<h2 id="{item["name"]}">{item["name"]}</h2><p class="lead">{html.escape(item["summary"])}.</p>'
        example = html.escape(docs.shown(docs.example_of(item)))
        return (f"<section>{head}{self.pictures(item)}<pre><code>{example}</code></pre>"
                f"{self.parameters(item)}{self.facts(item)}{defined}{built}</section>")

    def page(self, family):
        items = self.families[family]
        links = ", ".join(f'<a href="#{item["name"]}">{item["name"]}</a>' for item in items)
        return (f"<h1>{html.escape(self.title(family))}</h1><p>{links}</p><p>Parameters are given in this order, or by "
                "name. Those with * are part of the plan: changing one takes a new plan.</p>" +
                "".join(self.section(item) for item in items))

    def row(self, family, item):
        words = " ".join([item["name"], *item["aliases"], item["summary"], family]).lower()
        link = f'<a href="{family}.html#{item["name"]}">{item["name"]}</a>'
        return (f'<tr data-words="{html.escape(words)}"><td>{link}</td>'
                f"<td>{html.escape(item['summary'])}</td></tr>")

    def index(self):
        parts = ['<h1>Filters</h1><input class="find" type="search" placeholder="find a filter: blur, edge, key"'
                 ' aria-label="find a filter">']
        for family, items in self.families.items():
            rows = "".join(self.row(family, item) for item in items)
            head = f'<h2><a href="{family}.html">{html.escape(self.title(family))}</a></h2>'
            parts.append(f'<section data-family="{family}">{head}<div class="wide"><table><tbody>{rows}</tbody></table>'
                         "</div></section>")
        return "".join(parts)
