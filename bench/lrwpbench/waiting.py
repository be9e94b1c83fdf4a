"""Servers of events, and what thousands of waiting clients of one of them see and cost."""

import dataclasses
import pathlib
import time

from . import peermodules
from .processes import Failed

NCHAN = pathlib.Path("/usr/lib/nginx/modules/ngx_nchan_module.so")
MOST = 18000
# What a program has at once by default.
DIALLED_MOST = 16384
# As many as the article's figure of the blocking servlet needs: 193 answers a second, an event every 2 s.
THREADS = 400
_SETTINGS = {"request.max-exchanges": MOST, "context.queue-length": MOST}
# All come from one address.
_LIMITS = {"waiters-per-client": MOST, "waiters": MOST, "waiters-per-channel": MOST}


@dataclasses.dataclass(frozen=True)
class Server:
    """A proxy, where its clients wait, and where events are published; - when it makes them itself."""

    proxy: object
    path: str
    publish: str


class Servers:
    """Starts a server for each case. In a quick run nothing is measured, so a case takes what is there already."""

    def __init__(self, bench):
        self._bench = bench
        self._kept = {}

    def servlet(self, name, threads=None):
        """One of the servlets of bench/rivals; `threads` of the container, which has 64 otherwise."""
        more = ("--war", self._bench.builds.servlets(), *(("--http-threads", threads) if threads else ()))
        options = "-Dbench.tick-millis=300" if self._bench.scale.quick else ""
        proxy = self._once("servlets", lambda: self._bench.ours.proxy("servlets", options=options, more=more))
        path = f"/events/{name}"
        return Server(proxy, path, path if name == "bare" else "-")

    def local(self, more=(), ring=None):
        """Our module inside the proxy."""
        path = f"/events/{_channel(ring)}"
        return Server(self._once("local", lambda: self._proxy(self._module(ring), more)), path, path)

    def dialled(self, ring=None, connections=0):
        """Our module as a program of its own, with so many connections; 0: as many as the proxy asks for."""
        # In a quick run it is a second peer of the proxy that has the module inside.
        settings = self._module(ring) if self._bench.scale.quick else {"agent.peer-connections": connections}
        proxy = self._once("local", lambda: self._proxy(settings))
        if not proxy.peers:
            keys = [f"--set={key}={value}" for key, value in _keys(ring).items()]
            options = ("--context", "/dialled", "--concurrency", DIALLED_MOST, *keys)
            peermodules.dial_in(self._bench, proxy, "events", *options)
        path = f"/dialled/{_channel(ring)}"
        return Server(proxy, path, path)

    def nchan(self):
        proxy = self._once("nchan", lambda: peermodules.nginx(self._bench, "nginx-nchan.conf"))
        return Server(proxy, "/events", "/publish")

    def end(self, server):
        if not self._bench.scale.quick:
            peermodules.stop(self._bench, server.proxy)

    def _proxy(self, module, more=()):
        return self._bench.ours.proxy("events", _SETTINGS | module, more=more)

    def _module(self, ring):
        module = {"type": "events", "context": "/events", "capacity": MOST, **_keys(ring)}
        return {f"module.bench.{key}": value for key, value in module.items()}

    def _once(self, name, start):
        if not self._bench.scale.quick:
            return start()
        if name not in self._kept:
            self._kept[name] = start()
        return self._kept[name]


def _channel(ring):
    """A test that begins at the oldest event has a channel without those of others."""
    return "bench" if ring is None else "wanderers"


def _keys(ring):
    return _LIMITS | ({} if ring is None else {"ring-events": ring})


def polls(bench, name, server, users, polls_each, tick):
    """The article's test: what load/waiters.c counted."""
    tool = bench.builds.compiled("load/waiters.c")
    text = bench.processes.run([tool, "polls", server.proxy.port, server.path, server.publish, users, polls_each, tick])
    found = peermodules.numbers(peermodules.line(text, "polls "))
    if found["errors"] or found["answers"] < users * polls_each:
        raise Failed(f"{name}: {text[-1000:]}")
    return found


@dataclasses.dataclass(frozen=True)
class Spread:
    """From a publish to the last waiting client, ms; cpu: microseconds of the server and of its peer for a delivery. kib: live heap of
    each client. mark: behind the name when others disturbed."""

    median: float
    least: float
    most: float
    cpu: float
    peer_cpu: float
    mib: float
    kib: float
    mark: str


def spread(bench, name, server, count, kind, rounds, pause):
    """Publishes that all of so many clients wait for; kind: poll or stream. The first two thirds warm up."""
    proxy = server.proxy
    quick = bench.scale.quick
    before = 0 if quick else peermodules.heap_mib(bench, proxy)
    tool = bench.builds.compiled("load/waiters.c")
    command = [tool, "spread", proxy.port, server.path, server.publish, count, kind, rounds, pause]
    load = bench.processes.start("waiters", command, "waiting=", 60)
    heap = 0 if quick else peermodules.heap_mib(bench, proxy) - before
    mib = peermodules.resident_mib(proxy)
    while load.log.read_text().count("round ") < rounds * 2 // 3 and load.poll() is None:
        time.sleep(0.02)
    watch = peermodules.Watch(bench, proxy)
    bench.processes.await_text(load, "spread ", 20 * rounds)
    use = watch.read()
    text = load.log.read_text()
    bench.processes.stop(load)
    found = peermodules.numbers(peermodules.line(text, "spread "))
    if found["errors"] or found["repeats"] or found["skipped"] or found["waiters"] != count:
        raise Failed(f"{name}: {text[-1500:]}")
    each = 1e6 / (count * found["rounds"])
    kib = heap * 1024 / count
    bench.say(f"    {found}, CPU {use.cpu * each:.1f} + {use.peer_cpu * each:.1f} µs, {mib:.0f} MiB, {kib:.1f} KiB each")
    return Spread(
        found["median"], found["least"], found["most"], use.cpu * each, use.peer_cpu * each, mib, kib, use.mark(bench.scale)
    )


def wanderers(bench, name, server, clients, deliveries, rate):
    """Clients that come and go: what load/wanderers.c counted. What was lost, doubled or out of order fails."""
    tool = bench.builds.compiled("load/wanderers.c")
    text = bench.processes.run([tool, server.proxy.port, server.path, server.publish, clients, deliveries, rate])
    found = peermodules.numbers(peermodules.line(text, "wanderers "))
    faults = [fault for fault in ("doubled", "disordered", "lost", "behind", "refused") if found[fault]]
    if faults or found["deliveries"] < deliveries:
        raise Failed(f"{name}: {', '.join(faults)}: {text}")
    return found
