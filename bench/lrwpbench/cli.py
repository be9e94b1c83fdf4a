"""The command line of bench/run."""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import importlib
import io
import multiprocessing
import os
import pathlib
import signal
import sys
import time

from . import machine, publish
from .bench import Workshop
from .builds import Builds
from .missing import Missing
from .processes import Failed, raise_file_limit
from .report import Report
from .scale import FULL, LOADS, QUICK

# In the order in which they run: seed uses what the others have measured.
PARTS = (
    "cpm", "beside", "first", "newcomers", "growth", "log", "versions", "profile", "gc", "jvm", "jmh", "osp", "download", "events", "tunnels",
    "tls", "attacks", "connect", "adapters", "cluster", "cache", "soak", "seed",
)  # fmt: skip
# Runs only when it is named.
_ON_REQUEST = ("cluster", "soak")
# Parts of a quick run at a time.
_TOGETHER = 3
REPORTS = pathlib.Path(__file__).resolve().parent.parent / "reports"


def _part(name):
    return importlib.import_module(f"lrwpbench.parts.{name}")


def _help():
    print("bench/run [PART...] [options]: measures the proxy on this machine; without PART all but cluster and soak.\n")
    for name in PARTS:
        first, second = _part(name).HELP
        print(f"  {name:<10}{first}\n  {'':<10}{second}")
    print()
    _parser().print_help()


def _parser():
    parser = argparse.ArgumentParser(prog="bench/run", add_help=False, usage=argparse.SUPPRESS)
    parser.add_argument("parts", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("-h", "--help", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="a short run that shows that the bench works; no figures")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"rounds of each case ({FULL.rounds})")
    parser.add_argument("--seconds", type=float, metavar="S", help=f"seconds of a round ({FULL.seconds})")
    parser.add_argument("--calls", type=int, metavar="N", help="part cpm: calls of a round (as many as fill a minute)")
    parser.add_argument("--minutes", type=float, metavar="N", help=f"part soak: how long ({FULL.soak_minutes:g})")
    parser.add_argument("--rate", type=int, metavar="R", help=f"part beside: the constant rate ({FULL.paced_rate}/s)")
    connections = f"{_listed(FULL.connections)}; of the varied loads {_listed(FULL.varied_connections)}"
    parser.add_argument("--connections", type=_numbers, metavar="N,N", help=f"part beside: connections of each load ({connections})")
    parser.add_argument("--loads", type=_loads, metavar="L,L", help=f"part beside: some of {_listed(LOADS)}, beside nginx + FastCGI and HAProxy only")
    parser.add_argument("--publish", action="store_true", help="put tables and pictures into README.md and docs/")
    return parser


def _listed(values):
    return ",".join(str(value) for value in values)


def _numbers(text):
    parts = text.split(",")
    if not all(part.isdigit() and int(part) > 0 for part in parts):
        raise argparse.ArgumentTypeError("numbers above 0, with commas between them")
    return tuple(int(part) for part in parts)


def _loads(text):
    loads = tuple(text.split(","))
    if not set(loads) <= set(LOADS):
        raise argparse.ArgumentTypeError(f"some of {_listed(LOADS)}")
    return loads


def _scale(options):
    changes = {
        "connections": options.connections,
        "varied_connections": options.connections,
        "loads": options.loads,
        "rounds": options.rounds,
        "seconds": options.seconds,
        "calls": options.calls,
        "paced_rate": options.rate,
        "soak_minutes": options.minutes,
    }
    chosen = {name: value for name, value in changes.items() if value is not None}
    if any(value <= 0 for value in chosen.values() if not isinstance(value, tuple)):
        raise SystemExit("bench/run: --rounds, --seconds, --calls, --minutes and --rate are above 0")
    return dataclasses.replace(QUICK if options.quick else FULL, **chosen)


def main(arguments):
    """Runs the parts; 0 when all of them did what they should, 1 when one could not, 2 for wrong use."""
    options = _parser().parse_args(arguments)
    if options.help or options.parts == ["help"]:
        _help()
        return 0
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        print(f"bench/run: there is no part {unknown[0]}; bench/run help lists them", file=sys.stderr)
        return 2
    if options.publish and options.quick:
        print("bench/run: a quick run measures nothing that could be published", file=sys.stderr)
        return 2
    if options.publish and options.loads:
        print("bench/run: what is published has all loads of part beside", file=sys.stderr)
        return 2
    scale = _scale(options)
    # Ended like Ctrl-C: what was started is stopped.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    raise_file_limit()
    os.environ["JAVA_HOME"] = str(Builds.jdk())
    report = Report(REPORTS, arguments, scale, machine.describe(Builds("").root, Builds.jdk()))
    asked = [part for part in PARTS if (part in options.parts if options.parts else part not in _ON_REQUEST)]
    failed = (_run_together if scale.quick else _run_in_turn)(asked, scale, report)
    print(f"\nreport: {report.folder}/report.md")
    if options.publish and not failed:
        publish.publish(report)
    return 1 if failed else 0


def _run_in_turn(parts, scale, report):
    """Runs parts one after the other; returns those that could not."""
    return [part for part in parts if not _add(report, *_run(part, scale, report))]


def _run_together(parts, scale, report):
    """The same where nothing is measured: parts wait much, so some run at a time. The last one uses what the others say."""
    early = [part for part in parts if part != PARTS[-1]]
    failed = []
    with concurrent.futures.ProcessPoolExecutor(_TOGETHER) as pool:
        try:
            for part, done in [(part, pool.submit(_run_silently, part, scale, report)) for part in early]:
                text, section, good = done.result()
                print(text, flush=True)
                if not _add(report, section, good):
                    failed.append(part)
        except BaseException:
            # Each stops what it has started.
            for child in multiprocessing.active_children():
                child.terminate()
            raise
    return failed + _run_in_turn([part for part in parts if part not in early], scale, report)


def _run_silently(part, scale, report):
    """(what it printed, section, whether it did what it should): lines of parts that run together would mix."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        section, good = _run(part, scale, report)
    return text.getvalue(), section, good


def _add(report, section, good):
    report.add(section)
    return good


def _run(part, scale, report):
    """(section, whether it did what it should)."""
    print(f"== {part}", flush=True)
    begin = time.monotonic()
    with Workshop(scale, report) as bench:
        try:
            section = _part(part).run(bench)
        except (Missing, Failed) as reason:
            print(f"bench/run: {part}: {reason}", file=sys.stderr)
            section = bench.section(part, part)
            section.text(f"**Not measured:** {str(reason).splitlines()[0]}")
            return section, False
    print(section.markdown())
    print(f"({part}: {time.monotonic() - begin:.0f} s)\n", flush=True)
    return section, True
