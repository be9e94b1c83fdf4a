"""Where the processor time of a proxied request goes, with either front."""

import functools

from .. import flame
from ..ours import EDGE
from ..plots import Picture

HELP = (
    "where the CPU of a proxied request goes, with either front: shares and flame graphs by JFR, under wrk with 50",
    "connections, POST of 1.5 KB, LRWP 3. 2 minutes.",
)
_CONNECTIONS = 50
_FRONTS = {"servlet": {}, "edge": {"front": EDGE}}
# Narrower calls would be lines without a word.
_LEAST = 0.004


def run(bench):
    section = bench.section("profile", "Where the processor time of a request goes")
    names = list(_FRONTS)[: 1 if bench.scale.quick else None]
    found = {name: _stacks(bench, name) for name in names}
    samples = ", ".join(f"{sum(stacks.values()):,} with the {name}" for name, stacks in found.items())
    section.text(
        f"wrk with {_CONNECTIONS} connections, POST of 1,500 bytes to an LRWP 3 peer, after {bench.scale.warm_seconds:g} s of load. JFR's "
        f"samples of processor time ({samples}), of the threads that run Java code; what the JDK does counts for its caller, and a read, write or "
        "wait of the kernel is a system call."
    )
    shares = {name: flame.shares(stacks) for name, stacks in found.items()}
    section.table(("spent by", *names), [(owner, *(f"{shares[name][owner]:.0%}" for name in names)) for owner in flame.OWNERS])
    section.data["shares"] = shares
    for name, stacks in found.items():
        picture = Picture(section, bench.folder, f"flame-{name.split()[0]}.svg", f"Flame graph of a request, {name}", size=(16, 11))
        picture.flame(flame.boxes(stacks, _LEAST), flame.OWNERS)
        picture.save()
    return section


def _stacks(bench, name):
    proxy = bench.ours.proxy(f"profile-{name.split()[0]}", _FRONTS[name], flame.OPTIONS)
    bench.ours.lrwp3(proxy)
    load = functools.partial(bench.loads.wrk, proxy.port, proxy.path, _CONNECTIONS)
    load(bench.scale.warm_seconds or 1)
    stacks = flame.record(bench, proxy, functools.partial(load, bench.scale.seconds * 2))
    bench.say(f"  {name}: {sum(stacks.values())} samples")
    bench.processes.stop_all()
    return stacks
