"""The varied loads: ours, nginx + FastCGI and HAProxy in turn, and what is asked of ours."""

import dataclasses

from . import goals, java_heap, rounds
from .loads import VARIED
from .spread import median, shown

# Whose figures are compared; others are not measured with these loads.
COMPARED = (goals.LRWP3, goals.DIRECT, goals.LRWP1, goals.LRWP1_DIRECT, goals.FASTCGI, goals.HAPROXY)
_ALLOCATING_CONNECTIONS = 100
# There are many cases; enough for some requests of each.
_QUICK_SECONDS = 0.2


def measure(bench, section, proxies, repeated):
    """Adds what was found to the section, and returns it: connections to load to name to samples.

    repeated: connections to name to samples, of the load that repeats its head."""
    kinds = [kind for kind in VARIED if kind in bench.scale.loads]
    section.text(
        "**Requests as they come.** `varied`: each has another path, query, cookie and id, and ten fields as browsers and API clients "
        "send them; 40 % GET, else POST with a body of 200 to 3,000 bytes. `mixed`: and 10 % with a path that needs decoding, 5 % chunked. "
        "`mixed-files`: and 5 % a static file, which the server has itself. The client sees that each answer is the one to its request."
    )
    results = {connections: _rounds(bench, section, proxies, kinds, connections) for connections in bench.scale.varied_connections}
    for connections, found in results.items():
        if connections in repeated:
            results[connections] = {goals.REPEATED: repeated[connections], **found}
    for connections, found in results.items():
        _judge(section, connections, found)
    _ahead(section, results)
    if "varied" in kinds:
        _allocated(bench, section, proxies)
    section.data["ratios"] = _data(results)
    return results


def _rounds(bench, section, proxies, kinds, connections):
    """Load to name to samples."""
    scale = dataclasses.replace(bench.scale, seconds=_QUICK_SECONDS) if bench.scale.quick else bench.scale
    found = {}
    for kind in kinds:
        bench.say(f" {kind}, {connections} connections")
        cases = rounds.cases(proxies, bench.loads.varied, kind, connections)
        found[kind] = rounds.interleaved(bench.processes, scale, cases, bench.say)
        section.text(f"**`{kind}`, {connections} connections**")
        section.table(("proxy", *rounds.HEADER), [(name, *rounds.cells(found[kind][name])) for name in proxies])
    return found


def ratios(named, base=goals.FASTCGI):
    """Name to its ratios to another one's."""
    if base not in named:
        return {}
    return {name: goals.Ratios.of(samples, named[base]) for name, samples in named.items() if name != base and name in COMPARED}


def _judge(section, connections, found):
    rows = [
        goals.cells(name, load, value, goals.aim(name, load, connections))
        for load, named in found.items()
        for name, value in ratios(named).items()
    ]
    if rows:
        section.text(f"**Against {goals.FASTCGI} in the same round, {connections} connections**")
        section.table(goals.HEADER, rows)


def _ahead(section, results):
    rows = []
    for connections, found in results.items():
        for load, named in found.items():
            ahead = ratios(named, goals.HAPROXY).get(goals.DIRECT)
            if ahead is not None:
                verdict = ahead.rate and ("yes" if median(ahead.rate) > 1 else "no")
                rows.append((load, connections, shown(ahead.rate, 2), shown(ahead.cpu, 2), verdict or "disturbed *"))
    if rows:
        section.text(f"**{goals.DIRECT} against {goals.HAPROXY}**")
        section.table(("load", "connections", "requests/s", "CPU per request", "ahead"), rows)


def _allocated(bench, section, proxies):
    proxy = proxies[goals.DIRECT] if bench.scale.quick else _of_fixed_heap(bench)

    def load(seconds=bench.scale.seconds):
        return bench.loads.varied(proxy.port, proxy.path, "varied", _ALLOCATING_CONNECTIONS, seconds).requests

    if bench.scale.warm_seconds:
        load(bench.scale.warm_seconds)
    amount = java_heap.allocated_per_request(bench.builds.jdk(), proxy, load)
    section.text(
        f"A request of `varied` allocates {amount:,.0f} bytes in the proxy ({goals.DIRECT}, {_ALLOCATING_CONNECTIONS} connections; goal "
        f"{goals.ALLOCATED_GOAL:,}, floor {goals.ALLOCATED_FLOOR:,}): {goals.allocation(amount)}. Counted are collections of a young "
        "generation of fixed size."
    )
    section.data["allocated bytes"] = amount


def _of_fixed_heap(bench):
    proxy = bench.ours.proxy("allocation", {"front": goals.EDGE}, java_heap.FIXED_YOUNG)
    bench.ours.lrwp3(proxy)
    return proxy


def _data(results):
    """Connections to load to name to ratios, for whoever reads data.json."""
    return {
        str(connections): {
            load: {name: {"rate": one.rate, "cpu": one.cpu, "p99": one.p99} for name, one in ratios(named).items()}
            for load, named in found.items()
        }
        for connections, found in results.items()
    }
