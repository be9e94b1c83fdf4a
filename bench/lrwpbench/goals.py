"""What the proxy is asked to reach beside nginx + FastCGI, and whether it does."""

import dataclasses

from .ours import EDGE
from .spread import median, shown

FASTCGI = "nginx + FastCGI"
HAPROXY = "HAProxy, HTTP"
LRWP3 = "LRWP 3"
DIRECT = f"LRWP 3, {EDGE} front"
LRWP1 = "LRWP 1, 64 connections"
LRWP1_DIRECT = f"{LRWP1}, {EDGE} front"
# The same head again and again.
REPEATED = "repeated"


@dataclasses.dataclass(frozen=True)
class Limits:
    """Ratios to nginx + FastCGI: requests/s at least, CPU per request at most, p99 at most; None: nothing is asked."""

    rate: float
    cpu: float
    p99: float | None


@dataclasses.dataclass(frozen=True)
class Aim:
    """goal: what is wanted, None where only the floor is asked for; floor: what must be."""

    goal: Limits | None
    floor: Limits


_AT_100 = {
    (DIRECT, REPEATED): Aim(Limits(2.1, 0.47, 0.8), Limits(1.85, 0.55, 0.8)),
    (DIRECT, "varied"): Aim(Limits(1.9, 0.52, 1.0), Limits(1.65, 0.65, 1.0)),
    (DIRECT, "mixed"): Aim(Limits(1.6, 0.65, 1.0), Limits(1.3, 0.8, 1.0)),
    (LRWP3, "varied"): Aim(Limits(0.9, 1.3, 1.5), Limits(0.75, 1.6, 1.5)),
    (LRWP1_DIRECT, "varied"): Aim(Limits(1.2, 0.85, 1.2), Limits(1.0, 1.05, 1.2)),
}
# Floors of their own.
_FLOORS = {
    (DIRECT, REPEATED, 500): Limits(1.7, 0.6, 1.0),
    (LRWP3, REPEATED, 100): Limits(0.9, 1.4, 1.5),
    (LRWP1_DIRECT, REPEATED, 100): Limits(1.0, 1.0, 1.2),
}
# What 10 and 500 connections may cost beside 100.
_OTHER_RATE, _OTHER_CPU = 0.85, 1.18
# Bytes that a request of the varied load allocates, edge.
ALLOCATED_GOAL, ALLOCATED_FLOOR = 1500, 3000


def verdict(cost, goal, floor):
    """What a cost that should be small has reached."""
    if cost <= goal:
        return "goal"
    return "floor" if cost <= floor else "missed"


def aim(name, load, connections):
    """What is asked of a proxy under a load; None when nothing is."""
    found = _AT_100.get((name, load)) if connections in (10, 100, 500) else None
    if found is not None and connections != 100:
        found = Aim(_elsewhere(found.goal), _elsewhere(found.floor))
    floor = _FLOORS.get((name, load, connections))
    return found if floor is None else Aim(found and found.goal, floor)


def _elsewhere(limits):
    return Limits(limits.rate * _OTHER_RATE, limits.cpu * _OTHER_CPU, None)


@dataclasses.dataclass(frozen=True)
class Ratios:
    """One for each round; requests/s and p99 only of rounds that nobody disturbed."""

    rate: list
    cpu: list
    p99: list

    @staticmethod
    def of(samples, base):
        """Of a case to another one in the same rounds."""
        pairs = list(zip(samples, base, strict=True))
        quiet = [(one, other) for one, other in pairs if not (one.disturbed or other.disturbed)]
        return Ratios(
            [one.load.rate / other.load.rate for one, other in quiet if other.load.rate],
            [one.cpu / other.cpu for one, other in pairs if other.cpu],
            [one.load.p99 / other.load.p99 for one, other in quiet if other.load.p99],
        )

    def within(self, limits):
        """Whether the medians are; None when disturbed rounds leave it open."""
        if not (self.rate and self.cpu and self.p99):
            return None
        return (
            median(self.rate) >= limits.rate
            and median(self.cpu) <= limits.cpu
            and (limits.p99 is None or median(self.p99) <= limits.p99)
        )


def reached(ratios, asked):
    """In a word."""
    if asked is None:
        return "-"
    if ratios.within(asked.floor) is None:
        return "disturbed *"
    if not ratios.within(asked.floor):
        return "below the floor"
    return "goal" if asked.goal is not None and ratios.within(asked.goal) else "floor"


HEADER = (
    "proxy", "load", "requests/s", "goal, floor", "CPU per request", "goal, floor", "p99", "at most", "reached",
)  # fmt: skip


def cells(name, load, ratios, asked):
    """The cells under HEADER."""
    return [
        name, load,
        shown(ratios.rate, 2) or "disturbed *", _both(asked, lambda limits: limits.rate),
        shown(ratios.cpu, 2) or "-", _both(asked, lambda limits: limits.cpu),
        shown(ratios.p99, 2) or "disturbed *", _number(asked and asked.floor.p99),
        reached(ratios, asked),
    ]  # fmt: skip


def _both(asked, value):
    if asked is None:
        return "-"
    return f"{_number(asked.goal and value(asked.goal))}, {_number(value(asked.floor))}"


def _number(value):
    return "-" if value is None else f"{value:.2f}"


def allocation(amount):
    """What is said of the bytes that a request allocates."""
    if amount <= ALLOCATED_GOAL:
        return "goal"
    return "floor" if amount <= ALLOCATED_FLOOR else "below the floor"
