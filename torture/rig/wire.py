"""As much of LRWP 1, 2 and 3 as a peer needs that misbehaves: docs/protocol.md. No code of the libraries."""

import os
import socket
import struct

DATA, STARTED, REFUSED, CANCEL, WINDOW, DRAIN, PING, PONG = 7, 8, 9, 10, 11, 13, 14, 15
SETTINGS, REQUEST, RESPONSE = 1, 5, 6
END = 1
HEAD = struct.Struct(">IBBHI")


class Gone(Exception):
    """The proxy has closed the connection, or has refused it."""


class Wire:
    """A blocking connection to the proxy, after its registration."""

    def __init__(self, address, version, context, settings=(), seconds=10):
        self.socket = socket.create_connection(address, timeout=seconds)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        try:
            self.register(version, context, settings)
        except (OSError, Gone):
            self.socket.close()
            raise

    def register(self, version, context, settings):
        name = context.strip("/").encode()
        start = {1: name + b"\xff\xff", 2: b"\xff2.0\xff" + name + b"\xff\xff", 3: b"\xff3.0\xff" + name + b"\xff\xff"}
        wanted = {1: b"OK", 2: b"OK\xff", 3: b"OK\xff"}[version]
        self.send(start[version])
        got = self.take(len(wanted))
        if got != wanted:
            raise Gone(f"refused: {got!r}")
        if version == 3:
            self.send(frame(SETTINGS, 0, b"".join(b"%s\0" % setting.encode() for setting in settings)))

    def send(self, data):
        self.socket.sendall(data)

    def fill(self):
        data = self.socket.recv(65536)
        if not data:
            raise Gone("end of the connection")
        self.buffer += data

    def take(self, count):
        while len(self.buffer) < count:
            self.fill()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def serial_request(self):
        """The next request of LRWP 1 or 2: env and body."""
        self.wait(1)
        env = self.take(digits(self.take(9)))
        return environment(env), self.take(digits(self.take(9)))

    def frame(self):
        """The next frame of LRWP 3: type, whether it ends its direction, stream, payload."""
        self.wait(HEAD.size)
        length, kind, flags, _, stream = HEAD.unpack(self.take(HEAD.size))
        return kind, bool(flags & END), stream, self.take(length)

    def wait(self, count):
        """Until so many bytes are there; only here may the time pass without harm."""
        while len(self.buffer) < count:
            self.fill()

    def finish(self):
        """Leaves in order: says that nothing more comes, and reads to the end."""
        self.socket.shutdown(socket.SHUT_WR)
        self.socket.settimeout(2)
        try:
            while self.socket.recv(65536):
                pass
        except OSError:
            pass
        self.socket.close()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self):
        self.socket.close()


def frame(kind, stream, payload=b"", end=False):
    return HEAD.pack(len(payload), kind, END if end else 0, 0, stream) + payload


def serial_answer(output):
    return b"%09d%s" % (len(output), output)


def digits(field):
    if not field.isdigit():
        raise Gone(f"no length: {field!r}")
    return int(field)


def environment(block):
    return dict(entry.split(b"=", 1) for entry in block.split(b"\0") if b"=" in entry)


def request_of(payload):
    length = int.from_bytes(payload[:4], "big")
    return environment(payload[4 : 4 + length]), payload[4 + length :]


def right_answer(env, body):
    """What every peer of the rig answers: docs/torture.md."""
    return b"%s %s\n%s" % (env[b"REQUEST_METHOD"], env[b"PATH_INFO"], body)


class Record:
    """Which requests were executed, a line each; written before the answer, so that it is there after a kill."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def executed(self, env):
        os.write(self.file, env.get(b"HTTP_X_ID", b"?") + b"\n")
