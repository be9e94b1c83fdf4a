"""Options of the JVM beside the collector: the young generation, huge pages, small headers of objects, inlining."""

from .. import rounds

HELP = (
    "the size of the young generation, huge pages, compact object headers and less inlining, with the parallel collector:",
    "requests/s, CPU, memory, warm-up. The tables behind the options that ./lrwp proxy has. 12 minutes.",
)
_YOUNG, _HUGE, _COMPACT = "-XX:NewSize=32m -XX:MaxNewSize=96m", "-XX:+UseTransparentHugePages", "-XX:+UseCompactObjectHeaders"
_LESS_INLINING = "-XX:FreqInlineSize=150"
# The JVM's own.
_USUAL_INLINING = "-XX:FreqInlineSize=325"
_MORE_INLINING = "-XX:InlineSmallCode=2500"
_CHOSEN, _INLINED_LESS = "young generation of 32 to 96 MiB", "32 to 96 MiB, less inlining"
_OPTIONS = {
    "a third of the heap": ("-XX:NewRatio=2", _HUGE),
    "young generation of 48 MiB": ("-Xmn48m", _HUGE),
    _CHOSEN: (_YOUNG, _HUGE),
    "young generation of 96 MiB": ("-Xmn96m", _HUGE),
    "young generation of 192 MiB": ("-Xmn192m", _HUGE),
    "32 to 96 MiB, small pages": (_YOUNG,),
    "32 to 96 MiB, compact headers": (_YOUNG, _HUGE, _COMPACT),
    "32 to 96 MiB, more inlining": (_YOUNG, _HUGE, _MORE_INLINING),
    _INLINED_LESS: (_YOUNG, _HUGE, _LESS_INLINING),
}
_WARMED_UP = (_CHOSEN, _INLINED_LESS)
_CONNECTIONS = (50, 500)
_STEPS, _STEP = 8, 5


def run(bench):
    section = bench.section("jvm", "Options of the JVM")
    # Whatever the launcher has of these is switched off for those rows that do without.
    without = f"-XX:+UseParallelGC -XX:-UseTransparentHugePages -XX:-UseCompactObjectHeaders {_USUAL_INLINING} "
    proxies = {}
    for name in list(_OPTIONS)[-1 if bench.scale.quick else 0 :]:
        proxies[name] = bench.ours.proxy(f"jvm-{len(proxies)}", options=without + " ".join(_OPTIONS[name]))
        bench.ours.lrwp3(proxies[name])
    section.text("`./lrwp proxy` with the servlet, the parallel collector and LRWP 3 peers; wrk, POST of 1,500 bytes.")
    for connections in _CONNECTIONS[: 1 if bench.scale.quick else None]:
        cases = rounds.cases(proxies, bench.loads.wrk, connections)
        results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
        section.text(f"**{connections} connections**")
        section.table(
            ("options", *rounds.HEADER),
            [(_named(name), *rounds.cells(samples)) for name, samples in results.items()],
        )
    _warm_ups(bench, section, without)
    return section


def _warm_ups(bench, section, without):
    """What a proxy does from its first request on."""
    count, seconds = (1, 1) if bench.scale.quick else (_STEPS, _STEP)
    rows = []
    for name in _WARMED_UP:
        proxy = bench.ours.proxy(f"warm-{len(rows)}", options=without + " ".join(_OPTIONS[name]))
        bench.ours.lrwp3(proxy)
        [case] = rounds.cases({name: proxy}, bench.loads.wrk, _CONNECTIONS[0])
        steps = [rounds.loaded(case, seconds) for _ in range(count)]
        total = sum(load.requests for load, _ in steps)
        rows.append((_named(name), *(f"{load.rate:,.0f}/s, {cpu:.0f}" for load, cpu in steps), f"{total:,}"))
    section.text(
        f"**Warm-up.** The same load from the first request after the start; requests/s and CPU-ms per 1000 of each {seconds} s, "
        "the compiler's included."
    )
    section.table(("options", *(f"to {(i + 1) * seconds} s" for i in range(count)), "all requests"), rows)


def _named(name):
    options = " ".join(_OPTIONS[name])
    return f"{name}: `{options}`" if options else name
