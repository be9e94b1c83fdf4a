"""As much of an HTTP/1.1 client as the rig needs: it notices what a browser would forgive."""

import asyncio
import socket
import struct
from dataclasses import dataclass, field

LINE = 65536


class Cut(Exception):
    """The connection ended inside of an answer, or before its first byte; `begun` says which."""

    def __init__(self, begun):
        super().__init__("cut" if begun else "no answer")
        self.begun = begun


class Malformed(Exception):
    """The bytes are no answer of HTTP/1.1."""


@dataclass
class Answer:
    status: int
    fields: dict = field(default_factory=dict)
    body: bytes = b""

    def says_close(self):
        return self.fields.get("connection", "").lower() == "close"

    def reason(self):
        """The reason word of an error: the body's first word that is one."""
        words = self.body[:200].decode("latin-1").replace('"', " ").replace(":", " ").split()
        return next((word for word in words if "-" in word or word in ("refused", "draining", "paused")), "")


def request(method, path, body=b"", chunked=False, fields=()):
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
    lines += [f"{name}: {value}" for name, value in fields]
    if chunked:
        lines.append("Transfer-Encoding: chunked")
    elif body or method in ("POST", "PUT"):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (in_chunks(body) if chunked else body)


def in_chunks(body, size=5000):
    parts = [body[i : i + size] for i in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


async def read_answer(reader, method):
    """The next answer that is no interim one."""
    while True:
        answer = await read_head(reader)
        if answer.status >= 200:
            break
    try:
        answer.body = await read_body(reader, method, answer)
    except (asyncio.IncompleteReadError, OSError) as end:
        raise Cut(True) from end
    return answer


async def read_head(reader):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as end:
        raise Cut(bool(end.partial)) from end
    except OSError as end:
        # The reader tells of the reset before it gives what came first.
        raise Cut(bool(reader._buffer)) from end
    except asyncio.LimitOverrunError as end:
        raise Malformed("a head without end") from end
    lines = head[:-4].decode("latin-1").split("\r\n")
    words = lines[0].split(" ", 2)
    if len(words) < 2 or words[0] not in ("HTTP/1.1", "HTTP/1.0") or not (len(words[1]) == 3 and words[1].isdigit()):
        raise Malformed(f"status line {lines[0][:80]!r}")
    fields = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise Malformed(f"field {line[:80]!r}")
        fields[name.lower()] = value.strip()
    return Answer(int(words[1]), fields)


async def read_body(reader, method, answer):
    if method == "HEAD" or answer.status in (204, 304):
        return b""
    if answer.fields.get("transfer-encoding", "").lower() == "chunked":
        return await read_chunks(reader)
    if "content-length" in answer.fields:
        return await reader.readexactly(int(answer.fields["content-length"]))
    return await reader.read(-1)


async def read_chunks(reader):
    body = []
    while True:
        line = (await read_line(reader)).split(b";")[0].strip()
        try:
            size = int(line, 16)
        except ValueError:
            raise Malformed(f"chunk size {line[:40]!r}") from None
        if size == 0:
            while await read_line(reader):
                pass
            return b"".join(body)
        body.append(await reader.readexactly(size))
        if await reader.readexactly(2) != b"\r\n":
            raise Malformed("a chunk without its end")


async def read_line(reader):
    line = await reader.readuntil(b"\r\n")
    return line[:-2]


async def connect(address):
    return await asyncio.open_connection(*address, limit=LINE)


def reset(writer):
    """Ends a connection by a reset. Without the option an end in order could be what the other side sees."""
    link = writer.get_extra_info("socket")
    if link is not None and link.fileno() >= 0:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
