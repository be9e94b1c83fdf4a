"""The events module: the article's test, and from a publish to the last of thousands of waiting clients, beside nchan."""

import dataclasses

from .. import peermodules, waiting
from ..missing import Missing, need
from ..ours import EDGE
from ..plots import Picture

HELP = (
    "the events module beside the seed's servlets (2,000 users, an event every 2 s) and nchan: from a publish to the last of",
    "8,000 waiting clients, long poll and event stream; memory of 15,000; 1,000,000 deliveries to clients that come and go. 10 minutes.",
)
LOCAL = "LRWP proxy, local"
DIRECT = "LRWP proxy, local, edge"
DIALLED = "LRWP 3, dialled in"
NCHAN = "nchan"
ONE = "LRWP 3, one connection"
BARE = "container alone"
_KINDS = {"poll": "long poll", "stream": "event stream"}
_LARGE = 15_000
# Events of 1.25 s: who is away for 3 s has lost some.
_SMALL_RING = 50


def run(bench):
    need("gcc", "nginx")
    if not waiting.NCHAN.exists():
        raise Missing("nginx has no nchan (package libnginx-mod-nchan)")
    section = bench.section("events", "The events module")
    servers = waiting.Servers(bench)
    _article(bench, section, servers)
    goals = _spreads(bench, section, servers)
    goals += _wanderers(bench, section, servers)
    if not bench.scale.quick:
        section.text("**What was asked for, and what came out**:")
        peermodules.goals(section, goals)
    return section


def _article(bench, section, servers):
    users, polls, tick = (50, 2, 0.3) if bench.scale.quick else (2000, 10, 2)
    cases = {
        "blocking servlet": lambda: servers.servlet("blocking", waiting.THREADS),
        "asynchronous servlet": lambda: servers.servlet("asynchronous", waiting.THREADS),
        LOCAL: lambda: servers.local(("--http-threads", waiting.THREADS)),
    }
    if bench.scale.quick:
        # The servlets have a process of their own, and nothing in it is ours.
        cases = {LOCAL: cases[LOCAL]}
    theirs, honest = [], []
    for name, start in cases.items():
        bench.say(f"  {name}: {users:,} users")
        server = start()
        found = section.data[f"article {name}"] = waiting.polls(bench, name, server, users, polls, tick)
        servers.end(server)
        seconds = found["seconds"]
        rate = f"{found['answers'] / seconds:,.0f}"
        theirs.append((name, f"{found['mean']:,.0f}", f"{found['least']:,.0f}", f"{found['most']:,.0f}", rate))
        events = found["answers"] - found["repeats"] - found["empty"]
        honest.append(
            (
                name, rate, f"{found['repeats']:,.0f}", f"{events / seconds:,.0f}", f"{found['skipped']:,.0f}", f"{seconds:.1f}",
            )
        )  # fmt: skip
    section.text(
        f"**The article's test**: {users:,} users poll {polls} times each, an event every {tick} s; the container has {waiting.THREADS} "
        "threads. The two servlets are written from the article's description. As the article counts, every answer counts:"
    )
    section.table(("server", "mean ms", "least", "most", "answers/s"), theirs)
    section.text(
        "Each event once per user: an answer with the event that the user has had already is a repeat; an event that came while a user was "
        f"not waiting, and that no later answer brought, is missed. An event every {tick} s is {users / tick:,.0f} events/s at most."
    )
    section.table(("server", "answers/s", "of them repeats", "events/s", "events missed", "whole test s"), honest)


def _spreads(bench, section, servers):
    count, rounds, pause = (100, 2, 0.1) if bench.scale.quick else (8000, 24, 0.6)
    large = count if bench.scale.quick else _LARGE
    starts = {
        LOCAL: servers.local,
        DIRECT: lambda: servers.local(("--front", EDGE)),
        DIALLED: servers.dialled,
        NCHAN: servers.nchan,
        BARE: lambda: servers.servlet("bare"),
        ONE: lambda: servers.dialled(connections=1),
    }
    cases = [(name, count, kind) for kind in _KINDS for name in starts if name not in (BARE, DIRECT, ONE)]
    if not bench.scale.quick:
        cases += [(BARE, count, "poll"), (DIRECT, count, "poll"), (DIRECT, count, "stream")]
        cases += [(name, large, kind) for name in (LOCAL, DIRECT, ONE) for kind in _KINDS]
    found = {}
    rows = []
    for name, clients, kind in cases:
        bench.say(f"  {name}, {_KINDS[kind]}: {clients:,} waiting")
        server = starts[name]()
        one = found[name, clients, kind] = waiting.spread(bench, name, server, clients, kind, rounds, pause)
        servers.end(server)
        rows.append(
            (
                name + one.mark, _KINDS[kind], f"{clients:,}", f"{one.median:.0f}", f"{one.least:.0f}", f"{one.most:.0f}", f"{one.cpu:.1f}",
                f"{one.peer_cpu:.1f}" if one.peer_cpu else "", f"{one.mib:.0f}", f"{one.kib:.1f}" if one.kib else "",
            )
        )  # fmt: skip
        section.data[f"{name} {kind} {clients}"] = dataclasses.asdict(one)
    section.text(
        f"**From a publish to the last of all waiting clients**, one connection each, `load/waiters.c` on the same cores: {rounds - rounds * 2 // 3} "
        f"publishes after {rounds * 2 // 3} to warm up. CPU is that of the server, and of the peer, for each delivery, with what the next poll "
        "costs; the heap is that of all live objects. The container alone: a servlet that completes all waiting requests in a loop. "
        "What is dialled in has as many connections as the proxy asks for, where nothing else is said."
    )
    header = (
        "server", "transport", "waiting", "ms to the last", "least", "most", "CPU µs each", "the peer's", "RSS MiB",
        "heap of a client KiB",
    )  # fmt: skip
    section.table(header, rows)
    picture = Picture(section, bench.folder, "events-spread.svg", "From a publish to the last", charts=2)
    for chart, (kind, shown) in enumerate(_KINDS.items()):
        times = {name: one.median for (name, clients, of), one in found.items() if clients == count and of == kind}
        picture.bars(chart, f"{count:,} clients, {shown}", list(times), list(times.values()), "ms")
    picture.save()
    nchan = {kind: max(found[NCHAN, count, kind].median, 1e-9) for kind in _KINDS}
    fronts = [(front, where) for front, where in ((LOCAL, "local"), (DIRECT, "local, edge")) if (front, large, "poll") in found]
    goals = []
    for front, where in fronts:
        goals += [
            (f"ms to the last / nchan's, long poll, {where}", "<= 2", found[front, count, "poll"].median / nchan["poll"]),
            (f"ms to the last / nchan's, event stream, {where}", "<= 1.2", found[front, count, "stream"].median / nchan["stream"]),
            (f"heap of a client KiB, {large:,} waiting, {where}", "<= 24", max(found[front, large, kind].kib for kind in _KINDS)),
        ]
    return goals


def _wanderers(bench, section, servers):
    clients, wanted, rate = (100, 800, 40) if bench.scale.quick else (1000, 1_000_000, 40)
    cases = {LOCAL: servers.local, DIALLED: servers.dialled}
    if bench.scale.quick:
        # What is inside the proxy and what is dialled in were seen to work; here it is the clients.
        del cases[DIALLED]
    rows = []
    faults = 0
    for name, start in cases.items():
        bench.say(f"  {name}: {clients:,} clients that come and go")
        server = start(ring=_SMALL_RING)
        found = section.data[f"wanderers {name}"] = waiting.wanderers(bench, name, server, clients, wanted, rate)
        servers.end(server)
        keys = ("deliveries", "seconds", "cuts", "answers", "gaps", "noticed", "lost", "doubled", "disordered", "behind")
        rows.append((name, *(f"{found[key]:,.0f}" for key in keys)))
        faults += found["lost"] + found["doubled"] + found["disordered"] + found["behind"]
    section.text(
        f"**Clients that come and go**: {clients:,} of them poll or read a stream by chance, cut the connection in the middle, stay away "
        f"for up to 3 s and go on from their last id; {rate} events a second, a ring of {_SMALL_RING}. What the ring has no more is told "
        "as a gap."
    )
    header = (
        "server", "deliveries", "s", "cuts", "polls", "gaps told", "events in them", "lost without notice", "doubled", "out of order",
        "never came",
    )  # fmt: skip
    section.table(header, rows)
    return [("events lost without notice, doubled or out of order", "<= 0", faults)]
