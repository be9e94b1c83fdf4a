"""Programs that people have, by our adapters, beside the servers that people use for them."""

from .. import machine, rounds
from ..goals import Ratios
from ..programs import Programs
from ..spread import median, shown

HELP = (
    "programs of WSGI and ASGI by lrwp run, of Node by lrwp.serve, of PHP-FPM by lrwp-connect, beside gunicorn, uvicorn with uvloop,",
    "Node and PHP-FPM behind nginx: the varied load, 100 connections, as many worker processes as there are cores. 12 minutes.",
)
# Requests/s as a part of those of the usual server: goal, floor.
_ASKED = {"WSGI": (1.0, 0.9), "ASGI": (1.0, 0.9), "Node": (0.9, 0.75), "PHP": (1.0, 0.9)}


def run(bench):
    section = bench.section("adapters", "Programs that people have")
    programs = Programs(bench, machine.CORES)
    pairs = {
        "WSGI": {"lrwp run": lambda: programs.lrwp_run("wsgi"), "nginx, gunicorn": programs.gunicorn},
        "ASGI": {"lrwp run": lambda: programs.lrwp_run("asgi"), "nginx, uvicorn": programs.uvicorn},
        "Node": {"lrwp.serve": programs.lrwp_serve, "nginx, http.createServer": programs.node_http},
        "PHP": {"lrwp-connect, PHP-FPM": programs.lrwp_connect, "nginx, PHP-FPM": programs.nginx_php},
    }
    proxies = {(kind, server): start() for kind, servers in pairs.items() for server, start in servers.items()}
    connections = 100 if 100 in bench.scale.varied_connections else bench.scale.varied_connections[0]
    named = {f"{kind}, {server}": proxy for (kind, server), proxy in proxies.items()}
    cases = rounds.cases(named, bench.loads.varied, "varied", connections)
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    section.text(
        f"The load `varied`, {connections} connections, {machine.CORES} worker processes of each program; ours with the edge front. gunicorn "
        "has 16 threads in each, as `lrwp run` has; uvicorn has uvloop and httptools, and `lrwp run` uvloop. CPU is that of proxy, server and "
        "program together."
    )
    section.table(("program, server", *rounds.HEADER), [(name, *rounds.cells(samples)) for name, samples in results.items()])
    rows = []
    for kind, servers in pairs.items():
        ours, theirs = (results[f"{kind}, {server}"] for server in servers)
        ratios = Ratios.of(ours, theirs)
        rows.append(_row(kind, ratios))
        section.data[kind] = {"rate": ratios.rate, "cpu": ratios.cpu, "p99": ratios.p99}
    section.text("**Ours against the other one in the same round**")
    section.table(("program", "requests/s", "goal, floor", "CPU per request", "p99", "reached"), rows)
    return section


def _row(kind, ratios):
    goal, floor = _ASKED[kind]
    return (
        kind, shown(ratios.rate, 2) or "disturbed *", f"{goal}, {floor}", shown(ratios.cpu, 2), shown(ratios.p99, 2) or "disturbed *",
        reached(kind, ratios.rate),
    )  # fmt: skip


def reached(kind, rates):
    """What the ratios of requests/s reach, in a word."""
    if not rates:
        return "disturbed *"
    goal, floor = _ASKED[kind]
    return "goal" if median(rates) >= goal else "floor" if median(rates) >= floor else "below the floor"
