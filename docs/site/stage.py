#!/usr/bin/env python3
"""Copies the pages of the site, and what they show, to where the renderer reads them: stage.py TREE TARGET.

Pages keep their places of the tree, so links between them hold. A link to a folder or to a source file has no page to go
to: its text stays. Any other link that leads nowhere is an error, as is a document that the site leaves out."""

import posixpath
import re
import shutil
import sys
import tomllib
from pathlib import Path

SITE = Path("docs/site")
OWN_PAGES = SITE / "pages"
# The renderer makes index.html of a README, which here is the landing page.
START = "start.md"
PICTURES = (".svg", ".png")
LINK = re.compile(r"(?P<text>!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((?P<target>[^()\s]+)\)")
INCLUDE = re.compile(r'^<!-- include (?P<path>\S+) after "(?P<after>[^"]+)" before "(?P<before>[^"]+)" -->$', re.M)


def pages_of(nav):
    """All paths below an entry of the navigation."""
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, dict):
        for value in nav.values():
            yield from pages_of(value)
    else:
        for entry in nav:
            yield from pages_of(entry)


class Stage:
    def __init__(self, tree, target):
        self.tree = tree
        self.target = target
        self.faults = []
        self.settings = (tree / SITE / "zensical.toml").read_text()
        self.pages = list(pages_of(tomllib.loads(self.settings)["project"]["nav"]))

    def run(self):
        shutil.rmtree(self.target, ignore_errors=True)
        self.target.mkdir(parents=True)
        (self.target / "zensical.toml").write_text(self.settings.replace('"README.md"', f'"{START}"'))
        self.put(self.tree / SITE / "site.css", "site.css")
        for page in self.pages:
            self.copy_page(page)
        for path in sorted((self.tree / "docs").rglob("*.md")):
            page = path.relative_to(self.tree).as_posix()
            if page not in self.pages and OWN_PAGES not in path.relative_to(self.tree).parents:
                self.faults.append(f"{page} is not in the navigation of {SITE}/zensical.toml")

    def source(self, page):
        own = self.tree / OWN_PAGES / page
        return own if own.exists() else self.tree / page

    def copy_page(self, page):
        source = self.source(page)
        if not source.is_file():
            self.faults.append(f"{SITE}/zensical.toml: there is no page {page}")
            return
        text = INCLUDE.sub(lambda found: self.included(page, found), source.read_text())
        self.place(START if page == "README.md" else page).write_text(self.linked(page, text))

    def included(self, page, found):
        """A part of another page, with its links as they are from here."""
        path, after, before = found["path"], found["after"], found["before"]
        text = (self.tree / path).read_text()
        start = text.find(after)
        end = text.find(before, start + len(after))
        if start < 0 or end < 0:
            self.faults.append(f'{page}: {path} has no part after "{after}" and before "{before}"')
            return ""
        folder, here = posixpath.dirname(path), posixpath.dirname(page) or "."

        def moved(link):
            if is_elsewhere(link["target"]):
                return link[0]
            name, mark, anchor = link["target"].partition("#")
            name = posixpath.relpath(posixpath.join(folder, name), here) if name else posixpath.relpath(path, here)
            return f'{link["text"]}({name}{mark}{anchor})'

        return LINK.sub(moved, text[start + len(after) : end].strip())

    def linked(self, page, text):
        """The text of a page in which each link leads to something that the site has."""

        def resolved(link):
            target = link["target"]
            if is_elsewhere(target) or target.startswith("#"):
                return link[0]
            name = posixpath.normpath(posixpath.join(posixpath.dirname(page), target.partition("#")[0]))
            if name == "README.md":
                start = posixpath.relpath(START, posixpath.dirname(page) or ".")
                return f'{link["text"]}({start}{target[target.find("#"):] if "#" in target else ""})'
            if name in self.pages:
                return link[0]
            path = self.source(name)
            if path.suffix in PICTURES and path.is_file():
                self.put(path, name)
                return link[0]
            if path.suffix == ".md" or not path.exists():
                self.faults.append(f"{page}: the link to {target} leads to no page")
            return link["text"][1:-1]

        return LINK.sub(resolved, text)

    def place(self, name):
        path = self.target / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def put(self, path, name):
        shutil.copy(path, self.place(name))


def is_elsewhere(target):
    return re.match(r"[a-z]+:", target) is not None


def main():
    stage = Stage(Path(sys.argv[1]), Path(sys.argv[2]))
    stage.run()
    for fault in stage.faults:
        print(f"lrwp site: {fault}", file=sys.stderr)
    sys.exit(1 if stage.faults else 0)


if __name__ == "__main__":
    main()
