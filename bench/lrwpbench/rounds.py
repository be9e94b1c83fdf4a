"""Measures cases in turn, round by round, and repeats what others disturbed."""

import dataclasses
import functools
import time

from . import machine, spread
from .processes import Failed

# Processor time of others, as a share of the whole machine, above which a round says nothing about throughput.
DISTURBED = 0.05
_STEPS_OF_WARM_UP = 5
# What a step of a warm-up costs beside the one before, when the proxy is as fast as it gets.
_SETTLED = 0.95


@dataclasses.dataclass(frozen=True)
class Load:
    """What a load generator saw; latencies in milliseconds."""

    requests: int
    errors: int
    rate: float
    p50: float
    p99: float
    p999: float
    longest: float


@dataclasses.dataclass(frozen=True)
class Sample:
    """One round of one case. cpu: processor milliseconds of the proxy per 1000 requests; others: share of the machine."""

    load: Load
    cpu: float
    resident: float
    others: float
    disturbed: bool


@dataclasses.dataclass(frozen=True)
class Case:
    """A proxy under one load. proxy has cpu_seconds() and resident_mib(); load(seconds) returns a Load.

    enter() makes what is there while it is measured, and returns what takes it away again; neither is measured."""

    name: str
    proxy: object
    load: object
    enter: object = lambda: lambda: None


def cases(proxies, load, *arguments, **options):
    """A case for each proxy, by name. load: of Loads; it is called with port and path, then with these, then with seconds."""
    return [
        Case(name, proxy, functools.partial(load, proxy.port, proxy.path, *arguments, **options)) for name, proxy in proxies.items()
    ]


class Meter:
    """Processor time between two moments: of a proxy, and of processes that are not ours."""

    def __init__(self, processes, proxy):
        self._processes = processes
        self._proxy = proxy
        self._begin = (time.monotonic(), machine.busy_seconds(), processes.own_seconds(), proxy.cpu_seconds())

    def read(self):
        """(processor seconds of the proxy, share of the machine taken by others, seconds) since the meter was made."""
        begin, busy, own, cpu = self._begin
        seconds = time.monotonic() - begin
        others = (machine.busy_seconds() - busy) - (self._processes.own_seconds() - own)
        return self._proxy.cpu_seconds() - cpu, max(0.0, others / seconds / machine.CORES), seconds


def measure(processes, scale, case):
    """One round; a disturbed one is repeated, and the least disturbed is kept."""
    leave = case.enter()
    try:
        return _best_of(processes, scale, case)
    finally:
        leave()


def _best_of(processes, scale, case):
    best = None
    for _ in range(scale.tries):
        meter = Meter(processes, case.proxy)
        load = case.load(scale.seconds)
        cpu, others, _ = meter.read()
        sample = Sample(
            load,
            _per_1000(cpu, load),
            case.proxy.resident_mib(),
            others,
            scale.judged and others > DISTURBED,
        )
        if best is None or sample.others < best.others:
            best = sample
        if not best.disturbed:
            break
    return best


def interleaved(processes, scale, cases, say):
    """Name of each case to its samples, one a round. Each round begins with another case."""
    for case in cases if scale.warm_seconds else ():
        _warm(case, scale)
    samples = {case.name: [] for case in cases}
    for number in range(scale.rounds):
        turn = number % len(cases)
        for case in cases[turn:] + cases[:turn]:
            sample = measure(processes, scale, case)
            if scale.quick and sample.load.errors:
                raise Failed(f"{case.name}: {sample.load.errors} of {sample.load.requests} requests failed")
            samples[case.name].append(sample)
            mark = " disturbed" if sample.disturbed else ""
            say(
                f"  {case.name}: {sample.load.rate:.0f}/s, {sample.cpu:.1f} CPU-ms/1000, p99 {sample.load.p99:.2f} ms, "
                f"errors {sample.load.errors}, others {sample.others:.1%}{mark}"
            )
    return samples


def _warm(case, scale):
    """A virtual machine compiles for a while, less for each further load: until a request costs no less than just before."""
    step = scale.seconds if case.proxy.warm else scale.warm_seconds / _STEPS_OF_WARM_UP
    least, most = (1, _STEPS_OF_WARM_UP) if case.proxy.warm else (_STEPS_OF_WARM_UP, 3 * _STEPS_OF_WARM_UP)
    before = float("inf")
    for number in range(most):
        _, cost = loaded(case, step)
        if number >= least and cost > _SETTLED * before:
            break
        before = cost
    case.proxy.warm = True


def loaded(case, seconds):
    """What the load generator saw, and processor milliseconds of the proxy per 1000 requests; whatever others did meanwhile."""
    begin = case.proxy.cpu_seconds()
    load = case.load(seconds)
    return load, _per_1000(case.proxy.cpu_seconds() - begin, load)


def _per_1000(cpu_seconds, load):
    return cpu_seconds * 1e6 / max(1, load.requests)


HEADER = ("requests/s", "CPU-ms of the proxy per 1000 requests", "p50 ms", "p99 ms", "p99.9 ms", "RSS MiB", "errors")


def cells(samples):
    """The cells of a case under HEADER. Of disturbed rounds only the CPU per request counts, and is marked."""
    quiet = [sample for sample in samples if not sample.disturbed]
    mark = "" if len(quiet) == len(samples) else " *"
    loads = [sample.load for sample in quiet]
    withheld = "disturbed *"
    return [
        spread.shown([load.rate for load in loads]) or withheld,
        spread.shown([sample.cpu for sample in samples], 1) + mark,
        spread.shown([load.p50 for load in loads], 2) or withheld,
        spread.shown([load.p99 for load in loads], 2) or withheld,
        spread.shown([load.p999 for load in loads], 2) or withheld,
        f"{max(sample.resident for sample in samples):.0f}",
        str(sum(sample.load.errors for sample in samples)),
    ]


def quiet_median(samples, value):
    """The median of a value over the rounds that nobody disturbed; None when there was none."""
    values = [value(sample) for sample in samples if not sample.disturbed]
    return spread.median(values) if values else None
