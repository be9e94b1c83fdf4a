"""Where the processor time of a JVM goes: its stacks by JFR, whose they are, and a picture of them."""

import dataclasses
import itertools

# The first that fits decides. What the JDK does is done for whoever called it.
_OWNERS = (
    ("the proxy", ("org.lrwp.",)),
    ("Grizzly", ("org.glassfish.grizzly.",)),
    ("Catalina and GlassFish", ("org.apache.catalina.", "org.glassfish.", "com.sun.enterprise.", "com.sun.web.")),
)
SYSTEM_CALLS = "system calls"
OTHERS = "the JDK's own"
OWNERS = (SYSTEM_CALLS, *(name for name, _ in _OWNERS), OTHERS)
_KERNEL = tuple(
    f"sun.nio.ch.{method}"
    for method in ("SocketDispatcher.read0", "SocketDispatcher.readv0", "SocketDispatcher.write0", "SocketDispatcher.writev0",
                   "UnixDispatcher.close0", "EPoll.wait", "EPoll.ctl", "EventFD.set0", "IOUtil.drain", "Net.accept")
)  # fmt: skip
# A frame that so many stacks share says nothing about them.
_COMMON = 0.95
# Lets a stack be walked anywhere, and far enough.
OPTIONS = "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:FlightRecorderOptions=stackdepth=160"


def record(bench, proxy, load):
    """Stacks (tuples of frames, outermost first) to how often each was seen while load() ran."""
    recording = bench.processes.folder / f"{proxy.port}.jfr"
    tools = bench.builds.jdk() / "bin"
    settings = bench.builds.bench / "profile/cpu.jfc"
    run = bench.processes.run
    run([tools / "jcmd", proxy.process.pid, "JFR.start", "name=cpu", f"settings={settings}", "disk=true"])
    load()
    run([tools / "jcmd", proxy.process.pid, "JFR.stop", "name=cpu", f"filename={recording}"])
    return read(run([tools / "java", bench.builds.bench / "profile/Stacks.java", recording]))


def read(lines):
    """What profile/Stacks.java prints; samples without a stack are left out."""
    stacks = {}
    for line in lines.splitlines():
        frames, _, count = line.rpartition(" ")
        if frames != "?":
            stacks[tuple(frames.split(";"))] = int(count)
    return stacks


def owner(stack):
    """Who spends the time of a stack."""
    if stack[-1] in _KERNEL:
        return SYSTEM_CALLS
    for frame in reversed(stack):
        for name, prefixes in _OWNERS:
            if frame.startswith(prefixes):
                return name
    return OTHERS


def shares(stacks):
    """The share of each owner, of 1."""
    total = sum(stacks.values())
    found = dict.fromkeys(OWNERS, 0)
    for stack, count in stacks.items():
        found[owner(stack)] += count
    return {name: count / max(1, total) for name, count in found.items()}


@dataclasses.dataclass(frozen=True)
class Box:
    """A call in the picture: where it begins and how wide it is, of 1; depth 0 is at the bottom."""

    frame: str
    owner: str
    begin: float
    width: float
    depth: int


def boxes(stacks, least):
    """The calls that take at least such a share of all. What nearly all have at the bottom in common is left out, and so
    are the few that begin otherwise."""
    rows, skipped = _above_the_common(sorted(stacks.items()))
    return list(_boxes(rows, skipped, 0, 0.0, sum(count for _, count in rows), least))


def _above_the_common(rows):
    """(stacks, how many of their outermost frames are the same)."""
    for depth in itertools.count():
        groups = _by_frame(rows, depth)
        largest = max(groups.values(), key=_count, default=[])
        if _count(largest) < _COMMON * _count(rows):
            return rows, max(0, depth - 1)
        rows = largest


def _boxes(rows, skipped, depth, begin, total, least):
    for frame, group in _by_frame(rows, skipped + depth).items():
        width = _count(group) / total
        if width >= least:
            yield Box(frame, owner(group[0][0][: skipped + depth + 1]), begin, width, depth)
            yield from _boxes(group, skipped, depth + 1, begin, total, least)
        begin += width


def _by_frame(rows, place):
    groups = {}
    for stack, count in rows:
        if len(stack) > place:
            groups.setdefault(stack[place], []).append((stack, count))
    return groups


def _count(rows):
    return sum(count for _, count in rows)
