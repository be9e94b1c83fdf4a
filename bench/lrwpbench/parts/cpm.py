"""Calls per minute as the seed measured them: three ApacheBench at once against the OSP peer."""

import dataclasses
import time

from .. import apachebench, machine, osplog
from ..missing import need
from ..plots import Picture
from ..processes import Failed
from ..rounds import DISTURBED, Meter
from ..spread import median, shown

HELP = (
    "the seed's test: three ab at once (authorisations c=10, source usages c=10, destination usages c=30) against the OSP peer;",
    "calls per minute by the peer's log and by ab, processor shares, with 1, 2, 4 ... cores. 8 minutes.",
)
# Message, connections, requests for each call: three times as many destination usages as calls, as in the seed.
LOADS = (("authorisation", 10, 1), ("usage-source", 10, 1), ("usage-destination", 30, 3))
AGREEMENT = 0.01
_SPAN_SECONDS = 1
_LOG_SECONDS = 20
_FIRST_CALLS = 2000


@dataclasses.dataclass(frozen=True)
class Round:
    """Calls per minute by the peer's log and by ab; shares of the cores in use; others: share of the machine."""

    log: float
    ab: float
    proxy: float
    peer: float
    cpu: float
    p99: int
    others: float


def run(bench):
    need("ab", "taskset")
    section = bench.section("cpm", "Calls per minute, as in the seed")
    counts = _core_counts(bench)
    stages = {cores: _Stage(bench, cores) for cores in counts}
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


class _Stage:
    """Proxy, OSP peer and load on the first so many cores."""

    def __init__(self, bench, cores):
        self._bench = bench
        self._cores = cores
        self._pin = ("taskset", "-c", f"0-{cores - 1}" if cores > 1 else "0")
        self._proxy = bench.ours.proxy(f"cpm-{cores}", prefix=self._pin)
        self._peer = bench.processes.start(
            f"osp-{cores}",
            [
                *self._pin, bench.builds.osp_peer(), "osp-peer", "--proxy", f"127.0.0.1:{self._proxy.lrwp}",
                "--report-interval", _SPAN_SECONDS, "--data", bench.processes.folder / f"osp-data-{cores}",
            ],
            "registered",
        )  # fmt: skip
        self._proxy.peers.append(self._peer)
        self.calls = bench.scale.calls
        self._sent = 0

    def warm(self):
        """Warms up; without a number of calls from the command line its speed gives it."""
        if self.calls:
            self._load(self.calls)
            return
        seconds = self._bench.scale.cpm_seconds
        for part in (seconds / 4, seconds / 4, seconds):
            speed = self._load(self.calls or _FIRST_CALLS)[0]
            self.calls = max(1000, round(speed / 60 * part / 100) * 100)

    def measure(self):
        best = None
        for _ in range(self._bench.scale.tries):
            found = self._once()
            best = found if best is None or found.others < best.others else best
            if best.others <= DISTURBED or not self._bench.scale.judged:
                break
        return best

    def _once(self):
        seen = len(self._await_logged())
        meter = Meter(self._bench.processes, self._proxy)
        peer = self._proxy.peer_seconds()
        speed, p99 = self._load(self.calls)
        cpu, others, seconds = meter.read()
        peer = self._proxy.peer_seconds() - peer
        spans = self._await_logged()[seen:]
        cores = seconds * self._cores
        requests = self.calls * sum(each for _, _, each in LOADS)
        return Round(
            osplog.calls_per_minute(spans), speed, cpu / cores, peer / cores, cpu * 1e6 / requests, p99, others
        )

    def _load(self, calls):
        """(calls per minute by ab, its worst p99 in ms)."""
        messages = self._bench.builds.bench / "messages"
        url = f"http://127.0.0.1:{self._proxy.port}/osp"
        commands = [
            [*self._pin, *apachebench.command(url, messages / f"{name}.xml", connections, calls * each)]
            for name, connections, each in LOADS
        ]
        runs = [apachebench.read(text) for text in self._bench.processes.run_together(commands)]
        if any(one.failed for one in runs) or [one.requests for one in runs] != [calls * each for _, _, each in LOADS]:
            raise Failed(f"ab saw failed or missing requests: {runs}")
        self._sent += calls
        return calls * 60 / max(one.seconds for one in runs), max(one.p99 for one in runs)

    def _spans(self):
        return osplog.spans(self._peer.log.read_text(errors="replace"))

    def _await_logged(self):
        """All spans, once they have all calls that were sent: the last is logged when it is over."""
        wanted = tuple(self._sent * each for _, _, each in LOADS)
        end = time.monotonic() + _LOG_SECONDS
        while osplog.totals(self._spans()) != wanted:
            if time.monotonic() > end:
                raise Failed(f"the OSP peer logged {osplog.totals(self._spans())}, ab sent {wanted}")
            time.sleep(0.1)
        return self._spans()


def _report(bench, section, results, stages):
    section.text(
        "Three `ab -k` at once, messages as Debian's OSP client sends them; each authorisation is answered with an RSA-2048 "
        "signature. Load, proxy and peer share the cores; the seed's load came from other machines. The peer's log counted "
        "exactly the requests that ab sent, in every round."
    )
    rows = []
    for cores, rounds in results.items():
        quiet = [one for one in rounds if not _disturbed(bench, one)]
        mark = "" if len(quiet) == len(rounds) else " *"
        log, ab = [one.log for one in quiet], [one.ab for one in quiet]
        rows.append(
            (
                cores, f"{stages[cores].calls:,}", shown(log) or "disturbed *", shown(ab) or "disturbed *",
                _agreement(bench, quiet), shown([100 * one.proxy for one in rounds]) + mark,
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
        cores: median([one.log for one in rounds if not _disturbed(bench, one)])
        for cores, rounds in results.items()
        if any(not _disturbed(bench, one) for one in rounds)
    }
    picture = Picture(section, bench.folder, "cpm.svg", "Calls per minute over cores")
    series = {"LRWP proxy and OSP peer": (list(medians), list(medians.values()))}
    picture.lines(0, "Calls per minute", series, ("cores, load generator included", "calls/min"))
    picture.save()
    section.data["cpm"] = {str(cores): value for cores, value in medians.items()}
    section.data["summary"] = "; ".join(f"{cores} core{'s' * (cores > 1)}: {value:,.0f}" for cores, value in medians.items())


def _disturbed(bench, one):
    return bench.scale.judged and one.others > DISTURBED


def _agreement(bench, rounds):
    if not rounds:
        return ""
    apart = max(abs(one.log / one.ab - 1) for one in rounds)
    said = "" if bench.scale.quick or apart <= AGREEMENT else " **too far**"
    return f"{apart:.2%}{said}"
