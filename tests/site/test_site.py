#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_site.py SITE [SHOTS]: opens every page of the site in a real browser, on a wide and on a narrow screen. No
script may fail, no picture or file may be missing, nothing may be wider than the screen, and every link within the site
must lead to a page and a place in it. Pictures of the screens go to the folder SHOTS."""

import glob
import os
import sys
import urllib.parse
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from checked import check, done  # noqa: E402
from browser import Browser, find  # noqa: E402

SCREENS = {"wide": (1440, 900, False), "narrow": (390, 844, True)}
SHOWN = ["index.html", "graph.html", "how-it-works.html", "filters/index.html", "filters/blur.html", "api/graph.html",
         "api/builders.html"]
# Pictures that are loaded when they are scrolled to are asked for at once, and waited for.
LOOK = """(async () => {
    for (const image of document.images) image.loading = "eager";
    await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => null)));
    return {
        missing: Array.from(document.images).filter((image) => !image.naturalWidth).map((image) => image.src),
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        title: document.title,
        heading: document.querySelectorAll("h1").length,
        text: document.querySelector("main").innerText.length,
        menu: Array.from(document.querySelectorAll("nav"))
            .filter((nav) => nav.checkVisibility({contentVisibilityAuto: true})).length,
    };
})()"""


class Links(HTMLParser):
    """The links and the places of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.places.add(attributes["id"])
        for key in ("href", "src"):
            if key in attributes:
                self.links.append(attributes[key])


def check_links(site, names):
    pages = {}
    for name in names:
        with open(os.path.join(site, name), encoding="utf-8") as file:
            pages[name] = Links(file.read())
    for name, page in pages.items():
        for link in set(page.links):
            address, _, place = link.partition("#")
            parts = urllib.parse.urlsplit(address)
            if parts.scheme:
                check(parts.scheme == "https", f"{name}: {link} is no https link")
                continue
            there = os.path.join(os.path.dirname(name), urllib.parse.unquote(address))
            target = os.path.normpath(there) if address else name
            check(os.path.isfile(os.path.join(site, target)), f"{name}: {link} leads nowhere")
            if place and target in pages:
                check(place in pages[target].places, f"{name}: {link} leads to no place on its page")


def check_search(browser, address):
    """The field on the list of filters hides what does not match, and brings it back."""
    browser.open(address)
    type_in = ("((text) => { const field = document.querySelector('input.find'); field.value = text;"
               "field.dispatchEvent(new Event('input'));"
               "return Array.from(document.querySelectorAll('[data-words]')).filter((row) => row.offsetParent)"
               ".map((row) => row.querySelector('a').textContent); })")
    everything = browser.value(f"{type_in}('')")
    found = browser.value(f"{type_in}('gaussian blur')")
    check(len(everything) > 100 and 0 < len(found) < 20 and "gaussian" in found, f"the search finds {found}")
    check(browser.value(f"{type_in}('no such thing')") == [], "the search finds what is not there")


def main():
    site = os.path.abspath(sys.argv[1])
    screens = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    names = sorted(os.path.relpath(path, site) for path in glob.glob(f"{site}/**/*.html", recursive=True))
    check_links(site, names)
    program = find()
    if not program:
        print("there is no chromium")
        done("site", skipped=1)
    browser = Browser(program)
    try:
        for screen, size in SCREENS.items():
            browser.size(*size)
            for name in names:
                wrong = browser.open(f"file://{site}/{name}")
                seen = browser.value(LOOK)
                check(not wrong, f"{name}, {screen}: {wrong}")
                check(not seen["missing"], f"{name}, {screen}: pictures are missing: {seen['missing']}")
                check(seen["wide"] <= 0, f"{name}, {screen}: the page is {seen['wide']} pixels wider than the screen")
                check(seen["heading"] == 1 and seen["text"] > 100 and seen["title"],
                      f"{name}, {screen}: it has no content")
                check(seen["menu"] == (1 if screen == "wide" else 0),
                      f"{name}, {screen}: {seen['menu']} menus are shown")
                if screens and name in SHOWN:
                    os.makedirs(screens, exist_ok=True)
                    browser.picture(os.path.join(screens, f"{name.replace('/', '-')[:-5]}-{screen}.png"))
            check_search(browser, f"file://{site}/filters/index.html")
    finally:
        browser.close()
    done("site")


main()
