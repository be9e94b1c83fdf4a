"""Calls per minute as the seed measured them: three ApacheBench at once against the OSP peer."""

from .. import machine
from ..calls import Stage, agreement, disturbed
from ..missing import need
from ..plots import Picture
from ..spread import median, shown

HELP = (
    "the seed's test: three ab at once (authorisations c=10, source usages c=10, destination usages c=30) against the OSP peer;",
    "calls per minute by the peer's log and by ab, processor shares, with 1, 2, 4 ... cores. 8 minutes.",
)


def run(bench):
    need("ab", "taskset")
    section = bench.section("cpm", "Calls per minute, as in the seed")
    counts = _core_counts(bench)
    stages = {cores: Stage(bench, cores) for cores in counts}
    results = {cores: [] for cores in counts}
    for stage in stages.values():
        stage.warm()
    for number in range(bench.scale.rounds):
        for cores in counts[number % len(counts) :] + counts[: number % len(counts)]:
            found = stages[cores].measure()
            results[cores].append(found)
            bench.say(f"  {cores} cores: log {found.log:.0f}, ab {found.ab:.0f} calls/min, others {found.others:.1%}")
    _report(bench, section, results, stages)
    return section


def _core_counts(bench):
    """1, 2, 4 ... as far as the machine goes; a quick run takes all cores only."""
    counts = [1]
    while counts[-1] * 2 <= machine.CORES:
        counts.append(counts[-1] * 2)
    return counts[-1:] if bench.scale.quick else counts


def _report(bench, section, results, stages):
    section.text(
        "Three `ab -k` at once, messages as Debian's OSP client sends them; each authorisation is answered with an RSA-2048 "
        "signature. Load, proxy and peer share the cores; the seed's load came from other machines. The peer's log counted "
        "exactly the requests that ab sent, in every round."
    )
    rows = []
    for cores, rounds in results.items():
        quiet = [one for one in rounds if not disturbed(bench, one)]
        mark = "" if len(quiet) == len(rounds) else " *"
        log, ab = [one.log for one in quiet], [one.ab for one in quiet]
        rows.append(
            (
                cores, f"{stages[cores].calls:,}", shown(log) or "disturbed *", shown(ab) or "disturbed *",
                agreement(bench, quiet), shown([100 * one.proxy for one in rounds]) + mark,
                shown([100 * one.peer for one in rounds]) + mark, shown([one.cpu for one in rounds], 1) + mark,
                shown([one.p99 for one in quiet]),
            )
        )  # fmt: skip
    section.table(
        (
            "cores", "calls a round", "calls/min, peer's log", "calls/min, ab", "apart", "proxy % of the cores", "peer %",
            "CPU-ms of the proxy per 1000 requests", "p99 ms",
        ),
        rows,
    )  # fmt: skip
    medians = {
        cores: median([one.log for one in rounds if not disturbed(bench, one)])
        for cores, rounds in results.items()
        if any(not disturbed(bench, one) for one in rounds)
    }
    picture = Picture(section, bench.folder, "cpm.svg", "Calls per minute over cores")
    series = {"LRWP proxy and OSP peer": (list(medians), list(medians.values()))}
    picture.lines(0, "Calls per minute", series, ("cores, load generator included", "calls/min"))
    picture.save()
    section.data["cpm"] = {str(cores): value for cores, value in medians.items()}
    section.data["summary"] = "; ".join(f"{cores} core{'s' * (cores > 1)}: {value:,.0f}" for cores, value in medians.items())
