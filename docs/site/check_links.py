#!/usr/bin/env python3
"""Follows the links of a rendered site that stay in it: check_links.py FOLDER.

Exit code 1 if one leads nowhere, or if a page loads something from another host."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


def is_elsewhere(link):
    parts = urlsplit(link)
    return bool(parts.scheme or parts.netloc)


class Page(HTMLParser):
    """What a page links to and loads, and the places in it that can be linked to."""

    def __init__(self, path):
        super().__init__()
        self.links = []
        self.loads = []
        self.anchors = {"", "__skip"}
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value is not None:
                self.links.append(value)
                if tag not in ("a", "base") and not value.startswith("data:"):
                    self.loads.append(value)


def faults(folder):
    """One line for each fault, and how many links were followed."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    found, followed = [], 0
    for path, page in pages.items():
        name = path.relative_to(folder)
        found += [f"{name}: loads {link} from another host" for link in page.loads if is_elsewhere(link)]
        for link in page.links:
            if is_elsewhere(link):
                continue
            followed += 1
            parts = urlsplit(link)
            start = folder if parts.path.startswith("/") else path.parent
            target = (start / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                found.append(f"{name}: {link} leads to no file")
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                found.append(f"{name}: {link} leads to no place in its page")
    return found, followed


def main():
    found, followed = faults(Path(sys.argv[1]).resolve())
    for fault in sorted(set(found)):
        print(f"lrwp site: {fault}", file=sys.stderr)
    if not followed:
        sys.exit(f"lrwp site: {sys.argv[1]} has no page with a link")
    print(f"lrwp site: {followed} links followed, {len(set(found))} faults", file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
