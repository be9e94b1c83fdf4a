"""What a proxy does in its first seconds: start, first answer, first load."""

import dataclasses
import http.client
import time

from .. import machine, ports, rounds
from ..builds import PEER_LIBRARY
from ..goals import FASTCGI, HAPROXY
from ..ours import EDGE, LRWP3_CAPACITY, SERVLET, status
from ..processes import Failed
from ..spread import median, shown

HELP = (
    "a proxy from its start: seconds to the first answer of a peer, then the varied load at once, its first 5 s beside what they are",
    "after 25 s: CPU per request, p99; memory. Ours beside nginx, HAProxy and Jetty, each started cold. 11 minutes.",
)
_CONNECTIONS = 100
_WINDOW = 5
_WINDOWS = 7
# The cheaper one of these last windows is what the first is compared with.
_STEADY = 2
_PATIENCE = 60
_HEADER = (
    "proxy", "start s", "CPU-s of it", "RSS MiB idle", "after load", "CPU-ms per 1000: first", "steady", "ratio", "p99 ms: first", "steady", "ratio",
    "longest ms", "errors",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class _Window:
    """cpu: milliseconds of the proxy per 1000 requests."""

    load: rounds.Load
    cpu: float


@dataclasses.dataclass(frozen=True)
class _Cold:
    """One start. seconds and cpu: until the first answer; idle and loaded: resident MiB."""

    seconds: float
    cpu: float
    idle: float
    loaded: float
    windows: list

    @property
    def first(self):
        return self.windows[0]

    @property
    def steady(self):
        return min(self.windows[-_STEADY:], key=lambda window: window.cpu)

    @property
    def cpu_ratio(self):
        return self.first.cpu / self.steady.cpu

    @property
    def p99_ratio(self):
        return self.first.load.p99 / self.steady.load.p99


def run(bench):
    section = bench.section("first", "From the first second")
    kinds = {"LRWP 3, edge": lambda: _ours(bench, EDGE), "LRWP 3, servlet": lambda: _ours(bench, SERVLET)}
    if bench.scale.quick:
        del kinds["LRWP 3, servlet"]
    else:
        kinds |= {FASTCGI: bench.rivals.nginx_fastcgi, HAPROXY: bench.rivals.haproxy, "Jetty": bench.rivals.jetty}
        _make_start_cache(bench)
    # Else the first start would be as long as the compiler takes.
    bench.builds.compiled("peers/lrwp3.c", PEER_LIBRARY)
    found = {name: [] for name in kinds}
    for _ in range(bench.scale.rounds):
        for name, start in kinds.items():
            cold = _measured(bench, start)
            found[name].append(cold)
            bench.say(
                f"  {name}: {cold.seconds:.2f} s, {cold.cpu:.1f} CPU-s; CPU {cold.first.cpu:.1f} to {cold.steady.cpu:.1f} ({cold.cpu_ratio:.2f}), "
                f"p99 {cold.first.load.p99:.1f} to {cold.steady.load.p99:.1f} ms"
            )
    section.text(
        f"Each is started {bench.scale.rounds} times, in turn. Start: from the start of its process to the whole answer of its back end to a GET; "
        f"the peer of ours dials in when the port is there. Then `varied` with {_CONNECTIONS} connections begins at once, in windows of "
        f"{_WINDOW} s. First: the first window. Steady: the cheaper of those from 25 to 35 s. Longest and errors: of all windows."
    )
    section.table(_HEADER, [(name, *_cells(colds)) for name, colds in found.items()])
    section.data["ratios"] = {
        name: {
            "start": median([cold.seconds for cold in colds]),
            "cpu": median([cold.cpu_ratio for cold in colds]),
            "p99": median([cold.p99_ratio for cold in colds]),
        }
        for name, colds in found.items()
    }
    return section


def _measured(bench, start):
    proxy = start()
    _await_answer(proxy)
    seconds = machine.age(proxy.process.pid)
    cpu, idle = proxy.cpu_seconds(), proxy.resident_mib()
    if proxy.lrwp:
        _add_other_peers(bench, proxy)
    count, length = (2, 0.5) if bench.scale.quick else (_WINDOWS, _WINDOW)
    case = rounds.Case(proxy.process.name, proxy, lambda length: bench.loads.varied(proxy.port, proxy.path, "varied", _CONNECTIONS, length))
    windows = [_Window(*rounds.loaded(case, length)) for _ in range(count)]
    cold = _Cold(seconds, cpu, idle, proxy.resident_mib(), windows)
    for process in [proxy.process, *proxy.peers]:
        bench.processes.stop(process)
    return cold


def _await_answer(proxy):
    end = time.monotonic() + _PATIENCE
    while not _answers(proxy):
        if time.monotonic() > end or proxy.process.poll() is not None:
            raise Failed(f"{proxy.process.name} has not answered in {_PATIENCE} s")
        time.sleep(0.005)


def _answers(proxy):
    client = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=10)
    try:
        client.request("GET", proxy.path)
        answer = client.getresponse()
        return answer.status == 200 and bool(answer.read())
    except OSError:
        return False
    finally:
        client.close()


def _ours(bench, front):
    """A proxy whose first peer dials in as soon as somebody listens."""
    proxy = bench.ours.proxy(f"first-{front}", {"front": front}, wait=False)
    ports.await_listener(proxy.lrwp, proxy.process)
    bench.ours.one_lrwp3(proxy, _capacity(machine.CORES))
    return proxy


def _add_other_peers(bench, proxy):
    """One for each selector thread, as the proxy asks for."""
    threads = status(proxy)["transport"]["threads"]
    for _ in range(threads - 1):
        bench.ours.one_lrwp3(proxy, _capacity(threads))


def _capacity(connections):
    return LRWP3_CAPACITY // connections


def _make_start_cache(bench):
    """The JVM's file of classes, which the launcher makes beside a start without one: all that are measured have it."""
    folder = bench.builds.root / "proxy-server/target"
    before = set(folder.glob("start-*.aot"))
    proxy = bench.ours.proxy("cache")
    if b"-XX:AOTCache=" not in machine.command_line(proxy.process.pid):
        bench.processes.await_true(proxy.process, "the start cache is made", lambda: set(folder.glob("start-*.aot")) - before, 300)
    bench.processes.stop(proxy.process)


def _cells(colds):
    return (
        shown([cold.seconds for cold in colds], 2),
        shown([cold.cpu for cold in colds], 2),
        *(f"{max(values):.0f}" for values in ([cold.idle for cold in colds], [cold.loaded for cold in colds])),
        *(shown([value(cold) for cold in colds], 1) for value in (lambda cold: cold.first.cpu, lambda cold: cold.steady.cpu)),
        shown([cold.cpu_ratio for cold in colds], 2),
        *(shown([value(cold) for cold in colds], 1) for value in (lambda cold: cold.first.load.p99, lambda cold: cold.steady.load.p99)),
        shown([cold.p99_ratio for cold in colds], 2),
        f"{max(window.load.longest for cold in colds for window in cold.windows):,.0f}",
        str(sum(window.load.errors for cold in colds for window in cold.windows)),
    )
