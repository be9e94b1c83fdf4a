"""WSGI and ASGI programs behind a proxy that the test plays."""

import asyncio
import io
import sys
import threading
import unittest
from wsgiref.validate import validator

import stub
from stub import Proxy, Running, lrwp

import lrwp_asgi
import lrwp_wsgi
from lrwp_websocket import BINARY, CLOSE, CONTINUATION, FIN, PING, PONG, TEXT, Fault, Reader, accept_key


class Serving(unittest.TestCase):
    """Runs one handler; self.link is its connection, self.running its log."""

    def serve(self, handler, **options):
        proxy = self.enter(Proxy())
        self.running = self.enter(Running(proxy.address, handler, **{"concurrency": 8, **options}))
        self.link = proxy.accept()
        return self.link.serve()

    def enter(self, context):
        self.addCleanup(context.__exit__, None, None, None)
        return context.__enter__()

    def ask(self, **request):
        self.link.request(**request)
        return self.link.answer()


class Wsgi(Serving):
    def serve_program(self, program, **options):
        return self.serve(lrwp_wsgi.handler(program), **options)

    def test_a_program_that_is_checked_gets_what_the_standard_says(self):
        seen = {}

        @validator
        def program(environ, start_response):
            seen.update(environ)
            body = environ["wsgi.input"].read(3) + environ["wsgi.input"].readline()
            rest = environ["wsgi.input"].read(100)
            start_response("200 OK", [("Content-Type", "text/plain"), ("X-A", "1"), ("X-A", "2")])
            return [body, b"|", rest]

        self.serve_program(program)
        head, body = self.ask(method="POST", path="/a b\u00e9", body=b"one\ntwo", QUERY_STRING="q=1", HTTPS="on",
                              CONTENT_TYPE="text/plain", HTTP_X_B="c", REMOTE_USER="-")
        self.assertEqual(["Status: 200 OK", "Content-Type: text/plain", "X-A: 1", "X-A: 2"], head)
        self.assertEqual(b"one\n|two", body)
        self.assertEqual(("/x", "/a b\u00c3\u00a9", "q=1", "7", "text/plain", "c", "https", True),
                         tuple(seen[name] for name in (
                             "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "CONTENT_LENGTH", "CONTENT_TYPE", "HTTP_X_B",
                             "wsgi.url_scheme", "wsgi.multithread")))
        self.assertNotIn("HTTP_CONTENT_LENGTH", seen)
        self.assertNotIn("REMOTE_USER", seen)

    def test_a_large_body_is_read_as_it_comes(self):
        def program(environ, start_response):
            size = 0
            while piece := environ["wsgi.input"].read(10_000):
                size += len(piece)
            start_response("200 OK", [])
            return [b"%d" % size]

        settings = self.serve_program(program, window=65536)
        self.assertEqual("65536", settings["window"])
        self.link.request(method="POST", body=bytes(30_000), end=False)
        granted = 65536 - 30_000
        for _ in range(20):
            while granted < 16_000:
                granted += int.from_bytes(self.link.expect(lrwp.WINDOW)[3], "big")
            self.link.send(lrwp.DATA, bytes(16_000), 1)
            granted -= 16_000
        self.link.send(lrwp.DATA, b"", 1, end=True)
        self.assertEqual(b"350000", self.link.answer()[1])

    def test_each_piece_is_sent_before_the_next_is_made(self):
        goes_on, closed = threading.Semaphore(0), threading.Event()

        class Pieces:
            def __iter__(self):
                for number in range(3):
                    yield b"%d" % number
                    assert goes_on.acquire(timeout=stub.PATIENCE)

            close = staticmethod(closed.set)

        def program(environ, start_response):
            start_response("200 OK", [])
            return Pieces()

        self.serve_program(program)
        self.link.request()
        for so_far in (b"0", b"01", b"012"):
            while self.link.body() != so_far:
                self.link.expect(lrwp.RESPONSE, lrwp.DATA)
            self.assertFalse(closed.is_set())
            goes_on.release()
        self.assertEqual(b"012", self.link.answer()[1])
        self.assertTrue(closed.wait(stub.PATIENCE))

    def test_a_whole_answer_is_sent_before_close_is_called(self):
        may_end = threading.Event()

        class Pieces(list):
            def close(self):
                assert may_end.wait(stub.PATIENCE)

        def program(environ, start_response):
            start_response("200 OK", [("Content-Length", "5")])
            return Pieces([b"whole"]) if environ["PATH_INFO"] else iter(Pieces([b"whole"]))

        self.serve_program(program)
        for path in ("/list", ""):
            self.link.request(path=path)
            _, end, _, _ = self.link.expect(lrwp.RESPONSE)
            self.assertTrue(end, "an answer in one frame")
            self.assertEqual(b"whole", self.link.answer()[1])
        may_end.set()

    def test_the_file_wrapper_sends_a_file_and_closes_it(self):
        content, files = bytes(range(256)) * 2000, []

        def program(environ, start_response):
            files.append(io.BytesIO(content))
            start_response("200 OK", [])
            return environ["wsgi.file_wrapper"](files[0], 5000)

        self.serve_program(program)
        self.assertEqual(content, self.ask()[1])
        self.link.request(path="/2")  # its thread has closed the first by then
        self.link.answer()
        self.assertTrue(files[0].closed)

    def test_write_and_exc_info(self):
        has_come = threading.Event()

        def program(environ, start_response):
            write = start_response("200 OK", [])
            if environ["PATH_INFO"] == "/write":
                write(b"written ")
                return [b"returned"]
            try:
                raise ValueError("too late" if environ["PATH_INFO"] == "/late" else "in time")
            except ValueError:
                if environ["PATH_INFO"] == "/late":
                    write(b"begun")
                    has_come.wait(stub.PATIENCE)
                start_response("503 Busy", [], sys.exc_info())
            return [b"busy"]

        self.serve_program(program)
        self.assertEqual(b"written returned", self.ask(path="/write")[1])
        self.assertEqual((["Status: 503 Busy"], b"busy"), self.ask(path="/error"))
        self.link.request(path="/late")
        self.link.expect(lrwp.RESPONSE)
        has_come.set()
        self.assertEqual(lrwp.CANCEL, self.link.expect(lrwp.CANCEL)[0])
        self.running.await_line("too late")

    def test_faults_of_a_program_are_500_and_told(self):
        def program(environ, start_response):
            path = environ["PATH_INFO"]
            if path != "/nothing":
                start_response("200" if path != "/status" else "two hundred", [("X-A", "a\r\nX-B: c")] * (path == "/head"))
            if path == "/twice":
                start_response("200 OK", [])
            return ["text"] if path == "/type" else [b"x"]

        self.serve_program(program)
        for path, why in (("/nothing", "start_response was not called"), ("/status", "three digits"), ("/head", "X-A"),
                          ("/twice", "called before"), ("/type", "bytes, not str")):
            self.assertEqual("Status: 500 Internal Server Error", self.ask(path=path)[0][0], path)
            self.running.await_line(why, "Traceback")
        self.assertEqual((["Status: 200"], b"x"), self.ask(path="/fine"))

    def test_a_program_whose_client_has_gone_ends(self):
        ended = threading.Event()

        def program(environ, start_response):
            start_response("200 OK", [])
            try:
                while True:
                    yield b"more"
            finally:
                ended.set()

        self.serve_program(program)
        self.link.request()
        self.link.expect(lrwp.RESPONSE)
        self.link.send(lrwp.CANCEL, b"gone", 1)
        self.assertTrue(ended.wait(stub.PATIENCE))
        self.link.expect(lrwp.CANCEL)


class ServingAsgi(Serving):
    def serve_program(self, program, **options):
        handler = lrwp_asgi.Handler(program, options.pop("most", 1000))
        return self.serve(handler, stream=True, upgrades="websocket", on_drain=handler.leave, **options)


class Asgi(ServingAsgi):
    def test_the_scope(self):
        seen = {}

        async def program(scope, receive, send):
            seen.update(scope)
            await send({"type": "http.response.start", "status": 299, "headers": [(b"x-a", b"b")]})
            await send({"type": "http.response.body", "body": b"body"})

        self.serve_program(program)
        head, body = self.ask(path="/a b\u00e9", QUERY_STRING="q=1", REQUEST_URI="/x/a%20b%C3%A9?q=1", HTTPS="on",
                              SERVER_PROTOCOL="HTTP/2.0", HTTP_X_B="c", CONTENT_TYPE="text/plain")
        self.assertEqual((["Status: 299", "x-a: b"], b"body"), (head, body))
        headers = seen.pop("headers")
        self.assertEqual({
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "2", "scheme": "https",
            "method": "GET", "path": "/x/a b\u00e9", "raw_path": b"/x/a%20b%C3%A9", "root_path": "/x",
            "query_string": b"q=1", "client": ("127.0.0.1", 4000), "server": ("a.test", 80)}, seen)
        self.assertEqual({(b"host", b"a.test"), (b"x-b", b"c"), (b"content-type", b"text/plain")}, set(headers))

    def test_streams_both_ways(self):
        async def program(scope, receive, send):
            await send({"type": "http.response.start", "status": 200})
            while True:
                message = await receive()
                await send({"type": "http.response.body", "body": message["body"].upper(), "more_body": True})
                if not message["more_body"]:
                    break
            await send({"type": "http.response.body"})
            assert (await receive())["type"] == "http.disconnect"

        self.serve_program(program)
        self.link.request(method="POST", body=b"a", end=False)
        for number, letter in enumerate((b"a", b"b", b"c")):
            if number:
                self.link.send(lrwp.DATA, letter, 1)
            while self.link.body() != b"ABC"[:number + 1]:
                self.link.expect(lrwp.RESPONSE, lrwp.DATA)
        self.link.send(lrwp.DATA, b"", 1, end=True)
        self.assertEqual(b"ABC", self.link.answer()[1])

    def test_work_behind_the_answer_goes_on(self):
        goes_on, done = threading.Event(), threading.Event()

        async def program(scope, receive, send):
            await send({"type": "http.response.start", "status": 200})
            await send({"type": "http.response.body", "body": b"answer"})
            await asyncio.get_running_loop().run_in_executor(None, goes_on.wait, stub.PATIENCE)
            done.set()

        self.serve_program(program)
        self.assertEqual(b"answer", self.ask()[1])
        self.running.peer.drain()
        self.link.close()
        goes_on.set()
        self.running.thread.join(stub.PATIENCE)
        self.assertTrue(done.is_set())

    def test_a_client_that_leaves_is_told_and_the_task_goes_on(self):
        told = []
        ended = threading.Event()

        async def program(scope, receive, send):
            await send({"type": "http.response.start", "status": 200})
            await send({"type": "http.response.body", "body": b"begun", "more_body": True})
            for _ in range(3):
                told.append((await receive())["type"])
            try:
                await send({"type": "http.response.body", "body": b"more", "more_body": True})
            except OSError as error:
                told.append(str(error))
                raise
            finally:
                ended.set()

        self.serve_program(program)
        self.link.request()
        self.link.expect(lrwp.RESPONSE)
        self.link.send(lrwp.CANCEL, b"gone", 1)
        self.link.expect(lrwp.CANCEL)
        self.assertTrue(ended.wait(stub.PATIENCE))
        self.assertEqual(["http.request", "http.disconnect", "http.disconnect", "the client has gone"], told)
        while not self.running.lines.empty():
            self.assertNotIn("failed", self.running.lines.get())

    def test_faults_of_a_program_are_500_or_a_cut_and_told(self):
        has_come = threading.Event()

        async def program(scope, receive, send):
            path = scope["path"]
            if path == "/x/raise":
                raise ValueError("thrown")
            if path == "/x/nothing":
                return
            if path == "/x/order":
                await send({"type": "http.response.body"})
            await send({"type": "http.response.start", "status": 200,
                        "headers": [(b"a", b"b\r\nc: d")] if path == "/x/head" else []})
            await send({"type": "http.response.body", "body": b"x", "more_body": path == "/x/half"})
            if path == "/x/half":
                await asyncio.get_running_loop().run_in_executor(None, has_come.wait, stub.PATIENCE)

        self.serve_program(program)
        for path, why in (("/raise", "thrown"), ("/nothing", "without a whole answer"), ("/order", "before"),
                          ("/head", "the value of a")):
            self.assertEqual("Status: 500 Internal Server Error", self.ask(path=path)[0][0], path)
            self.running.await_line(why, "Traceback")
        self.link.request(path="/half")
        self.link.expect(lrwp.RESPONSE)
        has_come.set()
        self.link.expect(lrwp.CANCEL)
        self.running.await_line("without a whole answer")

    def test_lifespan(self):
        seen = []

        async def program(scope, receive, send):
            while True:
                message = await receive()
                seen.append(message["type"])
                scope["state"]["a"] = 1
                failed = scope["type"] == "lifespan" and self.fails
                await send({"type": message["type"] + (".failed" if failed else ".complete"), "message": "no database"})
                if message["type"].endswith("shutdown"):
                    return

        async def run():
            handler = lrwp_asgi.Handler(program)
            self.assertIsNone(await handler.startup())
            await handler.shutdown()

        self.fails = False
        asyncio.run(run())
        self.assertEqual(["lifespan.startup", "lifespan.shutdown"], seen)
        self.fails = True
        with self.assertRaisesRegex(lrwp_asgi.LifespanFailed, "no database"):
            asyncio.run(run())

    def test_a_program_without_lifespan_is_served(self):
        async def program(scope, receive, send):
            assert scope["type"] == "http"

        async def run():
            handler = lrwp_asgi.Handler(program)
            self.assertIn("AssertionError", await handler.startup())
            await handler.shutdown()

        asyncio.run(run())


def masked(first, payload=b"", mask=b"\1\2\3\4"):
    length = len(payload)
    head = bytes([first, 0x80 | length]) if length < 126 else bytes([first, 0x80 | 126]) + length.to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


class WebSockets(ServingAsgi):
    """What a program sees; WebSocketIT of system-tests has the frames."""

    def open(self, program, **options):
        self.serve_program(program, **options)
        self.link.upgrade(path="/ws", HTTP_SEC_WEBSOCKET_PROTOCOL="chat, other")
        return self.link.expect(lrwp.RESPONSE, lrwp.CANCEL)

    def test_messages_both_ways_and_the_clients_close(self):
        seen, ended = [], threading.Event()

        async def program(scope, receive, send):
            seen.append((scope["type"], scope["scheme"], scope["path"], scope["subprotocols"]))
            seen.append(await receive())
            await send({"type": "websocket.accept", "subprotocol": "chat", "headers": [(b"x-a", b"b")]})
            for _ in range(2):
                message = await receive()
                await send({**message, "type": "websocket.send"})
            seen.append(await receive())
            ended.set()

        self.open(program)
        self.assertEqual(["Status: 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
                          "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "x-a: b",
                          "Sec-WebSocket-Protocol: chat"], self.link.head())
        self.link.send(lrwp.DATA, masked(FIN | TEXT, b"text") + masked(BINARY, b"by") + masked(FIN | PING, b"?"), 1)
        self.link.send(lrwp.DATA, masked(FIN | CONTINUATION, b"tes"), 1)
        frames = {self.a_frame(), self.a_frame()}  # in either order: the program echoes, the adapter answers pings
        self.assertEqual({bytes([FIN | TEXT, 4]) + b"text", bytes([FIN | PONG, 1]) + b"?"}, frames)
        self.assertEqual(bytes([FIN | BINARY, 5]) + b"bytes", self.a_frame())
        self.link.send(lrwp.DATA, masked(FIN | CLOSE, b"\x03\xe8bye"), 1)
        self.assertEqual(bytes([FIN | CLOSE, 2, 3, 0xe8]), self.last_frame())
        self.assertTrue(ended.wait(stub.PATIENCE))
        self.assertEqual([("websocket", "ws", "/x/ws", ["chat", "other"]), {"type": "websocket.connect"},
                          {"type": "websocket.disconnect", "code": 1000, "reason": "bye"}], seen)

    def a_frame(self):
        head = self.link.tunnel(2)
        return head + self.link.tunnel(head[1])

    def last_frame(self):
        frame = self.a_frame()
        while 1 not in self.link.ended:
            self.link.expect(lrwp.DATA)
        self.assertEqual(b"", self.link.body())
        self.link.send(lrwp.DATA, b"", 1, end=True)
        return frame

    def test_messages_reach_a_program_that_asked_for_them_before_it_accepted(self):
        async def program(scope, receive, send):
            await receive()
            asking = asyncio.ensure_future(receive())
            await asyncio.sleep(0)
            await send({"type": "websocket.accept"})
            await send({**await asking, "type": "websocket.send"})

        self.open(program)
        self.link.send(lrwp.DATA, masked(FIN | TEXT, b"text"), 1)
        self.assertEqual(bytes([FIN | TEXT, 4]) + b"text", self.a_frame())

    def test_a_program_that_asks_before_it_has_accepted_hears_that_its_client_left(self):
        seen, ended = [], threading.Event()

        async def program(scope, receive, send):
            await receive()
            seen.append(await receive())
            ended.set()

        self.serve_program(program)
        self.link.upgrade(path="/ws")
        self.link.expect(lrwp.STARTED)
        self.link.send(lrwp.CANCEL, b"gone", 1)
        self.assertTrue(ended.wait(stub.PATIENCE))
        self.assertEqual([{"type": "websocket.disconnect", "code": 1006}], seen)

    def test_a_program_may_refuse(self):
        async def program(scope, receive, send):
            await send({"type": "websocket.close"})

        self.open(program)
        self.assertEqual("Status: 403 Forbidden", self.link.head()[0])

    def test_a_program_may_refuse_with_an_answer_of_its_own(self):
        async def program(scope, receive, send):
            assert "websocket.http.response" in scope["extensions"]
            await send({"type": "websocket.http.response.start", "status": 401, "headers": [(b"x-a", b"b")]})
            await send({"type": "websocket.http.response.body", "body": b"who?"})

        self.open(program)
        self.assertEqual((["Status: 401 Unauthorized", "x-a: b"], b"who?"), self.link.answer())

    def test_what_is_no_handshake_is_426(self):
        self.serve_program(None)
        self.link.request(end=False, HTTP_UPGRADE="websocket", HTTP_SEC_WEBSOCKET_VERSION="12")
        head, _ = self.link.answer()
        self.assertEqual(["Status: 426 Upgrade Required", "Sec-WebSocket-Version: 13"], head[0:3:2])

    def test_a_program_closes_with_a_code(self):
        async def program(scope, receive, send):
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": 3001, "reason": "enough"})

        self.open(program)
        self.assertEqual(bytes([FIN | CLOSE, 8]) + b"\x0b\xb9enough", self.last_frame())

    def test_a_program_that_fails_closes_with_1011_and_is_told(self):
        async def program(scope, receive, send):
            await send({"type": "websocket.accept"})
            raise ValueError("thrown")

        self.open(program)
        self.assertEqual(bytes([FIN | CLOSE, 2, 3, 0xf3]), self.last_frame())
        self.running.await_line("thrown", "Traceback")

    def test_a_message_that_is_too_long_closes_with_1009(self):
        seen, ended = [], threading.Event()

        async def program(scope, receive, send):
            await send({"type": "websocket.accept"})
            await receive()
            seen.append(await receive())
            ended.set()

        self.open(program, most=10)
        self.link.send(lrwp.DATA, masked(BINARY, b"123456") + masked(FIN | CONTINUATION, b"78901"), 1)
        self.assertEqual(b"\x03\xf1", self.last_frame()[2:4])
        self.assertTrue(ended.wait(stub.PATIENCE))
        self.assertEqual(1009, seen[0]["code"])

    def test_leaving_closes_with_1012(self):
        async def program(scope, receive, send):
            await send({"type": "websocket.accept"})
            await receive()
            self.assertEqual(1006, (await receive())["code"])

        self.open(program)
        self.running.peer.drain()
        self.assertEqual(bytes([FIN | CLOSE, 2, 3, 0xf4]), self.last_frame())

    def test_a_client_that_is_cut_is_1006(self):
        seen, ended = [], threading.Event()

        async def program(scope, receive, send):
            await send({"type": "websocket.accept"})
            await receive()
            seen.append((await receive())["code"])
            with self.assertRaises(OSError):
                await send({"type": "websocket.send", "text": "into the void"})
            ended.set()

        self.open(program)
        self.link.send(lrwp.CANCEL, b"gone", 1)
        self.assertTrue(ended.wait(stub.PATIENCE))
        self.assertEqual([1006], seen)

    def test_a_client_whose_messages_nobody_takes_is_not_read_any_more(self):
        goes_on = threading.Event()

        async def program(scope, receive, send):
            await send({"type": "websocket.accept"})
            await asyncio.get_running_loop().run_in_executor(None, goes_on.wait, stub.PATIENCE)
            await receive()
            size = 0
            while size < 300_000:
                size += len((await receive())["bytes"])
            await send({"type": "websocket.send", "text": str(size)})

        self.open(program, window=65536)
        granted, message = 65536, masked(FIN | BINARY, bytes(1000))
        for sent in range(300):
            while granted < len(message):
                self.link.send(lrwp.PING, b"12345678")  # answered behind all that is granted by then
                kind, _, _, payload = self.link.expect(lrwp.WINDOW, lrwp.PONG)
                if kind == lrwp.WINDOW:
                    granted += int.from_bytes(payload, "big")
                    self.link.expect(lrwp.PONG)
                elif sent > 90:
                    goes_on.set()  # nobody takes anything, and nothing more is granted
            self.assertTrue(sent < 240 or goes_on.is_set(), "it is read although nobody takes it")
            self.link.send(lrwp.DATA, message, 1)
            granted -= len(message)
        self.assertEqual(b"300000", self.a_frame()[2:])

    def test_a_client_that_leaves_while_the_program_sends_is_no_failure_of_it(self):
        ended = threading.Event()

        async def program(scope, receive, send):
            await send({"type": "websocket.accept"})
            await receive()
            await receive()
            try:
                await send({"type": "websocket.send", "text": "too late"})
            finally:
                ended.set()

        self.open(program)
        self.link.send(lrwp.DATA, masked(FIN | CLOSE, b"\x03\xe8"), 1)
        self.assertEqual(bytes([FIN | CLOSE, 2, 3, 0xe8]), self.last_frame())
        self.assertTrue(ended.wait(stub.PATIENCE))
        self.running.peer.drain()
        self.link.expect(lrwp.DRAIN)
        self.link.close()
        self.running.thread.join(stub.PATIENCE)
        while not self.running.lines.empty():
            self.assertNotIn("failed", self.running.lines.get())

    def test_what_comes_behind_the_end_that_the_program_has_said_is_dropped(self):
        class Client:
            env = {"HTTP_SEC_WEBSOCKET_KEY": "dGhlIHNhbXBsZSBub25jZQ==", "HTTP_SEC_WEBSOCKET_VERSION": "13"}
            reads = 0

            async def upgrade(self, protocol, headers):
                pass

            async def write(self, data):
                pass

            async def end(self):
                pass

            async def read(self):
                self.reads += 1
                await asyncio.sleep(0)
                return masked(FIN | BINARY, bytes(1000)) if self.reads < 1000 else masked(FIN | CLOSE, b"\x03\xe8")

        async def run():
            client = Client()
            connection = lrwp_asgi._WebSocket(client, 1000)
            await connection.receive()
            await connection.send({"type": "websocket.accept"})
            await connection.send({"type": "websocket.close"})
            await connection._task
            self.assertEqual((1000, 0), (client.reads, len(connection._messages)))
            self.assertEqual(1000, (await connection.receive())["code"])

        asyncio.run(run())

    def test_messages_without_content_are_counted_too(self):
        class Client:
            """Sends empty messages, a hundred at a time, as fast as they are read."""

            env = {"HTTP_SEC_WEBSOCKET_KEY": "dGhlIHNhbXBsZSBub25jZQ==", "HTTP_SEC_WEBSOCKET_VERSION": "13"}
            reads = 0

            async def upgrade(self, protocol, headers):
                pass

            async def read(self):
                self.reads += 1
                await asyncio.sleep(0)
                return masked(FIN | TEXT) * 50 + masked(FIN | BINARY) * 50

        async def turns():
            for _ in range(1000):
                await asyncio.sleep(0)

        async def run():
            client = Client()
            connection = lrwp_asgi._WebSocket(client, 1000)
            await connection.receive()
            await connection.send({"type": "websocket.accept"})
            await turns()
            self.assertLess(client.reads, 10)
            for _ in range(30):  # what is taken makes room for as much
                had = client.reads
                for _ in range(100):
                    self.assertIn(await connection.receive(), ({"type": "websocket.receive", "text": ""},
                                                               {"type": "websocket.receive", "bytes": b""}))
                await turns()
                self.assertEqual(had + 1, client.reads)
            connection._task.cancel()

        asyncio.run(run())


class Frames(unittest.TestCase):
    def read(self, *frames, most=1000, step=None):
        reader, found = Reader(most), []
        data = b"".join(frames)
        step = step or len(data)
        for at in range(0, len(data), step):
            found += reader.feed(data[at:at + step])
        return found

    def test_frames_may_come_in_any_pieces(self):
        frames = [masked(TEXT, b"\xc3"), masked(FIN | PING, b"p"), masked(FIN | CONTINUATION, b"\xa9"),
                  masked(FIN | BINARY, bytes(300)), masked(FIN | CLOSE)]
        expected = [(PING, b"p"), (TEXT, "\u00e9"), (BINARY, bytes(300)), (CLOSE, (1005, ""))]
        for step in (1, 2, 3, 7, 1000):
            self.assertEqual(expected, self.read(*frames, step=step))

    def test_masks_of_every_length(self):
        for length in (0, 1, 2, 3, 4, 5, 125, 126, 127, 999):
            payload = bytes(range(256)) * 4
            self.assertEqual([(BINARY, payload[:length])], self.read(masked(FIN | BINARY, payload[:length])))

    def test_faults(self):
        unmasked = bytes([FIN | TEXT, 1]) + b"a"
        long_form = bytes([FIN | TEXT, 0x80 | 126, 0, 5]) + bytes(9)
        for code, *frames in (
                (1002, unmasked), (1002, long_form), (1002, masked(FIN | 3)), (1002, masked(FIN | 0x40 | TEXT)),
                (1002, masked(PING)), (1002, bytes([FIN | PING, 0x80 | 126, 0, 126])), (1002, masked(FIN | CONTINUATION)),
                (1002, masked(TEXT), masked(FIN | TEXT)), (1002, masked(FIN | CLOSE, b"\3")),
                (1002, masked(FIN | CLOSE, b"\x03\xed")), (1002, bytes([FIN | TEXT, 0xff]) + b"\xff" * 8),
                (1007, masked(FIN | TEXT, b"\xff")), (1007, masked(TEXT, b"a\xed"), masked(FIN | CONTINUATION, b"\xa0\x80")),
                (1007, masked(FIN | CLOSE, b"\x03\xe8\xff")), (1009, masked(FIN | TEXT, bytes(1001))[:8]),
                (1009, masked(TEXT, bytes(600)), masked(FIN | CONTINUATION, bytes(401)))):
            with self.subTest(frames), self.assertRaises(Fault) as caught:
                self.read(*frames)
            self.assertEqual(code, caught.exception.code)

    def test_the_key(self):
        env = {"HTTP_SEC_WEBSOCKET_KEY": "dGhlIHNhbXBsZSBub25jZQ==", "HTTP_SEC_WEBSOCKET_VERSION": "13"}
        self.assertEqual("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", accept_key(env))
        for other in ({"HTTP_SEC_WEBSOCKET_KEY": "short"}, {"HTTP_SEC_WEBSOCKET_VERSION": "8"}):
            self.assertIsNone(accept_key({**env, **other}))


if __name__ == "__main__":
    unittest.main()
