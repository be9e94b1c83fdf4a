"""Collectors and heaps: what each costs and how long it stops the proxy."""

from .. import java_heap, rounds

HELP = (
    "Serial, Parallel, G1 and ZGC with heaps of 256 MB to 4 GB: requests/s, CPU, p99.9 at a constant rate, pauses, memory.",
    "The table behind the JVM options of solaris-tuning. 25 minutes.",
)
_COLLECTORS = {"Serial": "-XX:+UseSerialGC", "Parallel": "-XX:+UseParallelGC", "G1": "-XX:+UseG1GC", "ZGC": "-XX:+UseZGC"}
_HEAPS = ("256m", "1g", "4g")
_CONNECTIONS = 100


def run(bench):
    section = bench.section("gc", "Collectors and heaps")
    rate = bench.scale.paced_rate
    section.text(
        f"`./lrwp proxy` with one LRWP 3 peer; heap of fixed size (-Xms = -Xmx). wrk with {_CONNECTIONS} connections, then "
        f"{rate:,} requests/s. Pauses are all safepoints of both; RSS is the most that was seen."
    )
    rows = []
    for heap in _HEAPS[1:2] if bench.scale.quick else _HEAPS:
        collectors = ("Parallel",) if bench.scale.quick else tuple(_COLLECTORS)
        proxies = {name: _proxy(bench, name, heap) for name in collectors}
        rows.extend(_measure(bench, heap, proxies, rate))
        for proxy in proxies.values():
            for process in (*proxy.peers, proxy.process):
                bench.processes.stop(process)
    section.table(
        (
            "collector", "heap", *rounds.HEADER[:2], "p99 ms", f"p99.9 ms at {rate:,}/s", "pauses/s", "longest pause ms",
            "RSS MiB",
        ),
        rows,
    )  # fmt: skip
    return section


def _proxy(bench, name, heap):
    log = bench.processes.folder / f"gc-{name}-{heap}.log"
    options = f"{_COLLECTORS[name]} -Xms{heap} -Xmx{heap} -Xlog:safepoint:file={log}:none:filecount=0"
    proxy = bench.ours.proxy(f"gc-{name}-{heap}", options=options)
    bench.ours.lrwp3(proxy)
    proxy.safepoints = log
    return proxy


def _measure(bench, heap, proxies, rate):
    fast = rounds.cases(proxies, bench.loads.wrk, _CONNECTIONS)
    paced = rounds.cases(proxies, bench.loads.paced, rate)
    full = rounds.interleaved(bench.processes, bench.scale, fast, bench.say)
    begin = {name: len(java_heap.pauses_ms(proxy.safepoints.read_text())) for name, proxy in proxies.items()}
    steady = rounds.interleaved(bench.processes, bench.scale, paced, bench.say)
    for name, proxy in proxies.items():
        cells = rounds.cells(full[name])
        pauses = java_heap.pauses_ms(proxy.safepoints.read_text())
        seconds = (1 + bench.scale.rounds) * bench.scale.seconds
        yield (
            name, heap, cells[0], cells[1], cells[3], rounds.cells(steady[name])[4],
            f"{(len(pauses) - begin[name]) / seconds:.2f}", f"{max(pauses, default=0):.1f}",
            f"{max(sample.resident for sample in full[name] + steady[name]):.0f}",
        )  # fmt: skip
