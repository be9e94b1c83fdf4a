"""What is done to the proxy, and when: a pure function of the seed and the length of the run."""

import random
from dataclasses import dataclass

# Before the first fault all peers are there; after the last one the proxy has time to show that it is well.
QUIET_AT_FIRST = 1.5
QUIET_AT_LAST = 2.0


@dataclass(frozen=True)
class Kind:
    """A kind of fault: `seconds` is how long one of the great ones has the stage for itself, 0 for a small one."""

    name: str
    words: str
    seconds: float = 0
    needs: frozenset = frozenset()


@dataclass(frozen=True)
class Fault:
    at: float
    kind: str
    seed: int


SMALL = (
    Kind("kill-peer", "a peer is killed and started again"),
    Kind("leave-peer", "a peer is told to leave, drains, and is started again"),
    Kind("stop-peer", "a peer is stopped for up to six seconds and goes on"),
    Kind("cut-link", "a peer's connections are reset on their way"),
    Kind("half-open-link", "a peer's connections carry nothing any more, and are reset later"),
    Kind("slow-link", "a peer's connections carry 20 KB/s"),
    Kind("garbage-peer", "a peer's connection sends bytes that are no LRWP"),
    Kind("silent-peers", "connections to the LRWP port that say nothing, or half a startup string"),
    Kind("deaf-peer", "a peer registers, takes requests and answers none"),
    Kind("garbage-client", "clients send bytes that are no HTTP"),
    Kind("slow-clients", "clients send a byte at a time, or read none of a large answer"),
    Kind("reset-storm", "clients send a request and reset the connection"),
    Kind("tls-garbage", "broken TLS at the port for peers inside TLS", needs=frozenset({"tls"})),
)
GREAT = (
    Kind("overload", "three times the requests that the peers of a context can take", 10),
    Kind("heavy-overload", "ten times the requests that the peers of a context can take", 10),
    Kind("stop-proxy", "the proxy is stopped for two seconds and goes on", 5, frozenset({"process"})),
    Kind("kill-proxy", "the proxy is killed and started again", 14, frozenset({"process"})),
    Kind("restart-proxy", "the proxy is told to end, drains, and is started again", 14, frozenset({"process"})),
    Kind("listener-restart", "the container's HTTP listener and the LRWP port go and come back", 12,
        frozenset({"listener"})),
    Kind("full-disk", "the file system with temporary files is full", 6, frozenset({"disk"})),
    Kind("no-descriptors", "the proxy gets no more file descriptors", 6, frozenset({"process"})),
    Kind("clock-jump", "the proxy's clock jumps by an hour, and back", 8, frozenset({"clock"})),
)
KINDS = {kind.name: kind for kind in SMALL + GREAT}


def plan(seed, seconds):
    """All faults of a run in their order. What this machine cannot do is in it too, and is left out later."""
    return sorted(small(seed, seconds) + great(seed, seconds), key=lambda fault: (fault.at, fault.kind))


def small(seed, seconds):
    choices = random.Random(f"small {seed}")
    faults, at = [], QUIET_AT_FIRST
    while at < seconds - QUIET_AT_LAST:
        faults.append(Fault(round(at, 3), choices.choice(SMALL).name, choices.getrandbits(32)))
        at += choices.uniform(0.2, 0.9)
    return faults


def great(seed, seconds):
    """One after the other, in an order of their own, each once before one comes again."""
    choices = random.Random(f"great {seed}")
    faults, at, left = [], QUIET_AT_FIRST + 1, []
    while True:
        left = left or choices.sample(GREAT, len(GREAT))
        fitting = [kind for kind in left if at + kind.seconds < seconds - QUIET_AT_LAST]
        if not fitting:
            return faults
        kind = fitting[0]
        left.remove(kind)
        faults.append(Fault(round(at, 3), kind.name, choices.getrandbits(32)))
        at += kind.seconds + choices.uniform(1, 3)
