"""Clients that only hold a connection: idle, or waiting for an answer that does not come."""

import socket


class Holder:
    """Connections to a port of loopback. With a path each sends one request and never reads."""

    def __init__(self, port, count, path=None):
        self._sockets = []
        request = None
        if path is not None:
            request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", port), 10)
            self._sockets.append(one)
            if request is not None:
                one.sendall(request)

    def close(self):
        for one in self._sockets:
            one.close()
