#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py WEFT OUT [MEASURES]: the whole site into the folder OUT, from the tree, the tool's descriptions and the
headers' comments. MEASURES is what `weft bench --all --json` printed; without it pages say nothing of times."""

import glob
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "scripts"))

import drawings  # noqa: E402
import headers  # noqa: E402
import pages  # noqa: E402
from filters import Filters  # noqa: E402

# Those that a reader wants first.
FIRST = ["README.md", "docs/README.md", "docs/tutorial.md", "docs/graph.md", "docs/in-c.md", "docs/how-it-works.md"]
TITLES = {"README.md": "Start", "docs/README.md": "All pages"}


def name_of(source):
    if source == "README.md":
        return "index.html"
    return os.path.splitext(source.removeprefix("docs/").replace("/", "-"))[0].lower() + ".html"


def main():
    weft, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    measured = {}
    if len(sys.argv) > 3:
        with open(sys.argv[3], encoding="utf-8") as file:
            measured = {row["graph"]: row for row in json.load(file)}
    os.chdir(ROOT)
    shutil.rmtree(out, ignore_errors=True)
    version = subprocess.check_output([weft, "--version"], text=True).split()[1]
    site = pages.Site(out, version, None)
    site.draw = drawings.drawer(weft, site.write)
    generated = subprocess.check_output([weft, "generate", "builders"], text=True)
    reference = headers.Reference(generated)
    filters = Filters(weft, reference, generated, measured)

    more = sorted({*glob.glob("docs/*.md"), *glob.glob("docs/log/*.md"), "CONTRIBUTING.md", "examples/README.md"} - set(FIRST))
    sources = {source: "examples.html" if source == "examples/README.md" else name_of(source)
               for source in [*FIRST, *more]}
    entry = lambda source: (sources[source], TITLES.get(source, pages.title_of(source)))  # noqa: E731
    site.menu = [("weft", [entry(source) for source in FIRST]),
                 ("Filters", [("filters/index.html", "All")] + [(f"filters/{family}.html", filters.title(family))
                                                                for family in filters.families]),
                 ("C interface", [("api/index.html", "All")] + [(f"api/{stem}.html", f"weft/{stem}.h")
                                                                for stem in reference.headers if stem != "weft"]),
                 ("More", [entry(source) for source in more])]
    site.sources = {**sources, "include/weft": "api/index.html", "include/weft/weft.h": "api/index.html",
                    "docs": "readme.html", "docs/filters": "filters/index.html", "docs/filters/README.md": "filters/index.html",
                    "src/filters": "filters/index.html", "examples": "examples.html",
                    **{f"include/weft/{stem}.h": f"api/{stem}.html" for stem in reference.headers if stem != "weft"},
                    **{f"docs/filters/{family}.md": f"filters/{family}.html" for family in filters.families}}

    for name in ("style.css", "search.js", "icon.svg"):
        site.copy(os.path.join(pages.HERE, name), name)
    for picture in glob.glob("docs/pictures/*"):
        site.copy(picture, picture[len("docs/"):])
    for source, name in sources.items():
        site.markdown_page(source, name)
    site.page("filters/index.html", "Filters", filters.index())
    for family in filters.families:
        site.page(f"filters/{family}.html", filters.title(family), filters.page(family))
    site.page("api/index.html", "C interface", reference.index())
    for stem in reference.headers:
        if stem != "weft":
            site.page(f"api/{stem}.html", f"weft/{stem}.h", reference.page(stem))
    count = sum(len(names) for _, _, names in os.walk(out))
    print(f"{len(glob.glob(f'{out}/**/*.html', recursive=True))} pages, {count} files: {out}/index.html")


main()
