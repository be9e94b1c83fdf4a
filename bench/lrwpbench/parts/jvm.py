"""Options of the JVM beside the collector: the young generation, huge pages, small headers of objects."""

from .. import rounds

HELP = (
    "the size of the young generation, huge pages, compact object headers and wider inlining, with the parallel collector:",
    "requests/s, CPU, memory. The table behind the options that ./lrwp proxy has. 6 minutes.",
)
_YOUNG, _HUGE, _COMPACT = "-Xmn96m", "-XX:+UseTransparentHugePages", "-XX:+UseCompactObjectHeaders"
_INLINING = ("-XX:MaxInlineLevel=20", "-XX:InlineSmallCode=4000", "-XX:FreqInlineSize=500", "-XX:TypeProfileWidth=4")
# As the JVM has them by itself.
_USUAL_INLINING = ("-XX:MaxInlineLevel=15", "-XX:InlineSmallCode=2500", "-XX:FreqInlineSize=325", "-XX:TypeProfileWidth=2")
_OPTIONS = {
    "the JVM's choice": (),
    "young generation of 96 MiB": (_YOUNG,),
    "huge pages": (_HUGE,),
    "huge pages, compact headers": (_HUGE, _COMPACT),
    "huge pages, wider inlining": (_HUGE, *_INLINING),
}
_CONNECTIONS = 50


def run(bench):
    section = bench.section("jvm", "Options of the JVM")
    # Whatever the launcher has of these is switched off for those rows that do without.
    without = " ".join(("-XX:+UseParallelGC -XX:-UseTransparentHugePages -XX:-UseCompactObjectHeaders", *_USUAL_INLINING, ""))
    proxies = {}
    for name in list(_OPTIONS)[-1 if bench.scale.quick else 0 :]:
        proxies[name] = bench.ours.proxy(f"jvm-{len(proxies)}", options=without + " ".join(_OPTIONS[name]))
        bench.ours.lrwp3(proxies[name])
    cases = rounds.cases(proxies, bench.loads.wrk, _CONNECTIONS)
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    section.text(
        f"`./lrwp proxy` with the servlet, the parallel collector and LRWP 3 peers; wrk with {_CONNECTIONS} connections, POST of 1,500 octets."
    )
    section.table(
        ("options", *rounds.HEADER),
        [(_named(name), *rounds.cells(samples)) for name, samples in results.items()],
    )
    return section


def _named(name):
    options = " ".join(_OPTIONS[name])
    return f"{name}: `{options}`" if options else name
