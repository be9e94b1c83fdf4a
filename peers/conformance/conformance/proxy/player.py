"""Peers and clients of the proxy under test."""

import itertools
import os
import socket

from ..wire import (CANCEL, DATA, DRAIN, END, ERROR, Failure, Frame, FrameWire, LONGEST, PATIENCE, PING, PONG, REFUSED,
                    REGISTERED, REQUEST, RESPONSE, SETTINGS, STARTED, TURN, UNLIMITED, WINDOW, Wire, expect, number,
                    printable, settings, u32)

_NUMBERS = itertools.count(1)
PROXY_SETTINGS = ("name", "max-frame", "window", "ping", "connections")


def connect(address):
    host, _, port = address.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), PATIENCE)


class Client(Wire):
    """One connection to the port for clients."""

    def ask(self, method, path, body=None, fields=()):
        lines = [f"{method} {path} HTTP/1.1", "Host: a.test", *fields]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + (body or b""))
        self.method = method
        return self

    def answer(self, seconds=PATIENCE):
        """Status, fields and body of the next answer; the body may end by a cut: then it is None."""
        head = self.read_until(b"\r\n\r\n", "the head of an HTTP answer", 100000).decode("latin-1").split("\r\n")
        status = int(head[0].split(" ")[1])
        fields = {}
        for line in head[1:-2]:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        return Answer(status, fields, self._body(status, fields, seconds))

    def _body(self, status, fields, seconds):
        if self.method == "HEAD" or status in (101, 204, 304):
            return b""
        try:
            if "chunked" in fields.get("transfer-encoding", ""):
                return self._chunks()
            if "content-length" in fields:
                return self.read(int(fields["content-length"]), "the body of an HTTP answer", seconds)
        except Failure:
            if self.ended:
                return None
            raise
        body = self.read_end("the end of an HTTP answer", seconds)
        return body if self.ended == "FIN" else None

    def _chunks(self):
        body = b""
        while True:
            size = int(self.read_until(b"\r\n", "the size of a chunk"), 16)
            piece = self.read(size + 2, "a chunk")[:-2]
            if not size:
                return body
            body += piece


class Answer:
    """What a client got."""

    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def expect(self, status, body=None):
        came = f"{self.status} with {'a cut body' if self.body is None else printable(self.body)}"
        expect(self.status == status, f"status {status}", came)
        if body is not None:
            expect(self.body == body, f"the body {printable(body)}", came)
        return self


class Request:
    """A request as a multiplexed peer has it."""

    def __init__(self, peer, frame):
        self.peer, self.number = peer, frame.stream
        payload = frame.payload
        expect(len(payload) >= 4 and number(payload[:4]) <= len(payload) - 4, "a whole env block", str(frame), "13")
        end = 4 + number(payload[:4])
        self.env = variables(payload[4:end])
        self.body = bytearray(payload[end:])
        self.over = frame.end  # the proxy's direction
        self.cancelled = None
        self.ended = self.tunnel = False  # ours
        self.credit = peer.window  # what the proxy may send
        self.allowance = int(peer.proxy.get("window", LONGEST))  # what we may
        self.count(len(self.body), frame)

    def count(self, content, frame):
        if self.peer.window != UNLIMITED:
            self.credit -= content
            expect(self.credit >= 0, "no more body than was granted", f"{-self.credit} bytes too many by {frame}",
                   "15.3.3")

    def started(self):
        self.peer.send_frames(Frame(STARTED, self.number))

    def head(self, content=b"Content-Type: text/plain\n\n", end=False):
        self._ended(end)
        self.peer.send_frames(Frame(RESPONSE, self.number, content, END if end else 0))

    def respond(self, body=b"", head=b"Content-Type: text/plain\n\n"):
        """A whole answer in one frame."""
        self.head(head + body, True)

    def data(self, content=b"", end=False):
        """More of the body, as the window allows."""
        at = 0
        while at < len(content):
            self.peer.until(lambda: self.allowance > 0 or self.cancelled is not None, "WINDOW", "15.3.2")
            if self.cancelled is not None:
                return
            piece = content[at:at + min(TURN, self.allowance)]
            self.allowance -= len(piece)
            at += len(piece)
            self.peer.send_frames(Frame(DATA, self.number, piece))
        if end:
            self._ended(True)
            self.peer.send_frames(Frame(DATA, self.number, b"", END))

    def _ended(self, end):
        self.ended = self.ended or end

    def refuse(self, text=b"not here"):
        self._ended(True)
        self.peer.send_frames(Frame(REFUSED, self.number, text))

    def cancel(self, text=b"it failed"):
        self._ended(True)
        self.peer.send_frames(Frame(CANCEL, self.number, text))

    def grant(self, count):
        self.credit += count
        self.peer.send_frames(Frame(WINDOW, self.number, u32(count)))

    def await_cancel(self, section):
        self.peer.until(lambda: self.cancelled is not None, f"CANCEL on stream {self.number}", section)

    def await_body(self, count):
        self.peer.until(lambda: len(self.body) >= count, f"{count} bytes of the request's body", "15.3")

    def await_over(self):
        self.peer.until(lambda: self.over, "the end of the request", "15.8.3")
        return bytes(self.body)


def variables(block):
    """The CGI variables of an env block."""
    expect(block.endswith(b"\0\0"), "an env block that ends with two NULs", printable(block[-40:]), "4")
    made = {}
    for entry in block[:-2].split(b"\0"):
        name, equals, value = entry.partition(b"=")
        expect(equals and name, "NAME=VALUE", printable(entry), "4")
        made[name.decode("latin-1")] = value.decode("latin-1")
    return made


class Peer3(FrameWire):
    """A peer of LRWP 3. What a proxy must keep at all times is checked here."""

    def __init__(self, sock, window=LONGEST):
        super().__init__(sock)
        self.window = window
        self.proxy = {}
        self.requests = {}  # by slot, the newest
        self.arrived = []  # that no case has taken
        self.registered = []
        self.capacity = 1
        self.error = None
        self.draining = self.grants_itself = False
        self.count = 0

    def accepted(self):
        came = self.read(3, "OK FF")
        expect(came == b"OK\xff", "OK FF", printable(came + bytes(self.inbox)), "12")
        self.until(lambda: self.proxy, "the SETTINGS of the proxy", "14")
        return self

    def settle(self, **said):
        """Sends SETTINGS."""
        self.capacity = said.get("capacity", 1)
        if self.window != LONGEST:
            said["window"] = self.window
        self.send_frames(Frame(SETTINGS, 0, settings(**said)))
        return self

    def ready(self):
        """All that was sent has been dealt with: the context is served."""
        self.ping()
        return self

    def request(self, what="a REQUEST"):
        self.until(lambda: self.arrived, what, "13")
        return self.arrived.pop(0)

    def take(self, frame):
        kind, payload = frame.kind, frame.payload
        allowed = END if kind in (REQUEST, DATA) else 0
        expect(frame.reserved == 0 and frame.flags & ~allowed == 0, "no flags but END, reserved bytes of 0", str(frame),
               "13")
        expect(len(payload) <= LONGEST, f"a payload of at most {LONGEST} bytes", str(frame), "13")
        expect(self.proxy or kind == SETTINGS, "SETTINGS as the first frame", str(frame), "12")
        if kind == REQUEST:
            self._request(frame)
        elif kind in (DATA, CANCEL, WINDOW):
            self._of_slot(frame)
        else:
            expect(frame.stream == 0, "a frame of the connection on stream 0", str(frame), "13")
            self._of_connection(frame)

    def _of_connection(self, frame):
        kind, payload = frame.kind, frame.payload
        if kind == SETTINGS:
            expect(not self.proxy and payload.endswith(b"\0"), "SETTINGS once, with a NUL at the end", str(frame), "14")
            pairs = [entry.decode("latin-1").partition("=") for entry in payload[:-1].split(b"\0")]
            self.proxy = {name: value for name, _, value in pairs}
            missing = [name for name in PROXY_SETTINGS if name not in self.proxy]
            expect(not missing, "all settings of a proxy", f"no {', '.join(missing)}", "14")
        elif kind == REGISTERED:
            self.registered.append(tuple(payload.split(b"\xff")[:3]))
            expect(payload.count(b"\xff") >= 3, "appname FF vhost FF text FF", str(frame), "13")
        elif kind == PING:
            expect(len(payload) == 8, "PING of 8 bytes", str(frame), "13")
            self.send_frames(Frame(PONG, 0, payload))
        elif kind == PONG:
            self.pongs.append(payload)
        elif kind == DRAIN:
            self.draining = True
        elif kind == ERROR:
            self.error = payload
        else:
            raise Failure("frames that a proxy sends", str(frame), "13")

    def _request(self, frame):
        before = self.requests.get(frame.stream)
        free = before is None or (before.ended and (before.over or before.cancelled is not None))
        expect(free and frame.stream >= 1, "a REQUEST on a free slot", str(frame), "13")
        expect(not self.draining, "no REQUEST behind DRAIN", str(frame), "15.2.4")
        request = Request(self, frame)
        self.requests[frame.stream] = request
        self.arrived.append(request)
        self.count += 1
        open_ = sum(1 for one in self.requests.values() if not one.ended)
        expect(open_ <= self.capacity, f"at most {self.capacity} open requests", str(open_), "15.1.1")

    def _of_slot(self, frame):
        request = self.requests.get(frame.stream)
        expect(request, "frames on slots of requests", str(frame), "13")
        kind, payload = frame.kind, frame.payload
        expect(request.cancelled is None, "nothing behind CANCEL", str(frame), "15.4.2")
        expect(kind != DATA or not request.over, "no DATA behind END", str(frame), "15.4.2")
        if kind == CANCEL:
            request.cancelled, request.over = payload, True
        elif kind == WINDOW:
            expect(len(payload) == 4, "WINDOW of 4 bytes", str(frame), "13")
            request.allowance += number(payload)
            expect(request.allowance <= UNLIMITED, "at most 4294967295 open", str(frame), "15.3.3")
        else:
            expect(len(payload) <= TURN, f"DATA of at most {TURN} bytes", str(frame), "15.2.5")
            request.count(len(payload), frame)
            request.body += payload
            request.over = frame.end
            if self.grants_itself and payload and not request.ended:
                request.grant(len(payload))

    def await_error(self, rule, section):
        self.until(lambda: self.error is not None, f"ERROR: {rule}", section)
        expect(self.error, "a text that names the rule", "an empty text", "15")
        self.until(lambda: self.ended, "the end of the connection after ERROR", "15")


class Bench:
    """The proxy under test, and what is connected to it for one case."""

    lines = ()

    def __init__(self, options):
        self.options = options
        self.wires = []
        self.name = ""

    @property
    def diary(self):
        return [f"{type(wire).__name__} {self.wires.index(wire)}: {entry}" for wire in self.wires
                for entry in wire.diary[-12:]]

    def context(self):
        """A context that nobody else has."""
        self.name = f"case-{os.getpid()}-{next(_NUMBERS)}"
        return self.name

    def keep(self, wire):
        self.wires.append(wire)
        return wire

    def dial(self, startup=None, bytewise=False):
        """A connection to the port for peers, with its startup string."""
        wire = self.keep(Wire(connect(self.options.proxy_under_test)))
        if startup is not None:
            wire.send_bytewise(startup) if bytewise else wire.send(startup)
        return wire

    def peer(self, context=None, window=LONGEST, hello=None, **said):
        """A peer of 3.0 that serves its context, one of this case if none is named."""
        name = context or self.context()
        peer = self.keep(Peer3(connect(self.options.proxy_under_test), window))
        peer.send(hello or b"\xff3.0\xff" + name.encode() + b"\xff\xff")
        return peer.accepted().settle(**said).ready()

    def client(self):
        client = Client(connect(self.options.http))
        return self.keep(client)

    def ask(self, method="GET", path="", body=None, fields=(), context=None):
        return self.client().ask(method, f"/{context or self.name}{path}", body, fields)

    def drop(self):
        for wire in self.wires:
            if wire.sock.fileno() >= 0:
                wire.close()
        self.wires = []

    over = close = drop


