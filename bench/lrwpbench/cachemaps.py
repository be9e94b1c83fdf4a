"""The cache map beside other caches of the JVM: operations, hit ratio, opening, kills."""

import dataclasses
import shutil
import time

from . import cachelines, machine
from .missing import need
from .plots import Picture
from .processes import Failed
from .rounds import DISTURBED
from .spread import median, shown

# What each is worth on a quiet machine.
GET_BETTER = 1.2
MIX_BETTER = 1.1
PUT_WORSE = 1.2
OPEN_MILLIS = 1500

KINDS = ("get", "mix", "put")
OURS = "LRWP cache map"
_GIB = 1 << 30
_MEAN = 4096
_UNSAFE = ("--sun-misc-unsafe-memory-access=allow",)
# What its documentation asks for since Java 17, and no thread that watches disks.
_CHRONICLE = (
    *_UNSAFE, "-Dchronicle.disk.monitor.disable=true",
    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED", "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED", "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
    "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED", "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/java.util=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Cache:
    """name: what CacheBench calls it; options: what it needs of the JVM."""

    name: str
    what: str
    off_heap: bool = True
    options: tuple = ()


CACHES = {
    OURS: Cache("cache-map", "file, checksum"),
    "one-nio 2.3": Cache("one-nio", "file; needs `Unsafe`", options=_UNSAFE),
    "Chronicle Map 2026.1": Cache("chronicle", "file, evicts nothing; needs `Unsafe` and 10 opened packages", options=_CHRONICLE),
    "MapDB 3.1": Cache("mapdb", "file"),
    "Ehcache 3.11": Cache("ehcache", "off heap"),
    "OHC 0.7": Cache("ohc", "off heap; needs `Unsafe`", options=_UNSAFE),
    "Caffeine 3.2": Cache("caffeine", "heap, hands out the value itself", False),
    "JCS 3.2": Cache("jcs", "heap, hands out the value itself", False),
}


@dataclasses.dataclass(frozen=True)
class Round:
    """figures: (kind, threads) to what was measured; quiet: whether others left the machine alone."""

    figures: dict
    heap: float
    wrong: int
    quiet: bool


class Maps:
    """Runs CacheBench; memory: a folder in memory. goals: what peermodules.goals() shows."""

    def __init__(self, bench, section, jar, memory):
        self._bench = bench
        self._section = section
        self._jar = jar
        self._memory = memory
        self.goals = []

    def _java(self, *arguments, options=(), heap=""):
        size = heap or ("256m" if self._bench.scale.quick else "1g")
        command = [self._bench.builds.jdk() / "bin/java", f"-Xms{size}", f"-Xmx{size}", "-XX:+AlwaysPreTouch"]
        return [*command, "-XX:MaxDirectMemorySize=6g", *options, "-jar", self._jar, *arguments]

    # ---- Operations.

    def operations(self):
        quick = self._bench.scale.quick
        size = 32 << 20 if quick else 4 * _GIB
        names = [OURS] if quick else list(CACHES)
        results = {name: [] for name in names}
        failed = {}
        for number in range(self._bench.scale.rounds):
            turn = number % len(names)
            for name in names[turn:] + names[:turn]:
                threads = "1,2,8" if number == 0 and not quick else "2"
                try:
                    results[name].append(self._round(name, size, threads))
                except Failed as reason:
                    failed[name] = str(reason).splitlines()[-1]
                    names = [one for one in names if one != name]
        results = {name: rounds for name, rounds in results.items() if name not in failed}
        self._section.text(
            f"**Operations.** 64-bit keys by chance, values of 0 to 8 KiB, room for {_shown_size(size)}; put, get, and nine gets to a put. "
            "The values of all keys together take a quarter of the room, so every cache has nearly all of them and the hit ratio is the same. "
            "CPU-ns: processor time of the whole process for one operation, collector and compiler included. Each cache runs in a process of its "
            "own. 2 threads; values are compared byte by byte at the end."
        )
        for name, reason in failed.items():
            self._section.text(f"**{name} was not measured:** {reason}")
        self._section.table(
            (
                "cache", "what it is", *(f"{kind}, CPU-ns" for kind in KINDS), "get, millions/s", "hits of the gets", "heap MiB",
                "wrong values",
            ),
            [_row(name, results[name]) for name in results],
        )  # fmt: skip
        if not quick:
            self._goals_of_operations(results)
            self._more_threads(results)
            self._picture(results)

    def _round(self, name, size, threads):
        cache = CACHES[name]
        bench = self._bench
        # A cache on the heap has room for its values three times.
        heap = "" if cache.off_heap else f"{size * 3 // 4 // _GIB + 1}g"
        seconds = bench.scale.seconds / (10 if bench.scale.quick else 3)
        for _ in range(min(2, bench.scale.tries)):
            folder = self._memory / "operations"
            folder.mkdir()
            begin, busy, own = time.monotonic(), machine.busy_seconds(), bench.processes.own_seconds()
            try:
                text = bench.processes.run(
                    self._java(
                        "operations", cache.name, folder, size, size // 4 // _MEAN, seconds, threads,
                        options=cache.options, heap=heap,
                    )
                )  # fmt: skip
            finally:
                shutil.rmtree(folder)
            taken = machine.busy_seconds() - busy - (bench.processes.own_seconds() - own)
            others = max(0.0, taken / (time.monotonic() - begin) / machine.CORES)
            found = Round(
                cachelines.operations(text),
                cachelines.heap(text),
                cachelines.wrong(text) + sum(one["wrong"] for one in cachelines.operations(text).values()),
                others <= DISTURBED or not bench.scale.judged,
            )
            told = ", ".join(f"{kind} {count} threads {one['cpu-nanos']:.0f}" for (kind, count), one in found.figures.items())
            bench.say(f"  {name}: CPU-ns of {told}; others {others:.1%}")
            if found.quiet:
                break
        return found

    def _more_threads(self, results):
        self._section.text("With 1, 2 and 8 threads, one round: CPU-ns of get / mix / put, and the slowest of a thousand gets.")
        self._section.table(
            ("cache", "1 thread", "2 threads", "8 threads", "p99.9 of a get, 2 threads, µs", "p99.9 of a get, 8 threads, µs"),
            [_threads_row(name, rounds[0]) for name, rounds in results.items()],
        )

    def _picture(self, results):
        picture = Picture(self._section, self._bench.folder, "cache-operations.svg", "CPU-nanoseconds of an operation", len(KINDS))
        for number, kind in enumerate(KINDS):
            values = [_median(results[name], kind, "cpu-nanos") for name in results]
            picture.bars(number, kind, list(results), values, "CPU-ns, 2 threads")
        picture.save()

    def _goals_of_operations(self, results):
        ours = {kind: _median(results[OURS], kind, "cpu-nanos") for kind in KINDS}
        rivals = [name for name in results if name != OURS and CACHES[name].off_heap]
        best = {kind: min((_median(results[name], kind, "cpu-nanos"), name) for name in rivals) for kind in KINDS}
        for kind, wanted in (("get", GET_BETTER), ("mix", MIX_BETTER)):
            cpu, name = best[kind]
            self._goal(f"{kind}: times as fast as {name}, the fastest rival off the heap", f">= {wanted}", cpu / ours[kind])
        cpu, name = best["put"]
        self._goal(f"put with checksum: times the CPU of {name}", f"<= {PUT_WORSE}", ours["put"] / cpu)

    # ---- Hit ratio, opening, kills.

    def ratios(self):
        requests = 20_000 if self._bench.scale.quick else 2_000_000
        found = cachelines.ratios(self._bench.processes.run(self._java("ratio", self._memory, requests)))
        rules = list(next(iter(found.values())))
        self._section.text(
            f"**Hit ratio.** {requests:,} requests for 200,000 keys by Zipf's law, room for a tenth, the first half not counted. The last trace has, "
            "after each 100,000 requests, a scan of as many new keys as there is room for. The map's three rules as they run; FIFO, LRU and S3-FIFO "
            "played with keys alone and the same room."
        )
        self._section.table(("trace", *rules), [(trace, *(f"{ratio[rule]:.3f}" for rule in rules)) for trace, ratio in found.items()])
        self._section.data["ratios"] = found

    def opening(self):
        quick = self._bench.scale.quick
        size = 64 << 20 if quick else 6 * _GIB
        rows = []
        for share in (0.5,) if quick else (0.25, 0.5, 0.9):
            entries, killed, closed = self._open(size, share)
            rows.append((f"{entries:,}", f"{killed:.0f}", f"{closed:.0f}", f"{killed * 1e6 / entries:.0f}"))
            self._bench.say(f"  opening {entries:,} entries: {killed:.0f} ms after kill -9, {closed:.0f} ms when closed in order")
        self._section.text(
            f"**Opening** a file of {_shown_size(size)}, time from the call to a map that answers, without the start of the JVM. It grows with the entries."
        )
        self._section.table(("entries", "ms after kill -9", "ms when closed in order", "ns an entry after kill -9"), rows)
        if not quick:
            self._goal("milliseconds to open 6 GiB after kill -9", f"<= {OPEN_MILLIS}", max(float(row[1]) for row in rows))

    def _open(self, size, share):
        file = self._memory / "opening"
        filler = self._bench.processes.start("fill", self._java("fill", file, size, share), "filled", 300)
        filler.kill()
        filler.wait()
        opened = [cachelines.opened(self._bench.processes.run(self._java("open", file, size))) for _ in range(1 if self._bench.scale.quick else 2)]
        for left in self._memory.glob("opening*"):
            left.unlink()
        (killed, entries, _), (closed, again, _) = opened[0], opened[-1]
        if any(outcome != "REOPENED" for _, _, outcome in opened) or entries != again or entries < size / _MEAN * share * 0.95:
            raise Failed(f"a file of {size} bytes, {share:.0%} full, came back as {opened}")
        return entries, killed, closed

    def kills(self):
        if self._bench.scale.quick:
            return
        need("mvn")
        text = self._bench.processes.run(
            [
                "mvn", "-B", "-ntp", "-f", self._bench.builds.root / "pom.xml", "-pl", "cache-map", "test", "-Dtest=KillTest",
                "-Dkill.rounds=50", "-Djacoco.skip=true",
            ],
            900,
        )  # fmt: skip
        rounds, torn = cachelines.kills(text)
        self._section.text(
            f"**kill -9** inside puts: {rounds} times a process with 16 writers was killed and the file opened again; {torn} segments were found in "
            "the middle of a put. Each value is derived from its key and version, and all were compared: none was wrong, and after each kill at least "
            "95 % of the entries were back, else the test fails (`mvn -pl cache-map test -Dtest=KillTest -Dkill.rounds=50`)."
        )
        self._goal(f"wrong values after {rounds} kills", "<= 0", 0)

    def _goal(self, what, wanted, value):
        self.goals.append((what, wanted, value))


def _shown_size(size):
    return f"{size // _GIB} GiB" if size >= _GIB else f"{size >> 20} MiB"


def _figures(rounds, kind, figure, threads=2):
    return [one.figures[kind, threads][figure] for one in rounds if (kind, threads) in one.figures]


def _median(rounds, kind, figure):
    return median(_figures(rounds, kind, figure))


def _row(name, rounds):
    quiet = [one for one in rounds if one.quiet]
    mark = "" if len(quiet) == len(rounds) else " *"
    return (
        name,
        CACHES[name].what,
        *(shown(_figures(rounds, kind, "cpu-nanos")) + mark for kind in KINDS),
        shown([rate / 1e6 for rate in _figures(quiet, "get", "rate")], 2) or "disturbed *",
        f"{_median(rounds, 'get', 'hits'):.3f}",
        f"{median([one.heap for one in rounds]):,.0f}",
        f"{sum(one.wrong for one in rounds):.0f}",
    )


def _threads_row(name, one):
    cells = [" / ".join(f"{one.figures[kind, count]['cpu-nanos']:,.0f}" for kind in KINDS) for count in (1, 2, 8)]
    slow = [f"{one.figures['get', count]['p999'] / 1000:,.0f}" for count in (2, 8)]
    return (name, *cells, *slow)
