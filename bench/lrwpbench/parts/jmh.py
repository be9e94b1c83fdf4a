"""The pieces of a request alone, with what they allocate."""

import json

HELP = (
    "JMH: frames, env block, CGI head, matching, slot claim and hand-off over LRWP 1 and 3, metrics, traces; time and bytes allocated for each.",
    "6 minutes.",
)
_FULL = ("-f", "1", "-wi", "3", "-i", "5", "-w", "1s", "-r", "1s")
_QUICK = ("-f", "0", "-wi", "0", "-i", "1", "-r", "50ms")


def run(bench):
    section = bench.section("jmh", "The pieces of a request alone")
    jar = bench.builds.module("bench/jmh", "bench-jmh.jar")
    results = bench.processes.folder / "jmh.json"
    length = _QUICK if bench.scale.quick else _FULL
    bench.processes.run(
        [bench.builds.jdk() / "bin/java", "-jar", jar, *length, "-prof", "gc", "-rf", "json", "-rff", results], 3600
    )
    rows = [_row(one) for one in json.loads(results.read_text())]
    section.table(("piece", "nanoseconds", "error", "bytes allocated"), rows)
    section.data["nanoseconds"] = {row[0]: row[1] for row in rows}
    return section


def _row(one):
    name = ".".join(one["benchmark"].split(".")[-2:]).replace("Benchmark", "")
    parameters = " ".join(f"{key}={value}" for key, value in (one.get("params") or {}).items())
    score = one["primaryMetric"]
    allocated = next(
        (metric["score"] for key, metric in one["secondaryMetrics"].items() if key.endswith("gc.alloc.rate.norm")), 0.0
    )
    error = score["scoreError"]
    return (
        f"{name} {parameters}".strip(),
        f"{score['score']:,.0f}",
        f"{float(error):,.0f}" if error != "NaN" else "",
        f"{float(allocated):,.0f}",
    )
