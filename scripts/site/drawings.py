# SPDX-License-Identifier: MIT
"""Plans as pictures: what `weft plan --dot` says, drawn by Graphviz."""

import html
import posixpath
import subprocess


def drawer(weft, site_write, folder="drawings"):
    """A function that draws the plan of some arguments into the site and returns the figure for a page."""
    made = {}

    def plan(words):
        return subprocess.check_output([weft, "plan", "--device", "cpu", "--threads", "1", *words])

    def draw(words, page):
        key = " ".join(words)
        if key not in made:
            made[key] = f"{folder}/plan-{len(made) + 1}.svg"
            dot = plan(["--dot", *words]).replace(b"rankdir=LR", b"rankdir=TB")  # fits narrow screens
            svg = subprocess.run(["dot", "-Tsvg", "-Gbgcolor=transparent", "-Gfontname=sans-serif", "-Gfontsize=12",
                                  "-Nfontsize=11", "-Nmargin=0.12,0.06", "-Ncolor=#1d4e5f", "-Gcolor=#b5651d",
                                  "-Ecolor=#5d676b", "-Earrowsize=0.7", "-Gnodesep=0.2", "-Granksep=0.35"],
                                 input=dot, check=True, stdout=subprocess.PIPE).stdout
            site_write(made[key], svg)
        address = posixpath.relpath(made[key], posixpath.dirname(page) or ".")
        return (f'<figure class="drawing"><img src="{address}" alt="the plan of {html.escape(key)}">'
                "<figcaption>drawn from <code>weft plan --dot</code>: a frame is a pass over memory, a box a step that "
                "keeps a few rows</figcaption></figure><details class=\"more\"><summary>The plan in words</summary>"
                f"<pre><code>{html.escape(plan(words).decode())}</code></pre></details>")
    return draw
