"""The cache map beside other caches, the image store beside servers of files, the response cache beside others."""

import os
import pathlib
import shutil
import tempfile

from .. import peermodules
from ..cachemaps import Maps
from ..cacheservers import Servers
from ..missing import Missing, need

HELP = (
    "the cache map beside seven other caches, its hit ratio, killed and opened again; images beside nginx and one-nio; cached",
    "answers beside nginx and Varnish. Wants 7 GiB in /dev/shm. 11 minutes.",
)
_MEMORY = "/dev/shm"
_WANTED = 7 << 30


def run(bench):
    need("nginx", "wrk")
    place = _MEMORY if os.path.isdir(_MEMORY) and shutil.disk_usage(_MEMORY).free >= _WANTED else None
    if place is None and not bench.scale.quick:
        raise Missing(f"{_MEMORY} has not {_WANTED >> 30} GiB free")
    section = bench.section("cache", "Caches")
    jar = bench.builds.module("bench/cache", "bench-cache.jar")
    bench.builds.proxy()
    with tempfile.TemporaryDirectory(prefix="lrwp-bench-", dir=place) as folder:
        os.chmod(folder, 0o755)
        memory = pathlib.Path(folder)
        maps = Maps(bench, section, jar, memory)
        try:
            maps.operations()
            maps.ratios()
            maps.opening()
            maps.kills()
            servers = Servers(bench, section, jar, memory)
            servers.compare()
        finally:
            # Whoever has files in memory ends before they go.
            bench.processes.stop_all()
    peermodules.goals(section, maps.goals + servers.goals)
    return section
