"""Tunnels (WebSocket and the like) that carry nothing: what each holds of the proxy's heap."""

import contextlib
import socket

from .. import java_heap
from ..builds import PEER_LIBRARY
from ..missing import need
from ..ours import CONTEXT, EDGE
from ..processes import Failed

HELP = (
    "10,000 idle tunnels (WebSocket and the like): live heap and memory of the proxy for each of them.",
    "The goal is 10 KiB of heap. A minute.",
)
_GOAL_KIB = 10
# The first ones bring what all share: classes, buffers of the loops, tables.
_FIRST = 100
_READINGS = 3
_ASK = b"GET /%s HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"
_MESSAGE = b"x" * 200


def run(bench):
    need("gcc")
    section = bench.section("tunnels", "Idle tunnels")
    count = 500 if bench.scale.quick else 10_000
    proxy = bench.ours.proxy("tunnels", {"front": EDGE})
    peer = bench.builds.compiled("../peers/c/examples/upgrade.c", PEER_LIBRARY)
    arguments = ("--proxy", f"127.0.0.1:{proxy.lrwp}", "--context", CONTEXT, "--concurrency", count + _FIRST)
    proxy.peers.append(bench.processes.start("upgrade", [peer, *arguments], "registered"))
    pid = proxy.process.pid
    with contextlib.ExitStack() as open_sockets:
        _open(proxy.port, _FIRST, open_sockets)
        before = java_heap.settled_mib(bench.builds.jdk(), pid, _READINGS), proxy.resident_mib()
        tunnels = _open(proxy.port, count, open_sockets)
        after = java_heap.settled_mib(bench.builds.jdk(), pid, _READINGS), proxy.resident_mib()
        for one in tunnels:
            _speak(one)  # all of them are still there
    heap, resident = ((late - early) * 1024 / count for early, late in zip(before, after))
    section.data["tunnels"] = {"count": count, "heap_kib": heap, "resident_kib": resident}
    section.text(
        f"{count:,} clients go over to another protocol with one LRWP 3 peer on one connection, send {len(_MESSAGE)} bytes, get them back, and are "
        "silent. Live heap is what is left after a full collection; RSS is the process with its young generation. The kernel's buffers are not in it."
    )
    for process in (*proxy.peers, proxy.process):
        bench.processes.stop(process)
    verdict = "met" if heap < _GOAL_KIB else "missed"
    section.table(
        ("idle tunnels", "live heap KiB each", "RSS KiB each", f"goal: below {_GOAL_KIB} KiB"),
        [(f"{count:,}", f"{heap:.1f}", f"{resident:.1f}", verdict)],
    )
    return section


def _open(port, count, stack):
    """So many clients, each with a tunnel that has carried something."""
    opened = []
    for _ in range(count):
        client = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
        client.sendall(_ASK % CONTEXT.encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += client.recv(4096) or _lost(head)
        if not head.startswith(b"HTTP/1.1 101 "):
            raise Failed(f"no tunnel: {head!r}")
        _speak(client)
        opened.append(client)
    return opened


def _speak(client):
    client.sendall(_MESSAGE)
    back = b""
    while len(back) < len(_MESSAGE):
        back += client.recv(4096) or _lost(back)


def _lost(seen):
    raise Failed(f"the tunnel has ended behind {seen!r}")
