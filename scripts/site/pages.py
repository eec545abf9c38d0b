# SPDX-License-Identifier: MIT
"""Pages of the site: Markdown to HTML, links from the tree's files to the site's pages, and the frame around all."""

import html
import os
import posixpath
import re
import shlex
import string

import markdown

HERE = os.path.dirname(os.path.abspath(__file__))
ASIDE = [".c", ".weft", ".txt"]  # files of the tree that pages may link to and that go along


class Site:
    """Where pages go, what they are called, and which file of the tree each is made from."""

    def __init__(self, out, version, draw):
        self.out, self.version, self.draw = out, version, draw
        self.menu = []    # (heading, [(page, title)])
        self.sources = {}  # file of the tree -> page
        self.copied = set()
        with open(os.path.join(HERE, "template.html"), encoding="utf-8") as file:
            self.template = string.Template(file.read())

    def write(self, name, data):
        path = os.path.join(self.out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def copy(self, source, name):
        if name not in self.copied:
            self.copied.add(name)
            with open(source, "rb") as file:
                self.write(name, file.read())
        return name

    def navigation(self, page, root):
        parts = []
        for heading, entries in self.menu:
            parts.append(f"<strong>{html.escape(heading)}</strong><ul>")
            for name, title in entries:
                here = ' aria-current="page"' if name == page else ""
                parts.append(f'<li><a href="{root}{name}"{here}>{html.escape(title)}</a></li>')
            parts.append("</ul>")
        return "".join(parts)

    def page(self, name, title, body):
        root = "../" * name.count("/")
        title = title if title.startswith("weft") else f"{title} - weft"
        self.write(name, self.template.substitute(title=html.escape(title), root=root, body=body, version=self.version,
                                                  menu=self.navigation(name, root)))

    # ---- Markdown

    def target(self, source, link, page):
        """Where a link of a Markdown file leads on the site; None when what it names is not part of it."""
        address, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", address) or not address:
            return link
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), address))
        name = self.sources.get(path)
        if name is None and os.path.isfile(path) and path.startswith(("docs/pictures/", "docs/plots/")):
            name = self.copy(path, path[len("docs/"):])
        elif name is None and os.path.isfile(path) and (os.path.splitext(path)[1] in ASIDE or path == "LICENSE"):
            name = self.copy(path, "files/" + (path if "." in path else path + ".txt"))
        if name is None:
            return None
        return posixpath.relpath(name, posixpath.dirname(page) or ".") + ("#" + anchor if anchor else "")

    def linked(self, text, source, page):
        def link(match):
            target = self.target(source, html.unescape(match[1]), page)
            return f'<a href="{html.escape(target)}">{match[2]}</a>' if target else match[2]

        def image(match):
            target = self.target(source, html.unescape(match[2]), page)
            return f"{match[1]}{html.escape(target)}\"" if target else match[0]

        text = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, text, flags=re.S)
        return re.sub(r'(<img [^>]*?src=")([^"]*)"', image, text)

    def drawn(self, text, page):
        """After a block of commands the drawing of every plan that it prints."""
        def block(match):
            figures = []
            for line in html.unescape(re.sub(r"<[^>]*>", "", match[0])).split("\n"):
                words = shlex.split(line, comments=True) if line.startswith("weft plan ") else []
                if words and "--json" not in words:
                    figures.append(self.draw(words[2:], page))
            return match[0] + "".join(figures)
        return re.sub(r'<div class="codehilite"><pre>.*?</pre></div>', block, text, flags=re.S)

    def markdown_page(self, source, name):
        with open(source, encoding="utf-8") as file:
            text = file.read()
        body = markdown.markdown(text, extensions=["fenced_code", "tables", "toc", "codehilite", "sane_lists"],
                                 extension_configs={"codehilite": {"guess_lang": False}})
        body = re.sub(r"<table>.*?</table>", r'<div class="wide">\g<0></div>', body, flags=re.S)
        body = self.drawn(self.linked(body, source, name), name)
        self.page(name, title_of(source), body)


def title_of(source):
    """The first heading of a Markdown file."""
    with open(source, encoding="utf-8") as file:
        return next((line[2:].strip().replace("`", "") for line in file if line.startswith("# ")), source)
