"""What the access log costs."""

from .. import rounds
from ..ours import EDGE
from ..spread import median

HELP = (
    "what the access log costs, ours and nginx's: off, and a line for each request into a file (ours also into the main log,",
    "as it is without configuration; nginx also with its buffer, which loses lines in a crash). 5 minutes.",
)
_CONNECTIONS = 100


def run(bench):
    section = bench.section("log", "What the access log costs")
    files = bench.processes.folder
    edge = {"front": EDGE}
    on = {**edge, "access-log.enabled": "true"}
    proxies = {
        **bench.ours.side_by_side(
            {
                "LRWP 3, log off": (bench.ours.lrwp3, edge),
                "LRWP 3, log on": (bench.ours.lrwp3, {**on, "access-log.file": files / "ours-access.log"}),
                "LRWP 3, log on, in the main log": (bench.ours.lrwp3, on),
            }
        ),
        "nginx + FastCGI, log off": bench.rivals.nginx_fastcgi("off"),
        "nginx + FastCGI, log on": bench.rivals.nginx_fastcgi(f"{files}/nginx-access.log"),
        "nginx + FastCGI, log on, buffered": bench.rivals.nginx_fastcgi(f"{files}/nginx-buffered.log combined buffer=64k flush=1s"),
    }
    cases = rounds.cases(proxies, bench.loads.wrk, _CONNECTIONS)
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    costs = {name: median([sample.cpu for sample in samples]) for name, samples in results.items()}
    bases = {name: costs[name.split(", log")[0] + ", log off"] for name in costs}
    section.text(f"wrk with {_CONNECTIONS} connections, the edge.")
    section.table(
        ("proxy", *rounds.HEADER, "CPU against log off"),
        [(name, *rounds.cells(results[name]), f"{costs[name] / bases[name]:.2f}") for name in results],
    )
    lines = sum(1 for _ in (files / "ours-access.log").open("rb"))
    section.text(
        f"Ours wrote {lines:,} lines into the file; lines that it drops under load are counted in `/-/status`. The main log is the console, here "
        "a file, and the file that `./lrwp proxy` writes beside it."
    )
    section.data["ratios"] = {name: costs[name] / bases[name] for name in costs}
    return section

