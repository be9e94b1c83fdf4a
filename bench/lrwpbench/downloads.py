"""Servers of slow downloads, and what many downloads from one of them see and cost."""

import dataclasses
import os
import time

from . import peermodules, ports
from .processes import Failed

RATE = 20_000
THREADS = 10
ARTICLE_BYTES = 200_000
_WARM_STARTS = 20_000
_SETTINGS = {"request.max-exchanges": 12000, "context.queue-length": 12000}


def make_files(bench):
    """A folder that the servers, nginx's workers too, can read."""
    folder = bench.processes.folder / "files"
    folder.mkdir()
    bench.processes.folder.chmod(0o755)
    quick = bench.scale.quick
    sizes = {"4k": 4096, "1m": 1_000_000, "slow": 4_000_000, "article": 5000 if quick else ARTICLE_BYTES}
    if not quick:
        sizes["1g"] = 2**30
    for name, size in sizes.items():
        block = os.urandom(min(size, 1 << 20))
        with (folder / name).open("wb") as out:
            for _ in range(-(-size // len(block))):
                out.write(block)
            out.truncate(size)
    return folder


class Servers:
    """Starts a server for each case. In a quick run nothing is measured, so a case takes what is there already."""

    def __init__(self, bench, files):
        self._bench = bench
        self._files = files
        self._kept = {}

    def servlet(self, path):
        """One of the article's servlets, with as many container threads."""
        war = ("--war", self._bench.builds.servlets(), "--http-threads", THREADS)
        options = f"-Dbench.files={self._files}"
        proxy = self._once("servlets", lambda: self._bench.ours.proxy("servlets", options=options, more=war))
        return dataclasses.replace(proxy, path=path)

    def local(self, burst, keys, more=()):
        """Our module inside the proxy."""
        start = lambda: self._bench.ours.proxy("downloads", self._module(burst, keys), more=more)  # noqa: E731
        return dataclasses.replace(self._once("local", start), path="/files")

    def dialled(self, burst, keys):
        """Our module as a program of its own."""
        proxy = self._once("local", lambda: self._bench.ours.proxy("downloads", _SETTINGS))
        options = ("--root", self._files, "--context", "/dialled", "--config", self._config(burst, keys))
        if not proxy.peers:
            peermodules.dial_in(self._bench, proxy, "download", *options)
        return dataclasses.replace(proxy, path="/dialled")

    def nginx(self, directives):
        proxy = peermodules.nginx(self._bench, "nginx-files.conf", FILES=self._files, DIRECTIVES=directives)
        return dataclasses.replace(proxy, path="/files")

    def end(self, proxy):
        if not (self._bench.scale.quick and proxy.lrwp):
            peermodules.stop(self._bench, proxy)

    def _once(self, name, start):
        if not self._bench.scale.quick:
            return start()
        if name not in self._kept:
            self._kept[name] = start()
        return self._kept[name]

    def _module(self, burst, keys):
        module = {"type": "download", "context": "/files", "root": self._files, "config": self._config(burst, keys)}
        return _SETTINGS | {f"module.files.{key}": value for key, value in module.items()}

    def _config(self, burst, keys):
        config = self._bench.processes.folder / f"download-{ports.free()}.properties"
        values = {"burst": burst, "cache-entry": "8MiB", **keys}
        config.write_text("".join(f"{key} = {value}\n" for key, value in values.items()))
        return config


@dataclasses.dataclass(frozen=True)
class Article:
    """The article's clients whose download came whole, in the order of their starts: starts, first bytes and ends in seconds. cut:
    the others; cpu: share of a core; threads: the most at once."""

    starts: list
    first: list
    ends: list
    cut: int
    seconds: float
    cpu: float
    threads: int

    def together(self):
        """The most downloads that had their first byte and not yet their last, at once."""
        moments = sorted(
            [(start + first, 1) for start, first in zip(self.starts, self.first)]
            + [(start + end, -1) for start, end in zip(self.starts, self.ends)]
        )
        most = now = 0
        for _, change in moments:
            now += change
            most = max(most, now)
        return most


def article(bench, name, proxy, clients, pace):
    """Clients that come one after the other, so many a second, and fetch one file each."""
    most, begin = 0, time.monotonic()
    watch = peermodules.Watch(bench, proxy)
    tool = bench.builds.compiled("load/flows.c")
    load = bench.processes.start("flows", [tool, proxy.port, f"{proxy.path}/article", clients, pace, 0, 0])
    while load.poll() is None:
        if time.monotonic() > begin + 300:
            raise Failed(f"{name}: the downloads do not end")
        most = max(most, proxy.threads())
        time.sleep(0.1)
    use = watch.read()
    text = load.log.read_text()
    bench.processes.stop(load)
    found = [peermodules.numbers(one) for one in text.splitlines() if one.startswith("download ")]
    lines = sorted(tuple(one[key] for key in ("start", "first", "end", "bytes")) for one in found)
    size = (bench.processes.folder / "files/article").stat().st_size
    # Those of a servlet that does not say their length have the chunks' lines in them.
    whole = [line for line in lines if line[3] >= size]
    if not whole:
        raise Failed(f"{name}: none of {clients} downloads came whole:\n{text[-1000:]}")
    starts, first, ends, _ = (list(values) for values in zip(*whole))
    return Article(starts, first, ends, clients - len(whole), use.seconds, 100 * use.cpu / use.seconds, most)


@dataclasses.dataclass(frozen=True)
class Flows:
    """What a run of load/flows.c saw, rates in bytes/s; cpu: share of a core of server and peers, mib: what they hold.

    kib: live heap of each download, 0 where there is no heap. mark: behind the name when others disturbed."""

    values: dict
    cpu: float
    peer_cpu: float
    mib: float
    kib: float
    mark: str

    def within(self, rate):
        """How far the rate of the download that is farthest from it is away, in per cent."""
        return 100 * max(abs(self.values[name] / rate - 1) for name in ("least", "most"))

    def data(self):
        return self.values | {"cpu": self.cpu, "peer cpu": self.peer_cpu, "mib": self.mib, "kib": self.kib}


def flows(bench, name, servers, proxy, count, window, gap=0.0, clients=0):
    """So many slow downloads; ends the server. A silence of `gap` seconds parts two bursts."""
    bench.say(f"  {name}: {count:,} downloads")
    quick = bench.scale.quick
    tool = bench.builds.compiled("load/flows.c")
    more = [gap, *([clients] if clients else [])]
    heap = 0
    if not quick:
        # The machine's compiler has then seen the code.
        bench.processes.run([tool, proxy.port, f"{proxy.path}/4k", _WARM_STARTS, 3000, 0, 0, *more])
        heap = peermodules.heap_mib(bench, proxy)
    command = [tool, proxy.port, f"{proxy.path}/slow", count, 1500, 0.1 if quick else 4, window, *more]
    load = bench.processes.start("flows", command, "window", 120)
    watch = peermodules.Watch(bench, proxy)
    mib = peermodules.resident_mib(proxy)
    bench.processes.await_text(load, "flows=", window + 30)
    use = watch.read()
    kib = 0 if quick else (peermodules.heap_mib(bench, proxy) - heap) * 1024 / count
    values = peermodules.numbers(peermodules.line(load.log.read_text(), "flows="))
    bench.processes.stop(load)
    servers.end(proxy)
    if values["errors"] or values["unanswered"]:
        raise Failed(f"{name}: of {count} downloads some failed: {values}")
    share = 100 / use.seconds
    found = Flows(values, share * use.cpu, share * use.peer_cpu, mib, kib, use.mark(bench.scale))
    bench.say(f"    {values}, CPU {found.cpu:.1f} % + {found.peer_cpu:.1f} %, {mib:.0f} MiB, {kib:.1f} KiB each{found.mark}")
    return found
