"""A proxy that a test plays: it listens, and says what the test wants, frame by frame."""

import contextlib
import errno
import os
import queue
import socket
import struct
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lrwp  # noqa: E402  (the file one folder up)

PATIENCE = 20
CERTIFICATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "conformance", "certificates")
AUTHORITY = os.path.join(CERTIFICATES, "authority.pem")
END = 1


class Ended(Exception):
    """The peer has closed the connection."""


class Link:
    """One connection of a peer, as the proxy has it."""

    open = []

    def __init__(self, connection):
        connection.settimeout(PATIENCE)
        self.open.append(self)
        self.socket = connection
        self.streams = {}  # number -> the answer as far as it has come
        self.ended = set()

    def read(self, count):
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            if not piece:
                raise Ended()
            data += piece
        return data

    def hello(self):
        """The startup string: 2 fields of 1.0, else 4 of 3.0 and 7 of 3.1, the empty one before its first FF counted."""
        data = b""
        while data.count(b"\xff") < (2 if data[:1] != b"\xff" else 7 if data[:4] == b"\xff3.1" else 4):
            data += self.read(1)
        return data

    def frame(self):
        """(type, has END, stream, payload)"""
        length, kind, flags, _, stream = lrwp.HEAD.unpack(self.read(lrwp.HEAD.size))
        return kind, bool(flags & END), stream, self.read(length)

    def send(self, kind, payload=b"", stream=0, end=False):
        self.socket.sendall(lrwp.HEAD.pack(len(payload), kind, int(end), 0, stream) + payload)

    def settings(self):
        """The proxy's go out, the peer's come in."""
        self.socket.sendall(b"OK\xff")
        self.send(lrwp.SETTINGS, b"name=stub\0max-frame=65536\0window=65536\0ping=10\0connections=1\0")
        kind, _, _, payload = self.frame()
        assert kind == lrwp.SETTINGS
        return dict(entry.split("=", 1) for entry in payload.decode().split("\0") if entry)

    def serve(self):
        """The whole handshake, without proofs."""
        self.hello()
        return self.settings()

    def request(self, stream=1, method="GET", path="", body=b"", end=True, **env):
        variables = {"REQUEST_METHOD": method, "SCRIPT_NAME": "/x", "PATH_INFO": path, "QUERY_STRING": "",
                     "REQUEST_URI": "/x" + path, "CONTENT_LENGTH": str(len(body)), "SERVER_NAME": "a.test",
                     "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "REMOTE_ADDR": "127.0.0.1",
                     "REMOTE_PORT": "4000", "HTTP_HOST": "a.test", "HTTP_CONTENT_LENGTH": str(len(body)), **env}
        block = "".join(f"{name}={value}\0" for name, value in variables.items()).encode("utf-8") + b"\0"
        self.send(lrwp.REQUEST, struct.pack(">I", len(block)) + block + body, stream, end)

    def serial(self, block=b"REQUEST_METHOD=GET\0\0", body=b""):
        """Accepts a peer that falls back to 1.0, sends it a request, and gives its answer."""
        self.hello()
        self.socket.sendall(b"OK%09d%b%09d%b" % (len(block), block, len(body), body))
        return self.read(int(self.read(9)))

    def upgrade(self, stream=1, path="", **env):
        self.request(stream, path=path, end=False, HTTP_UPGRADE="websocket", HTTP_CONNECTION="Upgrade",
                     HTTP_SEC_WEBSOCKET_KEY="dGhlIHNhbXBsZSBub25jZQ==", HTTP_SEC_WEBSOCKET_VERSION="13", **env)

    def expect(self, *kinds):
        """The next frame of one of these types; DATA and RESPONSE are granted at once."""
        while True:
            kind, end, stream, payload = self.frame()
            if kind in (lrwp.RESPONSE, lrwp.DATA):
                self.streams[stream] = self.streams.get(stream, b"") + payload
                self.ended |= {stream} if end else set()
                if payload and not end:
                    self.send(lrwp.WINDOW, struct.pack(">I", len(payload)), stream)
            if kind in kinds:
                return kind, end, stream, payload

    def body(self, stream=1):
        return self.streams.get(stream, b"").partition(b"\r\n\r\n")[2]

    def head(self, stream=1):
        return self.streams.get(stream, b"").partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")

    def answer(self, stream=1):
        """The whole answer: lines of its head, its body. The stream is free then."""
        while stream not in self.ended:
            self.expect(lrwp.RESPONSE, lrwp.DATA)
        head, body = self.head(stream), self.body(stream)
        self.ended.discard(stream)
        del self.streams[stream]
        return head, body

    def tunnel(self, count, stream=1):
        """The next bytes of an upgraded stream."""
        while len(self.body(stream)) < count:
            if stream in self.ended:
                raise Ended()
            self.expect(lrwp.RESPONSE, lrwp.DATA)
        head, _, body = self.streams[stream].partition(b"\r\n\r\n")
        self.streams[stream] = head + b"\r\n\r\n" + body[count:]
        return body[:count]

    def close(self):
        self.socket.close()


class Proxy(contextlib.AbstractContextManager):
    """Listens on a free port, or on a path."""

    def __init__(self, address=("127.0.0.1", 0)):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.listener = socket.socket(family)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.listener.bind(address)
        except OSError:
            self.listener.close()
            raise
        self.listener.listen()
        self.listener.settimeout(PATIENCE)
        self.links = []
        self.port = None if isinstance(address, str) else self.listener.getsockname()[1]
        self.address = f"unix:{address}" if isinstance(address, str) else f"{address[0]}:{self.port}"

    def accept(self):
        link = Link(self.listener.accept()[0])
        self.links.append(link)
        return link

    def __exit__(self, *_):
        for link in self.links:
            link.close()
        self.listener.close()


def two_proxies():
    """Returns two on a port that is free at two addresses."""
    while True:
        one = Proxy()
        try:
            return one, Proxy(("127.0.0.2", one.port))
        except OSError as e:
            one.listener.close()
            if e.errno != errno.EADDRINUSE:
                raise


class Running(contextlib.AbstractContextManager):
    """A peer on a thread of its own; its log can be waited for."""

    def __init__(self, proxy, handler, **options):
        self.lines = queue.SimpleQueue()
        options.setdefault("context", ["/x"])
        self.peer = lrwp.Peer(proxy, handler=handler, log=self.lines.put, **options)
        self.thread = threading.Thread(target=self.peer.run)
        self.thread.start()

    def await_line(self, *words):
        """The next line with all these words."""
        deadline, seen = time.monotonic() + PATIENCE, []
        while True:
            try:
                seen.append(self.lines.get(timeout=max(0, deadline - time.monotonic())))
            except queue.Empty:
                raise AssertionError(f"no line with {words}: {seen}") from None
            if all(word in seen[-1] for word in words):
                return seen[-1]

    def __exit__(self, *_):
        with contextlib.suppress(RuntimeError):  # it has ended by itself
            self.peer.drain()
        while Link.open:  # as a proxy does that has no request left
            Link.open.pop().close()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), "the peer does not end"
