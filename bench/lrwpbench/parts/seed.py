"""Each claim that the seed published about the proxy, beside what this run has measured."""

from ..missing import Missing

HELP = (
    "each published claim of the seed about the proxy in a row: their figure, ours, the ratio, the command.",
    "Uses what cpm and beside have measured in the same run: bench/run cpm beside seed.",
)
# N. Nagarajayya and others, "Making Java Technology Faster Than C with LRWP", August 2007.
SEED_CPM_FOUR_CORES = 27246
SEED_XITAMI_FOUR_CORES = 15000
SEED_GAIN_ONE_CORE = 1.23
SEED_GAIN_FOUR_CORES = 1.78
_C_SERVER = "nginx + FastCGI"


def run(bench):
    section = bench.section("seed", "The claims of the seed")
    if not {"cpm", "beside"} & set(bench.sections):
        raise Missing("seed needs the figures of cpm or beside: bench/run cpm beside seed")
    rows = _calls(bench) + _against_c(bench)
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
        theirs = (named.get(_C_SERVER) or {}).get("rate")
        for name in ("LRWP 3", "LRWP 1, 64 connections"):
            ours = (named.get(name) or {}).get("rate")
            if ours and theirs:
                gain = ours / theirs
                rows.append(
                    (
                        f"throughput of Java over C, {connections} connections, {name} against {_C_SERVER}",
                        f"{SEED_GAIN_ONE_CORE:.2f} (1 core), {SEED_GAIN_FOUR_CORES:.2f} (4 cores)",
                        f"{gain:.2f}", f"{gain / SEED_GAIN_FOUR_CORES:.2f}", "`bench/run beside seed`",
                    )
                )  # fmt: skip
    return rows


def _row(claim, theirs, ours, part, about=False):
    return (
        claim, f"{'about ' * about}{theirs:,}", f"{ours:,.0f}", f"{ours / theirs:.2f}", f"`bench/run {part} seed`",
    )  # fmt: skip


def _summary(rows):
    lines = ["| claim | seed | here | ratio |", "|---|---|---|---|"]
    lines.extend("| " + " | ".join(row[:4]) + " |" for row in rows)
    return "\n".join(lines)
