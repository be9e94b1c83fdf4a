"""LRWP 3 beside LRWP 1 with the system calls and the memory that each takes."""

import pathlib
import re
import signal
import subprocess
import tempfile
import time

from .. import java_heap, rounds
from ..missing import need
from ..ours import EDGE, LRWP1_CONNECTIONS, answered
from ..spread import median, shown

HELP = (
    "LRWP 3 beside 64 LRWP 1 connections: requests/s, CPU and system calls of the proxy for each request under wrk with",
    "100 connections, GET without body; and what a POST of 1.5 KB allocates with either front. 4 minutes.",
)
_CONNECTIONS = 100


def run(bench):
    need("strace")
    section = bench.section("versions", "LRWP 3 beside LRWP 1")
    kinds = {
        "LRWP 1": (bench.ours.lrwp1, {}),
        "LRWP 3, one connection": (bench.ours.one_lrwp3, {}),
        "LRWP 3": (bench.ours.lrwp3, {}),
    }
    if bench.scale.quick:
        del kinds["LRWP 3, one connection"]
    proxies = bench.ours.side_by_side(kinds)
    cases = rounds.cases(proxies, bench.loads.wrk, _CONNECTIONS, script="get.lua")
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    calls = {name: [_system_calls(bench, proxy) for _ in range(bench.scale.rounds)] for name, proxy in proxies.items()}
    section.text(
        f"wrk with {_CONNECTIONS} connections, GET; {LRWP1_CONNECTIONS} connections of LRWP 1; of LRWP 3 one, and as many "
        "as the proxy asks for, which is one for each selector thread. System calls are "
        "counted by strace in a run of its own, because it slows the proxy down."
    )
    section.table(
        ("peer", *rounds.HEADER[:4], "system calls per request"),
        [(name, *rounds.cells(results[name])[:4], shown(calls[name], 2)) for name in proxies],
    )
    ratio = median(calls["LRWP 3"]) / median(calls["LRWP 1"])
    cost = {name: median([sample.cpu for sample in results[name]]) for name in results}
    section.text(
        f"LRWP 3 takes {ratio:.2f} of the system calls and {cost['LRWP 3'] / cost['LRWP 1']:.2f} of the CPU of LRWP 1."
    )
    section.data.update({"system calls": ratio, "cpu": cost["LRWP 3"] / cost["LRWP 1"]})
    _memory(bench, section)
    return section


def _memory(bench, section):
    cases = {
        "LRWP 1": (bench.ours.lrwp1, {}),
        "LRWP 3": (bench.ours.lrwp3, {}),
        "LRWP 3, edge": (bench.ours.lrwp3, {"front": EDGE}),
    }
    names = list(cases)[-1:] if bench.scale.quick else list(cases)
    found = {name: _allocated(bench, *cases[name]) for name in names}
    section.text(
        f"What one POST of 1,500 bytes, answered with 1,024, allocates on the heap, with {_CONNECTIONS} connections: collections "
        "of a young generation of fixed size, divided by the requests meanwhile."
    )
    section.table(("peer", "KiB allocated per request"), [(name, f"{kib:.1f}") for name, kib in found.items()])
    section.data["allocated KiB"] = found


def _allocated(bench, add_peer, settings):
    proxy = bench.ours.proxy("allocation", settings, java_heap.FIXED_YOUNG)
    add_peer(proxy)
    bench.loads.wrk(proxy.port, proxy.path, _CONNECTIONS, bench.scale.warm_seconds or 1)

    def load():
        before = answered(proxy)
        bench.loads.wrk(proxy.port, proxy.path, _CONNECTIONS, bench.scale.seconds)
        return answered(proxy) - before

    return java_heap.allocated_per_request(bench.builds.jdk(), proxy, load) / 1024


def _system_calls(bench, proxy):
    lead, seconds = (0.2, 0.8) if bench.scale.quick else (1, 3)
    url = f"http://127.0.0.1:{proxy.port}{proxy.path}"
    with tempfile.NamedTemporaryFile() as report:
        load = subprocess.Popen(
            ["wrk", "-t1", f"-c{_CONNECTIONS}", "-d60s", url], stdout=subprocess.DEVNULL
        )
        time.sleep(lead)
        before = answered(proxy)
        counter = subprocess.Popen(
            ["strace", "-f", "-c", "-o", report.name, "-p", str(proxy.process.pid)], stderr=subprocess.DEVNULL
        )
        time.sleep(seconds)
        counter.send_signal(signal.SIGINT)
        counter.wait()
        requests = answered(proxy) - before
        load.send_signal(signal.SIGINT)
        load.wait()
        rows = pathlib.Path(report.name).read_text().splitlines()
    calls = sum(int(row.split()[3]) for row in rows if re.match(r"\s*\d+\.\d+\s", row) and "total" not in row)
    return calls / max(1, requests)
