"""What the access log costs."""

from .. import rounds
from ..spread import median

HELP = (
    "what the access log costs, ours and nginx's: off, and a line for each request into a file",
    "(nginx also with its buffer, which loses lines in a crash). 4 minutes.",
)
_CONNECTIONS = 100


def run(bench):
    section = bench.section("log", "What the access log costs")
    files = bench.processes.folder
    ours_on = {"access-log.enabled": "true", "access-log.file": files / "ours-access.log"}
    proxies = {
        **bench.ours.side_by_side(
            {"LRWP 3, log off": (bench.ours.lrwp3, {}), "LRWP 3, log on": (bench.ours.lrwp3, ours_on)}
        ),
        "nginx + FastCGI, log off": bench.rivals.nginx_fastcgi("off"),
        "nginx + FastCGI, log on": bench.rivals.nginx_fastcgi(f"{files}/nginx-access.log"),
        "nginx + FastCGI, log on, buffered": bench.rivals.nginx_fastcgi(f"{files}/nginx-buffered.log combined buffer=64k flush=1s"),
    }
    cases = rounds.cases(proxies, bench.loads.wrk, _CONNECTIONS)
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    costs = {name: median([sample.cpu for sample in samples]) for name, samples in results.items()}
    bases = {name: costs[name.split(", log")[0] + ", log off"] for name in costs}
    section.text(f"wrk with {_CONNECTIONS} connections.")
    section.table(
        ("proxy", *rounds.HEADER, "CPU against log off"),
        [(name, *rounds.cells(results[name]), f"{costs[name] / bases[name]:.2f}") for name in results],
    )
    lines = sum(1 for _ in (files / "ours-access.log").open("rb"))
    section.text(f"Ours wrote {lines:,} lines; lines that it drops under load are counted in `/-/status`.")
    section.data["ratios"] = {name: costs[name] / bases[name] for name in costs}
    return section

