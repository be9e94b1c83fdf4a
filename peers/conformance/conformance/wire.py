"""Bytes and frames of LRWP, written from docs/protocol.md alone: no library of this project is used here, so that one
fault cannot be in both."""

import os
import select
import socket
import ssl
import struct
import time

SETTINGS, REGISTER, UNREGISTER, REGISTERED, REQUEST, RESPONSE, DATA, STARTED = range(1, 9)
REFUSED, CANCEL, WINDOW, CAPACITY, DRAIN, PING, PONG, ERROR = range(9, 17)
NAMES = ("", "SETTINGS", "REGISTER", "UNREGISTER", "REGISTERED", "REQUEST", "RESPONSE", "DATA", "STARTED", "REFUSED",
         "CANCEL", "WINDOW", "CAPACITY", "DRAIN", "PING", "PONG", "ERROR")
END = 1
LONGEST = 65536  # of a payload, unless SETTINGS say more
TURN = 16384  # the longest DATA
UNLIMITED = 4294967295
PATIENCE = float(os.environ.get("CONFORMANCE_PATIENCE", "10"))  # seconds for whatever has to come

_HEAD = struct.Struct(">IBBHI")


class Failure(Exception):
    """A case has failed: what the protocol wants, what came, and the section if it is not that of the case."""

    def __init__(self, expected, came, section=None):
        super().__init__(expected, came)
        self.expected, self.came, self.section = expected, came, section


class Skip(Exception):
    """The case is about something that this program does not offer."""


def expect(condition, expected, came, section=None):
    if not condition:
        raise Failure(expected, came if isinstance(came, str) else repr(came), section)


class Frame:
    """One frame as it came, or as it goes out."""

    def __init__(self, kind, stream=0, payload=b"", flags=0, reserved=0):
        self.kind, self.stream, self.payload, self.flags, self.reserved = kind, stream, payload, flags, reserved

    def encode(self):
        return _HEAD.pack(len(self.payload), self.kind, self.flags, self.reserved, self.stream) + self.payload

    @property
    def end(self):
        return bool(self.flags & END)

    def __str__(self):
        name = NAMES[self.kind] if 0 < self.kind < len(NAMES) else f"type {self.kind}"
        text = f"{name} stream={self.stream}" + (" END" if self.end else "")
        if self.flags & ~END or self.reserved:
            text += f" flags={self.flags:#x} reserved={self.reserved}"
        if self.kind in (WINDOW, CAPACITY) and len(self.payload) == 4:
            return f"{text} {number(self.payload)}"
        if self.payload:
            text += f" {len(self.payload)} bytes {printable(self.payload)}"
        return text


def printable(content, most=120):
    shown = repr(bytes(content[:most]))[1:]
    return shown + ("..." if len(content) > most else "")


def number(four):
    return int.from_bytes(four, "big")


def u32(value):
    return struct.pack(">I", value)


def settings(**values):
    """The payload of SETTINGS: max_frame=65536 is max-frame."""
    return b"".join(f"{name.replace('_', '-')}={value}\0".encode() for name, value in values.items())


def env_block(variables):
    """CGI variables as bytes; values may be str or bytes."""
    block = b""
    for name, value in variables.items():
        block += name.encode("latin-1") + b"="
        block += (value if isinstance(value, bytes) else value.encode("latin-1")) + b"\0"
    return block + b"\0"


def pattern(count, seed=0):
    """Bytes of which a part can be told from every other part."""
    base = bytes((i * 7 + (i >> 8) * 13 + seed) % 256 for i in range(min(count, 65521)))
    return (base * (count // max(len(base), 1) + 1))[:count]


def counted(count):
    """Bytes of which the byte at i is i modulo 251, as the test peer answers them."""
    return (bytes(range(251)) * (count // 251 + 1))[:count]


class Wire:
    """A connection with deadlines, and a diary of what went over it for whoever reads a failure."""

    def __init__(self, sock):
        self.sock = sock
        self.inbox = bytearray()
        self.ended = None  # "FIN", "RESET", inside TLS "close_notify" or "cut"
        self.diary = []
        sock.setblocking(False)
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def note(self, text):
        self.diary.append(text)
        del self.diary[:-60]

    def send(self, content, note=None):
        self.note(f"sent  {note or printable(content)}")
        view, until = memoryview(content), time.monotonic() + PATIENCE
        while view:
            try:
                view = view[self.sock.send(view):]
            except (BlockingIOError, ssl.SSLWantWriteError, ssl.SSLWantReadError):
                # What comes meanwhile is taken in: two sides that only write would wait for each other.
                if time.monotonic() > until:
                    raise Failure("the connection is always read", "no byte is taken", "15.3.4") from None
                ready, _, _ = select.select([self.sock], [self.sock], [], 0.5)
                if ready:
                    self.receive(0)
            except OSError as error:
                self.ended = self.ended or "RESET"
                self.note(f"       (sending: {error})")
                return

    def send_bytewise(self, content, note=None):
        """One byte in each segment, as far as the system lets us say so."""
        self.note(f"sent  byte by byte: {note or printable(content)}")
        diary, self.diary = self.diary, []
        for i in range(len(content)):
            self.send(content[i:i + 1])
            self.receive(0.0005)
        self.diary = diary

    def receive(self, seconds):
        """Takes in what comes within a time; False when nothing has."""
        if self.ended:
            return False
        pending = isinstance(self.sock, ssl.SSLSocket) and self.sock.pending()
        if not pending and not select.select([self.sock], [], [], max(seconds, 0))[0]:
            return False
        try:
            content = self.sock.recv(262144)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            return False
        except ssl.SSLEOFError:
            content, self.ended = b"", "cut"
        except ssl.SSLError as error:
            content, self.ended = b"", f"TLS: {error.reason}"
        except OSError:
            content, self.ended = b"", "RESET"
        if content:
            self.inbox += content
            return True
        self.ended = self.ended or ("close_notify" if isinstance(self.sock, ssl.SSLSocket) else "FIN")
        self.note(f"came  end of the connection: {self.ended}")
        return True

    def read(self, count, what, seconds=None):
        """So many bytes."""
        until = time.monotonic() + (PATIENCE if seconds is None else seconds)
        while len(self.inbox) < count:
            left = until - time.monotonic()
            if self.ended or left <= 0:
                came = printable(self.inbox) + (f" and the end: {self.ended}" if self.ended else " and nothing more")
                raise Failure(what, came)
            self.receive(left)
        content = bytes(self.inbox[:count])
        del self.inbox[:count]
        self.note(f"came  {printable(content)}")
        return content

    def read_until(self, mark, what, most=1200):
        """Bytes up to and with a mark."""
        until = time.monotonic() + PATIENCE
        while mark not in self.inbox:
            left = until - time.monotonic()
            if self.ended or left <= 0 or len(self.inbox) > most:
                came = printable(self.inbox) + (f" and the end: {self.ended}" if self.ended else " and nothing more")
                raise Failure(what, came)
            self.receive(left)
        return self.read(self.inbox.index(mark) + len(mark), what)

    def read_end(self, what, seconds=None):
        """The end of the connection; gives what came before it."""
        until = time.monotonic() + (PATIENCE if seconds is None else seconds)
        while not self.ended:
            left = until - time.monotonic()
            if left <= 0:
                raise Failure(what, f"it stays open; {printable(self.inbox)} came")
            self.receive(left)
        content = bytes(self.inbox)
        self.inbox.clear()
        if content:
            self.note(f"came  {printable(content)}")
        return content

    def silent(self, seconds, what):
        """Nothing comes for a while, and the connection stays."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.receive(until - time.monotonic())
            expect(not self.inbox and not self.ended, what, self.ended or printable(self.inbox))

    def frame(self):
        """The next whole frame of what has come, or None."""
        if len(self.inbox) < _HEAD.size:
            return None
        length, kind, flags, reserved, stream = _HEAD.unpack_from(self.inbox)
        if len(self.inbox) < _HEAD.size + length:
            return None
        frame = Frame(kind, stream, bytes(self.inbox[_HEAD.size:_HEAD.size + length]), flags, reserved)
        del self.inbox[:_HEAD.size + length]
        self.note(f"came  {frame}")
        return frame

    def send_frames(self, *frames, bytewise=False):
        """All in one call."""
        content = b"".join(frame.encode() for frame in frames)
        note = "; ".join(map(str, frames))
        self.send_bytewise(content, note) if bytewise else self.send(content, note)

    def finish(self):
        """Ends our direction in order."""
        self.note("sent  FIN")
        try:
            if isinstance(self.sock, ssl.SSLSocket):
                self.sock.setblocking(True)
                self.sock.settimeout(1)
                self.sock = self.sock.unwrap()
                self.sock.setblocking(False)
            self.sock.shutdown(socket.SHUT_WR)
        except (OSError, ValueError):
            pass

    def close(self):
        self.sock.close()
        self.ended = self.ended or "closed here"

    def reset(self):
        """Ends the connection as the death of a host does."""
        self.note("sent  RST")
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()


class FrameWire(Wire):
    """A connection of LRWP 3 behind its handshake. What becomes of each frame is said by `take`."""

    def __init__(self, sock):
        super().__init__(sock)
        self.pongs = []

    def take(self, frame):
        raise NotImplementedError

    def take_all(self):
        frame = self.frame()
        while frame:
            self.take(frame)
            frame = self.frame()

    def until(self, condition, what, section=None, seconds=PATIENCE):
        """Takes frames until something is so."""
        until = time.monotonic() + seconds
        self.take_all()
        while not condition():
            left = until - time.monotonic()
            if self.ended or left <= 0:
                raise Failure(what, f"the end of the connection: {self.ended}" if self.ended else "nothing in time",
                              section)
            self.receive(left)
            self.take_all()
        return self

    def quiet(self, seconds):
        """Takes frames for a while."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.ended:
            self.receive(until - time.monotonic())
            self.take_all()

    def ping(self, content=b"are you?"):
        """Asks for a sign of life and waits for it: all frames before it have been dealt with."""
        before = len(self.pongs)
        self.send_frames(Frame(PING, 0, content))
        self.until(lambda: len(self.pongs) > before, "PONG", "15.9.2")
        expect(self.pongs[-1] == content, f"PONG with the bytes of the PING: {content}", repr(self.pongs[-1]), "15.9.2")
