"""A proxy that is measured, whatever made it."""

import dataclasses

from . import machine


@dataclasses.dataclass
class Proxy:
    """process: what was started; its children belong to it. peers: the back ends behind it. path: what is asked for.
    lrwp: where peers dial in, if they do. pid: of the proxy itself, when what was started only starts it."""

    process: object
    port: int
    peers: list = dataclasses.field(default_factory=list)
    path: str = "/bench/x"
    lrwp: int = 0
    pid: int = 0
    safepoints: object = None  # the log of its JVM, where a part has asked for one
    warm: bool = False  # whether it has had its first load

    def pids(self):
        return machine.with_children(self.pid or self.process.pid)

    def cpu_seconds(self):
        return sum(machine.process_seconds(pid) for pid in self.pids())

    def peer_seconds(self):
        return sum(machine.process_seconds(pid) for peer in self.peers for pid in machine.with_children(peer.pid))

    def resident_mib(self):
        return machine.resident_mib(self.pids())

    def threads(self):
        return machine.threads(self.pids())


class Whole(Proxy):
    """A proxy and what is behind it: what a request takes of all of them."""

    def pids(self):
        return super().pids() + [pid for peer in self.peers for pid in machine.with_children(peer.pid)]
