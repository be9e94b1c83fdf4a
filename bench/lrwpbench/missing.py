"""What a part needs and this machine has not: named in the report, never skipped in silence."""

import os
import shutil


class Missing(Exception):
    """A tool, a package or a build that is not there; the text says what to do."""


_PACKAGES = {
    "ab": "apache2-utils",
    "wrk": "wrk",
    "nginx": "nginx",
    "haproxy": "haproxy",
    "gcc": "gcc",
    "strace": "strace",
    "mvn": "maven",
    "node": "nodejs",
    "go": "golang-go",
    "openssl": "openssl",
    "taskset": "util-linux",
    "varnishd": "varnish",
}


def need(*tools):
    for tool in tools:
        if shutil.which(tool, path=os.environ.get("PATH", "") + ":/usr/sbin") is None:
            raise Missing(f"{tool} is not installed (package {_PACKAGES.get(tool, tool)})")
