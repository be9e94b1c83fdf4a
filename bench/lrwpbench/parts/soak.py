"""Hours at a third of what the proxy can do, while peers and another node of its cluster come and go: does anything grow?"""

import concurrent.futures
import csv
import dataclasses
import pathlib
import time
import urllib.error
import urllib.request

from .. import java_heap, machine, nats
from ..loads import BODY
from ..ours import EDGE
from ..plots import Picture
from ..processes import Failed
from ..spread import median

HELP = (
    "heap, resident memory, descriptors, threads and disk of a proxy under load for --minutes (100), with restarts of its",
    "peers and of another node: a CSV, a picture. Only when it is asked for.",
)
_SHARE = 3  # of the capacity
_SAMPLES = 200
_LEAST_INTERVAL = 5.0
_WARM_SECONDS = 30  # a JVM that has just started does a fifth of what it can
_LOAD_SECONDS = 60  # of one run of the load generator, which keeps every latency
_PEER_ROUNDS, _NODE_ROUNDS = 4, 15  # samples between two restarts of a peer, of the node
_AWAY = "away"


@dataclasses.dataclass(frozen=True)
class Sample:
    """The proxy at one moment. heap is live, after a collection; disk is its temporary folder, its log and what it has
    open without a name."""

    second: float
    heap_mib: float
    rss_mib: float
    descriptors: int
    threads: int
    disk_mib: float


# Figure, its name, and what it may grow by: a share, and so much in any case.
FIGURES = (
    ("heap_mib", "live heap MiB", 0.05, 5),
    ("rss_mib", "resident MiB", 0.05, 16),
    ("descriptors", "descriptors", 0, 20),
    ("threads", "threads", 0, 4),
    ("disk_mib", "disk MiB", 0.05, 16),
)


def growth(values):
    """(median of the second fifth, median of the last): the first fifth is warm-up."""
    fifth = max(1, len(values) // 5)
    return median(values[fifth : 2 * fifth] or values), median(values[-fifth:])


def flat(values, share, margin):
    """Whether the end is no more above the beginning than is allowed."""
    begin, end = growth(values)
    return end <= begin + max(begin * share, margin)


def run(bench):
    section = bench.section("soak", "Soak")
    soak = _Soak(bench)
    rate = soak.warm_up()
    bench.say(f" {rate}/s for {bench.scale.soak_minutes:g} minutes")
    samples, loads = soak.run(rate)
    _publish(bench, section, samples)
    requests, errors = sum(load.requests for load in loads), sum(load.errors for load in loads)
    section.text(
        f"{bench.scale.soak_minutes:g} minutes at {rate:,} requests/s, a third of what the proxy answered at its best; "
        f"{requests:,} requests, {errors:,} without their answer (a POST whose peer is killed gets 502). {soak.peers} restarts of "
        f"peers, every second one a kill; {soak.nodes} restarts of the other node, which answered {soak.away} of {soak.asked} "
        "requests that only it has a peer for: it is away while it starts."
    )
    section.data = {"rate": rate, "requests": requests, "errors": errors, "seconds": samples[-1].second}
    return section


class _Soak:
    """Two nodes of a cluster with their peers. What is sampled is the first node; the second one is restarted."""

    def __init__(self, bench):
        self._bench = bench
        self._folder = bench.processes.folder / "soak"
        self._folder.mkdir()
        self._nats, _ = nats.start(bench)
        self._node = self._start("a", f"-Djava.io.tmpdir={self._folder}")
        self._other = None
        self.peers = self.nodes = self.asked = self.away = 0
        self._running = [bench.ours.one_lrwp3(self._node) for _ in range(2)]
        self._restart_node()

    def _start(self, name, options=""):
        settings = {"front": EDGE, "cluster.nats": self._nats, "cluster.node": name, "context.queue-time": "2s"}
        return self._bench.ours.proxy(f"node-{name}", settings, options)

    def warm_up(self):
        """A third of what wrk gets."""
        seconds = self._bench.scale.warm_seconds
        if seconds:
            self._bench.loads.wrk(self._node.port, self._node.path, 50, _WARM_SECONDS)
        best = self._bench.loads.wrk(self._node.port, self._node.path, 50, 10 if seconds else 1)
        return max(1, round(best.rate / _SHARE))

    def run(self, rate):
        """(samples, what the load generator says of each of its runs)."""
        total = self._bench.scale.soak_minutes * 60
        interval = max(_LEAST_INTERVAL if total >= 60 else 1, total / _SAMPLES)
        begin = time.monotonic()
        samples, loads = [self._sample(begin)], []
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            load = pool.submit(self._load, rate, begin + total, loads)
            while not concurrent.futures.wait([load], interval).done:
                samples.append(self._sample(begin))
                self._disturb(len(samples))
            load.result()
        return samples, loads

    def _load(self, rate, end, loads):
        while (left := end - time.monotonic()) > 1:
            loads.append(self._bench.loads.paced(self._node.port, self._node.path, rate, round(min(left, _LOAD_SECONDS))))

    def _sample(self, begin):
        pid = self._node.process.pid
        return Sample(
            round(time.monotonic() - begin, 1),
            round(java_heap.live_mib(self._bench.builds.jdk(), pid), 1),
            round(machine.resident_mib([pid]), 1),
            len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir())),
            machine.threads([pid]),
            round(_disk(pid, self._folder, self._bench.processes.folder) / 2**20, 2),
        )

    def _disturb(self, count):
        self._ask_away()
        if count % _PEER_ROUNDS == 0:
            self._restart_peer()
        if count % _NODE_ROUNDS == 0:
            self._restart_node()

    def _restart_peer(self):
        """A new one first, so that there is always one."""
        self._running.append(self._bench.ours.one_lrwp3(self._node))
        old = self._running.pop(0)
        self.peers += 1
        if self.peers % 2:
            old.kill()
        self._bench.ours.remove(self._node, old)

    def _restart_node(self):
        if self._other is not None:
            self.nodes += 1
            for peer in list(self._other.peers):
                self._bench.ours.remove(self._other, peer)
            self._bench.processes.stop(self._other.process)
        self._other = self._start("b")
        self._bench.ours.one_lrwp3(self._other, context=_AWAY)

    def _ask_away(self):
        self.asked += 1
        url = f"http://127.0.0.1:{self._node.port}/{_AWAY}/x"
        try:
            with urllib.request.urlopen(url, data=bytes(BODY), timeout=20) as answer:
                self.away += answer.status == 200
        except urllib.error.URLError:
            pass


def _disk(pid, folder, logs):
    """Bytes of what a node has on the disk: its folder, its log, and open files that have no name any more."""
    found = [path for path in folder.rglob("*") if path.is_file()] + list(logs.glob("node-a-*.log*"))
    total = sum(path.stat().st_size for path in found if path.exists())
    for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            if str(link.readlink()).startswith("/") and str(link.readlink()).endswith(" (deleted)"):
                total += link.stat().st_size
        except FileNotFoundError:
            continue  # closed meanwhile
    return total


def _publish(bench, section, samples):
    if len(samples) < 2:
        raise Failed("too short for two samples")
    path = bench.folder / "soak.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(field.name for field in dataclasses.fields(Sample))
        rows.writerows(dataclasses.astuple(sample) for sample in samples)
    section.text(f"There are {len(samples)} samples, in soak.csv of the report.")
    picture = Picture(section, bench.folder, "soak.svg", "Soak: what the proxy holds", charts=len(FIGURES))
    minutes = [sample.second / 60 for sample in samples]
    rows = []
    for chart, (field, name, share, margin) in enumerate(FIGURES):
        values = [getattr(sample, field) for sample in samples]
        picture.lines(chart, name, {"LRWP proxy": (minutes, values)}, ("minutes", name))
        begin, end = growth(values)
        judged = "too short to say" if bench.scale.quick else "flat" if flat(values, share, margin) else "**grows**"
        rows.append((name, f"{begin:,.1f}", f"{end:,.1f}", f"{max(values):,.1f}", judged))
    picture.save()
    section.table(("of the proxy", "after the first fifth", "in the last fifth", "most", "which is"), rows)
