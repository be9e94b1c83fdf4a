#!/usr/bin/env python3
"""Prints a commented configuration file from the table of keys of a page of docs/."""

import re
import sys


def rows(page):
    """The key, default, allowed values, time of change and explanation of each row of the tables."""
    inside = False
    for line in page.splitlines():
        if re.match(r"<!-- .*keys: (begin|end)", line):
            inside = "begin" in line
        elif inside and line.startswith("| `"):
            cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if len(cells) == 5:
                yield cells


def main():
    """Reads the page that the command line names."""
    with open(sys.argv[1], encoding="utf-8") as page:
        found = list(rows(page.read()))
    print("# Every key with its default. Uncomment what you change.")
    for key, default, allowed, changes, what in found:
        key, default = key.strip("`"), default.strip("`")
        print(f"\n# {what.replace('`', '')}\n# Allowed: {allowed}. A change takes effect {changes}.")
        print(f"#{key} = {default}".rstrip())


main()
