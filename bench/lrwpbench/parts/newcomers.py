"""How long new clients wait for their first answer while others are busy."""

import selectors
import socket
import threading
import time

from ..loads import BODY
from ..ours import EDGE
from ..processes import Failed
from ..spread import median, shown

HELP = (
    "200 clients connect at once while wrk keeps 300 connections busy: when each has its first answer; servlet,",
    "edge, nginx + FastCGI. 3 minutes.",
)
_BUSY = 300
_NEW = 200
_PATIENCE = 30


def run(bench):
    busy, new = (20, 10) if bench.scale.quick else (_BUSY, _NEW)
    section = bench.section("newcomers", "New clients while others are busy")
    section.text(
        f"wrk keeps {busy} connections busy, POST of 1,500 bytes, an LRWP 3 peer; after a second {new} clients connect at once, and each "
        f"sends the same request. Milliseconds from the first connect to an answer, {bench.scale.rounds} rounds in turn."
    )
    fronts = {"LRWP 3, servlet": (bench.ours.lrwp3, {})}
    if not bench.scale.quick:
        fronts["LRWP 3, edge"] = (bench.ours.lrwp3, {"front": EDGE})
    servers = bench.ours.side_by_side(fronts)
    if not bench.scale.quick:
        servers["nginx + FastCGI"] = bench.rivals.nginx_fastcgi()
    for server in servers.values():
        bench.loads.wrk(server.port, server.path, busy, bench.scale.warm_seconds or 1)
    found = {name: [] for name in servers}
    for _ in range(bench.scale.rounds):
        for name, server in servers.items():
            found[name].append(_round(bench, server, busy, new))
            bench.say(f"  {name}: {found[name][-1][-1]:.0f} ms")
    section.table(
        ("server", "first", "median", "last"),
        [
            (name, *(shown([waits[i] for waits in rounds]) for i in (0, new // 2, new - 1)))
            for name, rounds in found.items()
        ],
    )
    section.data["last ms"] = {name: median([waits[-1] for waits in rounds]) for name, rounds in found.items()}
    return section


def _round(bench, server, busy, new):
    load = threading.Thread(target=bench.loads.wrk, args=(server.port, server.path, busy, 3))
    load.start()
    try:
        time.sleep(1)
        return _waits(server, new)
    finally:
        load.join()


def _waits(server, count):
    """Milliseconds until each of so many clients has its answer, in their order."""
    head = f"POST {server.path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {BODY}\r\n\r\n"
    request = head.encode() + b"x" * BODY
    waits = []
    with selectors.DefaultSelector() as selector:
        begin = time.monotonic()
        for _ in range(count):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", server.port))
            selector.register(client, selectors.EVENT_WRITE)
        while len(waits) < count:
            for key, events in selector.select(1):
                if events & selectors.EVENT_WRITE:
                    key.fileobj.send(request)
                    selector.modify(key.fileobj, selectors.EVENT_READ)
                    continue
                answer = key.fileobj.recv(65536)
                if not answer.startswith(b"HTTP/1.1 200 "):
                    raise Failed(f"a new client got {answer[:60]!r}")
                waits.append((time.monotonic() - begin) * 1000)
                selector.unregister(key.fileobj)
                key.fileobj.close()
            if time.monotonic() - begin > _PATIENCE:
                raise Failed(f"{count - len(waits)} new clients had no answer after {_PATIENCE} s")
    return waits
