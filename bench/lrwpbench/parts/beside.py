"""Ours beside what people use today."""

import os

from .. import rounds
from ..domain import Domain
from ..missing import Missing
from ..plots import Picture
from ..spread import median

HELP = (
    "ours with LRWP 3, with either front, and 64 LRWP 1 connections, in ./lrwp proxy and in a full GlassFish domain, beside nginx, HAProxy,",
    "Jetty and Undertow: POST of 1.5 KB, answer of 1 KB; wrk with 10 to 500 connections, and a constant rate. 30 minutes.",
)
LRWP3 = "LRWP 3"
DIRECT = "LRWP 3, direct front"
LRWP1 = "LRWP 1, 64 connections"
FASTCGI = "nginx + FastCGI"
_README = (LRWP3, DIRECT, LRWP1, FASTCGI, "nginx, HTTP", "HAProxy, HTTP", "Undertow, HTTP", "Jetty, HTTP")


def run(bench):
    section = bench.section("beside", "Beside what people use today")
    section.text(
        "POST of 1,500 octets to a back end in C that answers 1,024 octets; access log off; wrk, proxy and back end share the "
        "machine. CPU is the proxy's alone."
    )
    proxies = _start(bench, section)
    results = {}
    for connections in bench.scale.connections:
        bench.say(f" {connections} connections")
        cases = rounds.cases(proxies, bench.loads.wrk, connections)
        results[connections] = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
        section.text(f"**{connections} connections**")
        section.table(("proxy", *rounds.HEADER), [(name, *rounds.cells(results[connections][name])) for name in proxies])
    paced = _paced(bench, section, proxies)
    _pictures(bench, section, results)
    section.data.update(_data(results))
    section.data["paced"] = {name: [sample.load.p999 for sample in samples] for name, samples in paced.items()}
    section.data["summary"] = _summary(bench, results, paced)
    return section


def _start(bench, section):
    """Name to proxy. One that this machine has not is named in the report."""
    ours = {
        LRWP3: (bench.ours.lrwp3, {}),
        DIRECT: (bench.ours.lrwp3, {"front": "direct"}),
        LRWP1: (bench.ours.lrwp1, {}),
    }
    makers = {
        FASTCGI: bench.rivals.nginx_fastcgi,
        "nginx, HTTP": bench.rivals.nginx_http,
        "HAProxy, HTTP": bench.rivals.haproxy,
        "Undertow, HTTP": bench.rivals.undertow,
        "Jetty, HTTP": bench.rivals.jetty,
        "LRWP 3, full domain as installed": lambda: _domain(bench, bench.ours.lrwp3, tuned=False),
        "LRWP 3, full domain, tuned": lambda: _domain(bench, bench.ours.lrwp3, tuned=True),
        "LRWP 1, full domain, tuned": lambda: _domain(bench, bench.ours.lrwp1, tuned=True),
    }
    if bench.scale.quick:
        # A domain takes half a minute, and the system tests have theirs; part versions has the direct front.
        makers = {name: make for name, make in makers.items() if "domain" not in name}
        del ours[DIRECT]
    bench.say(f"  starting {'; '.join(ours)}")
    proxies = bench.ours.side_by_side(ours)
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


def _summary(bench, results, paced):
    """The table of the README."""
    at = 100 if 100 in results else bench.scale.connections[0]
    lines = [
        f"| {at} connections | requests/s | CPU-ms per 1000 requests | p99 ms | p99.9 ms at {bench.scale.paced_rate:,}/s |",
        "|---|---|---|---|---|",
    ]
    for name in _README:
        if name in results[at]:
            row = rounds.cells(results[at][name])
            lines.append(f"| {name} | {row[0]} | {row[1]} | {row[3]} | {rounds.cells(paced[name])[4]} |")
    return "\n".join(lines)
