"""The library itself: whom it dials, how it proves who it is, how many requests it takes."""

import asyncio
import contextlib
import hashlib
import hmac
import os
import socket
import ssl
import tempfile
import threading
import unittest
from unittest import mock

import stub
from stub import Ended, Proxy, Running, lrwp, two_proxies

KEY = bytes(range(32))
NONCE = bytes(range(0x20, 0x40)).hex()
CHALLENGE = bytes(range(0x40, 0x60))
IDENTITY = dict(identity="billing", key_id="2026a", key=KEY)


def hello(request):
    return "hello"


class Options(unittest.TestCase):
    def wrong(self, text, proxy="127.0.0.1:1", **options):
        with self.assertRaises(ValueError) as caught:
            lrwp.Peer(proxy, ["/x"], hello, **options)
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))

    def test_an_address_that_is_none_is_named(self):
        for address in ("localhost", "localhost:", ":1081", "localhost:http", "localhost:0", "localhost:65536", ""):
            self.wrong(f'proxy "{address}" has no host and port', address)
        for address in ("::1:1081", "fe80::1%eth0:1081", "::ffff:127.0.0.1:1081"):
            self.wrong("stands in brackets", address)
        for address in ("http://127.0.0.1:13081", "http://a.test:1081", "lrwp:a.test:1081", "a.test/x:1081"):
            self.wrong(f'proxy "{address}" is no address: it is HOST:PORT or unix:PATH', address)
        self.wrong("absolute path", "unix:lrwp.sock")
        self.wrong("a peer needs a proxy", [])

    def test_addresses(self):
        peer = lrwp.Peer(["a.test:1", "[::1]:2", "unix:/run/lrwp.sock"], ["/x"], hello)
        self.assertEqual([("a.test", 1), ("::1", 2), ("/run/lrwp.sock", None)], peer.addresses)

    def test_files_of_tls_that_cannot_be_used_are_named(self):
        ca = stub.AUTHORITY
        certificate, key, other = [
            os.path.join(stub.CERTIFICATES, name) for name in ("peer.pem", "peer.key", "server.key")]
        lrwp.trust(ca, certificate, key)
        for text, *files in ((f"{key} holds no certificate (PEM)", key),
                             (f"{key} holds no certificate (PEM)", ca, key, key),
                             (f"{ca} holds no key (PEM)", ca, certificate, ca),
                             (f"{certificate} holds no key (PEM)", ca, certificate),
                             (f"the key in {other} is not that of the certificate in {certificate}",
                              ca, certificate, other)):
            with self.subTest(files), self.assertRaises(ValueError) as caught:
                lrwp.trust(*files)
            self.assertEqual(text, str(caught.exception))
        for files in (["none"], [ca, "none", key], [ca, certificate, "none"]):
            with self.subTest(files), self.assertRaises(FileNotFoundError) as caught:
                lrwp.trust(*files)
            self.assertEqual("none", caught.exception.filename)

    def test_an_identity_is_whole_and_alone(self):
        self.wrong("name, the id of its key, and the key", identity="billing")
        self.wrong("32 to 256 bytes, not 31", identity="a", key_id="b", key=KEY[:31])
        self.wrong("32 to 256 bytes, not 288", identity="a", key_id="b", key=KEY * 9)
        self.wrong('"a b" is not', identity="a b", key_id="b", key=KEY)
        self.wrong("no secret besides", secret="s", **IDENTITY)
        self.wrong("no TLS on a Unix socket", "unix:/a", tls=object())

    def test_numbers_and_names_have_limits(self):
        for number in (0, 65537):
            self.wrong(f"concurrency is 1 to 65536, not {number}", concurrency=number)
        for number in (0, 2**32):
            self.wrong(f"window is 1 to 4294967295 bytes, not {number}", window=number)
        self.wrong("drain_seconds is 0 or more, not -1", drain_seconds=-1)
        for name in ("x" * 201, "a\nb", "\xff", "\u0100"):
            self.wrong("vhost has 1 to 200 bytes", vhost=name)
            with self.assertRaisesRegex(ValueError, "a context has 1 to 200 bytes"):
                lrwp.Peer("127.0.0.1:1", ["/x", name], hello)

    def test_one_context_may_be_a_text(self):
        self.assertEqual(["/x"], lrwp.Peer("127.0.0.1:1", "/x", hello).context)

    def test_a_key_file_is_read_when_nobody_else_can(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "key")
            with open(path, "w") as file:
                file.write(KEY.hex() + "\n")
            os.chmod(path, 0o640)
            self.wrong(f"chmod 600 {path}", identity="a", key_id="b", key_file=path)
            os.chmod(path, 0o600)
            self.assertEqual(KEY, lrwp.Peer("a:1", ["/x"], hello, identity="a", key_id="b", key_file=path).key)
            with open(path, "w") as file:
                file.write(KEY.hex()[:-2])
            self.wrong("holds no key", identity="a", key_id="b", key_file=path)


class Identities(unittest.TestCase):
    """The example of docs/protocol.md, section 17."""

    PROXY = bytes.fromhex("da9ca1d570af4bf8b3b7f2c7add0ef47b383a71a0a687c12d8af1064ff4f5453")
    PEER = bytes.fromhex("0db4658fa8864a38f5c98dfe8f58bf5228e3be5ca33986a2455a4c625897ccdc")
    PROXY_TLS = bytes.fromhex("5f3da448765180688244a7d633e4ce4a20b858fc37b7ab3dcf38073cf3257c8d")
    PEER_TLS = bytes.fromhex("4b2ba580b6ffda702b19439280500678d74107232332af50dcaf316289059a40")

    def setUp(self):
        fixed = mock.patch.object(lrwp.secrets, "token_hex", lambda count: NONCE)
        fixed.start()
        self.addCleanup(fixed.stop)

    def dialled(self, proxy):
        link = proxy.accept()
        self.assertEqual(b"\xff3.1\xffosp\xff\xffbilling\xff2026a\xff" + NONCE.encode() + b"\xff", link.hello())
        return link

    def test_both_sides_prove_the_key(self):
        with Proxy() as proxy, Running(proxy.address, hello, context=["osp"], **IDENTITY) as running:
            link = self.dialled(proxy)
            link.socket.sendall(b"CHALLENGE\xff000000064" + CHALLENGE + self.PROXY)
            self.assertEqual(b"000000032" + self.PEER, link.read(41))
            link.settings()
            running.await_line("registered", "version=3.1")

    def test_inside_tls_the_proof_covers_the_certificate(self):
        class Tls:
            selected_alpn_protocol = staticmethod(lambda: lrwp.ALPN)
            getpeercert = staticmethod(lambda binary_form: b"certificate")

        peer = lrwp.Peer("a.test:1", ["osp"], hello, **IDENTITY)
        written = []
        transport = mock.Mock(**{"get_extra_info.return_value": Tls(), "write": written.append})
        loop = lrwp.asyncio.new_event_loop()
        with mock.patch.object(lrwp.asyncio, "get_running_loop", lambda: loop), \
                mock.patch.object(hashlib, "sha256", self.digest()):
            connection = lrwp._Connection(peer, 3, "a.test:1", "osp")
            connection.connection_made(transport)
            connection.data_received(b"CHALLENGE\xff000000064" + CHALLENGE + self.PROXY_TLS)
        loop.close()
        self.assertEqual(b"000000032" + self.PEER_TLS, written[-1])

    @staticmethod
    def digest():
        """SHA-256, but for the certificate, whose hash is the one of the example."""
        real = hashlib.sha256

        def sha256(data=b"", **more):
            return mock.Mock(**{"digest.return_value": bytes(range(0x60, 0x80))}) if data == b"certificate" else real(
                data, **more)

        return sha256

    def test_a_proxy_without_the_key_gets_nothing_and_no_lower_version(self):
        wrong = b"CHALLENGE\xff000000064" + CHALLENGE + bytes(32)
        for said, why in ((wrong, "does not have the key"), (b"OK\xff", "does not prove"), (b"OK", "does not prove"),
                          (b"CHALLENGE\xff000000032" + CHALLENGE, "does not prove"),
                          (b"ERROR: Unknown LRWP version", "does not prove"),
                          (b"REJECTED\xffERROR: Malformed startup string\xff", "Malformed startup string")):
            with self.subTest(said), Proxy() as proxy, \
                    Running(proxy.address, hello, context=["osp"], **IDENTITY) as running:
                link = self.dialled(proxy)
                link.socket.sendall(said)
                running.await_line(proxy.address, why)
                with self.assertRaises((Ended, ConnectionError)):
                    link.read(1)
                self.dialled(proxy)  # 3.1 again


class Tls(unittest.TestCase):
    @staticmethod
    def client_hello(context):
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        with contextlib.suppress(ssl.SSLWantReadError):
            context.wrap_bio(incoming, outgoing, server_hostname="a.test").do_handshake()
        return outgoing.read()

    def test_a_dial_of_1_0_takes_the_name_of_lrwp_3_from_no_other(self):
        peer = lrwp.Peer("127.0.0.1:1", ["/x"], hello, tls=lrwp.trust(None))
        hellos = []

        async def run():
            both_dial, peer.loop = asyncio.Event(), asyncio.get_running_loop()

            async def create_connection(protocol, host, port, ssl, server_hostname):
                if host == "old":
                    both_dial.set()
                else:  # asyncio asks for a client hello when TCP is connected
                    await both_dial.wait()
                    hellos.append(self.client_hello(ssl))
                raise OSError("nobody is there")

            with mock.patch.object(peer.loop, "create_connection", create_connection):
                dials = (lrwp._Proxy(peer, host, 1)._handshake(host, version, "/x")
                         for host, version in (("new", 3), ("old", 1)))
                await asyncio.gather(*dials, return_exceptions=True)

        asyncio.run(run())
        self.assertIn(lrwp.ALPN.encode(), hellos[0])

    def test_a_proxy_that_takes_the_name_of_lrwp_3_gets_no_1_0(self):
        async def run():
            connection = lrwp._Connection(lrwp.Peer("a.test:1", ["/x"], hello), 1, "a.test:1", "/x")
            transport = mock.Mock(**{"get_extra_info.return_value.selected_alpn_protocol.return_value": lrwp.ALPN})
            connection.connection_made(transport)
            transport.write.assert_not_called()
            with self.assertRaisesRegex(lrwp._Lost, "speaks LRWP 3"):
                await connection.ready

        asyncio.run(run())


class Proxies(unittest.TestCase):
    def test_a_local_socket(self):
        with tempfile.TemporaryDirectory() as folder, Proxy(os.path.join(folder, "lrwp.sock")) as proxy, \
                Running(proxy.address, hello) as running:
            link = proxy.accept()
            link.serve()
            link.request()
            self.assertEqual(b"hello", link.answer()[1])
            self.assertIn("proxy=unix:/", running.await_line("registered"))

    def test_all_proxies_are_dialled_and_know_the_instance(self):
        with Proxy() as one, Proxy() as other, Running([one.address, other.address], hello, concurrency=3):
            links = [one.accept(), other.accept()]
            settings = [link.serve() for link in links]
            self.assertEqual(["3", "3"], [setting["capacity"] for setting in settings])
            self.assertRegex(settings[0]["instance"], "^[0-9a-f]{32}$")
            self.assertEqual(settings[0]["instance"], settings[1]["instance"])
            for link in links:
                link.request()
                self.assertEqual(b"hello", link.answer()[1])

    def test_handlers_of_all_proxies_are_no_more_than_may_be(self):
        may_end, began = threading.Event(), threading.Semaphore(0)

        def wait(request):
            began.release()
            may_end.wait(stub.PATIENCE)
            return request.env["PATH_INFO"]

        with Proxy() as one, Proxy() as other, Running([one.address, other.address], wait, concurrency=1):
            first, second = one.accept(), other.accept()
            first.serve(), second.serve()
            first.request(path="/first")
            first.expect(lrwp.STARTED)
            self.assertTrue(began.acquire(timeout=stub.PATIENCE))
            second.request(path="/second")
            second.send(lrwp.PING, b"12345678")
            self.assertEqual(lrwp.PONG, second.expect(lrwp.STARTED, lrwp.PONG)[0])
            may_end.set()
            self.assertEqual(b"/first", first.answer()[1])
            second.expect(lrwp.STARTED)
            self.assertEqual(b"/second", second.answer()[1])

    def test_what_waits_when_the_peer_leaves_is_refused(self):
        may_end = threading.Event()

        def wait(request):
            may_end.wait(stub.PATIENCE)
            return "done"

        with Proxy() as one, Proxy() as other, Running([one.address, other.address], wait, concurrency=1) as running:
            first, second = one.accept(), other.accept()
            first.serve(), second.serve()
            first.request()
            first.expect(lrwp.STARTED)
            second.request(method="POST")
            second.send(lrwp.PING, b"12345678")
            second.expect(lrwp.PONG)
            running.peer.drain()
            second.expect(lrwp.DRAIN)
            self.assertEqual((lrwp.REFUSED, 1), second.expect(lrwp.REFUSED, lrwp.STARTED)[0:3:2])
            first.expect(lrwp.DRAIN)
            may_end.set()
            self.assertEqual(b"done", first.answer()[1])
            first.close(), second.close()

    def test_what_waits_and_was_cancelled_is_not_refused_when_the_peer_leaves(self):
        may_end = threading.Event()

        def wait(request):
            may_end.wait(stub.PATIENCE)
            return "done"

        with Proxy() as one, Proxy() as other, Running([one.address, other.address], wait, concurrency=1) as running:
            first, second = one.accept(), other.accept()
            first.serve(), second.serve()
            first.request()
            first.expect(lrwp.STARTED)
            second.request()
            second.send(lrwp.CANCEL, stream=1)
            second.expect(lrwp.CANCEL)
            running.peer.drain()
            second.expect(lrwp.DRAIN)
            second.send(lrwp.PING, b"12345678")
            self.assertEqual(lrwp.PONG, second.expect(lrwp.REFUSED, lrwp.PONG)[0])
            may_end.set()
            self.assertEqual(b"done", first.answer()[1])

    def test_a_peer_that_is_told_to_leave_while_it_dials_leaves(self):
        real = lrwp._Connection.connection_made

        def connection_made(connection, transport):  # before whoever dials hears of the connection
            real(connection, transport)
            connection.peer._drain()

        with mock.patch.object(lrwp._Connection, "connection_made", connection_made), Proxy() as proxy, \
                Running(proxy.address, hello) as running:
            link = proxy.accept()
            link.hello()
            running.await_line("lost", "draining")
            with self.assertRaises((Ended, ConnectionError)):
                link.read(1)
            running.thread.join(stub.PATIENCE)
            self.assertFalse(running.thread.is_alive())

    def test_an_admission_that_fails_refuses_its_request_alone(self):
        may_end = threading.Event()

        def admit(env):
            ways = {"/wait": lambda: None, "/odd": lambda: 5, "/token": lambda: int(env["HTTP_TOKEN"])}
            return ways[env["PATH_INFO"]]()

        def wait(request):
            may_end.wait(stub.PATIENCE)
            return "done"

        with Proxy() as proxy, Running(proxy.address, wait, concurrency=2, admit=admit) as running:
            link = proxy.accept()
            link.serve()
            link.request(path="/wait")
            link.expect(lrwp.STARTED)
            for path, error in (("/no", "KeyError"), ("/token", "ValueError")):
                link.request(2, path=path, HTTP_TOKEN="7h3-t0k3n")
                self.assertEqual((2, b"the admission failed"), link.expect(lrwp.REFUSED)[2:])
                self.assertNotIn("7h3-t0k3n", running.await_line(f'failed admission why="{error}"', "in admit"))
            link.request(2, path="/odd")
            self.assertEqual((2, b"5"), link.expect(lrwp.REFUSED)[2:])
            may_end.set()
            self.assertEqual(b"done", link.answer()[1])

    def test_a_name_is_all_its_addresses_and_looked_up_after_a_loss(self):
        one, other = two_proxies()
        with one, other:
            found = ["127.0.0.1"]

            def getaddrinfo(host, port, *_, **__):
                return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

            with mock.patch.object(socket, "getaddrinfo", getaddrinfo), Running(f"p.test:{one.port}", hello) as running:
                link = one.accept()
                link.serve()
                running.await_line("registered", "127.0.0.1")
                found.append("127.0.0.2")
                link.close()
                other.accept().serve()
                one.accept().serve()
                running.await_line("registered")
                running.await_line("registered")

    def test_a_port_that_is_not_for_peers_is_told(self):
        for said, why in ((b"HTTP/1.1 400 Bad Request\r\n\r\n", "speaks HTTP"), (b"\x15\x03\x01\0\2\2\x16", "wants TLS")):
            with self.subTest(said), Proxy() as proxy, Running(proxy.address, hello) as running:
                link = proxy.accept()
                link.hello()
                link.socket.sendall(said)
                running.await_line("lost", proxy.address, why)

    def test_a_port_without_tls_is_told(self):
        with Proxy() as proxy, Running(proxy.address, hello, tls=lrwp.trust(stub.AUTHORITY)) as running:
            proxy.accept().socket.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            self.assertIn('why="there is no TLS at this port"', running.await_line("lost", proxy.address))

    def test_failures_inside_tls_are_told_without_the_source_of_ssl(self):
        for authority, needed, why in (
                (stub.AUTHORITY, True, "the proxy wants a client certificate"),
                (os.path.join(stub.CERTIFICATES, "peer.pem"), False, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate")):
            with self.subTest(why), Proxy() as proxy, contextlib.ExitStack() as ends:
                inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                inside.load_cert_chain(*(os.path.join(stub.CERTIFICATES, f"server.{end}") for end in ("pem", "key")))
                inside.load_verify_locations(stub.AUTHORITY)
                inside.verify_mode = ssl.CERT_REQUIRED if needed else ssl.CERT_NONE
                inside.set_alpn_protocols([lrwp.ALPN])
                running = ends.enter_context(Running(proxy.address, hello, tls=lrwp.trust(authority)))
                with self.assertRaises(ssl.SSLError), proxy.accept().socket as link:
                    inside.wrap_socket(link, server_side=True)
                line = running.await_line("lost", proxy.address)
                self.assertIn(f'why="{why}', line)
                self.assertNotIn("_ssl.c", line)

    def test_a_proxy_that_is_down_is_told_once_and_dialled_again(self):
        with Proxy() as proxy:
            address, port = proxy.address, proxy.port
        with Running(address, hello) as running:
            running.await_line("lost", "Connection refused")
            with Proxy(("127.0.0.1", port)) as proxy:
                proxy.accept().serve()
                self.assertIn("registered", running.lines.get(timeout=stub.PATIENCE))

    def test_when_the_leading_context_is_refused_the_next_one_leads(self):
        with Proxy() as proxy, Running(proxy.address, hello, context=["/x", "osp"], secret="funky161") as running:
            for lead in (b"/x", b"osp", b"/x"):
                link = proxy.accept()
                self.assertEqual(b"\xff3.0\xff" + lead + b"\xff\xff", link.hello())
                link.socket.sendall(b"REJECTED\xffERROR: Application not permitted\xff")
                running.await_line(f"refused context={lead.decode()} proxy={proxy.address}",
                                   'why="ERROR: Application not permitted" remedy="the context is another identity')
            link, challenge = proxy.accept(), bytes(range(32))
            self.assertEqual(b"\xff3.0\xffosp\xff\xff", link.hello())
            link.socket.sendall(b"CHALLENGE\xff000000032" + challenge)
            proof = hmac.digest(b"funky161", challenge + b"osp\xff", "sha256")
            self.assertEqual(b"000000032" + proof, link.read(41))
            link.settings()
            running.await_line("registered context=osp")
            self.assertEqual(b"/x\xff\xff", link.expect(lrwp.REGISTER)[3])
            link.close()
            self.assertEqual(b"\xff3.0\xffosp\xff\xff", proxy.accept().hello())  # what was good leads again

    def test_a_refused_context_is_told_and_the_others_are_served(self):
        with Proxy() as proxy, Running(proxy.address, hello, context=["/x", "/y"]) as running:
            link = proxy.accept()
            link.serve()
            _, _, _, names = link.expect(lrwp.REGISTER)
            link.send(lrwp.REGISTERED, names + b"ERROR: Application not permitted\xff")
            running.await_line("refused context=/y", "ERROR: Application not permitted", "remedy=")
            link.request()
            self.assertEqual(b"hello", link.answer()[1])

    def test_who_goes_on_talking_at_the_handshake_is_no_proxy(self):
        with Proxy() as proxy, Running(proxy.address, hello) as running:
            for said in (b"\n\x1b[2J", b"\n" + b"x" * 1200):
                link = proxy.accept()
                link.hello()
                link.socket.sendall(said)
                with self.assertRaises((Ended, ConnectionError)):
                    link.read(1)
            running.await_line("fallback version=1.0", 'why="??[2J"')
            running.await_line("refused context=", 'why="?xxx')

    @mock.patch.object(lrwp, "ASK_AGAIN_SECONDS", 0.01)
    def test_a_refused_context_is_asked_for_again(self):
        with Proxy() as proxy, Running(proxy.address, hello, context=["/x", "/y"]) as running:
            link = proxy.accept()
            link.serve()
            for text in (b"ERROR: Out of resources\n", b""):
                _, _, _, names = link.expect(lrwp.REGISTER)
                self.assertEqual(b"/y\xff\xff", names)
                link.send(lrwp.REGISTERED, names + text + b"\xff")
            running.await_line('refused context=/y', 'why="ERROR: Out of resources?"')
            running.await_line("registered context=/y")


class Answers(unittest.TestCase):
    def test_a_whole_answer_is_sent_before_the_handler_returns(self):
        may_end = threading.Event()

        def handle(request):
            request.answer(lrwp.Answer(b"early", None, "201 Created", [("X-A", "b")]))
            self.assertTrue(may_end.wait(stub.PATIENCE))

        with Proxy() as proxy, Running(proxy.address, handle):
            link = proxy.accept()
            link.serve()
            link.request()
            self.assertEqual((["Status: 201 Created", "X-A: b"], b"early"), link.answer())
            may_end.set()

    def test_an_answer_of_another_type_is_500_and_says_so(self):
        with Proxy() as proxy, Running(proxy.address, lambda request: {"a": 1}) as running:
            link = proxy.accept()
            link.serve()
            link.request()
            self.assertEqual("Status: 500 Internal Server Error", link.answer()[0][0])
            running.await_line("a body is str or bytes, not dict")

    def test_a_body_that_is_too_large_and_a_client_that_leaves_cost_no_place(self):
        def handle(request):
            if request.env["REQUEST_METHOD"] == "GET":
                return "next"
            request.cancelled.wait(stub.PATIENCE)
            raise lrwp.TooLarge()

        with Proxy() as proxy, Running(proxy.address, handle, concurrency=1):
            link = proxy.accept()
            link.serve()
            link.request(method="POST")
            link.expect(lrwp.STARTED)
            link.send(lrwp.CANCEL, stream=1)
            link.expect(lrwp.CANCEL)
            link.request()
            self.assertEqual(b"next", link.answer()[1])

    def test_an_end_without_an_answer_is_a_500(self):
        def handle(request):
            request.end()

        with Proxy() as proxy, Running(proxy.address, handle, concurrency=1) as running:
            link = proxy.accept()
            link.serve()
            link.request()
            self.assertEqual("Status: 500 Internal Server Error", link.answer()[0][0])
            running.await_line("the handler has returned no answer")

    def test_pieces_from_a_thread_keep_their_order_and_their_window(self):
        def handle(request):
            for number in range(2000):
                request.write(b"%08d" % number * 50)

        with Proxy() as proxy, Running(proxy.address, handle):
            link = proxy.accept()
            link.serve()
            link.request()
            self.assertEqual(b"".join(b"%08d" % number * 50 for number in range(2000)), link.answer()[1])

    def test_a_long_answer_in_pieces_to_a_server_that_knows_1_0_alone(self):
        def handle(request):
            for _ in range(20):
                request.write(b"x" * 10_000)

        async def handle_async(request):
            for _ in range(20):
                await request.write(b"x" * 10_000)

        for handler in (handle, handle_async):
            with self.subTest(handler.__name__), Proxy() as proxy, Running(proxy.address, handler) as running:
                newer = proxy.accept()
                newer.hello()
                newer.socket.sendall(b"ERROR: Unknown LRWP version")
                newer.close()
                answer = proxy.accept().serial()
                self.assertEqual(b"x" * 200_000, answer.partition(b"\r\n\r\n")[2])
                running.await_line("fallback version=1.0")


if __name__ == "__main__":
    unittest.main()
