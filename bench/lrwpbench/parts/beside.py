"""Ours beside what people use today."""

import os

from .. import java_heap, rounds, varied
from ..domain import Domain
from ..goals import DIRECT, FASTCGI, HAPROXY, LRWP1, LRWP1_DIRECT, LRWP3, REPEATED
from ..loads import VARIED
from ..missing import Missing
from ..ours import EDGE
from ..plots import Picture
from ..scale import LOADS, PACED
from ..spread import median

HELP = (
    "ours with LRWP 3, with either front, and 64 LRWP 1 connections, in ./lrwp proxy and in a full GlassFish domain, beside nginx, HAProxy,",
    "Jetty and Undertow: POST of 1.5 KB, answer of 1 KB; wrk with 10 to 500 connections, a constant rate, and varied requests. 40 minutes.",
)
# Of the README.
_SUMMARY = ("varied", REPEATED)


def run(bench):
    section = bench.section("beside", "Beside what people use today")
    section.text(
        "Back ends in C that answer 1,024 bytes; access log off; load generator, proxy and back end share the machine. CPU is the proxy's alone."
    )
    proxies = _start(bench, section)
    results = _repeated(bench, section, proxies) if REPEATED in bench.scale.loads else {}
    if PACED in bench.scale.loads:
        paced = _paced(bench, section, proxies)
        section.data["paced"] = {name: [sample.load.p999 for sample in samples] for name, samples in paced.items()}
    if results:
        _pictures(bench, section, results)
        section.data.update(_data(results))
    if set(bench.scale.loads) & set(VARIED):
        section.data["summary"] = _summary(varied.measure(bench, section, _compared(bench, proxies), results))
    return section


def _repeated(bench, section, proxies):
    """Connections to name to samples."""
    section.text("**The same request again and again**: POST of 1,500 bytes, wrk.")
    results = {}
    for connections in bench.scale.connections:
        bench.say(f" {connections} connections")
        cases = rounds.cases(proxies, bench.loads.wrk, connections)
        results[connections] = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
        section.text(f"**{connections} connections**")
        section.table(("proxy", *rounds.HEADER), [(name, *rounds.cells(results[connections][name])) for name in proxies])
    return results


def _compared(bench, proxies):
    """Those that the varied loads are for; the others are ended."""
    for name, proxy in proxies.items():
        for process in () if name in varied.COMPARED else (*proxy.peers, proxy.process):
            bench.processes.stop(process)
    return {name: proxies[name] for name in varied.COMPARED if name in proxies}


def _start(bench, section):
    """Name to proxy. One that this machine has not is named in the report."""
    ours = {
        LRWP3: (bench.ours.lrwp3, {}),
        DIRECT: (bench.ours.lrwp3, {"front": EDGE}),
        LRWP1: (bench.ours.lrwp1, {}),
        LRWP1_DIRECT: (bench.ours.lrwp1, {"front": EDGE}),
    }
    makers = {
        FASTCGI: bench.rivals.nginx_fastcgi,
        "nginx, HTTP": bench.rivals.nginx_http,
        HAPROXY: bench.rivals.haproxy,
        "Undertow, HTTP": bench.rivals.undertow,
        "Jetty, HTTP": bench.rivals.jetty,
        "LRWP 3, full domain as installed": lambda: _domain(bench, bench.ours.lrwp3, tuned=False),
        "LRWP 3, full domain, tuned": lambda: _domain(bench, bench.ours.lrwp3, tuned=True),
        "LRWP 1, full domain, tuned": lambda: _domain(bench, bench.ours.lrwp1, tuned=True),
    }
    if set(bench.scale.loads) != set(LOADS):
        makers = {name: make for name, make in makers.items() if name in varied.COMPARED}
    if bench.scale.quick:
        # A domain takes half a minute, and the system tests have theirs.
        makers = {name: make for name, make in makers.items() if "domain" not in name}
        del ours[LRWP1_DIRECT]
    bench.say(f"  starting {'; '.join(ours)}")
    # In a quick run the same one is also asked what it allocates.
    proxies = bench.ours.side_by_side(ours, java_heap.FIXED_YOUNG if bench.scale.quick else "")
    for name, make in makers.items():
        bench.say(f"  starting {name}")
        try:
            proxies[name] = make()
        except Missing as reason:
            if os.environ.get("CI"):
                raise
            section.text(f"**{name}: not measured.** {reason}.")
            bench.say(f"  {name}: {reason}")
    section.text("Xitami, the server of the seed's comparison, is in no package of today, so it is not here.")
    return proxies


def _domain(bench, add_peer, tuned):
    proxy = Domain(bench.processes, bench.builds).start(tuned)
    add_peer(proxy)
    return proxy


def _paced(bench, section, proxies):
    rate = bench.scale.paced_rate
    bench.say(f" {rate} requests/s")
    cases = rounds.cases(proxies, bench.loads.paced, rate)
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    section.text(
        f"**{rate:,} requests/s, whatever the proxy does, over 100 connections.** Latency is counted from when a request was "
        "due, so a stall is seen by all requests that would have come meanwhile."
    )
    section.table(("proxy", *rounds.HEADER), [(name, *rounds.cells(results[name])) for name in proxies])
    return results


def _pictures(bench, section, results):
    picture = Picture(section, bench.folder, "beside.svg", "Throughput and CPU of each proxy", 2)
    at = 100 if 100 in results else bench.scale.connections[0]
    rates = {name: rounds.quiet_median(samples, lambda sample: sample.load.rate) for name, samples in results[at].items()}
    costs = {name: median([sample.cpu for sample in samples]) for name, samples in results[at].items()}
    known = [name for name in rates if rates[name] is not None]
    picture.bars(0, f"Requests/s, {at} connections", known, [rates[name] for name in known], "requests/s")
    picture.bars(1, f"CPU of the proxy, {at} connections", list(costs), list(costs.values()), "CPU-ms per 1000 requests")
    picture.save()
    picture = Picture(section, bench.folder, "beside-connections.svg", "Over the number of connections", 2)
    for chart, (title, value) in enumerate(
        (("requests/s", lambda sample: sample.load.rate), ("p99 ms", lambda sample: sample.load.p99))
    ):
        series = {}
        for name in results[at]:
            points = [(count, rounds.quiet_median(results[count][name], value)) for count in results]
            points = [point for point in points if point[1] is not None]
            series[name] = tuple(zip(*points)) if points else ((), ())
        picture.lines(chart, title, series, ("connections", title), logarithmic=True)
    picture.save()


def _data(results):
    """Connections to name to medians, for other parts."""
    return {
        "medians": {
            str(count): {
                name: {
                    "rate": rounds.quiet_median(samples, lambda sample: sample.load.rate),
                    "cpu": median([sample.cpu for sample in samples]),
                    "p99": rounds.quiet_median(samples, lambda sample: sample.load.p99),
                }
                for name, samples in named.items()
            }
            for count, named in results.items()
        }
    }


def _summary(results):
    """The table of the README: medians of 100 connections; empty without the loads that it is of."""
    at = 100 if 100 in results else min(results)
    loads = [load for load in _SUMMARY if load in results[at]]
    if not loads:
        return ""
    heads = (f"{load}: requests/s | CPU | p99 ms" for load in loads)
    lines = [f"| {at} connections | {' | '.join(heads)} |", "|---" * (1 + 3 * len(loads)) + "|"]
    for name in varied.COMPARED:
        cells = [cell for load in loads for cell in _medians(results[at][load].get(name, ()))]
        if all(cells):
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _medians(samples):
    """Requests/s, CPU and p99 as text; empty where there is no such proxy, or no round of it was quiet."""
    if not samples:
        return ("",)
    rate, p99 = (rounds.quiet_median(samples, value) for value in (lambda sample: sample.load.rate, lambda sample: sample.load.p99))
    return (f"{rate:,.0f}" if rate else "", f"{median([sample.cpu for sample in samples]):.1f}", f"{p99:.2f}" if p99 else "")
