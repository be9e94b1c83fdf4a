"""The proxy's side of one connection. What a peer must keep at all times is checked here, whatever the case is about."""

from . import heads
from .wire import (CANCEL, CAPACITY, DATA, DRAIN, END, ERROR, Failure, Frame, FrameWire, LONGEST, PATIENCE, PING, PONG,
                   REFUSED, REGISTER, REGISTERED, REQUEST, RESPONSE, SETTINGS, STARTED, TURN, UNLIMITED, UNREGISTER,
                   WINDOW, env_block, expect, number, printable, settings, u32)

# Of each setting of a peer: the default and the greatest number; None = text.
PEER_SETTINGS = {"name": ("", None), "capacity": ("1", UNLIMITED), "max-frame": ("65536", UNLIMITED),
                 "window": ("65536", UNLIMITED), "started": ("0", 1), "stream": ("0", 1), "ping": ("0", 1),
                 "upgrade": ("", None), "instance": ("", None)}


class Hello:
    """A startup string."""

    def __init__(self, content, version, names):
        self.content, self.version = content, version
        self.appname, self.vhost = names[:2]
        self.name, self.key_id, self.nonce = names[2:] if len(names) == 5 else (b"", b"", b"")

    def __str__(self):
        return f"the startup string {printable(self.content)}"


def read_hello(wire):
    """Reads a startup string of any version."""
    what = "a startup string"
    content = wire.read(1, what)
    if content != b"\xff":
        content += wire.read_until(b"\xff", what)
        content += wire.read_until(b"\xff", what)
        return Hello(content, "1.0", content.split(b"\xff")[:2])
    content += wire.read_until(b"\xff", what)
    version = content[1:-1].decode("latin-1")
    fields = 5 if version.startswith("3.") and version != "3.0" else 2
    for _ in range(fields):
        content += wire.read_until(b"\xff", what)
    return Hello(content, version, content.split(b"\xff")[2:2 + fields])


class Slot:
    """One request, and what the peer does with it."""

    def __init__(self, link, number_, offers):
        self.link, self.number, self.offers = link, number_, offers
        self.over = False  # our direction
        self.ended = None  # the peer's: END, CANCEL or REFUSED
        self.cancelled = False  # by us
        self.started = self.tunnel = False
        self.head, self.body, self.text = None, bytearray(), b""
        self.credit = int(link.peer["window"])  # what we may send
        self.allowance = link.window  # what the peer may send
        self.granted = 0  # by the peer, in all
        self.grants_itself = True  # what comes is granted again at once
        self.pieces = []  # sizes of body as they came

    def data(self, content=b"", end=False):
        self._count(content)
        self.over = self.over or end
        self.link.send_frames(Frame(DATA, self.number, content, END if end else 0))

    def _count(self, content):
        if int(self.link.peer["window"]) != UNLIMITED:
            self.credit -= len(content)

    def upload(self, content, end=True):
        """A whole body, as the window allows."""
        at = 0
        while at < len(content):
            self.link.until(lambda: self.credit > 0 or self.ended, "window for the rest of the body", "15.3.2")
            if self.ended:
                return
            piece = content[at:at + min(TURN, self.credit)]
            at += len(piece)
            self.data(piece, end and at == len(content))
        if end and not self.over:
            self.data(end=True)

    def window(self, count):
        self.allowance += count
        self.link.send_frames(Frame(WINDOW, self.number, u32(count)))

    def cancel(self, text=b"the client has gone"):
        self.over = self.cancelled = True
        self.link.send_frames(Frame(CANCEL, self.number, text))

    def await_end(self, what="the end of the answer", section="15.4.1", seconds=PATIENCE):
        self.link.until(lambda: self.ended, f"{what} on stream {self.number}", section, seconds)
        return self

    def await_started(self):
        """Waits for what says that the handler is about to run."""
        return self.link.until(lambda: self.started or self.head, f"STARTED on stream {self.number}", "15.5.1")

    def await_body(self, count, what="so many bytes of the answer"):
        return self.link.until(lambda: len(self.body) >= count, f"{what}: {count} on stream {self.number}", "15.3")

    def answer(self, status=200, seconds=PATIENCE):
        """The whole answer."""
        self.await_end(seconds=seconds)
        came = f"{self.ended} {printable(self.text)}" if self.ended != "END" else f"status {self.head.status}"
        expect(self.ended == "END" and self.head.status == status, f"an answer of status {status}", came)
        return bytes(self.body)


class Link(FrameWire):
    """A connection of a peer."""

    def __init__(self, sock):
        super().__init__(sock)
        self.hello = None
        self.peer = {name: default for name, (default, _) in PEER_SETTINGS.items()}
        self.has_settings = self.draining = False
        self.speaks_first = False  # this side has broken the order of SETTINGS
        self.window = LONGEST
        self.max_frame = LONGEST
        self.slots = {}
        self.frames = []  # all that came, but WINDOW and PING
        self.pings, self.registers = [], []
        self.answers_pings = self.answers_registers = True
        self.error = None
        self.capacity = self.largest = 0

    # ---- out

    def accept(self, okay=b"OK\xff", **values):
        """OK and SETTINGS in one write, then the peer's SETTINGS."""
        said = {"name": "conformance", "max_frame": LONGEST, "window": LONGEST, "ping": 0, "connections": 1, **values}
        self.window, self.max_frame = int(said["window"]), int(said["max_frame"])
        self.send(okay + Frame(SETTINGS, 0, settings(**said)).encode(), f"OK, SETTINGS {said}")
        return self.await_settings()

    def await_settings(self):
        self.until(lambda: self.has_settings, "the SETTINGS of the peer", "14")
        return self

    def request_frame(self, path="/echo", body=b"", method="GET", slot=1, end=True, query="", variables=None, raw=None,
                      offers=""):
        """A REQUEST and its slot."""
        context = self.hello.appname.decode("latin-1").lstrip("/") or "c"
        given = {"REQUEST_METHOD": method, "SCRIPT_NAME": f"/{context}", "PATH_INFO": path, "QUERY_STRING": query,
                 "REQUEST_URI": f"/{context}{path}" + (f"?{query}" if query else ""), "SERVER_PROTOCOL": "HTTP/1.1",
                 "SERVER_NAME": "a.test", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "a.test"}
        if end and not offers:
            given["CONTENT_LENGTH"] = str(len(body))
        if offers:
            given.update(HTTP_UPGRADE=offers, HTTP_CONNECTION="Upgrade")
        given.update(variables or {})
        block = env_block(given) if raw is None else raw
        entry = Slot(self, slot, [name.strip().lower() for name in offers.split(",") if name])
        entry._count(body)
        entry.over = end
        self.slots[slot] = entry
        return Frame(REQUEST, slot, u32(len(block)) + block + body, END if end else 0), entry

    def request(self, path="/echo", body=b"", bytewise=False, **more):
        frame, slot = self.request_frame(path, body, **more)
        self.send_frames(frame, bytewise=bytewise)
        return slot

    def echo(self, slot=1, body=b"x", **more):
        """A request that has to work, whatever was before."""
        entry = self.request("/well", body, method="POST", slot=slot, **more)
        came = entry.answer()
        expect(came == b"POST /well\n" + body, "the echo of POST /well", printable(came))
        return entry

    def lives_or_ends(self):
        """What came before may end the connection; as long as it has not, a request is answered."""
        entry = self.request("/well", b"x", method="POST")
        self.until(lambda: entry.ended or self.error is not None or self.ended, "an answer, or the end of the connection")
        return self

    # ---- in

    def quiet(self, seconds):
        """Takes frames for a while; gives those that came."""
        before = len(self.frames)
        super().quiet(seconds)
        return self.frames[before:]

    def await_error(self, rule, section=None):
        """The peer has to say ERROR and to end its direction in order."""
        self.until(lambda: self.error is not None or self.ended, f"ERROR: {rule}", section)
        expect(self.error is not None, f"ERROR: {rule}", f"the end of the connection: {self.ended}", section)
        expect(self.error, "the text of the ERROR names the rule", "an empty text", "15")
        self.until(lambda: self.ended, "the end of the peer's direction after its ERROR", "15")
        expect(self.ended in ("FIN", "close_notify"), "an end in order after ERROR", self.ended, "15")

    def await_close(self, what, section=None):
        self.until(lambda: self.ended, what, section)

    def idle(self):
        """Whether the next case may have it."""
        clean = not self.inbox and not self.error and not self.draining
        return not self.ended and clean and all(slot.ended and slot.over for slot in self.slots.values())

    def take(self, frame):
        expect(frame.reserved == 0, "reserved bytes of 0", str(frame), "13")
        allowed = END if frame.kind in (RESPONSE, DATA) else 0
        expect(frame.flags & ~allowed == 0, "no flags but END, on RESPONSE and DATA", str(frame), "13")
        expect(len(frame.payload) <= self.max_frame, f"a payload of at most {self.max_frame} bytes", str(frame), "13")
        first = self.has_settings or self.speaks_first or frame.kind in (SETTINGS, ERROR)
        expect(first, "SETTINGS as the first frame", str(frame), "13")
        if frame.kind not in (WINDOW, PING):
            self.frames.append(frame)
        if frame.kind in (RESPONSE, DATA, STARTED, REFUSED, CANCEL, WINDOW):
            self._of_slot(frame)
        else:
            expect(frame.stream == 0, "a frame of the connection on stream 0", str(frame), "13")
            self._of_connection(frame)

    def _of_connection(self, frame):
        kind, payload = frame.kind, frame.payload
        if kind == SETTINGS:
            expect(not self.has_settings, "SETTINGS once", str(frame), "15.4.6")
            self._settings(payload)
        elif kind in (REGISTER, UNREGISTER):
            names = payload.split(b"\xff")
            expect(len(names) == 3 and not names[2], "appname FF vhost FF", str(frame), "13")
            self.registers.append((kind, names[0], names[1]))
            if self.answers_registers:
                self.send_frames(Frame(REGISTERED, 0, payload + b"\xff"))
        elif kind == CAPACITY:
            expect(len(payload) == 4, "CAPACITY of 4 bytes", str(frame), "15.4.6")
            self.capacity = number(payload)
            self.largest = max(self.largest, self.capacity)
        elif kind == DRAIN:
            expect(not payload, "DRAIN without payload", str(frame), "13")
            self.draining = True
        elif kind == PING:
            expect(len(payload) == 8, "PING of 8 bytes", str(frame), "15.4.6")
            self.pings.append(payload)
            if self.answers_pings:
                self.send_frames(Frame(PONG, 0, payload))
        elif kind == PONG:
            expect(len(payload) == 8, "PONG of 8 bytes", str(frame), "15.4.6")
            self.pongs.append(payload)
        elif kind == ERROR:
            self.error = payload
            expect(len(payload) <= 1000, "a text of at most 1,000 bytes", str(frame), "13")
        else:
            raise Failure("frames that a peer sends", str(frame), "15.4.6")

    def _settings(self, payload):
        expect(not payload or payload.endswith(b"\0"), "SETTINGS that end with NUL", printable(payload), "14")
        for setting in payload.split(b"\0")[:-1]:
            name, equals, value = setting.decode("latin-1").partition("=")
            expect(equals and name == name.lower(), "name=value in small letters", setting, "14")
            most = PEER_SETTINGS[name][1] if name in PEER_SETTINGS else None
            least = LONGEST if name == "max-frame" else 0
            good = most is None or (value.isdigit() and least <= int(value) <= most)
            expect(good, f"a {name} that is allowed", setting, "14")
            self.peer[name] = value
        self.has_settings = True
        self.capacity = self.largest = int(self.peer["capacity"])

    def _of_slot(self, frame):
        slot = self.slots.get(frame.stream)
        expect(slot, "frames on streams of requests only", str(frame), "15.4.6")
        late = slot.tunnel and slot.ended == "END" and frame.kind in (WINDOW, CANCEL)
        expect(not slot.ended or late, "nothing on a stream that the peer has ended", str(frame), "15.4.1")
        kind, payload = frame.kind, frame.payload
        if kind == STARTED:
            expect(not payload and not slot.started and not slot.head, "STARTED once, without payload, before RESPONSE",
                   str(frame), "13")
            slot.started = True
        elif kind == WINDOW:
            expect(len(payload) == 4, "WINDOW of 4 bytes", str(frame), "15.4.6")
            slot.granted += number(payload)
            slot.credit += number(payload)
            expect(slot.credit <= UNLIMITED, "at most 4294967295 open", str(frame), "15.3.3")
        elif kind == RESPONSE:
            expect(not slot.head, "one RESPONSE", str(frame), "15.4.6")
            slot.head, rest = heads.parse(payload)
            slot.tunnel = slot.head.status == 101
            if slot.tunnel:
                taken = (slot.head.value("Upgrade") or "").lower()
                expect(taken in slot.offers and not frame.end, "101 without END, for a protocol that was offered",
                       str(frame), "15.12.5")
            expect(slot.head.status >= 200 or slot.tunnel, "no interim answer", str(frame), "15.7.2")
            self._body(slot, rest, frame)
        elif kind == DATA:
            expect(slot.head, "RESPONSE before DATA", str(frame), "15.4.6")
            expect(len(payload) <= TURN, f"DATA of at most {TURN} bytes", str(frame), "15.2.5")
            self._body(slot, payload, frame)
        elif kind == REFUSED:
            expect((not slot.started and not slot.head) or slot.cancelled, "no REFUSED behind STARTED or RESPONSE",
                   str(frame), "15.6.4")
            slot.ended, slot.text = "REFUSED", payload
        else:
            expect(len(payload) <= 1000, "a text of at most 1,000 bytes", str(frame), "13")
            slot.ended, slot.text = "CANCEL", payload
        if slot.ended and not slot.over and not (slot.tunnel and slot.ended == "END"):
            slot.cancel(b"")

    def _body(self, slot, content, frame):
        if content:
            slot.pieces.append(len(content))
        slot.body += content
        if self.window != UNLIMITED:
            slot.allowance -= len(content)
            expect(slot.allowance >= 0, "no more body than was granted",
                   f"{-slot.allowance} bytes too many by {frame}", "15.3.3")
        if frame.end:
            slot.ended = "END"
        elif content and slot.grants_itself and self.window != UNLIMITED and not slot.cancelled:
            slot.window(len(content))
