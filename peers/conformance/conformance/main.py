"""The command line, and the order in which cases run."""

import argparse
import concurrent.futures
import sys
import threading
import time
import traceback

from . import report
from .cases import CASES
from .wire import Failure, Skip

USAGE = """run [options] -- COMMAND...          checks a peer library by its test peer
       run [options] --proxy-under-test HOST:PORT --http HOST:PORT    checks a proxy"""


def parse(arguments):
    parser = argparse.ArgumentParser(prog="run", usage=USAGE, add_help=True, allow_abbrev=False)
    parser.add_argument("--list", action="store_true", help="print the cases, run none")
    parser.add_argument("--only", metavar="TEXT", action="append", default=[],
                        help="run the cases with TEXT in their name, or with this section or group; =NAME is that one "
                             "case; may be repeated")
    parser.add_argument("--without", metavar="A,B", default="",
                        help="abilities that the program does not have: identity, proxies, "
                             "shared-concurrency, tls, unix; "
                             "for a proxy: identity, lrwp1")
    parser.add_argument("--junit", metavar="FILE", help="write JUnit XML too")
    parser.add_argument("--name", default="conformance", help="what the JUnit XML calls this run")
    parser.add_argument("--jobs", type=int, default=6, help="processes of the peer at a time (6)")
    parser.add_argument("--proxy-under-test", metavar="HOST:PORT", help="the port for peers of a running proxy")
    parser.add_argument("--http", metavar="HOST:PORT", help="its port for clients")
    parser.add_argument("--secret", metavar="CONTEXT:TEXT", help="a context of the proxy that has this secret")
    parser.add_argument("--identity", metavar="NAME:KEYID:HEX:CONTEXT",
                        help="an identity of the proxy, its key, and a context below which it may register all")
    at = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:at])
    options.command = arguments[at + 1:]
    options.without = {name for name in options.without.split(",") if name}
    if options.jobs < 1:
        parser.error("--jobs is below 1")
    if bool(options.command) == bool(options.proxy_under_test) and not options.list:
        parser.error("give the command of a test peer behind --, or --proxy-under-test with --http")
    if options.proxy_under_test and not options.http:
        parser.error("--proxy-under-test needs --http")
    return options


class Run:
    """The cases that were asked for, several processes of the program at a time."""

    def __init__(self, options, kit):
        self.options, self.kit = options, kit
        self.cases = [case for case in CASES if not options.only or any(map(case.fits, options.only))]
        self.results = {}
        self._told = 0
        self._lock = threading.Lock()

    def units(self):
        """Cases that share a process, in their order; those with one of their own, alone."""
        shared = {}
        for case in self.cases:
            shared.setdefault((case.group, case if case.own else None), []).append(case)
        # Those that mostly wait begin first.
        return sorted(shared.items(), key=lambda unit: unit[0][0] not in self.kit.SLOW)

    def run(self):
        print("TAP version 13")
        print(f"1..{len(self.cases)}", flush=True)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for done in [pool.submit(self._unit, group, cases) for (group, _), cases in self.units()]:
                done.result()
        return [self.results[case] for case in self.cases]

    def _unit(self, group, cases):
        bench = None
        try:
            for case in cases:
                missing = [name for name in (*self.kit.NEEDS.get(group, ()), *case.needs)
                           if name in self.options.without]
                if missing:
                    self._tell(report.Result(case, skipped=f"without {missing[0]}"))
                    continue
                if bench is None:
                    bench = self.kit.bench(group, self.options)
                self._tell(self._case(case, bench))
        finally:
            if bench is not None:
                bench.close()

    @staticmethod
    def _case(case, bench):
        begun, result = time.monotonic(), report.Result(case)
        try:
            case.function(bench)
        except Skip as skip:
            result.skipped = str(skip)
        except Failure as failure:
            result.failure = failure
        except Exception as error:  # a fault of this program must not look like a good peer
            result.failure = Failure("no error in the case itself", f"{error!r}\n{traceback.format_exc()}")
        result.seconds = time.monotonic() - begun
        if result.failure:
            result.diary, result.lines = list(bench.diary), list(bench.lines)
            bench.drop()
        bench.over()
        return result

    def _tell(self, result):
        with self._lock:
            self.results[result.case] = result
            while self._told < len(self.cases) and self.cases[self._told] in self.results:
                case = self.cases[self._told]
                self._told += 1
                for line in report.tap(self.results[case], self._told):
                    print(line.replace("\n", "\n# "))
                sys.stdout.flush()


def main(arguments=None):
    options = parse(sys.argv[1:] if arguments is None else arguments)
    if options.proxy_under_test or (options.list and options.http):
        from .proxy import kit
    else:
        from .peer import kit
    run = Run(options, kit)
    if options.list:
        for case in run.cases:
            print(case)
        return 0
    if not run.cases:
        print("run: no case has such a name", file=sys.stderr)
        return 2
    begun = time.monotonic()
    results = run.run()
    failed = [result for result in results if result.failure]
    skipped = [result for result in results if result.skipped]
    print(f"# passed {len(results) - len(failed) - len(skipped)}, failed {len(failed)}, skipped {len(skipped)}, "
          f"{time.monotonic() - begun:.1f} s")
    for result in failed:
        print(f"# failed: {result.case}")
    if options.junit:
        report.junit(results, options.name, options.junit)
    return 1 if failed else 0
