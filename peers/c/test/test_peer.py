"""The C library against a proxy that is scripted, wrong or forged. See run."""

import hmac
import os
import pathlib
import random
import shutil
import socket
import ssl
import stat
import struct
import tempfile
import threading
import time
import unittest

from scripted import (CANCEL, DATA, DRAIN, ERROR, FF, IDENTITY, KEY, PING, PONG, REFUSED, REGISTER, REGISTERED, REQUEST, RESPONSE,
                      SETTINGS, STARTED, WINDOW, Authority, Connection, Peer, Proxy, Tls, frame, listen, soon)  # fmt: skip

CONTEXT = ("--context", "c")


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lrwp"))
        self.addCleanup(lambda: shutil.rmtree(self.folder))

    def proxy(self, tls=None, path=None, at=()):
        proxy = Proxy(tls, path, at)
        self.addCleanup(proxy.close)
        return proxy

    def peer(self, *arguments, **environment):
        peer = Peer(*arguments, *CONTEXT, environment=environment)
        self.addCleanup(self.ends_in_order, peer)
        return peer

    def dialling(self, proxy, *arguments, **environment):
        return self.peer("--proxy", proxy.address, *arguments, **environment)

    def ends_in_order(self, peer):
        """Also: what watches its memory has nothing to say."""
        if peer.process.poll() is None:
            peer.wait("up")
            peer.terminate()
        status = peer.end()
        self.assertEqual((status, peer.lines[-1:]), (0, ["drained"]), peer.lines)

    def key_file(self, text=KEY.hex() + "\n", mode=0o600, name="key"):
        file = self.folder / name
        file.write_text(text)
        file.chmod(mode)
        return file

    def identity(self):
        return (*IDENTITY, self.key_file())


class Serving(Case):
    def test_settings_name_the_process(self):
        proxy = self.proxy()
        other = self.proxy()
        self.peer("--proxy", proxy.address, "--proxy", other.address, "--concurrency", 3)
        one, two = proxy.serve(), other.serve()
        self.assertEqual(one.settings[b"capacity"], b"3")
        self.assertEqual(one.settings[b"started"], b"1")
        self.assertEqual(one.settings[b"upgrade"], b"echo")
        self.assertRegex(one.settings[b"instance"], rb"^[0-9a-f]{32}-[0-9]+$")
        self.assertEqual(one.settings[b"instance"], two.settings[b"instance"])
        peer = self.dialling(third := self.proxy())
        # Kept: a connection that nobody refers to any more is closed, and its peer tells of the loss.
        three = third.serve()
        self.assertNotEqual(three.settings[b"instance"], one.settings[b"instance"])
        self.assertEqual(peer.count("lost"), 0)

    def test_handlers_of_several_proxies_are_together_no_more_than_concurrency(self):
        proxy, other = self.proxy(), self.proxy()
        peer = self.peer("--proxy", f"{proxy.address}, {other.address}", "--concurrency", 1)
        one, two = proxy.serve(), other.serve()
        one.request("/hold")
        peer.wait("holding")
        two.request("/echo", b"waiting")
        two.send(frame(PING, 0, b"12345678"))
        self.assertEqual(two.frame()[0], PONG)  # and no STARTED before it
        one.send(frame(CANCEL, 1))
        self.assertEqual(two.frame()[0], STARTED)
        self.assertEqual(two.answer()[1], b"waiting")
        self.assertEqual(one.answer(), (None, None))

    def test_a_request_that_waits_for_a_handler_can_be_cancelled(self):
        proxy, other = self.proxy(), self.proxy()
        peer = self.peer("--proxy", f"{proxy.address},{other.address}", "--concurrency", 1)
        one, two = proxy.serve(), other.serve()
        one.request("/hold")
        peer.wait("holding")
        two.request("/echo", b"first")
        two.send(frame(CANCEL, 1))
        self.assertEqual(two.frame()[0], CANCEL)
        two.request("/echo", b"second")
        one.send(frame(CANCEL, 1))
        self.assertEqual(two.frame()[0], STARTED)
        self.assertEqual(two.answer()[1], b"second")

    def test_a_lost_proxy_takes_its_waiting_requests_with_it(self):
        proxy, other = self.proxy(), self.proxy()
        peer = self.peer("--proxy", f"{proxy.address},{other.address}", "--concurrency", 1)
        one, two = proxy.serve(), other.serve()
        one.request("/hold")
        peer.wait("holding")
        two.request("/echo", b"never")
        two.send(frame(PING, 0, b"12345678"))
        two.frame()
        two.close()
        two = other.serve()
        two.request("/echo", b"again")
        one.send(frame(CANCEL, 1))
        self.assertEqual(two.frame()[0], STARTED)
        self.assertEqual(two.answer()[1], b"again")

    def test_a_local_socket_is_a_proxy(self):
        proxy = self.proxy(path=self.folder / "lrwp.sock")
        self.dialling(proxy)
        self.assertEqual(proxy.serve().ask("/echo", b"local")[1], b"local")

    def test_a_name_of_this_machine_is_one_proxy_whichever_address_answers(self):
        proxy = self.proxy()
        peer = self.peer("--proxy", f"localhost:{proxy.port}")
        c = proxy.serve()
        self.assertEqual(c.ask("/echo", b"named")[1], b"named")
        self.assertEqual(peer.count("lost"), 0)

    def test_a_name_is_all_its_addresses_and_is_looked_up_after_a_loss(self):
        one = self.proxy()
        two, three = (self.proxy(at=(f"127.0.0.{number}", one.port)) for number in (2, 3))
        names = self.folder / "names"
        names.write_text("192.0.2.1 192.0.2.2\n")
        self.peer("--proxy", f"p.test:{one.port}", LRWP_TEST_NAMES=names)
        first, second = one.serve(), two.serve()
        names.write_text("192.0.2.1 192.0.2.3\n")
        two.close()
        second.close()
        self.assertEqual(three.serve().ask("/echo", b"found")[1], b"found")
        self.assertEqual(first.ask("/echo", b"stayed")[1], b"stayed")

    def test_a_peer_whose_proxy_has_no_address_can_leave(self):
        self.peer("--proxy", "nowhere.invalid:1081").wait("up")

    def test_dials_come_later_and_later_until_one_serves(self):
        proxy = self.proxy()
        peer = self.dialling(proxy)
        times = []
        for _ in range(6):
            proxy.accept().close()
            times.append(time.monotonic())
        self.assertGreater(times[5] - times[4], 0.5)
        self.assertLess(times[2] - times[0], 5)
        self.assertEqual(proxy.serve().ask("/echo", b"x")[1], b"x")
        peer.wait("lost", 6)

    def test_refused_contexts_are_told_and_do_not_keep_others_out(self):
        proxy = self.proxy()
        peer = self.dialling(proxy, "--context", "more")
        first = proxy.accept()
        self.assertEqual(first.hello()[1], b"more")
        first.send(b"REJECTED\xffERROR: Application not permitted\xff")
        peer.wait('context=more why="ERROR: Application not permitted" remedy="the context is another identity')
        again = proxy.accept()
        self.assertEqual(again.hello()[1], b"c")
        again.accept()
        self.assertEqual(again.next(REGISTER), b"more\xff\xff")
        again.send(frame(REGISTERED, 0, b"more\xff\xffERROR: not yours\xff"))
        peer.wait('context=more why="ERROR: not yours"')
        self.assertEqual(again.ask("/echo", b"x")[1], b"x")

    def test_a_proxy_that_is_down_is_told_once(self):
        down, other = self.proxy(), self.proxy()
        down.close()
        peer = self.peer("--proxy", f"{down.address},{other.address}")
        for _ in range(5):
            other.accept().close()
        peer.wait(f"lost proxy={other.address}", 5)
        self.assertEqual(peer.count(f"lost proxy={down.address}"), 1)

    def test_who_goes_on_talking_at_the_handshake_is_no_proxy(self):
        proxy = self.proxy()
        peer = self.dialling(proxy)
        for text in (b"\n\x1b[2J", b"\n" + b"x" * 1200):
            c = proxy.accept()
            c.hello()
            c.send(text)
            self.assertEqual(c.rest(), b"")
        peer.wait('version=1.0 why="??[2J"')
        peer.wait('context=c why="?xxx')

    def test_a_proxy_that_could_not_be_heard_is_not_silent(self):
        """While a function blocks nothing is read."""
        proxy, other = self.proxy(), self.proxy()
        addresses = f"{proxy.address},{other.address}"
        peer = self.peer("--proxy", addresses, "--concurrency", 2, LRWP_TEST_BLOCKING="1")
        one, two = (each.accept() for each in (proxy, other))
        for c in (one, two):
            c.hello()
            self.assertEqual(c.accept(ping=60).settings[b"ping"], b"0")
        os.mkfifo(pipe := self.folder / "pipe")
        two.request("/block", QUERY_STRING=pipe)
        with open(pipe, "w"):
            pass
        self.assertEqual(two.answer()[1], b"blocked\n")
        asked = one.next(PING)
        two.request("/block", QUERY_STRING=pipe)
        with open(pipe, "w"):
            one.send(frame(PONG, 0, asked))
        self.assertEqual(two.answer()[1], b"blocked\n")
        self.assertEqual(one.ask("/echo", b"heard")[1], b"heard")
        self.assertEqual(two.ask("/echo", b"too")[1], b"too")
        self.assertEqual(peer.count("lost"), 0)

    def test_a_silent_proxy_is_asked_and_then_left(self):
        proxy = self.proxy()
        peer = self.dialling(proxy)
        c = proxy.accept()
        c.hello()
        c.accept(ping=3).request("/later")
        c.next(PING)
        self.assertEqual(c.rest(), b"")
        peer.wait("the proxy is silent")
        seconds = [line for line in peer.lines if "later" in line or "silent" in line].index(peer.wait("silent"))
        self.assertGreaterEqual(seconds, 8)
        proxy.serve()

    def test_a_secret_is_proved_and_never_told_to_an_older_server(self):
        secret = self.folder / "secret"
        secret.write_text("funky161\n")
        proxy = self.proxy()
        peer = self.dialling(proxy, "--secret-file", secret)
        proxy.accept().send(b"ERROR: Unknown LRWP version")
        peer.wait("no LRWP 3.0, and there is a secret")
        c = proxy.accept()
        self.assertEqual(c.hello()[0], b"3.0")
        c.send(b"CHALLENGE\xff000000032" + bytes(32))
        self.assertEqual(len(c.read(41)), 41)
        c.accept()

    def test_an_older_server_is_served_in_its_version(self):
        proxy = self.proxy()
        self.dialling(proxy)
        first = proxy.accept()
        first.hello()
        first.send(b"ERROR: Unknown LRWP version")
        first.close()
        c = proxy.accept()
        self.assertEqual(c.hello(), [b"", b"c", b""])
        c.send(b"OK")
        for path, expected in (("/echo", b"body"), ("/fail", b"internal error\n"), ("/broken", b"internal error\n")):
            env = f"PATH_INFO={path}\0\0".encode()
            c.send(b"%09d%s%09d%s" % (len(env), env, 4, b"body"))
            answer = c.read(int(c.read(9)))
            self.assertTrue(answer.endswith(b"\r\n\r\n" + expected), answer)

    def test_a_peer_that_leaves_finishes_and_refuses(self):
        proxy = self.proxy()
        peer = self.dialling(proxy)
        c = proxy.serve()
        c.request("/hold")
        peer.wait("holding")
        peer.terminate()
        c.next(DRAIN)
        c.request("/echo", b"late", stream=2)
        self.assertEqual(c.next(REFUSED), b"draining")
        c.send(frame(CANCEL, 1))
        c.next(CANCEL)
        c.close()
        self.assertEqual(peer.end(), 0)


class WrongPorts(Case):
    def answering(self, answer):
        proxy = self.proxy()
        peer = self.dialling(proxy)
        c = proxy.accept()
        self.assertEqual(c.hello()[0], b"3.0")
        c.send(answer)
        return peer, c, proxy

    def test_http_is_named_and_no_older_version_tried(self):
        peer, c, proxy = self.answering(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        self.assertIn("it answers in HTTP: this is not the port of peers", peer.wait("lost"))
        self.assertEqual(c.rest(), b"")
        self.assertEqual(proxy.accept().hello()[0], b"3.0")

    def test_tls_is_named(self):
        peer, _, _ = self.answering(b"\x15\x03\x03\x00\x02\x02\x46")
        self.assertIn("this port is inside TLS", peer.wait("lost"))

    def test_an_acceptance_in_pieces_is_one(self):
        proxy = self.proxy()
        self.dialling(proxy)
        c = proxy.accept()
        c.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        c.hello()
        for byte in b"OK\xff":
            c.send(bytes([byte]))
        self.assertEqual(c.frame()[0], SETTINGS)


class Identities(Case):
    def challenged(self):
        proxy = self.proxy()
        peer = self.dialling(proxy, *self.identity())
        return peer, proxy, self.keyed(proxy)

    def keyed(self, proxy):
        """The next connection, which must be one of 3.1."""
        c = proxy.accept()
        version, context, vhost, name, key_id, nonce = c.hello()
        self.assertEqual((version, context, vhost, name, key_id), (b"3.1", b"c", b"", b"billing", b"2026a"))
        self.assertRegex(nonce, b"^[0-9a-f]{64}$")
        return c

    def refused(self, reply, why):
        """The peer closes without a proof, says why, and comes again with 3.1."""
        peer, proxy, c = self.challenged()
        c.send(reply(c))
        self.assertEqual(c.rest(), b"")
        self.assertIn(why, peer.wait("lost"))
        self.keyed(proxy)
        self.assertEqual(peer.count("fallback"), 0)

    def test_both_sides_prove_the_key(self):
        peer, _, c = self.challenged()
        c.send(c.key_challenge())
        self.assertTrue(c.proof_is_right())
        c.accept()
        peer.wait("registered context=c version=3.1")
        self.assertEqual(c.ask("/echo", b"x")[1], b"x")

    def test_a_challenge_in_pieces_is_one(self):
        _, _, c = self.challenged()
        c.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in c.key_challenge():
            c.send(bytes([byte]))
        self.assertTrue(c.proof_is_right())
        c.accept()

    def test_a_nonce_is_never_used_again(self):
        _, proxy, c = self.challenged()
        c.close()
        self.assertNotEqual(c.startup, self.keyed(proxy).startup)

    def test_a_proxy_without_the_key_gets_no_proof(self):
        self.refused(lambda c: c.key_challenge(key=bytes(32)), "does not have the key")

    def test_a_proof_with_one_bit_wrong_is_none(self):
        self.refused(lambda c: c.key_challenge()[:-1] + bytes([c.key_challenge(nonce=c.nonce)[-1] ^ 1]), "does not have the key")

    def test_the_proof_of_another_connection_is_none(self):
        peer, proxy, c = self.challenged()
        c.close()
        second = self.keyed(proxy)
        second.send(second.key_challenge(startup=c.startup))
        self.assertEqual(second.rest(), b"")
        peer.wait("does not have the key")

    def test_the_peers_own_proof_is_not_taken_from_a_proxy(self):
        def mirrored(c):
            nonce = os.urandom(32)
            return b"CHALLENGE\xff000000064" + nonce + hmac.digest(KEY, b"lrwp3 peer\0" + c.startup + nonce, "sha256")

        self.refused(mirrored, "does not have the key")

    def test_an_acceptance_without_challenge_is_none(self):
        self.refused(lambda c: b"OK\xff", "does not ask for the key")

    def test_the_challenge_of_a_secret_is_not_answered(self):
        self.refused(lambda c: b"CHALLENGE\xff000000032" + bytes(32), "does not ask for the key")

    def test_an_older_server_is_not_served(self):
        self.refused(lambda c: b"ERROR: Unknown LRWP version", "no LRWP 3.1: ERROR: Unknown LRWP version")

    def test_a_bare_ok_is_no_acceptance(self):
        peer, proxy, c = self.challenged()
        c.send(b"OK")
        c.close()
        peer.wait("lost")
        self.keyed(proxy)
        self.assertEqual(peer.count("fallback"), 0)

    def test_a_handshake_that_is_cut_begins_again_in_the_same_version(self):
        peer, proxy, c = self.challenged()
        for part in (0, 9, 19, 50, 82):
            c.send(c.key_challenge()[:part])
            c.close()
            c = self.keyed(proxy)
        peer.wait("lost", 5)
        self.assertEqual(peer.count("fallback"), 0)

    def test_a_refusal_is_told_with_the_proxys_text(self):
        peer, proxy, c = self.challenged()
        c.send(c.key_challenge())
        self.assertTrue(c.proof_is_right())
        c.send(b"REJECTED\xffERROR: Incorrect LRWP challenge response\xff")
        self.assertIn("Incorrect LRWP challenge response", peer.wait("refused"))
        self.keyed(proxy)

    def test_a_second_challenge_is_not_answered(self):
        peer, _, c = self.challenged()
        c.send(c.key_challenge())
        self.assertTrue(c.proof_is_right())
        c.send(c.key_challenge())
        self.assertEqual(c.rest(), b"")
        peer.wait("a second challenge")


class InsideTls(Case):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(prefix="lrwp")
        cls.addClassCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        cls.ours, cls.others = Authority(folder / "ours", "ours"), Authority(folder / "others", "others")
        cls.ours.issue("proxy")
        cls.ours.issue("peer")
        cls.ours.issue("elsewhere", hosts="DNS:elsewhere.example,IP:192.0.2.1")
        cls.ours.issue("localhost", hosts="URI:spiffe://example.org/localhost")  # only its subject is the host
        cls.ours.issue("expired", end="20210101000000Z")
        cls.ours.issue("early", start="20480101000000Z")
        cls.others.issue("proxy")

    def inside(self, *arguments, name="proxy", **tls):
        proxy = self.proxy(Tls(self.ours, name, **tls))
        return proxy, self.peer("--proxy", f"localhost:{proxy.port}", *self.ours.trusted, *arguments)

    def refused(self, tls, why, host="localhost"):
        """The peer sends nothing, not even its startup string, and says why."""
        proxy = self.proxy(tls)
        peer = self.peer("--proxy", f"{host}:{proxy.port}", *self.ours.trusted, *self.identity())
        with self.assertRaises(ssl.SSLError):
            proxy.accept().read(1)
        self.assertIn(why, peer.wait("lost"))
        self.assertEqual(peer.count("fallback"), 0)

    def test_a_peer_serves_with_its_certificate_and_key(self):
        proxy, peer = self.inside(*self.ours.files("peer"), *self.identity())
        c = proxy.accept()
        self.assertEqual((c.sock.version(), c.sock.selected_alpn_protocol()), ("TLSv1.3", "lrwp/3"))
        self.assertIn(((("commonName", "peer"),),), [c.sock.getpeercert()["subject"]])
        c.hello()
        c.send(c.key_challenge())
        self.assertTrue(c.proof_is_right())
        c.accept()
        self.assertEqual(c.ask("/echo", b"x")[1], b"x")
        peer.wait("registered context=c version=3.1")

    def test_an_address_is_checked_as_one(self):
        proxy = self.proxy(Tls(self.ours, "proxy"))
        self.peer("--proxy", proxy.address, *self.ours.trusted)
        self.assertEqual(proxy.serve().ask("/echo", b"x")[1], b"x")

    def test_the_key_is_bound_to_the_proxys_certificate(self):
        for seen in (b"", bytes(32)):
            proxy, peer = self.inside(*self.identity())
            c = proxy.accept()
            c.hello()
            c.send(c.key_challenge(certificate=seen))
            self.assertEqual(c.rest(), b"")
            peer.wait("does not have the key")

    def test_another_authority_is_refused(self):
        self.refused(Tls(self.others, "proxy"), "certificate is not accepted")

    def test_another_host_is_refused(self):
        self.refused(Tls(self.ours, "elsewhere"), "hostname mismatch")

    def test_another_address_is_refused(self):
        self.refused(Tls(self.ours, "elsewhere"), "IP address mismatch", host="127.0.0.1")

    def test_the_subject_is_no_host_name(self):
        self.refused(Tls(self.ours, "localhost"), "hostname mismatch")

    def test_an_expired_certificate_is_refused(self):
        self.refused(Tls(self.ours, "expired"), "certificate has expired")

    def test_a_certificate_that_is_not_yet_valid_is_refused(self):
        self.refused(Tls(self.ours, "early"), "not yet valid")

    def test_older_tls_is_refused(self):
        self.refused(Tls(self.ours, "proxy", newest=ssl.TLSVersion.TLSv1_2), "protocol version")

    def test_a_key_needs_the_alpn_name(self):
        proxy, peer = self.inside(*self.identity(), alpn=None)
        proxy.accept().rest()
        self.assertIn("does not take ALPN lrwp/3", peer.wait("lost"))
        self.assertEqual(peer.count("fallback"), 0)

    def test_an_older_server_has_no_alpn(self):
        proxy, peer = self.inside(alpn=None)
        proxy.accept().rest()
        c = proxy.accept()
        self.assertEqual(c.hello(), [b"", b"c", b""])
        peer.wait("fallback")

    def test_a_plain_port_is_named(self):
        proxy = self.proxy()
        peer = self.peer("--proxy", f"localhost:{proxy.port}", *self.ours.trusted)
        c = proxy.accept()
        self.assertEqual(c.read(1), b"\x16")
        c.send(b"ERROR: what is this?")
        self.assertIn("is this the port for peers inside TLS?", peer.wait("lost"))

    def test_large_bodies_pass_both_ways(self):
        proxy, _ = self.inside()
        c = proxy.serve()
        body = os.urandom(60_000)
        for _ in range(5):
            self.assertEqual(c.ask("/echo", body)[1], body)
        self.assertEqual(len(c.ask("/large")[1]), 5_000_000)

    def test_records_of_one_byte_and_packets_of_one_byte_are_fine(self):
        proxy, _ = self.inside()
        c = proxy.serve()
        c.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        whole = []
        send, c.send = c.send, lambda *parts: whole.append(b"".join(parts))
        c.request("/echo", b"in pieces")
        for byte in whole[0]:
            send(bytes([byte]))
        c.send = send
        self.assertEqual(c.answer()[1], b"in pieces")
        c.close()

    def test_a_relay_that_passes_a_few_bytes_at_a_time_changes_nothing(self):
        proxy = self.proxy(Tls(self.ours, "proxy"))
        relay = Relay(self, proxy.port)
        self.peer("--proxy", f"localhost:{relay.port}", *self.ours.trusted, *self.ours.files("peer"))
        c = proxy.serve()
        body = os.urandom(20_000)
        self.assertEqual(c.ask("/echo", body)[1], body)

    def test_a_proxy_that_reads_late_gets_it_all(self):
        proxy, peer = self.inside()
        c = proxy.serve()
        c.send(frame(WINDOW, 1, bytes(4)))  # nothing is open: ignored
        c.request("/large")
        c.send(frame(WINDOW, 1, struct.pack(">I", 5_000_000)))
        c.send(frame(PING, 0, b"12345678"))
        peer.wait("registered")
        self.assertEqual(len(c.answer()[1]), 5_000_000)

    def test_the_end_is_told_apart_from_a_cut(self):
        proxy, peer = self.inside()
        c = proxy.serve()
        os.close(c.sock.detach())  # a FIN, and no close_notify
        peer.wait("closed without close_notify")
        c = proxy.serve()
        plain = c.sock.unwrap()
        plain.close()
        peer.wait('why="the proxy has closed"')

    def test_a_peer_that_leaves_says_close_notify(self):
        proxy, peer = self.inside()
        c = proxy.serve()
        peer.terminate()
        c.next(DRAIN)
        c.sock.unwrap().close()  # takes the peer's close_notify, and would raise at an end without it
        self.assertEqual(peer.end(), 0)

    def test_a_renewed_certificate_is_shown_at_the_next_dial(self):
        files = self.folder / "own.pem", self.folder / "own.key"
        for file, ending in zip(files, ("pem", "key")):
            file.write_bytes((self.ours.folder / f"peer.{ending}").read_bytes())
            file.chmod(0o600)
        proxy, _ = self.inside("--certificate", files[0], "--certificate-key", files[1])
        first = proxy.serve()
        self.ours.issue("renewed")
        for file, ending in zip(files, ("pem", "key")):
            file.write_bytes((self.ours.folder / f"renewed.{ending}").read_bytes())
        first.close()
        self.assertIn(("commonName", "renewed"), [one[0] for one in proxy.serve().sock.getpeercert()["subject"]])


class Relay:
    """Passes bytes on, a few at a time."""

    def __init__(self, case, port):
        listener = listen()
        self.port = listener.getsockname()[1]
        self.sockets = [listener]
        threads = []

        def accept():
            here, there = listener.accept()[0], socket.create_connection(("127.0.0.1", port))
            self.sockets += [here, there]
            for one in (here, there):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for one, other in ((here, there), (there, here)):
                threads.append(threading.Thread(target=self.copy, args=(one, other)))
                threads[-1].start()

        threads.append(threading.Thread(target=accept))
        threads[0].start()
        case.addCleanup(lambda: [one.join() for one in threads])
        case.addCleanup(self.close)

    @staticmethod
    def copy(one, other):
        try:
            while some := one.recv(97):
                other.sendall(some)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            return

    def close(self):
        for one in self.sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()


class Failures(Case):
    def serving(self, **environment):
        proxy = self.proxy()
        peer = self.dialling(proxy, **environment)
        return peer, proxy, proxy.serve()

    def assert_internal_error(self, answer):
        head, body = answer
        self.assertTrue(head.startswith(b"Status: 500 "), head)
        self.assertEqual(body, b"internal error\n")

    def test_a_handler_that_fails_is_500_and_the_log_has_its_reason(self):
        peer, _, c = self.serving()
        self.assert_internal_error(c.ask("/fail"))
        self.assertEqual(peer.wait("failed"), 'failed path="/c/fail" why="the disk is full"')

    def test_an_end_without_a_head_is_500(self):
        peer, _, c = self.serving()
        self.assert_internal_error(c.ask("/nothing"))
        peer.wait("ended without an answer")

    def test_a_failure_behind_the_head_cuts_the_answer(self):
        peer, _, c = self.serving()
        head, body = c.ask("/cut")
        self.assertTrue(head.startswith(b"Status: 200 "), head)
        self.assertIsNone(body)
        self.assertIn("given up", peer.wait("failed"))

    def test_a_broken_head_is_500_and_the_slot_is_the_programs_until_its_end(self):
        peer, _, c = self.serving()
        self.assert_internal_error(c.ask("/broken"))
        peer.wait("not made of header fields")
        self.assertEqual(c.ask("/echo", b"next")[1], b"next")

    def test_a_lost_connection_is_told_once_to_each_handler(self):
        peer, proxy, c = self.serving()
        c.request("/hold")
        peer.wait("holding")
        c.close()
        peer.wait("cancelled")
        c = proxy.serve()
        self.assertEqual(c.ask("/echo", b"x")[1], b"x")
        self.assertEqual(peer.count("cancelled"), 1)

    def test_a_tunnel_gives_back_what_it_gets(self):
        _, _, c = self.serving()
        c.request("/tunnel", HTTP_UPGRADE="echo", end=False)
        head, _ = c.next(RESPONSE).split(b"\r\n\r\n")
        self.assertIn(b"Status: 200", head)  # this peer does not want it

    def half_closed(self):
        """A tunnel whose program has ended its direction, and listens."""
        peer, proxy, c = self.serving()
        c.request("/half", HTTP_UPGRADE="echo", end=False)
        self.assertRegex(c.next(RESPONSE), rb"(?s)^Status: 101 .*\r\n\r\nbye\n$")
        self.assertEqual(c.frame(), (DATA, 1, 1, b""))
        return peer, proxy, c

    def test_a_half_closed_tunnel_still_has_its_variables(self):
        peer, _, c = self.half_closed()
        c.send(frame(DATA, 1, b"x" * 1000))
        peer.wait("heard by /half")
        c.send(frame(DATA, 1, end=True))
        self.assertEqual(c.ask("/echo", b"next")[1], b"next")

    def test_a_half_closed_tunnel_is_told_that_its_connection_is_lost(self):
        peer, proxy, c = self.half_closed()
        c.close()
        peer.wait("cancelled")
        c = proxy.serve()
        self.assertEqual(c.ask("/echo", b"x")[1], b"x")
        self.assertEqual(peer.count("cancelled"), 1)

    def test_a_tunnel_that_fails_gets_no_window_behind_its_end(self):
        """A frame on a stream that has ended breaks a rule: the proxy would end the connection."""
        peer, _, c = self.serving()
        c.request("/picky", HTTP_UPGRADE="echo", end=False)
        self.assertIn(b"Status: 101", c.next(RESPONSE))
        c.send(frame(DATA, 1, bytes(65536)), frame(DATA, 1, bytes(65536)), frame(PING, 0, b"12345678"))
        self.assertEqual(c.frame(), (CANCEL, 0, 1, b"too much"))
        self.assertEqual(c.frame()[0], PONG)
        c.send(frame(DATA, 1, end=True))
        self.assertEqual(c.ask("/echo", b"next")[1], b"next")
        self.assertEqual(peer.count("lost"), 0)

    def test_bodies_as_they_come(self):
        _, _, c = self.serving(LRWP_TEST_STREAM="1")
        c.request("/x", b"one ", end=False)
        c.send(frame(DATA, 1, b"two "), frame(DATA, 1, b"three", end=True))
        self.assertEqual(c.answer()[1], b"one two three")


class BrokenProxies(Case):
    def test_each_broken_rule_gets_an_error_and_the_next_connection_serves(self):
        proxy = self.proxy()
        peer = self.dialling(proxy)
        broken = [
            struct.pack(">IBBHI", 65537, DATA, 0, 0, 1),
            frame(REQUEST, 1, b"\0\0"),
            frame(REQUEST, 1, struct.pack(">I", 4294967295) + b"A=1\0"),
            frame(REQUEST, 1, struct.pack(">I", 3) + b"A=1"),
            frame(REQUEST, 0, struct.pack(">I", 1) + b"\0"),
            frame(REQUEST, 9, struct.pack(">I", 1) + b"\0"),
            frame(REQUEST, 1, struct.pack(">I", 1) + b"\0") * 2 + frame(REQUEST, 1, struct.pack(">I", 1) + b"\0"),
            frame(SETTINGS, 0, b"window=x\0"),
            frame(SETTINGS, 0, b"window=1"),
            frame(SETTINGS, 0, b"max-frame=1\0"),
        ]
        for count, what in enumerate(broken, 1):
            c = proxy.serve()
            c.send(what)
            c.next(ERROR)
            self.assertEqual(peer.wait("fault", count).count("rule="), 1)
            c.close()
        self.assertEqual(proxy.serve().ask("/echo", b"x")[1], b"x")

    def test_whatever_comes_nothing_is_read_or_written_beyond_its_end(self):
        """Random frames, and bytes that are none. What watches the memory of the peer would end it."""
        for seed in range(int(os.environ.get("LRWP_TEST_SEEDS", "20"))):
            with self.subTest(seed=seed):
                self.survives(random.Random(seed), {"LRWP_TEST_STREAM": "1"} if seed % 2 else {})

    def survives(self, chance, environment):
        proxy = self.proxy()
        peer = Peer("--proxy", proxy.address, *CONTEXT, environment=environment)
        for _ in range(3):
            c = proxy.serve()
            try:
                for _ in range(40):
                    c.send(self.some(chance))
                c.sock.shutdown(socket.SHUT_WR)
                c.rest()
            except OSError:
                pass  # the peer has had enough
            c.close()
        self.ends_in_order(peer)

    @staticmethod
    def some(chance):
        env = b"".join(chance.choice((b"PATH_INFO=/echo\0", b"PATH_INFO=/hold\0", b"PATH_INFO=/large\0", b"HTTP_UPGRADE=echo\0", b"A\0"))
                       for _ in range(chance.randrange(4))) + b"\0"  # fmt: skip
        size = len(env) if chance.random() < 0.95 else chance.randrange(2**32)
        payload = chance.choice((b"", chance.randbytes(chance.randrange(50)), struct.pack(">I", chance.randrange(70_000)),
                                 struct.pack(">I", size) + env + bytes(chance.randrange(3_000)), bytes(8)))  # fmt: skip
        return frame(chance.randrange(1, 18), chance.randrange(10), payload, chance.random() < 0.6)


class Options(unittest.TestCase):
    """What is wrong with the options is one line, and the status 1."""

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="lrwp")
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)

    def told(self, line, *arguments, proxy="127.0.0.1:1"):
        peer = Peer("--proxy", proxy, *CONTEXT, *arguments)
        self.assertEqual((peer.end(), len(peer.lines)), (1, 1), peer.lines)
        self.assertIn(line, peer.lines[0])

    def test_addresses(self):
        for proxy, line in (
            ("127.0.0.1", "options proxy=127.0.0.1: it has no port: write host:port"),
            ("host:", "not a number from 1 to 65535"),
            ("host:0", "not a number from 1 to 65535"),
            ("host:65536", "not a number from 1 to 65535"),
            ("host:http", "not a number from 1 to 65535"),
            (":1081", "write host:port"),
            ("::1:1081", "write host:port, [v6]:port or unix:/path"),
            ("[::1]", "write host:port"),
            ("[::1:1081", "it has no port"),
            ("a:1,", "it has no port"),
            ("a b:1", "write host:port"),
            ("unix:", "empty or too long"),
            ("unix:/" + "x" * 200, "empty or too long"),
            ("x" * 500 + ":1", "it is too long"),
        ):
            with self.subTest(proxy[:40]):
                self.told(line, proxy=proxy)

    def test_names_and_numbers(self):
        self.told("at most 65536", "--concurrency", 65537)
        self.told("it has 1 to 200 bytes", "--context", "x" * 201)
        self.told("it has 1 to 200 bytes", "--context", "a\nb")

    def test_identities(self):
        good = self.file(KEY.hex())
        self.told("go together", "--identity", "billing")
        self.told("go together", "--identity", "billing", "--key-file", good)
        self.told("64 letters, digits", "--identity", "a b", "--key-id", "x", "--key-file", good)
        self.told("64 letters, digits", "--identity", "x" * 65, "--key-id", "x", "--key-file", good)
        for text in ("", KEY.hex()[2:], KEY.hex() + "0", "g" * 64, KEY.hex() * 9):
            with self.subTest(text[:10]):
                self.told("a key is 64 to 512 hexadecimal digits", *IDENTITY, self.file(text))
        self.told("No such file", *IDENTITY, self.folder / "missing")
        self.told("others may read this key: chmod 600", *IDENTITY, self.file(KEY.hex(), 0o640))

    def file(self, text, mode=0o600):
        file = self.folder / "file"
        file.write_text(text)
        file.chmod(mode)
        return file

    def test_files_of_tls(self):
        ours = Authority(self.folder / "ours", "ours")
        ours.issue("peer")
        ours.issue("other")
        peer, key = ours.folder / "peer.pem", ours.folder / "peer.key"
        self.told("No such file", "--ca-file", self.folder / "missing")
        self.told("ca_file=", "--ca-file", key)
        self.told("go together", *ours.trusted, "--certificate", peer)
        self.told("need tls", "--certificate", peer)
        self.told("values mismatch", *ours.trusted, "--certificate", peer, "--certificate-key", ours.folder / "other.key")
        peer.chmod(0o600)
        self.told(f"certificate_key={peer}: ", *ours.trusted, "--certificate", peer, "--certificate-key", peer)
        self.told("leave tls out", *ours.trusted, proxy="unix:/run/lrwp.sock")
        key.chmod(key.stat().st_mode | stat.S_IRGRP)
        self.told("others may read this key: chmod 600", *ours.trusted, *ours.files("peer"))


if __name__ == "__main__":
    unittest.main()
