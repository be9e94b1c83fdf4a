"""An LRWP peer in Python 3.9 or newer, one file, standard library only.

A peer dials the proxy, says which URL contexts it serves, and gets HTTP requests over that one connection:

    import lrwp

    def handle(request):                     # runs on a thread and may block
        return "hello " + request.env["PATH_INFO"]

    lrwp.Peer("127.0.0.1:1081", ["/hello"], handle, concurrency=8).run()

A handler that is an `async def` runs on the event loop instead; its request has the same methods, to be awaited.
LRWP 3.0 is spoken, 3.1 with an identity, and 1.0 with servers that know no better. docs/protocol.md has the wire;
"rule n" is section 15.n there. `python3 -m lrwp run` serves WSGI and ASGI programs; it needs the other files of this
folder.

How it is built: one asyncio loop does all input and output, for both kinds of handlers. Frames that are ready are
gathered and written together; handlers are entered after the write that carried their STARTED (rule 5). A `_Proxy`
dials, a `_Connection` speaks the protocol, a `Request` is one slot of it, and `_Threads` run what blocks.
"""

import asyncio
import collections
import contextlib
import hashlib
import hmac
import inspect
import ipaddress
import os
import queue
import random
import re
import secrets
import signal
import socket
import ssl
import struct
import sys
import threading
import traceback
from typing import NamedTuple

SETTINGS, REGISTER, UNREGISTER, REGISTERED, REQUEST, RESPONSE, DATA, STARTED = range(1, 9)
REFUSED, CANCEL, WINDOW, CAPACITY, DRAIN, PING, PONG, ERROR = range(9, 17)
HEAD = struct.Struct(">IBBHI")  # length, type, flags, reserved, stream
MAX_FRAME = 65536  # ours, and the least that the proxy's may be
TURN = 16384  # DATA is cut here, and streams take turns (rule 2)
UNLIMITED = 4294967295
MOST_REQUESTS = 65536
ENOUGH = 131072  # no more bytes than these are made ready before a write
PENDING = 65536  # a handler that has written more waits
HANDSHAKE_SECONDS, LINGER_SECONDS, LONGEST_DELAY, RESOLVE_SECONDS = 5, 1, 10, 30
LONGEST_REFUSAL = 1100  # bytes
ASK_AGAIN_SECONDS = 30  # for a refused context
ALPN = "lrwp/3"  # what LRWP 3 calls itself inside TLS
REMEDIES = {  # of the refusals that a configuration mends; peers/README.md
    "ERROR: Application not permitted": "the context is another identity's, or outside the scope of this one",
    "ERROR: Connection requires an identity": "set an identity and its key",
    "ERROR: Unauthorized access": "the identity may not come from this address",
    "Incorrect LRWP challenge response": "the proxy has another secret or key",
}
TLS_FAILURES = {  # reasons of ssl
    "WRONG_VERSION_NUMBER": "there is no TLS at this port",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "the proxy wants a client certificate",
}


def trust(ca_file, certificate=None, certificate_key=None):
    """How to dial inside TLS 1.3: for Peer(..., tls=). All are names of PEM files.

    The proxy must show a certificate of the authorities in ca_file, for the host that is dialled. certificate is what
    the peer shows, with its certificate_key.
    """
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except OSError:  # no error of ssl names the file; that of open does
        open(ca_file, "rb").close()
        raise ValueError(f"{ca_file} holds no certificate (PEM)") from None
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    if certificate:
        try:
            context.load_cert_chain(certificate, certificate_key)
        except OSError as error:
            raise ValueError(_unusable(certificate, certificate_key or certificate, error)) from None
    return context


def _unusable(certificate, key, error):
    """Why a certificate and its key cannot be used. A file that cannot be read is the error of open()."""
    for path, part, label in ((certificate, "certificate", b"CERTIFICATE-----"), (key, "key", b"PRIVATE KEY-----")):
        with open(path, "rb") as file:
            if label not in file.read():
                return f"{path} holds no {part} (PEM)"
    if getattr(error, "reason", "") == "KEY_VALUES_MISMATCH":
        return f"the key in {key} is not that of the certificate in {certificate}"
    return f"the certificate in {certificate} cannot be used with the key in {key}: {_text_of_tls(error)}"


def _text_of_tls(error):
    """What has failed, in words, or in those of ssl without the place in its source."""
    return TLS_FAILURES.get(getattr(error, "reason", "")) or re.sub(r" \(_ssl\.c:[0-9]+\)$", "", str(error))


def read_secret(path):
    """The secret of a context, from a file that nobody else can read; an end of line does not belong to it."""
    with open(path, "rb") as file:
        if os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077:
            raise ValueError(f"{path} can be used by others: chmod 600 {path}")
        return file.read().rstrip(b"\r\n")


def read_key(path):
    """The key of an identity: hexadecimal digits in a file that nobody else can read."""
    digits = read_secret(path).decode("ascii", "replace").strip()
    if not re.fullmatch("([0-9a-fA-F]{2}){32,}", digits):
        raise ValueError(f"{path} holds no key: a key is 64 hexadecimal digits or more")
    return bytes.fromhex(digits)


def _address(proxy):
    """("host", port) of "host:port", "[v6]:port" or "name:port"; ("/path", None) of "unix:/path"."""
    if proxy.startswith("unix:"):
        if not proxy.startswith("unix:/"):
            raise ValueError(f'proxy "{proxy}": behind unix: comes the absolute path of a socket')
        return proxy[5:], None
    host, _, port = proxy.rpartition(":")
    if not host or not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) < 65536:
        raise ValueError(f'proxy "{proxy}" has no host and port: host:port, [v6]:port or unix:/path')
    if "/" in host or (":" in host and not re.fullmatch(r"\[.*\]|[0-9a-fA-F:.]+(%.*)?", host)):  # such as a URL
        raise ValueError(f'proxy "{proxy}" is no address: it is HOST:PORT or unix:PATH')
    if ":" in host and not (host.startswith("[") and host.endswith("]")):
        raise ValueError(f'proxy "{proxy}": an IPv6 address stands in brackets, as in [::1]:1081')
    return host.strip("[]"), int(port)


def _check_name(what, name):
    """Names go over the wire as ISO 8859-1, with FF behind them."""
    if not re.fullmatch("[\x20-\x7e\x80-\xfe]{1,200}", name):
        raise ValueError(f"{what} has 1 to 200 bytes of Latin-1 without controls, not {name[:250]!r}")


_instance = (0, "")


def _instance_name():
    """The same for all connections of this process (rule 5), another one behind a fork."""
    global _instance
    if _instance[0] != os.getpid():
        _instance = (os.getpid(), secrets.token_hex(16))
    return _instance[1]


class Cancelled(Exception):
    """Nobody waits for the answer any more. Let it pass through the handler."""


class TooLarge(Exception):
    """The body is longer than the handler wants. Left alone, it becomes 413."""


class Answer(NamedTuple):
    """A whole answer, for a handler to return. A handler may also return str or bytes, or None after write()."""

    body: bytes = b""
    content_type: str = "text/plain"  # None: the headers say it
    status: str = "200 OK"
    headers: tuple = ()  # pairs of name and value


_known = set()  # names of headers that are tokens
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_STATUS = re.compile(r"[1-9][0-9]{2}( [\t -~\x80-\xff]*)?")


def _bytes(body):
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return body
    raise TypeError(f"a body is str or bytes, not {type(body).__name__}")


def _head(status, lines):
    """The head of an answer. What is no header field is an error, so that no value can become a header of its own."""
    if not _STATUS.fullmatch(str(status)):
        raise ValueError(f"the status is not three digits and a reason: {str(status)[:100]!r}")
    head = [f"Status: {status}\r\n"]
    for name, value in lines:
        name, value = str(name), str(value)
        if name not in _known:
            if not _TOKEN.fullmatch(name) or name.lower() == "status":
                raise ValueError(f"the name of a header is not a token, or Status: {name[:100]!r}")
            if len(_known) < 1000:
                _known.add(name)
        if not _VALUE.fullmatch(value):
            raise ValueError(f"the value of {name} holds a control or is not Latin-1")
        head.append(f"{name}: {value}\r\n")
    head.append("\r\n")
    return "".join(head).encode("latin-1")


def _text(received):
    """What the other side said, for a line of a log."""
    return re.sub(r"[^ -~\xa0-\xff]", "?", bytes(received[:200]).decode("latin-1"))


class _Lost(Exception):
    """The connection is over, and why."""


class _Refused(_Lost):
    """The proxy does not let a context in."""

    def __init__(self, context, text):
        self.context, self.text = context, text

    def line(self, proxy):
        remedy = REMEDIES.get(self.text)
        advice = f' remedy="{remedy}"' if remedy else ""
        return f'refused context={self.context} proxy={proxy} why="{self.text}"{advice}'


class _Older(Exception):
    """The server does not speak LRWP 3."""


class Request:
    """One request, as an `async def` handler sees it.

    env: the CGI variables; block: the same as they came, NAME=VALUE with a NUL behind each. is_cancelled: nobody waits for the answer; cancelled: the same as a threading.Event. The
    handler's task is cancelled then, too, unless cancels_task is set to False.
    """

    def __init__(self, connection, stream, block, body, ended):
        self.block = block
        self._env = None
        self.is_cancelled = False
        self.cancels_task = True
        self._connection = connection
        self._stream = stream
        self._chunks = collections.deque([body] if body else [])
        self._proxy_ended = ended
        self._receive_credit = connection.peer.window - len(body)
        self._send_credit = connection.window
        self._owed = 0  # read by the handler, not yet granted again
        self._head = b""
        self._out = bytearray()
        self._has_head = self._over = self._closed = False
        self._tunnel = self._ended = self._dropping = False
        self._entered = False
        self._task = None  # of an async handler
        self._event = None  # behind `cancelled`
        self._changed = None  # behind _change()

    @property
    def env(self):
        if self._env is None:
            entries = self.block.decode("latin-1").split("\0")
            self._env = dict(entry.split("=", 1) for entry in entries if "=" in entry)
        return self._env

    @property
    def cancelled(self):
        if self._event is None:
            self._event = threading.Event()
            if self.is_cancelled:  # it may have become so meanwhile, on the loop's thread
                self._event.set()
        return self._event

    async def _change(self):
        """Until body has come, or there is room for more of the answer, or the end."""
        if self._changed is None:
            self._changed = asyncio.Event()
        self._changed.clear()
        await self._changed.wait()

    def _wake(self):
        if self._changed is not None:
            self._changed.set()

    async def read(self):
        """The next piece of the body; b"" at its end."""
        while not self._chunks and not self._proxy_ended and not self.is_cancelled:
            await self._change()
        if self.is_cancelled:
            raise Cancelled()
        if not self._chunks:
            return b""
        chunk = self._chunks.popleft()
        self._take(len(chunk))
        return chunk

    def _take(self, count):
        self._owed += count
        if self._closed or self._proxy_ended or (self._ended and not self._tunnel):
            return
        if self._owed >= self._connection.peer.window // 2:
            self._connection.queue(WINDOW, self._stream, struct.pack(">I", self._owed))
            self._receive_credit += self._owed
            if self._ended:  # it may cross the proxy's END, and then counts for the next request (rule 12.8)
                late = self._connection.late
                late[self._stream] = late.get(self._stream, 0) + self._owed
            self._owed = 0

    @property
    def at_end(self):
        """Whether the whole body has been read."""
        return self._proxy_ended and not self._chunks

    async def body(self, most=64 * 1024 * 1024):
        """The whole body."""
        body = bytearray()
        while chunk := await self.read():
            body += chunk
            if len(body) > most:
                raise TooLarge()
        return bytes(body)

    async def start(self, content_type="text/plain", status="200 OK", headers=()):
        """Begins an answer that is written in pieces. It is with the client before the first piece is."""
        self._send_head(self._made_head(content_type, status, headers))

    async def write(self, piece):
        """Sends a piece of the answer, at once. Waits while the client is slow."""
        if self._over:
            raise RuntimeError("this direction has ended")
        if not self._has_head:
            self._send_head(self._made_head())
        self._write(_bytes(piece))
        while len(self._out) > PENDING and self._connection.version == 3 and not self.is_cancelled:
            await self._change()  # with 1.0 an answer is sent whole, so nothing would become of waiting
        if self.is_cancelled:
            raise Cancelled()

    async def answer(self, answer):
        """Sends a whole answer now. The handler may go on with what no client waits for, and returns None."""
        self._send_answer(*self._made(answer))

    async def answered(self):
        """Waits until the answer has been sent, or nobody waits for it any more."""
        while not self._closed and not self.is_cancelled:
            await self._change()

    def offers(self, protocol):
        """Whether the client offers another protocol, such as "websocket", that this peer takes."""
        if b"HTTP_UPGRADE=" not in self.block:
            return False
        return protocol.lower() in [name.strip().lower() for name in self.env.get("HTTP_UPGRADE", "").split(",")]

    async def upgrade(self, protocol, headers=()):
        """Answers 101. From now on read() and write() are a two-way channel: rule 12.

        read() gives b"" when the client sends nothing more; end() says the same to the client. When the handler
        returns the channel ends; when it fails the client is cut.
        """
        if not self.offers(protocol):
            raise RuntimeError("the client has not offered " + protocol)
        fields = [("Upgrade", protocol), ("Connection", "Upgrade"), *headers]
        self._send_head(self._made_head(None, "101 Switching Protocols", fields))
        self._tunnel = True

    async def end(self):
        """Ends an answer that was written in pieces, or the peer's direction of a channel; the client's goes on."""
        self._over = True
        self._connection.turn(self)

    # ---- what is made on the handler's thread, and what is sent on the loop's

    def _made_head(self, content_type="text/plain", status="200 OK", headers=()):
        if self._has_head:
            raise RuntimeError("the answer has begun already")
        head = _head(status, headers if content_type is None else [("Content-Type", content_type), *headers])
        if len(head) > self._connection.max_frame:
            raise ValueError(f"the head of the answer is longer than {self._connection.max_frame} bytes")
        self._has_head = True
        return head

    def _made(self, answer):
        if not isinstance(answer, Answer):
            answer = Answer(answer)
        body = _bytes(answer.body)
        return self._made_head(answer.content_type, answer.status, answer.headers), body

    def _send_head(self, head):
        self._head = head
        self._connection.turn(self)

    def _write(self, piece):
        if not self._over:
            self._out += piece
            self._connection.turn(self)

    def _send_answer(self, head, body):
        self._head = head
        self._out += body
        self._over = True
        self._connection.turn(self)

    def _finish(self, answer):
        """The handler has returned."""
        if self.is_cancelled:
            raise Cancelled()
        if answer is not None:
            self._send_answer(*self._made(answer))
        elif not self._has_head:
            raise RuntimeError("the handler has returned no answer")
        elif not self._over:
            self._over = True
            self._connection.turn(self)
        if self._tunnel:  # what the client still sends is dropped
            self._dropping = True
            self._take(sum(map(len, self._chunks)))
            self._chunks.clear()

    def _frame(self):
        """The next frame of the answer, if window and progress allow one. What is whole and fits is one frame."""
        if self._closed or self._ended or not self._has_head:
            return None
        body = len(self._out)
        most = TURN
        if self._head:
            room = self._connection.max_frame - len(self._head)
            most = body if self._over and body <= room and not self._tunnel else min(TURN, room)
        count = min(body, most, self._send_credit)
        end = self._over and count == body and not (self._tunnel and self._head)
        if not count and not end and not self._head:
            return None
        payload = self._head + self._out[:count]
        frame = HEAD.pack(len(payload), RESPONSE if self._head else DATA, end, 0, self._stream) + payload
        del self._out[:count]
        self._head = b""
        if self._connection.window != UNLIMITED:
            self._send_credit -= count
        self._wake()
        if end:
            self._ended = True
            if not self._tunnel or self._proxy_ended:
                self._connection.close_stream(self)
        return frame

    def _cancel(self):
        """Tells the handler. One that runs has to end by itself; that is what frees the slot (rule 4)."""
        self.is_cancelled = True
        if self._event is not None:
            self._event.set()
        self._proxy_ended = True
        self._out.clear()
        self._wake()
        if self._over or not self._entered:
            self._connection.fail(self, "")
        if self._task is not None and self.cancels_task:
            self._task.cancel()


class BlockingRequest:
    """One request, as a blocking handler sees it: the same methods, called on a thread of its own."""

    def __init__(self, request, threads):
        self._request = request
        self._threads = threads
        self._handed = 0  # bytes that were handed to the loop since it was last waited for

    @property
    def env(self):
        return self._request.env

    @property
    def is_cancelled(self):
        return self._request.is_cancelled

    @property
    def cancelled(self):
        return self._request.cancelled

    def _wait(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._threads.loop).result()

    def read(self):
        request = self._request
        ended = request._proxy_ended  # looked at first: what has come by then is there
        if not ended and not request._chunks:
            return self._wait(request.read())
        if request.is_cancelled:
            raise Cancelled()
        if not request._chunks:
            return b""
        chunk = request._chunks.popleft()
        if not ended:
            self._threads.post(request._take, len(chunk))
        return chunk

    def body(self, most=64 * 1024 * 1024):
        body = bytearray()
        while chunk := self.read():
            body += chunk
            if len(body) > most:
                raise TooLarge()
        return bytes(body)

    def start(self, content_type="text/plain", status="200 OK", headers=()):
        self._threads.post(self._request._send_head, self._request._made_head(content_type, status, headers))

    def write(self, piece):
        request, piece = self._request, bytes(_bytes(piece))
        if request.is_cancelled:
            raise Cancelled()
        if not request._has_head:
            self.start()
        self._handed += len(piece)
        if self._handed > PENDING or request._over:
            self._handed = 0
            self._wait(request.write(piece))
        else:
            self._threads.post(request._write, piece)

    def answer(self, answer):
        self._threads.post(self._request._send_answer, *self._request._made(answer))

    def answered(self):
        self._wait(self._request.answered())

    def offers(self, protocol):
        return self._request.offers(protocol)

    def upgrade(self, protocol, headers=()):
        self._wait(self._request.upgrade(protocol, headers))

    def end(self):
        self._wait(self._request.end())


class _Threads:
    """The threads of blocking handlers, begun when they are needed.

    All that they have for the loop goes through one queue, in order, and one call wakes the loop for all that has come.
    """

    def __init__(self, peer, loop):
        self.peer = peer
        self.loop = loop
        self.jobs = queue.SimpleQueue()
        self.calls = collections.deque()
        self.count = self.idle = 0  # the loop's
        self.is_told = False

    def enter(self, request):
        if self.idle:
            self.idle -= 1
        else:
            self.count += 1
            threading.Thread(target=self._work, name=f"lrwp-{self.count}", daemon=True).start()
        self.jobs.put(request)

    def close(self):
        for _ in range(self.count):
            self.jobs.put(None)

    def _work(self):
        while (request := self.jobs.get()) is not None:
            answer = error = None
            try:
                answer = self.peer.handler(BlockingRequest(request, self))
            except BaseException as failure:  # sys.exit() in a handler is its failure, too
                error = failure
            self.post(self._returned, request, answer, error)
            del request, answer, error  # the next one may be long in coming

    def _returned(self, request, answer, error):
        self.idle += 1
        request._connection.returned(request, answer, error)

    def post(self, call, *arguments):
        self.calls.append((call, arguments))
        if not self.is_told:
            self.is_told = True
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self.loop.call_soon_threadsafe(self._collect)

    def _collect(self):
        self.is_told = False
        while self.calls:
            call, arguments = self.calls.popleft()
            call(*arguments)


class _Connection(asyncio.Protocol):
    """One connection: "hello" -> "serving" -> "lingering" -> "gone". All of it runs on the loop's thread.

    context: the one of the startup string.
    """

    def __init__(self, peer, version, address, context):
        self.peer = peer
        self.context = context
        self.version = version
        self.label = "1.0" if version == 1 else "3.1" if peer.key else "3.0"
        self.address = address
        self.state = "hello"
        self.window, self.max_frame, self.ping = MAX_FRAME, MAX_FRAME, 0  # the proxy's
        self.late = {}  # of each slot: what was granted behind our END of a tunnel
        loop = asyncio.get_running_loop()
        self.loop = loop
        self.ready = loop.create_future()  # the handshake's outcome
        self.leaving = loop.create_future()  # no new requests from here: the next connection has to be dialled
        self.gone = loop.create_future()
        self.good = False  # has had a request
        self.inbox = bytearray()
        self.streams = {}  # number -> Request, until our direction has ended
        self.half_closed = set()  # numbers whose proxy's direction has not
        self.draining = self.has_settings = self.has_proved = self.pinged = False
        self.control, self.starting, self.written = [], [], []
        self.turns = {}  # requests with something to send, in the order of their turns
        self.is_paused = self.is_scheduled = False

    # ---- the connection's life

    def connection_made(self, transport):
        self.transport = transport
        tls = transport.get_extra_info("ssl_object")
        # The name is offered with 1.0 too: a server that does not know it chooses none, and one that does wants no 1.0.
        if tls and (self.version == 3) != (tls.selected_alpn_protocol() == ALPN):
            self.lose("", _Older("no ALPN " + ALPN) if self.version == 3 else _Lost("the proxy speaks LRWP 3"))
            return
        # pause_writing then says: not everything has been written. TLS says it from the limit on, plain TCP above it.
        transport.set_write_buffer_limits(high=1 if tls else 0, low=0)
        self.hello = self.peer.names(self.context)
        if self.version == 3:
            self.hello = b"\xff" + self.label.encode() + b"\xff" + self.hello
        if self.peer.key:
            fields = (self.peer.identity, self.peer.key_id, secrets.token_hex(32), "")
            self.hello += "\xff".join(fields).encode("latin-1")
        transport.write(self.hello)

    def connection_lost(self, error):
        self.lose(_text_of_tls(error) if error else "the proxy has closed")

    def eof_received(self):
        older = self.version == 3 and bytes(self.inbox) == b"OK"
        self.lose("the proxy has closed", _Older("a bare OK") if self.state == "hello" and older else None)

    def lose(self, why, error=None):
        if self.state == "gone":
            return
        if self.state == "hello" and self.inbox and not error:
            error = _Refused(self.context, _text(self.inbox))
        self.state = "gone"
        self.transport.abort() if self.is_paused else self.transport.close()
        self.abandon()
        if not self.ready.done():
            self.ready.set_exception(error or _Lost(why))
        elif not self.peer.draining:
            self.peer.log(f'lost proxy={self.address} version={self.label} why="{why}"')
        for future in (self.leaving, self.gone):
            if not future.done():
                future.set_result(None)

    def abandon(self):
        """Nobody waits any more for the answers of this connection."""
        for request in list(self.streams.values()):
            request._cancel()
        never, self.starting, self.written = self.starting + self.written, [], []
        for _ in never:
            self.peer.release()

    def linger(self):
        """Shuts the write side and reads on, so that the other side gets all that was written (rule 5)."""
        if self.state in ("lingering", "gone"):
            return
        self.state = "lingering"
        self.abandon()
        # TLS of asyncio has no half-close: it says close_notify behind what was written, and reads no more.
        self.transport.write_eof() if self.transport.can_write_eof() else self.transport.close()
        self.loop.call_later(LINGER_SECONDS, self.lose, "out of time")

    def fault(self, rule):
        """The proxy has broken a rule."""
        self.peer.log(f'fault proxy={self.address} rule="{rule}"')
        self.queue(ERROR, 0, rule.encode())
        self.transport.write(b"".join(self.control))  # nothing of a stream: no handler is entered any more
        self.linger()

    def drain(self):
        """Finishes what has come and takes no more; the proxy closes after the last answer (rule 10)."""
        self.draining = True
        if self.state == "hello":
            self.lose("draining")
        elif self.version == 3:
            self.queue(DRAIN, 0)
            for request in list(self.peer.waiting):
                if request._connection is self and not request._closed:  # the slot of a cancelled one is free already
                    self.refuse(request, "draining")
        elif not self.streams:
            self.linger()
        self.loop.call_later(self.peer.drain_seconds, self.linger)

    def watch(self):
        """The proxy pings after `ping` seconds of silence; when it does not we ask once, then give up (rule 9)."""
        if self.state != "serving" or not self.ping:
            return
        quiet = (self.loop.time() - self.heard) / self.ping
        if quiet > 3:
            self.lose("the proxy is silent")
        elif quiet > 2 and not self.pinged:
            self.pinged = True
            self.queue(PING, 0, b"are you?")
        self.loop.call_later(self.ping / 2, self.watch)

    # ---- out

    def queue(self, kind, stream, payload=b""):
        self.control.append(HEAD.pack(len(payload), kind, 0, 0, stream) + payload)
        self.schedule()

    def turn(self, request):
        if self.version == 3:
            self.turns[request] = None
        elif request._over and not request._closed:  # 1.0: the whole answer, with its length
            output = request._head + request._out
            self.control.append(b"%09d" % len(output) + output)
            self.close_stream(request)
        self.schedule()

    def schedule(self):
        """Writes at the end of this turn of the loop, so that everything that is ready by then goes together."""
        if not self.is_scheduled and not self.is_paused:
            self.is_scheduled = True
            self.loop.call_soon(self.flush)

    def flush(self):
        self.is_scheduled = False
        while not self.is_paused and self.state == "serving":
            batch, self.control = self.control, []
            self.written += self.starting
            self.starting = []
            size = 0
            while self.turns and size < ENOUGH:
                request = next(iter(self.turns))
                del self.turns[request]
                frame = request._frame()
                if frame:
                    if not request._ended:  # another turn; who has no window or nothing to send comes back by itself
                        self.turns[request] = None
                    batch.append(frame)
                    size += len(frame)
            if not batch:
                break
            self.transport.write(b"".join(batch))
            if not self.is_paused:
                self.enter()
        if self.version == 1 and self.draining and not self.streams:
            self.linger()

    def pause_writing(self):
        self.is_paused = True

    def resume_writing(self):
        self.is_paused = False
        self.enter()
        self.schedule()

    def enter(self):
        """Enters the handlers whose STARTED has been written to its last byte."""
        written, self.written = self.written, []
        for request in written:
            if request._closed or self.state != "serving" or self.transport.is_closing():
                self.peer.release()
                continue
            request._entered = True
            if self.peer.is_async:
                request._task = self.loop.create_task(self.run(request))
            else:
                self.peer.threads.enter(request)

    async def run(self, request):
        answer = error = None
        try:
            answer = await self.peer.handler(request)
        except (Exception, asyncio.CancelledError, SystemExit) as failure:
            error = failure
        self.returned(request, answer, error)

    def returned(self, request, answer, error):
        """The handler has returned, or failed."""
        try:
            self.conclude(request, answer, error)
        finally:  # whatever comes of it, or its place is lost
            self.peer.release()

    def conclude(self, request, answer, error):
        try:
            if error is None:
                request._finish(answer)
        except Exception as failure:
            error = failure
        if request.is_cancelled and isinstance(error, (Cancelled, asyncio.CancelledError, TooLarge)):
            self.fail(request, "")
        elif isinstance(error, TooLarge) and not request._has_head:
            request._finish(Answer("too large\n", status="413 Content Too Large"))
        elif error is not None:
            trace = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            self.peer.log(f'failed why="{error}"\n{trace}'.rstrip())
            if request._over and request._has_head and not request.is_cancelled:  # what was sent stands
                request._finish(None)
            else:
                self.broken(request, type(error).__name__)

    def broken(self, request, reason):
        """The handler has failed: 500, or a cut when it has begun its answer."""
        begun = request._has_head and self.version == 3  # 1.0 sends an answer when it is whole
        if request._closed or request.is_cancelled or begun or self.state != "serving":
            self.fail(request, reason)
            return
        request._has_head, request._tunnel, request._out = False, False, bytearray()
        request._finish(Answer("internal error\n", status="500 Internal Server Error"))

    def fail(self, request, reason):
        if request._closed:
            return
        if self.version == 1 and self.state == "serving" and not request.is_cancelled:
            self.broken(request, reason)  # 1.0 cannot say it otherwise
            return
        over = request._ended and request._proxy_ended
        if self.state == "serving" and not over:
            self.queue(CANCEL, request._stream, reason.encode("latin-1", "replace")[:1000])
        self.close_stream(request)

    def close_stream(self, request):
        """Our direction has ended: nothing more goes out on this stream (rule 4)."""
        request._closed = True
        request._wake()
        self.streams.pop(request._stream, None)
        if not request._proxy_ended:
            self.half_closed.add(request._stream)

    # ---- in

    def data_received(self, data):
        self.inbox += data
        self.heard = self.loop.time()
        self.pinged = False
        if self.state == "hello":
            self.reply()
        if self.state == "serving" and self.version == 1:
            self.old_request()
        elif self.state == "serving":
            self.frames()
        elif self.state == "lingering":
            self.inbox.clear()

    def reply(self):
        """The reply to the hello, as far as it has come. REJECTED is never a reason to fall back; other texts are."""
        inbox = bytes(self.inbox)

        def begins(text):
            return text.startswith(inbox[: len(text)])

        okay = b"OK\xff" if self.version == 3 else b"OK"
        keyed = bool(self.peer.key) and not self.has_proved
        if begins(b"HTTP/") or begins(b"\x15\x03"):
            if len(inbox) >= 5:
                what = "speaks HTTP: it is not the one for peers" if inbox[:1] == b"H" else "wants TLS"
                self.lose("", _Lost("this port " + what))
        elif keyed and begins(b"CHALLENGE\xff000000064"):
            if len(inbox) >= 83:
                self.prove_key(inbox[19:51], inbox[51:83])
                del self.inbox[:83]
        elif begins(okay) and not keyed:
            if len(inbox) >= len(okay):
                del self.inbox[: len(okay)]
                self.serve()
        elif self.version == 1:
            if len(inbox) > LONGEST_REFUSAL:  # it ends with the connection
                self.lose("")
        elif begins(b"REJECTED\xff"):
            if inbox.count(b"\xff") > 1 or len(inbox) > LONGEST_REFUSAL:
                self.lose("", _Refused(self.context, _text(inbox[9:].strip(b"\xff"))))
        elif keyed:
            self.lose("", _Lost("the proxy does not prove that it knows the identity: " + _text(inbox)))
        elif begins(b"CHALLENGE\xff000000032"):
            if self.has_proved or not self.peer.secret:
                self.inbox.clear()
                self.lose("a secret is asked for, and there is none")
            elif len(inbox) >= 51:
                names = self.peer.names(self.context)[:-1]
                self.prove(hmac.new(self.peer.secret, inbox[19:51] + names, hashlib.sha256))
                del self.inbox[:51]
        else:
            self.lose("", _Older(_text(inbox)))

    def prove_key(self, nonce, proof):
        """Both sides have the same key: the proxy shows it first (section 17)."""
        tls = self.transport.get_extra_info("ssl_object")
        certificate = hashlib.sha256(tls.getpeercert(binary_form=True)).digest() if tls else b""
        transcript = self.hello + nonce + certificate
        if hmac.compare_digest(hmac.digest(self.peer.key, b"lrwp3 proxy\0" + transcript, "sha256"), proof):
            self.prove(hmac.new(self.peer.key, b"lrwp3 peer\0" + transcript, hashlib.sha256))
        else:
            self.lose("", _Lost("the proxy does not have the key of this identity"))

    def prove(self, proof):
        self.transport.write(b"000000032" + proof.digest())
        self.has_proved = True

    def serve(self):
        peer = self.peer
        self.state = "serving"
        peer.log(f"registered context={self.context} version={self.label} proxy={self.address}")
        if self.version == 3:
            settings = dict(name=peer.name, capacity=peer.concurrency, window=peer.window, started=1)
            settings.update(stream=int(peer.stream), ping=1, instance=_instance_name())
            if peer.upgrades:
                settings.update(upgrade=peer.upgrades)
            self.queue(SETTINGS, 0, b"".join(f"{name}={value}\0".encode() for name, value in settings.items()))
            for context in peer.context:
                if context != self.context:
                    self.ask(context)
        self.ready.set_result(None)

    def ask(self, context):
        """Asks for a context; for a refused one again after a while, as the proxy may have been configured for it."""
        if self.state == "serving" and not self.leaving.done() and context in self.peer.context:
            self.queue(REGISTER, 0, self.peer.names(context))

    def frames(self):
        at, inbox = 0, self.inbox
        while self.state == "serving" and len(inbox) - at >= HEAD.size:
            length, kind, flags, _, stream = HEAD.unpack_from(inbox, at)
            if length > MAX_FRAME:
                self.fault("a frame longer than max-frame")
            elif len(inbox) - at < HEAD.size + length:
                break
            else:
                at += HEAD.size + length
                self.frame(kind, bool(flags & 1), stream, bytes(inbox[at - length : at]))
        del inbox[:at]

    def frame(self, kind, end, stream, payload):
        request = self.streams.get(stream)
        if not self.has_settings and kind != SETTINGS:
            self.fault("the first frame is not SETTINGS")
        elif kind == SETTINGS and self.has_settings:
            self.fault("a second SETTINGS")
        elif kind == SETTINGS:
            self.on_settings(payload)
        elif kind == REQUEST:
            self.on_request(stream, payload, end)
        elif kind == WINDOW and len(payload) != 4:
            self.fault("WINDOW is not 4 bytes")
        elif kind == PING and len(payload) != 8:
            self.fault("PING is not 8 bytes")
        elif kind == PING:
            self.queue(PONG, 0, payload)
        elif kind == REGISTERED:
            context, _, text = (payload.split(b"\xff", 2) + [b"", b""])[:3]
            context, text = context.decode("latin-1"), _text(text[:-1])
            if text:
                self.peer.log(_Refused(context, text).line(self.address))
                self.loop.call_later(ASK_AGAIN_SECONDS, self.ask, context)
            else:
                self.peer.log(f"registered context={context} version={self.label} proxy={self.address}")
        elif kind == DRAIN:
            self.peer.log(f"drain by=proxy proxy={self.address}")
            if not self.leaving.done():
                self.leaving.set_result(None)
        elif kind == ERROR:
            self.peer.log(f'error by=proxy proxy={self.address} text="{_text(payload)}"')
            self.linger()
        elif request is None:  # nothing but late frames on a stream that we have ended
            if kind == CANCEL or (kind == DATA and end):
                self.half_closed.discard(stream)
        elif kind == DATA and not request._proxy_ended:
            self.on_data(request, payload, end)
        elif kind == WINDOW and self.window != UNLIMITED:
            request._send_credit += struct.unpack(">I", payload)[0]
            if request._send_credit > UNLIMITED:
                self.fault("more window than 4294967295")
            else:
                self.turn(request)
        elif kind == CANCEL:
            request._cancel()

    def on_settings(self, payload):
        self.has_settings = True
        if payload and payload[-1]:
            self.fault("SETTINGS without a NUL at the end")
            return
        for setting in payload.split(b"\0"):
            name, _, value = setting.partition(b"=")
            if name in (b"window", b"max-frame", b"ping"):
                if not value.isdigit() or int(value) > UNLIMITED or (name == b"max-frame" and int(value) < MAX_FRAME):
                    self.fault("SETTINGS with a bad value")
                    return
                setattr(self, name.decode().replace("-", "_"), int(value))
        self.watch()

    def on_request(self, stream, payload, end):
        length = int.from_bytes(payload[:4], "big")
        env = payload[4 : 4 + length]
        if not 1 <= stream <= self.peer.concurrency or stream in self.streams or stream in self.half_closed:
            self.fault("REQUEST on a stream that is not free")
        elif len(payload) < 4 + length or (env and env[-1]) or len(payload) < 4:
            self.fault("REQUEST with a broken env block")
        elif len(payload) - 4 - length > self.peer.window + self.late.get(stream, 0):
            self.fault("more body than its window")
        else:
            request = self.begin(stream, env, payload[4 + length :], end)
            request._receive_credit += self.late.pop(stream, 0)
            reason = "draining" if self.draining else self.admit(request)
            if reason:
                self.refuse(request, reason)
            else:
                self.peer.take(request)

    def admit(self, request):
        """Why the program refuses a request. When it cannot say, that concerns this request and no other."""
        try:
            return str(self.peer.admit(request.env) or "") if self.peer.admit else ""
        except Exception as error:  # whose text may hold what it was about, such as a token of the client
            trace = "".join(traceback.format_tb(error.__traceback__))
            self.peer.log(f'failed admission why="{type(error).__name__}"\n{trace}'.rstrip())
            return "the admission failed"

    def refuse(self, request, reason):
        """Before STARTED: it goes to another connection (rule 6)."""
        self.queue(REFUSED, request._stream, reason.encode("latin-1", "replace")[:1000])
        self.close_stream(request)

    def start(self, request):
        """The handler is entered behind the write that says so."""
        if self.version == 1:
            self.written.append(request)
            self.enter()
        else:
            self.starting.append(request)
            self.queue(STARTED, request._stream)

    def begin(self, stream, block, body, end):
        request = Request(self, stream, block, body, end)
        self.streams[stream] = request
        self.good = True
        return request

    def on_data(self, request, payload, end):
        request._receive_credit -= len(payload)
        if request._receive_credit < 0:
            self.fault("more body than its window")
            return
        if payload and request._dropping:
            request._take(len(payload))
        elif payload:
            request._chunks.append(payload)
        request._proxy_ended = end  # behind its last piece: a handler on a thread looks at both
        request._wake()
        if end and request._ended:
            self.close_stream(request)

    def old_request(self):
        """A request of LRWP 1.0: length, env block, length, body; one at a time."""
        inbox = self.inbox
        if len(inbox) < 9:
            return
        env = int(inbox[:9]) if inbox[:9].isdigit() else -1
        digits = inbox[9 + env : 18 + env]
        if env < 0 or self.streams or (len(digits) == 9 and not digits.isdigit()):
            self.lose("a broken request")
        elif len(digits) == 9 and len(inbox) >= 18 + env + int(digits):
            whole = 18 + env + int(digits)
            request = self.begin(1, bytes(inbox[9 : 9 + env]), bytes(inbox[18 + env : whole]), True)
            del inbox[:whole]
            self.peer.take(request)


class _Proxy:
    """One entry of `proxy`: keeps a connection to each of its addresses."""

    def __init__(self, peer, host, port):
        self.peer = peer
        self.host, self.port = host, port
        self.addresses = set()  # those of now
        self.keepers = {}  # address -> the task that dials it
        self.is_lost = asyncio.Event()  # a connection: the name may have moved

    async def run(self):
        if not self._is_name():
            await self._keep(self.host)
            return
        delay = 0.1
        while not self.peer.draining:
            self.is_lost.clear()
            found = await self._resolve()
            if found:
                self.addresses = found
            for address in self.addresses - self.keepers.keys():
                task = self.keepers[address] = self.peer.loop.create_task(self._keep(address))
                task.add_done_callback(lambda _, address=address: self.keepers.pop(address))
            delay = RESOLVE_SECONDS if found else min(2 * delay, LONGEST_DELAY)
            waits = [self.peer.loop.create_task(event.wait()) for event in (self.peer.drain_asked, self.is_lost)]
            await asyncio.wait(waits, timeout=delay, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
        if self.keepers:
            await asyncio.wait(list(self.keepers.values()))

    def _is_name(self):
        if self.port is None:
            return False
        try:
            ipaddress.ip_address(self.host)
            return False
        except ValueError:
            return True

    async def _resolve(self):
        """All addresses of the name; none when it cannot be asked for."""
        try:
            found = await self.peer.loop.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            return {entry[4][0] for entry in found}
        except (OSError, UnicodeError) as error:
            self.peer.log(f'unresolved proxy={self.host} why="{getattr(error, "strerror", "") or error}"')
            return set()

    def _label(self, address):
        if self.port is None:
            return f"unix:{address}"
        return f"[{address}]:{self.port}" if ":" in address else f"{address}:{self.port}"

    async def _keep(self, address):
        """Dials, again and again, as long as the name has this address and the peer does not leave."""
        peer, delay, told, refusals = self.peer, 0.1, "", 0
        while not peer.draining and (address in self.addresses or address == self.host):
            connection = why = None
            # The contexts take turns in the startup string, so that a refused one does not bar the others.
            context = peer.context[refusals % len(peer.context)]
            try:
                connection = await self._dial(address, context)
                await connection.leaving
            except OSError as error:
                is_text = isinstance(error, ssl.SSLError) or not error.errno
                why = _text_of_tls(error) if is_text else os.strerror(error.errno)
                if why != told:  # a proxy that is down is told once, not every few seconds
                    peer.log(f'lost proxy={self._label(address)} why="{why}"')
            except _Refused as error:
                peer.log(error.line(self._label(address)))
                refusals += 1
            except (_Lost, asyncio.TimeoutError) as error:
                peer.log(f'lost proxy={self._label(address)} why="{error or "out of time"}"')
            told = why
            # Soon after a good connection, later and later while none is, with jitter: peers that lost their proxy
            # together do not come back together.
            delay = 0.1 if connection and connection.good else min(2 * delay, LONGEST_DELAY)
            self.is_lost.set()
            if not peer.draining:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(peer.drain_asked.wait(), random.uniform(delay / 2, delay))

    async def _dial(self, address, context):
        try:
            return await self._handshake(address, 3, context)
        except _Older as older:
            if self.peer.secret or self.peer.key:
                raise _Lost(f"no LRWP 3, and an older one cannot keep a secret: {older}") from older
            self.peer.log(f'fallback version=1.0 proxy={self._label(address)} why="{older}"')
        return await self._handshake(address, 1, self.peer.context[0])

    async def _handshake(self, address, version, context):
        peer = self.peer

        def connection():
            return _Connection(peer, version, self._label(address), context)

        if self.port is None:
            dial = peer.loop.create_unix_connection(connection, address)
        else:
            name = self.host if peer.tls else None  # what the certificate is for
            dial = peer.loop.create_connection(connection, address, self.port, ssl=peer.tls, server_hostname=name)
        _, connection = await asyncio.wait_for(dial, HANDSHAKE_SECONDS)
        peer.connections.add(connection)
        connection.gone.add_done_callback(lambda _: peer.connections.discard(connection))
        if peer.draining:  # it was told so while it dialled, and this connection was not there to hear it
            connection.drain()
        try:
            await asyncio.wait_for(asyncio.shield(connection.ready), HANDSHAKE_SECONDS)
        except asyncio.TimeoutError:
            older = version == 3 and bytes(connection.inbox) in (b"", b"O", b"OK")
            connection.lose("no reply: is this a port for peers?", _Older("no reply that is known") if older else None)
            await connection.ready
        return connection


class Peer:
    """A handler and the contexts it serves.

    proxy: "host:port", "[v6]:port" or "unix:/path", or a list of them; the peer is connected to all of them. A name
    stands for all its addresses, and is looked up again every 30 seconds and after each loss.
    context: such as "/echo" or ["/echo", ".ext"]; with 1.0 only the first is served, one request at a time.
    concurrency: requests at once, over all proxies together; each of them may send as many, and what is too much waits
    here, not yet started.
    secret: str or bytes; with one there is no fallback to 1.0. vhost: only this host.
    identity, key_id, and key (bytes) or key_file (see read_key): who the peer is, proved in both directions by 3.1.
    stream: handlers get their requests while the body is still coming. window: bytes of one body on their way to us.
    drain_seconds: what has begun may take so long when the peer leaves.
    tls: what trust() returns, to dial inside TLS; None = no TLS.
    upgrades: protocols that the peer takes instead of HTTP, such as "websocket"; see Request.upgrade.
    admit: a function of the env that says why a request is refused, or None; it must have no effects.
    on_drain: called on the loop when the peer begins to leave. log: gets lines.
    """

    def __init__(self, proxy, context, handler, *, concurrency=1, secret=b"", vhost="", name="lrwp.py", stream=False,
                 window=262144, drain_seconds=30, admit=None, log=None, upgrades="", tls=None, identity="", key_id="",
                 key=b"", key_file=None, on_drain=None):
        self.addresses = [_address(one) for one in ([proxy] if isinstance(proxy, str) else proxy)]
        self.context = [context] if isinstance(context, str) else list(context)
        self.handler, self.concurrency, self.vhost = handler, concurrency, vhost
        self.secret = secret.encode() if isinstance(secret, str) else secret
        self.name, self.stream, self.window, self.drain_seconds, self.admit = name, stream, window, drain_seconds, admit
        self.log = log or (lambda line: print(line, file=sys.stderr, flush=True))
        self.upgrades, self.tls, self.on_drain = upgrades, tls, on_drain
        self.identity, self.key_id, self.key = identity, key_id, read_key(key_file) if key_file else key
        self._check()
        if self.tls:  # once: all dials share it, and asyncio looks at it when TCP is connected, which may take seconds
            self.tls.set_alpn_protocols([ALPN])
        self.is_async = inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(
            getattr(handler, "__call__", None))
        self.draining = False
        self.loop = self.drain_asked = self.idle = self.threads = None
        self.connections = set()
        self.running, self.waiting = 0, collections.deque()  # requests whose handlers run, and that wait for one

    def _check(self):
        if not self.addresses or not self.context:
            raise ValueError("a peer needs a proxy and a context")
        for context in self.context:
            _check_name("a context", context)
        if self.vhost:
            _check_name("vhost", self.vhost)
        if not 1 <= self.concurrency <= MOST_REQUESTS:
            raise ValueError(f"concurrency is 1 to {MOST_REQUESTS}, not {self.concurrency}")
        if not 1 <= self.window <= UNLIMITED:
            raise ValueError(f"window is 1 to {UNLIMITED} bytes, not {self.window}")
        if self.drain_seconds < 0:
            raise ValueError(f"drain_seconds is 0 or more, not {self.drain_seconds}")
        if self.tls and any(port is None for _, port in self.addresses):
            raise ValueError("there is no TLS on a Unix socket")
        if (self.identity or self.key_id or self.key) and not (self.identity and self.key_id and self.key):
            raise ValueError("an identity needs its name, the id of its key, and the key")
        for word in (self.identity, self.key_id) if self.key else ():
            if not re.fullmatch(r"[A-Za-z0-9._-]{1,64}", word):
                raise ValueError(f'"{word}" is not 1 to 64 letters, digits, ".", "_" and "-"')
        if self.key and not 32 <= len(self.key) <= 256:
            raise ValueError(f"a key has 32 to 256 bytes, not {len(self.key)}")
        if self.key and self.secret:
            raise ValueError("an identity is proved by its key: no secret besides")

    def run(self):
        """Serves until drained; SIGTERM and SIGINT drain when this is the main thread."""
        asyncio.run(self.serve(threading.current_thread() is threading.main_thread()))

    def drain(self):
        """Finish, then leave. May be called from any thread."""
        self.loop.call_soon_threadsafe(self._drain)

    def _drain(self):
        if not self.draining:
            self.draining = True
            self.drain_asked.set()
            for connection in list(self.connections):
                connection.drain()
            self.log("drain by=peer")
            if self.on_drain:
                self.on_drain()

    def names(self, context):
        return context.encode("latin-1") + b"\xff" + self.vhost.encode("latin-1") + b"\xff"

    async def serve(self, with_signals=False):
        """The same for a program that has an event loop of its own."""
        self.loop, self.drain_asked, self.idle = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        self.threads = _Threads(self, self.loop)
        for number in (signal.SIGTERM, signal.SIGINT) if with_signals else ():
            try:
                self.loop.add_signal_handler(number, self._drain)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_: self.drain())
        await asyncio.gather(*(_Proxy(self, host, port).run() for host, port in self.addresses))
        for connection in list(self.connections):
            await connection.gone
        if self.running:  # what goes on behind its answer, and idle is set when the last one ends
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.idle.wait(), self.drain_seconds)
        self.threads.close()

    # ---- as many handlers as there may be, over all connections

    def take(self, request):
        self.waiting.append(request)
        self._next()

    def release(self):
        """A handler has returned, or will never be entered."""
        self.running -= 1
        if self.waiting:
            self._next()
        if self.draining and not self.running:
            self.idle.set()

    def _next(self):
        while self.waiting and self.running < self.concurrency:
            request = self.waiting.popleft()
            if not request._closed:  # else it was cancelled or refused meanwhile
                self.running += 1
                request._connection.start(request)


if __name__ == "__main__":
    import lrwp_run

    sys.exit(lrwp_run.main())
