"""What the parts of the peer modules have in common."""

import dataclasses
import re

from . import java_heap, machine, ports
from .missing import need
from .proxy import Proxy
from .rounds import DISTURBED, Meter


def numbers(line):
    """The values of a line with name=value."""
    return {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", line)}


def line(text, begin):
    """The last line that begins so."""
    return [one for one in text.splitlines() if one.startswith(begin)][-1]


@dataclasses.dataclass(frozen=True)
class Use:
    """What a server and its peers took between two moments: CPU seconds of each, and the share of the machine that others took."""

    seconds: float
    cpu: float
    peer_cpu: float
    others: float

    def mark(self, scale):
        """What a table shows behind a case that others disturbed."""
        return " *" if scale.judged and self.others > DISTURBED else ""


class Watch:
    """Begins to look at what a server takes."""

    def __init__(self, bench, proxy):
        self._proxy = proxy
        self._peers = proxy.peer_seconds()
        self._meter = Meter(bench.processes, proxy)

    def read(self):
        cpu, others, seconds = self._meter.read()
        return Use(seconds, cpu, self._proxy.peer_seconds() - self._peers, others)


def nginx(bench, config, **values):
    """nginx with a configuration of its own from rivals/, without a back end; its workers can read the run's folder."""
    need("nginx")
    port = ports.free()
    folder = bench.processes.folder / f"nginx-{port}"
    folder.mkdir(mode=0o777)
    folder.chmod(0o777)
    bench.processes.folder.chmod(0o755)
    text = (bench.builds.bench / "rivals" / config).read_text()
    for key, value in {"FOLDER": folder, "PORT": port, **values}.items():
        text = text.replace(f"@{key}@", str(value))
    file = folder / "nginx.conf"
    file.write_text(text)
    process = bench.processes.start("nginx", ["/usr/sbin/nginx", "-p", folder, "-c", file])
    ports.await_listener(port, process)
    return Proxy(process, port)


def dial_in(bench, proxy, kind, *options):
    """The program of a module, as a peer of this proxy."""
    java = bench.builds.jdk() / "bin/java"
    command = [java, "-jar", bench.builds.peer_module(kind), "--proxy", f"127.0.0.1:{proxy.lrwp}", *options]
    proxy.peers.append(bench.processes.start(f"{kind}-peer", command, "registered"))


def stop(bench, proxy):
    """Ends a server and its peers."""
    for process in (*proxy.peers, proxy.process):
        bench.processes.stop(process)


def resident_mib(proxy):
    """Of a server and its peers."""
    return proxy.resident_mib() + machine.resident_mib(pid for peer in proxy.peers for pid in machine.with_children(peer.pid))


def heap_mib(bench, proxy):
    """Live objects of a proxy of ours and of its peers; 0 for others."""
    if not proxy.lrwp:
        return 0
    return sum(java_heap.live_mib(bench.builds.jdk(), process.pid) for process in (proxy.process, *proxy.peers))


def goals(section, rows):
    """A table of what the project set itself and what came out: (what, limit, measured), where a limit is '<= 3' or '>= 0.9'."""
    section.table(("goal", "wanted", "measured", ""), [(what, wanted, shown(value), met(wanted, value)) for what, wanted, value in rows])
    section.data["goals"] = [(what, wanted, value, met(wanted, value)) for what, wanted, value in rows]


def shown(value):
    """Three digits that count."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def met(wanted, value):
    """Whether a figure is within its limit, in words."""
    kind, limit = wanted.split()[:2]
    if kind not in ("<=", ">="):
        raise ValueError(f"no limit: {wanted}")
    within = value <= float(limit.replace(",", "")) if kind == "<=" else value >= float(limit.replace(",", ""))
    return "met" if within else "missed"
