"""The download module: the article's test, many slow downloads, one cap for all, the rates alone, files as fast as they go."""

import dataclasses
from statistics import mean

from .. import downloads, peermodules
from ..downloads import ARTICLE_BYTES, RATE, THREADS
from ..missing import need
from ..ours import EDGE
from ..plots import Picture
from ..processes import Failed
from ..spread import median

HELP = (
    "the download module beside the seed's servlets (100 clients, 20 KB/s) and nginx limit_rate (9,000 downloads), CPU over",
    "the burst, one cap for all, the rates alone with 100,000 flows, files of 4 KB, 1 MB and 1 GB without limit. 10 minutes.",
)
DIALLED = "LRWP 3, dialled in"
_OURS = "LRWP proxy, "
LOCAL = f"{_OURS}local"
DIRECT = f"{LOCAL}, edge"
NGINX = "nginx"
_SECOND = f"{LOCAL}, burst 1 s"
_QUARTER = f"{LOCAL}, burst 250 ms"
_DIRECT_QUARTER = f"{DIRECT}, burst 250 ms"
_FRONT = ("--front", EDGE)
_CAP = 20_000_000


def run(bench):
    need("gcc", "nginx", "wrk")
    section = bench.section("download", "The download module")
    files = downloads.make_files(bench)
    servers = downloads.Servers(bench, files)
    goals = []
    _article(bench, section, servers)
    goals += _many(bench, section, servers)
    if not bench.scale.quick:
        # Nothing that the others have not shown to work, and each takes servers of its own.
        _bursts(bench, section, servers)
        goals += _cap(bench, section, servers)
    goals += _scheduler(bench, section)
    goals += _unlimited(bench, section, servers)
    if not bench.scale.quick:
        section.text("**What was asked for, and what came out**:")
        peermodules.goals(section, goals)
    return section


def _article(bench, section, servers):
    clients, pace = (10, 100) if bench.scale.quick else (100, 10)
    more = ("--http-threads", THREADS)
    cases = {
        "blocking servlet": lambda: servers.servlet("/blocking"),
        "re-submitting servlet": lambda: servers.servlet("/resubmitting"),
        LOCAL: lambda: servers.local("250ms", {"request-rate": RATE}, more),
    }
    if bench.scale.quick:
        # The servlets have a process of their own, and nothing in it is ours.
        cases = {LOCAL: cases[LOCAL]}
    rows = []
    series = {}
    for name, server in cases.items():
        bench.say(f"  {name}: {clients} clients")
        proxy = server()
        found = series[name] = downloads.article(bench, name, proxy, clients, pace)
        servers.end(proxy)
        if name == LOCAL and found.cut:
            raise Failed(f"{name}: {found.cut} of {clients} downloads did not come whole")
        rows.append(
            (
                name, len(found.ends), f"{min(found.ends):.1f}", f"{mean(found.ends):.1f}", f"{max(found.ends):.1f}",
                f"{1000 * mean(found.first):,.0f}", f"{1000 * max(found.first):,.0f}", found.together(),
                f"{found.seconds:.1f}", f"{found.cpu:.1f} %", found.threads,
            )
        )  # fmt: skip
        section.data[f"article {name}"] = dataclasses.asdict(found) | {"together": found.together()}
    section.text(
        f"**The article's test**: {clients} clients, {pace} more each second, each fetches a file of {ARTICLE_BYTES // 1000} KB at "
        f"20 KB/s; the container has {THREADS} threads for HTTP. The two servlets are written from the article's description. Who waits "
        "30 s for a thread is cut by the container."
    )
    header = (
        "server", "whole", "response s, least", "mean", "most", "first byte ms, mean", "most", "downloads at once", "whole test s",
        "CPU of a core", "threads of the JVM",
    )  # fmt: skip
    section.table(header, rows)
    picture = Picture(section, bench.folder, "download-article.svg", "The article's test", charts=2)
    for chart, (title, values) in enumerate((("response time", "ends"), ("first byte", "first"))):
        lines = {name: (found.starts, getattr(found, values)) for name, found in series.items()}
        picture.lines(chart, title, lines, ("start of the download, s", "s"))
    picture.save()


def _many(bench, section, servers):
    count, window = (100, 0.5) if bench.scale.quick else (9000, 15)
    limit = {"request-rate": RATE}
    nginx = f"{NGINX} limit_rate"
    # Half of what is between two bursts parts them; nginx sends once a second.
    cases = {
        _SECOND: (lambda: servers.local("1s", limit), 0.5),
        _QUARTER: (lambda: servers.local("250ms", limit), 0.12),
        _DIRECT_QUARTER: (lambda: servers.local("250ms", limit, _FRONT), 0.12),
        f"{DIALLED}, burst 1 s": (lambda: servers.dialled("1s", limit), 0.5),
        nginx: (lambda: servers.nginx(f"limit_rate {RATE};"), 0.5),
    }
    if bench.scale.quick:
        # One of ours and nginx; part events dials a module in.
        del cases[_QUARTER], cases[_DIRECT_QUARTER], cases[f"{DIALLED}, burst 1 s"]
    found = {
        name: downloads.flows(bench, name, servers, server(), count, window, gap) for name, (server, gap) in cases.items()
    }
    section.data.update({name: flows.data() for name, flows in found.items()})
    section.text(
        f"**{count:,} downloads at 20 KB/s** of one file of 4 MB that is in memory, one connection each, read as they come "
        f"(`load/flows.c`), in a window of {window} s after all have begun. A download's rate counts from the first byte of its first "
        "burst in the window to that of its last."
    )
    header = (
        "server", "least rate / wanted", "median", "most", "first byte ms", "p99 ms", "CPU of a core", "of it the peer's", "RSS MiB",
        "heap of a download KiB",
    )  # fmt: skip
    section.table(header, [_row(name, flows) for name, flows in found.items()])
    local, quarter = found[_SECOND], found.get(_QUARTER, found[_SECOND])
    direct = found.get(_DIRECT_QUARTER, quarter)
    return [
        ("a download's rate from its limit, burst 250 ms, %", "<= 2", quarter.within(RATE)),
        ("the same, burst 1 s", "<= 2", local.within(RATE)),
        ("first byte p99 ms, burst 250 ms", "<= 50", quarter.values["first99"]),
        ("first byte p99 ms, burst 250 ms, edge", "<= 50", direct.values["first99"]),
        ("CPU / nginx's, local, burst 1 s", "<= 3", local.cpu / max(found[nginx].cpu, 1e-9)),
    ]


def _row(name, flows):
    values = flows.values
    rates = [f"{values[which] / RATE:.3f}" for which in ("least", "median", "most")]
    return (
        name + flows.mark, *rates, f"{values['first50']:.1f}", f"{values['first99']:.1f}", f"{flows.cpu + flows.peer_cpu:.1f} %",
        f"{flows.peer_cpu:.1f} %" if flows.peer_cpu else "", f"{flows.mib:.0f}", f"{flows.kib:.1f}" if flows.kib else "",
    )  # fmt: skip


def _bursts(bench, section, servers):
    count = 3000
    curve = ([], [])
    for burst in (50, 100, 250, 1000, 2000):
        proxy = servers.local(f"{burst}ms", {"request-rate": RATE})
        # A window of five bursts, parted by half of what is between two.
        window, gap = max(5, burst / 200), burst / 2000
        flows = downloads.flows(bench, f"burst {burst} ms", servers, proxy, count, window, gap)
        curve[0].append(burst)
        curve[1].append(flows.cpu)
    section.text(f"**CPU over the burst**, {count:,} downloads at 20 KB/s.")
    section.table(("burst ms", "CPU of a core"), [(burst, f"{cpu:.1f} %") for burst, cpu in zip(*curve)])
    section.data["bursts"] = curve
    picture = Picture(section, bench.folder, "download-burst.svg", "CPU over the burst")
    picture.lines(0, f"{count:,} downloads at 20 KB/s", {LOCAL: curve}, ("burst ms", "% of a core"), logarithmic=True)
    picture.save()


def _cap(bench, section, servers):
    count, clients, window = 9000, 300, 10
    rows = []
    goals = []
    for name, server in ((LOCAL, servers.local), (DIALLED, servers.dialled)):
        proxy = server("250ms", {"global-rate": _CAP})
        flows = downloads.flows(bench, f"one cap, {name}", servers, proxy, count, window, clients=clients)
        kept, fair = flows.values["total"] / _CAP, flows.values["fairness"]
        cpu = f"{flows.cpu + flows.peer_cpu:.1f} %"
        rows.append((name + flows.mark, f"{kept:.4f}", f"{fair:.3f}", f"{flows.values['first99']:.0f}", cpu))
        section.data[f"cap {name}"] = {"kept": kept, "fairness": fair, "cpu": flows.cpu, "peer cpu": flows.peer_cpu}
        where = "local" if name == LOCAL else "dialled in"
        goals.append((f"sent from the cap for all, {where}, %", "<= 1", 100 * abs(kept - 1)))
        goals.append((f"client that got least / most, {where}", ">= 0.9", fair))
    section.text(
        f"**One cap for all**: {count:,} downloads of {clients} clients share {_CAP / 1e6:g} MB/s for {window} s; half of the clients have "
        f"a connection each, the others {(count - clients // 2) // (clients // 2)}."
    )
    section.table(("server", "sent / cap", "client that got least / most", "first byte p99 ms", "CPU of a core"), rows)
    return goals


def _scheduler(bench, section):
    jar = bench.builds.peer_module("download")
    quick = bench.scale.quick
    rows = []
    curve = {}
    cases = [(250, 1000)] if quick else [(burst, count) for burst in (1000, 250) for count in (1000, 10_000, 100_000)]
    for burst, count in cases:
        bench.say(f"  {count:,} simulated flows, a burst of {burst} ms")
        load = bench.builds.bench / "load/SchedulerLoad.java"
        seconds = (0.1, 0.2) if quick else (2, 5)
        text = bench.processes.run(
            [*bench.builds.java(), "-cp", f"{jar}:{jar.parent}/lib/*", load, count, RATE, burst, *seconds]
        )
        values = peermodules.numbers(peermodules.line(text, "flows="))
        rows.append((f"{count:,}", f"{burst} ms", f"{values['core']:.2f} %", f"{values['wakeups']:,.0f}", f"{values['rate']:.4f}"))
        xs, ys = curve.setdefault(f"LRWP, burst {burst} ms", ([], []))
        xs.append(count)
        ys.append(values["core"])
    section.text(
        "**The rates alone**: one thread, flows of 20 KB/s, each with a client of its own; nothing is moved. The JVM has the launcher's "
        "options."
    )
    section.table(("flows", "burst", "CPU of a core", "wake-ups/s", "sent / rate"), rows)
    section.data["scheduler"] = curve
    picture = Picture(section, bench.folder, "download-rates.svg", "The rates alone")
    picture.lines(0, "CPU of the rates", curve, ("flows", "% of a core"), logarithmic=True)
    picture.save()
    if quick:
        return []
    second = curve["LRWP, burst 1000 ms"][1]
    return [
        ("the rates of 100,000 flows, burst 1 s, % of a core", "<= 2", second[-1]),
        ("their cost for a flow / that of 1,000 flows", "<= 1", second[-1] / 100 / max(second[0], 1e-9)),
    ]


def _unlimited(bench, section, servers):
    starts = {
        LOCAL: lambda: servers.local("250ms", {}),
        DIRECT: lambda: servers.local("250ms", {}, _FRONT),
        NGINX: lambda: servers.nginx("sendfile on; tcp_nopush on;"),
        DIALLED: lambda: servers.dialled("250ms", {}),
    }
    if bench.scale.quick:
        del starts[DIRECT], starts[DIALLED]
    started = {name: start() for name, start in starts.items()}
    files = (("4k", 64),) if bench.scale.quick else (("4k", 64), ("1m", 16), ("1g", 2))
    if not bench.scale.quick:
        # A server that is compiled while it runs shows what it can do after so many requests only; a file that is in
        # memory and one that the system sends take different ways.
        for server, proxy in started.items():
            bench.say(f"  {server}, warming up")
            for name, connections in files[:2]:
                _wrk(bench, proxy, name, connections, bench.scale.warm_seconds)
    rows = []
    goals = []
    for name, connections in files:
        found = {server: [] for server in started}
        for turn in range(-1, bench.scale.rounds) if not bench.scale.quick else (0,):
            for server, proxy in started.items():
                bench.say(f"  {server}, {name}")
                rate = _wrk(bench, proxy, name, connections, 2)
                if turn >= 0:
                    found[server].append(rate)
        rates = {server: median(values) for server, values in found.items()}
        ratios = {server: rate / max(rates[NGINX], 1e-9) for server, rate in rates.items() if server != NGINX}
        rows.append((name, *(f"{rate / 1e6:,.0f}" for rate in rates.values()), *(f"{ratio:.2f}" for ratio in ratios.values())))
        section.data[f"unlimited {name}"] = ratios
        wanted = ">= 0.6" if name == "4k" else ">= 0.8"
        for server in (LOCAL, DIRECT):
            if server in ratios:
                goals.append((f"MB/s / nginx's, {server.removeprefix(_OURS)}, {name}", wanted, ratios[server]))
    section.text(
        "**Without a limit**: MB/s by wrk (one thread; 64, 16 and 2 connections) for files of 4 KiB, 1 MB and 1 GiB, medians of "
        f"{bench.scale.rounds} rounds of 2 s in turn; nginx with sendfile."
    )
    section.table(("file", *started, *(f"{server} / nginx" for server in started if server != NGINX)), rows)
    for proxy in started.values():
        servers.end(proxy)
    return goals


def _wrk(bench, proxy, name, connections, seconds):
    """Bytes a second: of a large file few come whole in the time."""
    text = bench.processes.run(
        [
            "wrk", "-t1", f"-c{connections}", f"-d{1 if bench.scale.quick else seconds}s", "--timeout", "30s",
            "-s", bench.builds.bench / "load/get.lua", f"http://127.0.0.1:{proxy.port}{proxy.path}/{name}",
        ]
    )  # fmt: skip
    values = peermodules.numbers(peermodules.line(text, "bench requests="))
    if values["errors"]:
        raise Failed(f"{values['errors']:.0f} requests of {name} failed")
    return values["bytes"]
