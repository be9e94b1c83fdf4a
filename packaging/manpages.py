#!/usr/bin/env python3
"""Writes the manual pages from the help texts and the sample configuration, so that they say the same."""

import argparse
import os
import re
import subprocess
import time


def escape(text):
    """Text as roff: no line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def header(name, section, version):
    """The title line; its date is the commit's."""
    day = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    return f'.TH {name.upper()} {section} {day} "LRWP {version}"\n'


def command_page(name, what, version, text, see):
    """A page around a help text."""
    return (
        header(name, 1, version)
        + f".SH NAME\n{escape(name)} \\- {escape(what)}\n.SH DESCRIPTION\n.nf\n{escape(text.rstrip())}\n.fi\n"
        + f".SH SEE ALSO\n{see}\n"
    )


def properties_page(version, sample):
    """A page of the keys: the sample has a comment and a commented default for each."""
    page = header("lrwp.properties", 5, version) + ".SH NAME\nlrwp.properties \\- configuration of the LRWP proxy\n"
    page += ".SH DESCRIPTION\nA UTF\\-8 file of lines \\fIkey\\fR = \\fIvalue\\fR. Check it with \\fBlrwp check\\fR.\n"
    page += ".SH KEYS\n"
    about = []
    for line in sample.splitlines():
        setting = re.match(r"#(\S+) =(.*)", line)
        if setting and about:
            default = setting[2].strip()
            page += f".TP\n.B {escape(setting[1])}\n{escape(' '.join(about))}\n"
            page += f"Default: {escape(default)}\n" if default else ""
            about = []
        elif line.startswith("# "):
            about.append(line[2:])
        elif not line:
            about = []
    return page + ".SH SEE ALSO\n.BR lrwp (1)\n"


def main():
    """Reads the options and writes all pages."""
    options = argparse.ArgumentParser()
    for name in ("version", "properties", "launcher", "connect", "output"):
        options.add_argument("--" + name, required=True)
    given = options.parse_args()

    def help_of(program):
        return subprocess.run([program, "help"], check=True, capture_output=True, text=True).stdout

    with open(given.properties, encoding="utf-8") as sample:
        keys = properties_page(given.version, sample.read())
    launcher = help_of(given.launcher).replace("./lrwp", "lrwp")
    pages = {
        "man1/lrwp.1": command_page(
            "lrwp", "HTTP proxy that programs dial in to", given.version, launcher,
            ".BR lrwp.properties (5), lrwp\\-connect (1)",
        ),
        "man1/lrwp-connect.1": command_page(
            "lrwp-connect", "makes any program a peer of an LRWP proxy", given.version, help_of(given.connect),
            ".BR lrwp (1)",
        ),
        "man5/lrwp.properties.5": keys,
    }
    for path, text in pages.items():
        with open(os.path.join(given.output, path), "w", encoding="utf-8") as file:
            file.write(text)


main()
