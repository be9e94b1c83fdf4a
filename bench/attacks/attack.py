#!/usr/bin/python3
"""attack.py KIND PLAIN_PORT TLS_PORT FOLDER: attacks the ports of peers of a proxy on loopback until it is told to end.

Four processes that run when nobody else wants to: elsewhere they would not take the proxy's processors. Prints "attacking" when it
begins, and at the end how often each process has done it. FOLDER has the certificates that part attacks makes."""

import collections
import os
import pathlib
import signal
import socket
import ssl
import struct
import sys

PROCESSES = 4
SILENT = 10_000
HALF = 400
CONTEXTS = 10_000
PINGS = 32
# Attacks of one peer.
ALONE = {"registrations": 1, "single": 1}
PATIENCE = 30
# Linux's IP_BIND_ADDRESS_NO_PORT: the port is chosen when it is dialled, so that one port may be had for each of the proxy's.
NO_PORT_YET = 24
FF = b"\xff"
SETTINGS, REGISTER, REGISTERED, PING = 1, 2, 4, 14


class Attacker:
    """One process. Its methods without an underscore, but begin_again, are the attacks, each of them once, or a little of it."""

    def __init__(self, plain, tls, folder, address):
        self._plain, self._tls = plain, tls
        self._address = address
        self._folder = folder
        self._authority = folder / "authority.pem"
        self._hello = self._first_message()
        self._kept = collections.deque()
        self._peer = None

    def silent(self):
        """So many connections that say nothing; those that the proxy closes are dialled again."""
        self._keep(self._dial((self._plain, self._tls)[len(self._kept) % 2]), SILENT // PROCESSES)

    def half(self):
        """The first message of TLS, whole or cut: after a whole one the proxy computes its part."""
        client = self._dial(self._tls)
        client.sendall(self._hello[: len(self._hello) // (1 + len(self._kept) % 2)])
        self._keep(client, HALF // PROCESSES)

    def proofs(self):
        """A guess of a key; it does not wait for the refusal."""
        with self._dial(self._plain) as proxy, proxy.makefile("rb") as said:
            proxy.sendall(FF + FF.join((b"3.1", b"narrow", b"", b"narrow", b"k1", b"0" * 64)) + FF)
            _heard(said.read(83).startswith(b"CHALLENGE"))
            proxy.sendall(b"000000032" + b"?" * 32)

    def again(self):
        """A second handshake inside a connection."""
        with self._dial(self._tls) as tcp, tcp.dup() as raw, self._inside(tcp, "narrow"):
            raw.sendall(self._hello)
            _read_to_end(raw)

    def truncated(self):
        """Half a startup string, then the end without close_notify."""
        with self._inside(self._dial(self._tls), "narrow") as peer:
            peer.sendall(FF + b"3.0")

    def single(self):
        """Frames of which each byte has a record of its own."""
        if self._peer is None:
            self._peer = self._inside(self._dial(self._tls), "narrow")
            self._peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _let_in(self._peer, self._peer, b"narrow")
            self._peer.sendall(_frame(SETTINGS))
        for byte in _frame(PING, b"12345678") * PINGS:
            self._peer.sendall(bytes((byte,)))
        _heard(self._peer.recv(65536))

    def certificates(self):
        """A certificate of an authority that the proxy does not know."""
        try:
            with self._inside(self._dial(self._tls), "stranger") as peer:
                _require(not peer.recv(1), "a stranger is told something")
        except (ssl.SSLError, ConnectionError):
            pass  # as it has to be

    def registrations(self):
        """As many contexts as a connection may have; then it leaves."""
        with self._dial(self._plain) as peer, peer.makefile("rb") as said:
            _let_in(peer, said, b"")
            names = (b"many-%d-%d" % (os.getpid(), number) for number in range(CONTEXTS))
            peer.sendall(_frame(SETTINGS) + b"".join(_frame(REGISTER, name + FF + FF) for name in names))
            granted = 0
            while granted < CONTEXTS:
                head = said.read(12)
                _heard(len(head) == 12)
                length, kind = struct.unpack(">IB", head[:5])
                text = said.read(length)
                granted += kind == REGISTERED
                _require(kind != REGISTERED or text.endswith(FF * 3), f"it is refused: {text!r}")

    # ---- What they share.

    def begin_again(self):
        self._peer = None

    def _dial(self, port):
        while True:
            client = socket.socket()
            client.settimeout(PATIENCE)
            try:
                client.setsockopt(socket.SOL_IP, NO_PORT_YET, 1)
                client.bind((self._address, 0))
                client.connect(("127.0.0.1", port))
                return client
            except (ConnectionError, TimeoutError):
                client.close()  # the queue of the port is full

    def _keep(self, client, most):
        self._kept.append(client)
        if len(self._kept) > most:
            self._kept.popleft().close()

    def _inside(self, tcp, name):
        context = ssl.create_default_context(cafile=self._authority)
        context.load_cert_chain(self._folder / f"{name}.pem", self._folder / f"{name}.key")
        context.set_alpn_protocols(["lrwp/3"])
        return context.wrap_socket(tcp, server_hostname="localhost")

    def _first_message(self):
        out = ssl.MemoryBIO()
        client = ssl.create_default_context(cafile=self._authority).wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost")
        try:
            client.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return out.read()


def _let_in(peer, said, context):
    peer.sendall(FF + FF.join((b"3.0", context, b"")) + FF)
    _heard(said.read(3) == b"OK" + FF)


def _frame(kind, payload=b""):
    return struct.pack(">IBBHI", len(payload), kind, 0, 0, 0) + payload


def _read_to_end(raw):
    try:
        while raw.recv(65536):
            pass
    except ConnectionError:
        pass


def _heard(holds):
    """Who attacks may have to make way for others, and begins again."""
    if not holds:
        raise ConnectionError("the proxy has closed the connection")


def _require(holds, what):
    if not holds:
        raise SystemExit(f"attack.py: {what}")


def _own_address(kind):
    """One of loopback for each process: closed connections keep their ports for a minute, and would leave the next attack none."""
    kinds = [name for name in vars(Attacker) if not name.startswith("_")]
    return f"127.0.{1 + kinds.index(kind)}.{1 + os.getpid() % 250}"


def _fork(count):
    """Makes so many processes of this one; in each of the new ones there are none."""
    children = []
    for _ in range(count):
        child = os.fork()
        if child == 0:
            return []
        children.append(child)
    return children


def main(kind, plain, tls, folder):
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    children = _fork(ALONE.get(kind, PROCESSES) - 1)
    ended = False

    def end(*_):
        nonlocal ended
        ended = True

    signal.signal(signal.SIGTERM, end)
    count = 0
    try:
        attacker = Attacker(int(plain), int(tls), pathlib.Path(folder), _own_address(kind))
        attack = getattr(attacker, kind)
        while not ended:
            try:
                attack()
            except OSError:
                attacker.begin_again()
                continue
            count += 1
            if count == 1:
                print("attacking", flush=True)
    finally:
        for child in children:
            os.kill(child, signal.SIGTERM)
    print(f"done={count}", flush=True)
    _require(all(os.waitpid(child, 0)[1] == 0 for child in children), "another process of the attack has failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
