"""Free ports of loopback."""

import random
import socket
import time

from .processes import Failed

_given = set()


def free(count=1):
    """The first of so many in a row. Below the ports that systems give to outgoing connections: those could take it away
    meanwhile."""
    while True:
        first = random.randrange(10000, 30000 - count)
        row = range(first, first + count)
        if _given.isdisjoint(row) and all(_is_free(port) for port in row):
            _given.update(row)
            return first


def _is_free(port):
    with socket.socket() as listener:
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def await_listener(place, process, seconds=20):
    """Returns when somebody listens on a port of loopback, or on the socket of a path; fails when the process has ended instead."""
    end = time.monotonic() + seconds
    while True:
        try:
            with socket.socket(socket.AF_UNIX if isinstance(place, str) else socket.AF_INET) as client:
                client.settimeout(1)
                client.connect(place if isinstance(place, str) else ("127.0.0.1", place))
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                raise Failed(f"{process.name} does not listen:\n{process.log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.01)
