"""ASGI 3 on lrwp.py: lrwp_asgi.Handler(application) is a handler for lrwp.Peer.

root_path is the context, path has it too. A client that leaves is told to the program as http.disconnect, and as an
OSError to whoever sends; its task is not cancelled.
"""

import asyncio
import collections
import contextlib
import http

import lrwp_websocket as websocket
from lrwp import Answer, Cancelled

PENDING = 65536  # a client whose messages nobody takes is not read any more behind so many bytes
MESSAGE = 256  # what a message counts besides its content: an empty one takes memory too
VERSION = {"version": "3.0", "spec_version": "2.4"}
STATUS = {status.value: f"{status.value} {status.phrase}" for status in http.HTTPStatus}
WITH_BODY = (b"POST", b"PUT", b"PATCH")
SCHEMES = {(False, False): "http", (False, True): "https", (True, False): "ws", (True, True): "wss"}
CLOSED_EARLY = Answer("", None, "403 Forbidden")
NO_HANDSHAKE = Answer("this is no handshake of WebSocket 13\n", status="426 Upgrade Required",
                      headers=(("Sec-WebSocket-Version", "13"),))


class LifespanFailed(Exception):
    """The program says that it cannot begin, or end in order."""


class ClientGone(OSError):
    """The client has left: nobody gets what is sent."""


def _is_gone(error):
    """Whether that is the reason of an error, at whatever distance."""
    while error is not None and not isinstance(error, ClientGone):
        error = error.__cause__ or error.__context__
    return error is not None


_names = {b"HTTP_CONTENT_LENGTH": b"", b"HTTP_CONTENT_TYPE": b""}  # b"HTTP_USER_AGENT" -> b"user-agent"


def _name(variable):
    name = variable[5:].replace(b"_", b"-").lower()
    if len(_names) < 1000:  # clients invent names
        _names[variable] = name
    return name


def _variables(block):
    """The variables that are no headers, as a dictionary, and the headers, as ASGI has them. It is all bytes."""
    variables, headers = {}, []
    for entry in block.split(b"\0"):
        name, _, value = entry.partition(b"=")
        if name[:5] == b"HTTP_":
            known = _names.get(name)
            if known is None:
                known = _name(name)
            if known:
                headers.append((known, value))
        else:
            variables[name] = value
    content_type, length = variables.get(b"CONTENT_TYPE"), variables.get(b"CONTENT_LENGTH")
    if content_type:
        headers.append((b"content-type", content_type))
    if length and (length != b"0" or variables[b"REQUEST_METHOD"] in WITH_BODY):
        headers.append((b"content-length", length))
    return variables, headers


def _port(digits):
    return int(digits) if digits.isdigit() else 0


def _scope(is_socket, block):
    variables, headers = _variables(block)
    value = variables.get
    root_path = value(b"SCRIPT_NAME", b"").decode("utf-8", "replace")
    version = value(b"SERVER_PROTOCOL", b"HTTP/1.1")[5:].decode("latin-1")
    scope = {
        "type": "websocket" if is_socket else "http",
        "asgi": VERSION,
        "http_version": version[:-2] if version.endswith(".0") and version > "2" else version,
        "scheme": SCHEMES[is_socket, value(b"HTTPS") == b"on"],
        "path": root_path + value(b"PATH_INFO", b"").decode("utf-8", "replace"),
        "raw_path": value(b"REQUEST_URI", b"").partition(b"?")[0],
        "query_string": value(b"QUERY_STRING", b""),
        "root_path": root_path,
        "headers": headers,
        "client": (value(b"REMOTE_ADDR", b"").decode("latin-1"), _port(value(b"REMOTE_PORT", b""))),
        "server": (value(b"SERVER_NAME", b"").decode("latin-1"), _port(value(b"SERVER_PORT", b""))),
    }
    if not is_socket:
        scope["method"] = value(b"REQUEST_METHOD", b"").decode("latin-1")
    return scope


def _fields(headers):
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


class _Http:
    """One request and its answer."""

    def __init__(self, request):
        self._request = request
        self._status = None
        self._headers = ()
        self._has_begun = False
        self.is_complete = False
        self._was_read = False

    async def receive(self):
        request = self._request
        if not self._was_read:
            try:
                piece = await request.read()
                self._was_read = request.at_end
                return {"type": "http.request", "body": piece, "more_body": not self._was_read}
            except Cancelled:
                return {"type": "http.disconnect"}
        await request.answered()
        return {"type": "http.disconnect"}

    async def send(self, message):
        kind = message["type"]
        if kind == "http.response.start":
            if self._status is not None:
                raise RuntimeError("http.response.start was sent before")
            status = message["status"]
            self._status = STATUS.get(status) or str(status)
            self._headers = _fields(message.get("headers", ()))
        elif kind == "http.response.body":
            await self._body(message.get("body", b""), message.get("more_body", False))
        else:
            raise RuntimeError(f"{kind} is not expected")

    async def _body(self, body, more):
        request = self._request
        if self._status is None or self.is_complete:
            raise RuntimeError("http.response.body before http.response.start, or behind the last one")
        if request.is_cancelled:
            raise ClientGone("the client has gone")
        self.is_complete = not more
        try:
            if not more and not self._has_begun:
                await request.answer(Answer(body, None, self._status, self._headers))
                return
            if not self._has_begun:
                self._has_begun = True
                await request.start(None, self._status, self._headers)
            if body:
                await request.write(body)
            if not more:
                await request.end()
        except Cancelled:
            raise ClientGone("the client has gone") from None


class _WebSocket:
    """One WebSocket: "connecting" -> "denying" or "open" -> "closed"."""

    def __init__(self, request, most):
        self._request = request
        self._reader = websocket.Reader(most)
        self._task = None  # reads, from the acceptance on
        self._state = "connecting"
        self._was_told = False
        self._denial = _Http(request)
        self._messages = collections.deque()
        self._size = 0
        self._changed = asyncio.Event()
        self._end = None  # the last message

    async def receive(self):
        if not self._was_told:
            self._was_told = True
            return {"type": "websocket.connect"}
        if self._task is None:
            await self._decision()
        if self._task is None:
            return {"type": "websocket.disconnect", "code": websocket.ABNORMAL}
        while not self._messages and self._end is None:
            await self._change()
        if not self._messages:
            return self._end
        message = self._messages.popleft()
        self._size -= MESSAGE + len(message.get("bytes") or message.get("text") or b"")
        self._changed.set()
        return message

    async def _decision(self):
        """Waits until the program has accepted, or refused, or the client has left: some ask before they accept."""
        ended = asyncio.ensure_future(self._request.answered())
        ended.add_done_callback(lambda _: self._changed.set())
        try:
            while self._task is None and not ended.done():
                await self._change()
        finally:
            ended.cancel()

    async def _change(self):
        self._changed.clear()
        await self._changed.wait()

    async def send(self, message):
        kind = message["type"]
        if self._state == "closed" and self._end is not None:
            raise ClientGone("the client has gone")
        if kind == "websocket.accept" and self._state == "connecting":
            await self._accept(message)
        elif kind == "websocket.send" and self._state == "open":
            text = message.get("text")
            payload = text.encode() if text is not None else message["bytes"]
            await self._write(websocket.frame(websocket.BINARY if text is None else websocket.TEXT, payload))
        elif kind == "websocket.close" and self._state == "connecting":
            self._state = "closed"
            await self._request.answer(CLOSED_EARLY)
        elif kind == "websocket.close" and self._state == "open":
            await self.close(message.get("code") or websocket.NORMAL, message.get("reason") or "")
        elif kind.startswith("websocket.http.response.") and self._state in ("connecting", "denying"):
            self._state = "denying"
            await self._denial.send({**message, "type": kind[len("websocket."):]})
        else:
            raise RuntimeError(f"{kind} is not expected while the connection is {self._state}")

    async def _accept(self, message):
        fields = [("Sec-WebSocket-Accept", websocket.accept_key(self._request.env)),
                  *_fields(message.get("headers", ()))]
        if message.get("subprotocol"):
            fields.append(("Sec-WebSocket-Protocol", message["subprotocol"]))
        await self._request.upgrade("websocket", fields)
        self._state = "open"
        self._task = asyncio.get_running_loop().create_task(self._read())
        self._changed.set()

    async def _write(self, data):
        try:
            await self._request.write(data)
        except (Cancelled, RuntimeError):  # it has left, or was closed meanwhile
            raise ClientGone("the client has gone") from None

    async def close(self, code, reason=""):
        """Says why, and ends this direction."""
        if self._state == "open":
            self._state = "closed"
            with contextlib.suppress(ClientGone):
                await self._write(websocket.close_frame(code, reason))
                await self._request.end()

    async def _read(self):
        code, reason = websocket.ABNORMAL, ""
        try:
            while self._end is None and (data := await self._request.read()):
                for opcode, payload in self._reader.feed(data):
                    if opcode == websocket.CLOSE:
                        code, reason = payload
                        await self.close(code)
                        return
                    if self._state != "open":
                        continue  # the program has closed: only the client's end counts
                    if opcode == websocket.PING:
                        await self._write(websocket.frame(websocket.PONG, payload))
                    elif opcode != websocket.PONG:
                        self._put(opcode, payload)
                while self._size > PENDING and self._state == "open":
                    await self._change()
        except websocket.Fault as fault:
            code, reason = fault.code, fault.reason
            await self.close(code, reason)
        except (Cancelled, ClientGone):
            pass
        finally:
            self._state = "closed"
            self._end = {"type": "websocket.disconnect", "code": code, "reason": reason}
            self._changed.set()

    def _put(self, opcode, payload):
        self._size += MESSAGE + len(payload)
        self._messages.append({"type": "websocket.receive", "text" if opcode == websocket.TEXT else "bytes": payload})
        self._changed.set()

    async def run(self, application, scope):
        try:
            await application(scope, self.receive, self.send)
            if self._state == "connecting" or (self._state == "denying" and not self._denial.is_complete):
                raise RuntimeError("the program has neither accepted nor refused the connection")
            await self.close(websocket.NORMAL)
        except Exception as error:
            await self.close(websocket.FAILED)
            if self._end is None or not _is_gone(error):
                raise
        finally:
            if self._task is not None:
                self._task.cancel()


class Handler:
    """A handler that calls an ASGI application. most: bytes of one message of a WebSocket."""

    def __init__(self, application, most=16 * 1024 * 1024):
        self._application = application
        self._most = most
        self._sockets = set()
        self._state = None  # what the lifespan left, for every scope
        self._lifespan = None  # the task
        self._told = None  # messages for it
        self._said = None  # and the answer to the last one

    async def __call__(self, request):
        request.cancels_task = False
        is_socket = request.offers("websocket")
        scope = _scope(is_socket, request.block)
        if self._state is not None:
            scope["state"] = self._state.copy()
        try:
            if is_socket:
                return await self._socket(request, scope)
            exchange = _Http(request)
            await self._application(scope, exchange.receive, exchange.send)
            if not exchange.is_complete and not request.is_cancelled:
                raise RuntimeError("the program has returned without a whole answer")
        except Exception as error:
            if request.is_cancelled and _is_gone(error):
                raise Cancelled() from None
            raise

    async def _socket(self, request, scope):
        if websocket.accept_key(request.env) is None:
            return NO_HANDSHAKE
        offered = request.env.get("HTTP_SEC_WEBSOCKET_PROTOCOL", "")
        scope["subprotocols"] = [name.strip() for name in offered.split(",") if name.strip()]
        scope["extensions"] = {"websocket.http.response": {}}
        socket = _WebSocket(request, self._most)
        self._sockets.add(socket)
        try:
            await socket.run(self._application, scope)
        finally:
            self._sockets.discard(socket)

    def leave(self):
        """Tells all WebSockets that the program is leaving: for lrwp.Peer(..., on_drain=)."""
        for socket in list(self._sockets):
            asyncio.get_running_loop().create_task(socket.close(websocket.LEAVING))

    # ---- lifespan

    async def startup(self):
        """Tells the program that it begins; LifespanFailed when it cannot. Why it has no lifespan, or None."""
        self._told, self._state = asyncio.Queue(), {}
        self._lifespan = task = asyncio.get_running_loop().create_task(self._live())
        task.add_done_callback(lambda _: task.cancelled() or task.exception())  # it was told by then
        if await self._tell("startup"):
            return None
        self._lifespan = self._state = None
        return repr(task.exception() or "it has returned")

    async def shutdown(self):
        if self._lifespan is not None:
            await self._tell("shutdown")
            await asyncio.wait({self._lifespan})

    async def _live(self):
        scope = {"type": "lifespan", "asgi": VERSION, "state": self._state}
        await self._application(scope, self._told.get, self._answer)

    async def _tell(self, what):
        """False when the program ends without an answer."""
        self._said = asyncio.get_running_loop().create_future()
        self._told.put_nowait({"type": "lifespan." + what})
        await asyncio.wait({self._said, self._lifespan}, return_when=asyncio.FIRST_COMPLETED)
        if not self._said.done():
            return False
        message = self._said.result()
        if message["type"] == f"lifespan.{what}.failed":
            raise LifespanFailed(f"the program's {what} has failed: {message.get('message', '')}")
        return True

    async def _answer(self, message):
        if not self._said.done():
            self._said.set_result(message)
