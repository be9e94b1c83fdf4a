"""Each claim that the seed published about the proxy and the modules, beside what this run has measured."""

from ..missing import Missing
from .beside import DIRECT, FASTCGI, LRWP1, LRWP3

HELP = (
    "each published claim of the seed in a row: their figure, ours, the ratio, the command. Uses what cpm, beside, download and",
    "events have measured in the same run: bench/run cpm beside seed.",
)
# N. Nagarajayya and others, "Making Java Technology Faster Than C with LRWP", August 2007.
SEED_CPM_FOUR_CORES = 27246
SEED_XITAMI_FOUR_CORES = 15000
SEED_GAIN_ONE_CORE = 1.23
SEED_GAIN_FOUR_CORES = 1.78
_MODULE = "LRWP proxy, local"
# Its articles about asynchronous servlets: ten times the clients of a blocking one; 2,000 users, an event every 2 s.
SEED_DOWNLOADS_GAIN = 10
SEED_ANSWERS_BLOCKING = 193
SEED_ANSWERS_ASYNCHRONOUS = 1965
_EVENTS_THERE_ARE = 1000


def run(bench):
    section = bench.section("seed", "The claims of the seed")
    if not {"cpm", "beside", "download", "events"} & set(bench.sections):
        raise Missing("seed needs the figures of cpm, beside, download or events: bench/run cpm beside seed")
    rows = _calls(bench) + _against_c(bench) + downloads(bench) + events(bench)
    section.text(
        'The seed: "Making Java Technology Faster Than C with LRWP", August 2007, GlassFish v1 on Solaris 10 beside Xitami. The '
        "machine, the OSP server (NexSRS) and the place of the load generator are others here, so ratios of calls per minute "
        "compare eras, not programs. What can be compared on one machine is Java against C: Xitami is in no package of today, "
        "nginx with FastCGI is the C server that people use instead."
    )
    section.table(("claim", "seed", "here", "ratio", "command"), rows)
    section.data["rows"] = rows
    section.data["summary"] = _summary(rows)
    return section


def _calls(bench):
    if "cpm" not in bench.sections:
        return []
    measured = {int(cores): value for cores, value in bench.sections["cpm"].data.get("cpm", {}).items()}
    rows = []
    for cores, value in sorted(measured.items()):
        rows.append(
            _row(f"calls/min of the Java proxy; theirs on 4 cores, ours on {cores}", SEED_CPM_FOUR_CORES, value, "cpm")
        )
    if measured:
        most = max(measured)
        rows.append(
            _row(f"calls/min of the C server Xitami; theirs on 4 cores, our proxy on {most}", SEED_XITAMI_FOUR_CORES,
                 measured[most], "cpm", about=True)
        )  # fmt: skip
    return rows


def _against_c(bench):
    medians = bench.sections["beside"].data.get("medians", {}) if "beside" in bench.sections else {}
    rows = []
    for connections, named in medians.items():
        theirs = (named.get(FASTCGI) or {}).get("rate")
        for name in (LRWP3, DIRECT, LRWP1):
            ours = (named.get(name) or {}).get("rate")
            if ours and theirs:
                gain = ours / theirs
                rows.append(
                    (
                        f"throughput of Java over C, {connections} connections, {name} against {FASTCGI}",
                        f"{SEED_GAIN_ONE_CORE:.2f} (1 core), {SEED_GAIN_FOUR_CORES:.2f} (4 cores)",
                        f"{gain:.2f}", f"{gain / SEED_GAIN_FOUR_CORES:.2f}", "`bench/run beside seed`",
                    )
                )  # fmt: skip
    return rows


def downloads(bench):
    """How many downloads so few container threads have under way at once, over those of a blocking servlet; no row without the part."""
    data = _data(bench, "download")
    blocking, ours = (data.get(f"article {name}", {}).get("together") for name in ("blocking servlet", _MODULE))
    if not (blocking and ours):
        return []
    claim = "slow downloads at once with 10 threads, over those of the blocking servlet; theirs an asynchronous servlet, ours the module"
    gain = ours / blocking
    command = "`bench/run download seed`"
    return [(claim, f"{SEED_DOWNLOADS_GAIN:.1f}", f"{gain:.1f}", f"{gain / SEED_DOWNLOADS_GAIN:.2f}", command)]


def events(bench):
    """Answers a second, as the article counts for its servlets, and each event once per user for the module."""
    data = _data(bench, "events")
    rows = []
    for name, theirs in (("blocking servlet", SEED_ANSWERS_BLOCKING), ("asynchronous servlet", SEED_ANSWERS_ASYNCHRONOUS)):
        found = data.get(f"article {name}")
        if found:
            claim = f"answers/s to 2,000 users that wait for an event every 2 s, {name}, repeats counted"
            rows.append(_row(claim, theirs, found["answers"] / found["seconds"], "events"))
    found = data.get(f"article {_MODULE}")
    if found:
        claim = "the same, each event once per user; theirs all that there are, ours the events module"
        mine = (found["answers"] - found["repeats"] - found["empty"]) / found["seconds"]
        rows.append(_row(claim, _EVENTS_THERE_ARE, mine, "events"))
    return rows


def _data(bench, part):
    return bench.sections[part].data if part in bench.sections else {}


def _row(claim, theirs, ours, part, about=False):
    return (
        claim, f"{'about ' * about}{theirs:,}", f"{ours:,.0f}", f"{ours / theirs:.2f}", f"`bench/run {part} seed`",
    )  # fmt: skip


def _summary(rows):
    lines = ["| claim | seed | here | ratio |", "|---|---|---|---|"]
    lines.extend("| " + " | ".join(row[:4]) + " |" for row in rows)
    return "\n".join(lines)
