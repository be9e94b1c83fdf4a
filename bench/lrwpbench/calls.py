"""The seed's calls: three ApacheBench at once against the OSP peer, counted by ab and by the peer's own log."""

import dataclasses
import time

from . import apachebench, osplog
from .processes import Failed
from .rounds import DISTURBED, Meter

# Message, connections, requests for each call: three times as many destination usages as calls, as in the seed.
LOADS = (("authorisation", 10, 1), ("usage-source", 10, 1), ("usage-destination", 30, 3))
AGREEMENT = 0.01
_SPAN_SECONDS = 0.1
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


class Stage:
    """Proxy, OSP peer and load on the first so many cores. settings: configuration of the peer, lines; proxy: of the proxy."""

    def __init__(self, bench, cores, name="", settings=(), proxy=None):
        self._bench = bench
        self._cores = cores
        self._pin = ("taskset", "-c", f"0-{cores - 1}" if cores > 1 else "0")
        self._proxy = bench.ours.proxy(f"calls-{cores}{name}", proxy, prefix=self._pin)
        data = bench.processes.folder / f"osp-data-{cores}{name}"
        config = data.with_suffix(".properties")
        # ab sends the same message again and again; each has to be a call of its own.
        config.write_text("".join(f"{line}\n" for line in ("messages.remembered=0", *settings)))
        self._nexus = data / "nexus.log"
        peer = bench.processes.start(
            f"osp-{cores}{name}",
            [
                *self._pin, bench.builds.osp_peer(), "osp-peer", "--proxy", f"127.0.0.1:{self._proxy.lrwp}",
                "--report-interval", f"PT{_SPAN_SECONDS}S", "--data", data, "--config", config,
            ],
            "registered",
        )  # fmt: skip
        self._proxy.peers.append(peer)
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
            osplog.calls_per_minute(spans, _SPAN_SECONDS), speed, cpu / cores, peer / cores, cpu * 1e6 / requests, p99, others
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
        return osplog.spans(self._nexus.read_text(errors="replace")) if self._nexus.exists() else []

    def _await_logged(self):
        """All spans, once they have all calls that were sent: the last is logged when it is over."""
        wanted = tuple(self._sent * each for _, _, each in LOADS)
        end = time.monotonic() + _LOG_SECONDS
        while osplog.totals(self._spans()) != wanted:
            if time.monotonic() > end:
                raise Failed(f"the OSP peer logged {osplog.totals(self._spans())}, ab sent {wanted}")
            time.sleep(0.1)
        return self._spans()


def disturbed(bench, one):
    """Whether a round says nothing about throughput."""
    return bench.scale.judged and one.others > DISTURBED


def agreement(bench, rounds):
    """How far log and ab were apart at most, and whether that is too far."""
    if not rounds:
        return ""
    apart = max(abs(one.log / one.ab - 1) for one in rounds)
    said = "" if bench.scale.quick or apart <= AGREEMENT else " **too far**"
    return f"{apart:.2%}{said}"
