"""An LRWP peer in Python 3.9 or newer, one file, standard library only.

A peer dials the proxy, says which URL contexts it serves, and gets HTTP requests over that one connection:

    import lrwp

    def handle(request):                     # runs on a thread of a pool and may block
        return "hello " + request.env["PATH_INFO"]

    lrwp.Peer("127.0.0.1:1081", ["/hello"], handle, concurrency=8).run()

A handler that is an `async def` runs on the event loop instead; its request has the same methods, to be awaited.
LRWP 3.0 is spoken, and 1.0 with servers that know no better. docs/protocol.md has the wire; "rule n" is section 15.n
there.

How it is built: one asyncio loop does all input and output, for both kinds of handlers. Frames that are ready are
gathered and written together; handlers are entered after the write that carried their STARTED (rule 5).
"""

import asyncio
import collections
import concurrent.futures
import contextlib
import hashlib
import hmac
import inspect
import random
import re
import signal
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
ENOUGH = 131072  # no more octets than these are made ready before a write
PENDING = 65536  # a handler that has written more waits
HANDSHAKE_SECONDS, LINGER_SECONDS, LONGEST_DELAY = 5, 1, 10
ALPN = "lrwp/3"  # what LRWP 3 calls itself inside TLS


def trust(ca, certificate=None, key=None):
    """How to dial inside TLS 1.3: for Peer(..., tls=). All are names of PEM files.

    The proxy must show a certificate of the authorities in ca, for the host that is dialled. certificate and key are
    what the peer shows.
    """
    context = ssl.create_default_context(cafile=ca)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    if certificate:
        context.load_cert_chain(certificate, key)
    return context


class Cancelled(Exception):
    """Nobody waits for the answer any more. Let it pass through the handler."""


class TooLarge(Exception):
    """The body is longer than the handler wants. Left alone, it becomes 413."""


class Answer(NamedTuple):
    """A whole answer, for a handler to return. A handler may also return str or bytes, or None after write()."""

    body: bytes = b""
    content_type: str = "text/plain"
    status: str = "200 OK"
    headers: tuple = ()  # pairs of name and value


_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_VALUE = re.compile(r"[\t -~\x80-\xff]*")
_STATUS = re.compile(r"[1-9][0-9]{2}( .*)?")


def _octets(body):
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, (bytes, bytearray, memoryview)):
        return body
    raise TypeError(f"a body is str or bytes, not {type(body).__name__}")


def _head(status, lines):
    """The head of an answer. What is no header field is an error, so that no value can become a header of its own."""
    if not _STATUS.fullmatch(str(status)):
        raise ValueError("the status is not three digits and a reason")
    for name, value in lines:
        if not _TOKEN.fullmatch(str(name)) or str(name).lower() == "status":
            raise ValueError("the name of a header is not a token, or Status")
    for name, value in (("Status", status), *lines):
        if not _VALUE.fullmatch(str(value)):
            raise ValueError(f"the value of {name} holds a control or is not Latin-1")
    return "".join(f"{name}: {value}\r\n" for name, value in (("Status", status), *lines)).encode("latin-1") + b"\r\n"


class _Lost(Exception):
    """The connection is over, and why."""


class _Older(Exception):
    """The server does not speak LRWP 3."""


class Request:
    """One request, as an `async def` handler sees it.

    env: the CGI variables. cancelled: a threading.Event, set when nobody waits for the answer; the handler's task is
    cancelled then, too.
    """

    def __init__(self, connection, stream, env, body, ended):
        self.env = env
        self.cancelled = threading.Event()
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
        self._task = None
        self._changed = asyncio.Event()  # body has come, or room for more answer, or the end

    async def read(self):
        """The next piece of the body; b"" at its end."""
        while not self._chunks and not self._proxy_ended and not self.cancelled.is_set():
            self._changed.clear()
            await self._changed.wait()
        if self.cancelled.is_set():
            raise Cancelled()
        if not self._chunks:
            return b""
        chunk = self._chunks.popleft()
        self._take(len(chunk))
        return chunk

    def _take(self, count):
        self._owed += count
        if not self._proxy_ended and self._owed >= self._connection.peer.window // 2:
            self._connection.queue(WINDOW, self._stream, struct.pack(">I", self._owed))
            self._receive_credit += self._owed
            self._owed = 0

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
        self._begin(content_type, status, headers)

    def offers(self, protocol):
        """Whether the client offers another protocol, such as "websocket", that this peer takes."""
        return protocol.lower() in [name.strip().lower() for name in self.env.get("HTTP_UPGRADE", "").split(",")]

    async def upgrade(self, protocol, headers=()):
        """Answers 101. From now on read() and write() are a two-way channel: rule 12.

        read() gives b"" when the client sends nothing more; end() says the same to the client. When the handler
        returns the channel ends; when it fails the client is cut.
        """
        if not self.offers(protocol):
            raise RuntimeError("the client has not offered " + protocol)
        fields = [("Upgrade", protocol), ("Connection", "Upgrade"), *headers]
        self._send_head("101 Switching Protocols", fields)
        self._tunnel = True

    async def end(self):
        """Ends the peer's direction of a channel; the client's goes on."""
        self._over = True
        self._connection.turn(self)

    async def write(self, piece):
        """Sends a piece of the answer, at once. Waits while the client is slow."""
        if self._over:
            raise RuntimeError("this direction has ended")
        if not self._has_head:
            self._begin("text/plain", "200 OK", ())
        self._out += _octets(piece)
        self._connection.turn(self)
        while len(self._out) > PENDING and not self.cancelled.is_set():
            self._changed.clear()
            await self._changed.wait()
        if self.cancelled.is_set():
            raise Cancelled()

    def _begin(self, content_type, status, headers):
        self._send_head(status, [("Content-Type", content_type), *headers])

    def _send_head(self, status, lines):
        if self._has_head:
            raise RuntimeError("the answer has begun already")
        head = _head(status, lines)
        if len(head) > self._connection.max_frame:
            raise ValueError("the head of the answer is too long")
        self._head = head
        self._has_head = True
        self._connection.turn(self)

    def _finish(self, answer):
        """The handler has returned."""
        if self.cancelled.is_set():
            raise Cancelled()
        if answer is not None:
            if not isinstance(answer, Answer):
                answer = Answer(answer)
            body = _octets(answer.body)
            self._begin(answer.content_type, answer.status, answer.headers)
            self._out += body
        elif not self._has_head:
            raise RuntimeError("the handler has returned no answer")
        self._over = True
        if self._tunnel:  # what the client still sends is dropped
            self._dropping = True
            self._take(sum(map(len, self._chunks)))
            self._chunks.clear()
        self._connection.turn(self)

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
        self._changed.set()
        if end:
            self._ended = True
            if not self._tunnel or self._proxy_ended:
                self._connection.close_stream(self)
        return frame

    def _cancel(self):
        """Tells the handler. One that runs has to end by itself; that is what frees the slot (rule 4)."""
        self._proxy_ended = True
        self.cancelled.set()
        self._changed.set()
        self._out.clear()
        if self._over and self._tunnel and self._task and not self._task.done():
            self._connection.close_stream(self) if self._ended else self._connection.fail(self, "")
            self._task.cancel() if inspect.iscoroutinefunction(self._connection.peer.handler) else None
        elif self._over or self._task is None:
            self._connection.fail(self, "")
        elif inspect.iscoroutinefunction(self._connection.peer.handler):
            self._task.cancel()


class BlockingRequest:
    """One request, as a blocking handler sees it: the same methods, called on a thread of the pool."""

    def __init__(self, request, loop):
        self.env = request.env
        self.cancelled = request.cancelled
        self._request = request
        self._loop = loop

    def _wait(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def read(self):
        return self._wait(self._request.read())

    def body(self, most=64 * 1024 * 1024):
        return self._wait(self._request.body(most))

    def offers(self, protocol):
        return self._request.offers(protocol)

    def upgrade(self, protocol, headers=()):
        self._wait(self._request.upgrade(protocol, headers))

    def end(self):
        self._wait(self._request.end())

    def start(self, content_type="text/plain", status="200 OK", headers=()):
        self._wait(self._request.start(content_type, status, headers))

    def write(self, piece):
        self._wait(self._request.write(piece))


class _Connection(asyncio.Protocol):
    """One connection: "hello" -> "serving" -> "lingering" -> "gone". All of it runs on the loop's thread."""

    def __init__(self, peer, version):
        self.peer = peer
        self.version = version
        self.state = "hello"
        self.window, self.max_frame, self.ping = MAX_FRAME, MAX_FRAME, 0  # the proxy's
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
        if tls and self.version == 3 and tls.selected_alpn_protocol() != ALPN:
            self.lose("", _Older("no ALPN " + ALPN))
            return
        # pause_writing then says: not everything has been written. TLS says it from the limit on, plain TCP above it.
        transport.set_write_buffer_limits(high=1 if tls else 0, low=0)
        hello = b"\xff3.0\xff" if self.version == 3 else b""
        transport.write(hello + self.peer.names(self.peer.contexts[0]))

    def connection_lost(self, error):
        self.lose(str(error) if error else "the proxy has closed")

    def eof_received(self):
        older = self.version == 3 and bytes(self.inbox) == b"OK"
        self.lose("the proxy has closed", _Older("a bare OK") if self.state == "hello" and older else None)

    def lose(self, why, error=None):
        if self.state == "gone":
            return
        if self.state == "hello" and self.inbox and not error:
            why = f"refused: {self.inbox[:100].decode('latin-1')}"
        self.state = "gone"
        self.transport.abort() if self.is_paused else self.transport.close()
        self.abandon()
        if not self.ready.done():
            self.ready.set_exception(error or _Lost(why))
        elif not self.peer.draining:
            self.peer.log(f'lost version={self.version}.0 why="{why}"')
        for future in (self.leaving, self.gone):
            if not future.done():
                future.set_result(None)

    def abandon(self):
        """Nobody waits any more for the answers of this connection."""
        for request in list(self.streams.values()):
            request._cancel()
        self.starting.clear()
        self.written.clear()

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
        self.peer.log(f'fault rule="{rule}"')
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
                if frame:  # it gets another turn; who has no window or nothing to send comes back by itself
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
        """Enters the handlers whose STARTED has been written to its last octet."""
        written, self.written = self.written, []
        for request in written:
            if not request._closed and self.state == "serving" and not self.transport.is_closing():
                request._task = self.loop.create_task(self.run(request))

    async def run(self, request):
        handler = self.peer.handler
        try:
            if inspect.iscoroutinefunction(handler):
                answer = await handler(request)
            else:
                blocking = BlockingRequest(request, self.loop)
                answer = await self.loop.run_in_executor(self.peer.pool, handler, blocking)
            request._finish(answer)
        except (Cancelled, asyncio.CancelledError):
            self.fail(request, "")
        except TooLarge:
            request._finish(None if request._has_head else Answer("too large\n", status="413 Content Too Large"))
        except Exception as error:
            self.peer.log(f'failed why="{error}"\n{traceback.format_exc()}'.rstrip())
            self.broken(request, f"{type(error).__name__}")

    def broken(self, request, reason):
        """The handler has failed: 500, or a cut when its answer is on its way."""
        sent = request._has_head and not request._head
        if request._closed or request.cancelled.is_set() or sent or self.state != "serving":
            self.fail(request, reason)
            return
        request._has_head, request._tunnel, request._out = False, False, bytearray()
        request._finish(Answer("internal error\n", status="500 Internal Server Error"))

    def fail(self, request, reason):
        if request._closed:
            return
        if self.version == 1 and self.state == "serving" and not request.cancelled.is_set():
            self.broken(request, reason)  # 1.0 cannot say it otherwise
            return
        over = request._ended and request._proxy_ended
        if self.state == "serving" and not over:
            self.queue(CANCEL, request._stream, reason.encode("latin-1", "replace")[:1000])
        self.close_stream(request)

    def close_stream(self, request):
        """Our direction has ended: nothing more goes out on this stream (rule 4)."""
        request._closed = True
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
        if begins(okay):
            if len(inbox) >= len(okay):
                del self.inbox[: len(okay)]
                self.serve()
        elif self.version == 1:
            return  # a refusal; its text ends with the connection
        elif begins(b"CHALLENGE\xff000000032"):
            if self.has_proved or not self.peer.secret:
                self.inbox.clear()
                self.lose("a secret is asked for, and there is none")
            elif len(inbox) >= 51:
                proof = hmac.new(self.peer.secret, inbox[19:51], hashlib.sha256)
                proof.update(self.peer.names(self.peer.contexts[0])[:-1])
                self.transport.write(b"000000032" + proof.digest())
                self.has_proved = True
                del self.inbox[:51]
        elif not begins(b"REJECTED\xff"):
            self.lose("", _Older(inbox[:100].decode("latin-1")))
        elif inbox.count(b"\xff") > 1 or len(inbox) > 1100:
            self.lose("", _Lost("refused: " + inbox[9:].strip(b"\xff").decode("latin-1")))

    def serve(self):
        peer = self.peer
        self.state = "serving"
        peer.log(f"registered context={peer.contexts[0]} version={self.version}.0")
        if self.version == 3:
            settings = dict(name=peer.name, capacity=peer.concurrency, window=peer.window, started=1)
            settings.update(stream=int(peer.stream), ping=1)
            if peer.upgrades:
                settings.update(upgrade=peer.upgrades)
            self.queue(SETTINGS, 0, b"".join(f"{name}={value}\0".encode() for name, value in settings.items()))
            for context in peer.contexts[1:]:
                self.queue(REGISTER, 0, peer.names(context))
        self.ready.set_result(None)

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
        elif kind == SETTINGS:
            self.on_settings(payload)
        elif kind == REQUEST:
            self.on_request(stream, payload, end)
        elif kind == WINDOW and len(payload) != 4:
            self.fault("WINDOW is not 4 octets")
        elif kind == PING:
            self.queue(PONG, 0, payload)
        elif kind == REGISTERED:
            context, _, text = (payload.split(b"\xff", 2) + [b"", b""])[:3]
            context, text = context.decode("latin-1"), text[:-1].decode("latin-1")
            if text:
                self.peer.log(f'refused context={context} why="{text}"')
            else:
                self.peer.log(f"registered context={context} version=3.0")
        elif kind == DRAIN:
            self.peer.log("drain by=proxy")
            if not self.leaving.done():
                self.leaving.set_result(None)
        elif kind == ERROR:
            self.peer.log(f'error by=proxy text="{payload.decode("latin-1")}"')
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
        elif len(payload) - 4 - length > self.peer.window:
            self.fault("more body than its window")
        else:
            request = self.begin(stream, env, payload[4 + length :], end)
            reason = "draining" if self.draining else self.peer.admit(request.env) if self.peer.admit else None
            if reason:  # before STARTED: it goes to another connection (rule 6)
                self.queue(REFUSED, stream, reason.encode("latin-1", "replace")[:1000])
                self.close_stream(request)
            else:
                self.starting.append(request)
                self.queue(STARTED, stream)

    def begin(self, stream, env, body, end):
        pairs = (entry.partition("=") for entry in env.decode("latin-1").split("\0") if "=" in entry)
        request = Request(self, stream, {name: value for name, _, value in pairs}, body, end)
        self.streams[stream] = request
        self.good = True
        return request

    def on_data(self, request, payload, end):
        request._receive_credit -= len(payload)
        if request._receive_credit < 0:
            self.fault("more body than its window")
            return
        request._proxy_ended = end
        if payload and request._dropping:
            request._take(len(payload))
        elif payload:
            request._chunks.append(payload)
        request._changed.set()
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
            self.written.append(request)
            self.enter()


class Peer:
    """A handler and the contexts it serves.

    proxy: "host:port". contexts: such as ["/echo", ".ext"]; with 1.0 only the first is served, one request at a time.
    concurrency: requests at once. secret: str or bytes; with one there is no fallback to 1.0. vhost: only this host.
    stream: handlers get their requests while the body is still coming. window: octets of one body on their way to us.
    tls: what trust() returns, to dial inside TLS; None = no TLS.
    upgrades: protocols that the peer takes instead of HTTP, such as "websocket"; see Request.upgrade.
    admit: a function of the env that says why a request is refused, or None; it must have no effects. log: gets lines.
    """

    def __init__(self, proxy, contexts, handler, *, concurrency=1, secret=b"", vhost="", name="lrwp.py", stream=False,
                 window=262144, drain_seconds=30, admit=None, log=None, upgrades="", tls=None):
        host, _, port = proxy.rpartition(":")
        self.address = (host.strip("[]"), int(port))
        self.contexts, self.handler, self.concurrency, self.vhost = list(contexts), handler, concurrency, vhost
        self.secret = secret.encode() if isinstance(secret, str) else secret
        self.name, self.stream, self.window, self.drain_seconds, self.admit = name, stream, window, drain_seconds, admit
        self.log = log or (lambda line: print(line, file=sys.stderr, flush=True))
        self.pool = concurrent.futures.ThreadPoolExecutor(concurrency, "lrwp")
        self.upgrades, self.tls = upgrades, tls
        self.draining = False
        self.loop = self.drain_asked = None
        self.connections = set()

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

    def names(self, context):
        return context.encode("latin-1") + b"\xff" + self.vhost.encode("latin-1") + b"\xff"

    async def serve(self, with_signals=False):
        """The same for a program that has an event loop of its own."""
        self.loop, self.drain_asked = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT) if with_signals else ():
            self.loop.add_signal_handler(number, self._drain)
        delay = 0.1
        while not self.draining:
            connection = None
            try:
                connection = await self._dial()
                await connection.leaving
            except (OSError, _Lost, asyncio.TimeoutError) as error:
                self.log(f'lost why="{error or "out of time"}"')
            # Soon after a good connection, later and later while none is, with jitter: peers that lost their proxy
            # together do not come back together.
            delay = 0.1 if connection and connection.good else min(2 * delay, LONGEST_DELAY)
            if not self.draining:
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self.drain_asked.wait(), random.uniform(delay / 2, delay))
        for connection in list(self.connections):
            await connection.gone
        self.pool.shutdown(wait=False)

    async def _dial(self):
        try:
            return await self._handshake(3)
        except _Older as older:
            if self.secret:
                raise _Lost(f"no LRWP 3.0, and there is a secret: {older}") from older
            self.log(f'fallback version=1.0 why="{older}"')
        return await self._handshake(1)

    async def _handshake(self, version):
        if self.tls:
            self.tls.set_alpn_protocols([ALPN] if version == 3 else [])
        dial = self.loop.create_connection(lambda: _Connection(self, version), *self.address, ssl=self.tls)
        _, connection = await asyncio.wait_for(dial, HANDSHAKE_SECONDS)
        self.connections.add(connection)
        connection.gone.add_done_callback(lambda _: self.connections.discard(connection))
        try:
            await asyncio.wait_for(asyncio.shield(connection.ready), HANDSHAKE_SECONDS)
        except asyncio.TimeoutError:
            older = version == 3 and bytes(connection.inbox) in (b"", b"O", b"OK")
            connection.lose("no reply", _Older("no reply that is known") if older else None)
            await connection.ready
        return connection
