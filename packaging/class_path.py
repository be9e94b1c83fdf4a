#!/usr/bin/env python3
"""Prints the files that a jar's manifest has in its class path: older ones may lie beside them after a change of versions."""

import pathlib
import sys
import zipfile


def main():
    """Reads the jar that the command line names."""
    jar = pathlib.Path(sys.argv[1])
    with zipfile.ZipFile(jar) as archive:
        manifest = archive.read("META-INF/MANIFEST.MF").decode()
    for line in manifest.replace("\r\n", "\n").replace("\n ", "").split("\n"):
        if line.startswith("Class-Path: "):
            for name in line.removeprefix("Class-Path: ").split():
                print(jar.parent / name)


main()
