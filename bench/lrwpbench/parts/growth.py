"""What a request costs when there is much else: contexts, peers, waiting requests, idle clients."""

import dataclasses
import functools
import time

from .. import java_heap, rounds
from ..holder import Holder
from ..ours import status
from ..plots import Picture
from ..processes import Failed
from ..spread import median

HELP = (
    "CPU per request and memory with 10 to 10,000 contexts, 10 to 5,000 peers, 10 to 10,000 waiting requests,",
    "1 to 8,000 idle clients; resident memory with 1,000 peers and 8,000 idle clients. 10 minutes.",
)
_CONTEXTS_PER_PEER = 1000
_CONNECTIONS = 50
_SETTINGS = {
    "agent.max-peers-per-address": 10000,
    "request.max-exchanges": 12000,
    "context.queue-length": 12000,
    "context.queue-time": "1h",
    "context.response-timeout": "1h",
    "context.grace": 0,
}


@dataclasses.dataclass(frozen=True)
class Kind:
    """What grows: its sizes, and fill(bench, proxy, size), which returns what empties it again."""

    name: str
    sizes: tuple
    fill: object


def run(bench):
    section = bench.section("growth", "What grows with contexts, peers, waiting requests and idle clients")
    section.text(
        f"wrk with {_CONNECTIONS} connections on one context with an LRWP 3 peer, while the rest is there. One proxy; sizes are "
        "measured in turn. Live heap is what a full collection leaves, the least of three; what the kernel keeps for sockets is not in it."
    )
    proxy = bench.ours.proxy("growth", _SETTINGS)
    bench.ours.lrwp3(proxy)
    picture = Picture(section, bench.folder, "growth.svg", "CPU per request while something grows")
    series = {}
    for kind in _kinds(bench.scale.quick):
        bench.say(f" {kind.name}")
        samples, live = _measure(bench, proxy, kind)
        costs = [median([sample.cpu for sample in samples[f"{size}"]]) for size in kind.sizes]
        section.text(f"**{kind.name}**")
        section.table(
            (kind.name, *rounds.HEADER[:4], "live heap MiB", "CPU against the smallest"),
            [
                (f"{size:,}", *rounds.cells(samples[f"{size}"])[:4], f"{live[size]:.1f}", f"{cost / costs[0]:.2f}")
                for size, cost in zip(kind.sizes, costs)
            ],
        )
        series[kind.name] = (kind.sizes, costs)
        section.data[kind.name] = {"cpu ratio": costs[-1] / costs[0], "live MiB": live}
    picture.lines(0, "CPU of the proxy", series, ("how many", "CPU-ms per 1000 requests"), logarithmic=True)
    picture.save()
    _together(bench, section)
    return section


def _kinds(quick):
    return (
        Kind("contexts", (200,) if quick else (10, 100, 1000, 10000), _contexts),
        Kind("peers", (100,) if quick else (10, 100, 1000, 5000), _peers),
        Kind("waiting requests", (200,) if quick else (10, 100, 1000, 10000), _waiting),
        Kind("idle clients", (200,) if quick else (1, 100, 1000, 8000), _idle),
    )


def _measure(bench, proxy, kind):
    """(name to samples, size to live heap)."""
    cases = [
        rounds.Case(
            f"{size}",
            proxy,
            functools.partial(bench.loads.wrk, proxy.port, proxy.path, _CONNECTIONS),
            functools.partial(kind.fill, bench, proxy, size),
        )
        for size in kind.sizes
    ]
    samples = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    live = {}
    for size in kind.sizes:
        empty = kind.fill(bench, proxy, size)
        live[size] = java_heap.settled_mib(bench.builds.jdk(), proxy.process.pid, 1 if bench.scale.quick else 3)
        empty()
    return samples, live


def _contexts(bench, proxy, size):
    peers = []
    for first in range(0, size, _CONTEXTS_PER_PEER):
        count = min(_CONTEXTS_PER_PEER, size - first)
        peers.append(bench.ours.one_lrwp3(proxy, context=f"more{first}-", contexts=count))
    return lambda: [bench.ours.remove(proxy, peer) for peer in peers]


def _peers(bench, proxy, size):
    peer = bench.ours.lrwp1(proxy, connections=size, context="others")
    return lambda: bench.ours.remove(proxy, peer)


def _idle(_bench, proxy, size):
    return Holder(proxy.port, size).close


def _waiting(bench, proxy, size):
    """A peer with one slot that never answers; all but one of the requests wait for it."""
    peer = bench.ours.one_lrwp3(proxy, capacity="h1", context="held")
    holder = Holder(proxy.port, size + 1, "/held/x")
    _await_waiting(proxy, size)

    def empty():
        # Its last peer gone, the context refuses whoever waits.
        bench.ours.remove(proxy, peer)
        _await_waiting(proxy, 0)
        holder.close()

    return empty


def _await_waiting(proxy, count):
    end = time.monotonic() + 60
    while sum(context["waiting"] for context in status(proxy)["contexts"]) != count:
        if time.monotonic() > end:
            raise Failed(f"there are not {count} requests waiting: {status(proxy)['contexts']}")
        time.sleep(0.2)


def _together(bench, section):
    """Resident memory of a proxy that has never seen more than this."""
    if bench.scale.quick:
        return
    peers, clients = 1000, 8000
    proxy = bench.ours.proxy("together", _SETTINGS)
    bench.ours.lrwp1(proxy, connections=peers)
    holder = Holder(proxy.port, clients)
    bench.loads.wrk(proxy.port, proxy.path, _CONNECTIONS, bench.scale.warm_seconds)
    resident = proxy.resident_mib()
    holder.close()
    section.text(
        f"A proxy with {peers:,} peers, {clients:,} idle clients, after {bench.scale.warm_seconds:g} s of load: "
        f"{resident:.0f} MiB resident."
    )
    section.data["together MiB"] = resident
