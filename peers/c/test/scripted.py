"""A proxy that says what a test tells it to, the peer that dials it, and certificates."""

import hashlib
import hmac
import os
import pathlib
import random
import shlex
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time

PATIENCE = 60
FF = b"\xff"
SETTINGS, REGISTER, _, REGISTERED, REQUEST, RESPONSE, DATA, STARTED, REFUSED, CANCEL, WINDOW, _, DRAIN, PING, PONG, ERROR = range(1, 17)
KEY = bytes(range(32))
IDENTITY = ("--identity", "billing", "--key-id", "2026a", "--key-file")


def listen(host="127.0.0.1", port=None):
    """A socket below the ports that systems give to outgoing connections: those could take ours away."""
    while True:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port or random.randrange(10000, 30000)))
            listener.listen(50)
            listener.settimeout(PATIENCE)
            return listener
        except OSError:
            listener.close()
            if port:
                raise


class Connection:
    """One connection of the peer, as the proxy sees it."""

    def __init__(self, sock, certificate=b""):
        self.sock, self.certificate = sock, certificate
        self.sock.settimeout(PATIENCE)
        self.startup = b""

    def read(self, count):
        got = b""
        while len(got) < count:
            more = self.sock.recv(count - len(got))
            if not more:
                raise EOFError(f"{got!r} is all that came")
            got += more
        return got

    def rest(self):
        """What comes until the peer has closed, or reset, the connection."""
        got = b""
        try:
            while more := self.sock.recv(65536):
                got += more
        except (ConnectionError, ssl.SSLError):
            pass
        return got

    def send(self, *parts):
        self.sock.sendall(b"".join(parts))

    def hello(self):
        """The fields of the startup string: the first is the version, empty in 1.0."""
        self.startup = self.read(1)
        most = 2
        if self.startup == FF:
            while not self.startup.endswith(FF, 1):
                self.startup += self.read(1)
            most = 4 if self.startup == b"\xff3.0\xff" else 7
        while self.startup.count(FF) < most:
            self.startup += self.read(1)
        fields = self.startup.split(FF)[:-1]
        return fields[1:] if most > 2 else [b"", *fields]

    def key_challenge(self, key=KEY, nonce=None, startup=None, certificate=None):
        self.nonce = nonce or os.urandom(32)
        seen = self.certificate if certificate is None else certificate
        self.seen = (startup or self.startup) + self.nonce + seen
        return b"CHALLENGE\xff000000064" + self.nonce + hmac.digest(key, b"lrwp3 proxy\0" + self.seen, "sha256")

    def proof_is_right(self):
        return self.read(41) == b"000000032" + hmac.digest(KEY, b"lrwp3 peer\0" + self.seen, "sha256")

    def accept(self, ping=0):
        """Accepts, and reads the peer's SETTINGS."""
        self.send(b"OK\xff", frame(SETTINGS, 0, b"name=scripted\0max-frame=65536\0window=65536\0ping=%d\0connections=1\0" % ping))
        kind, _, stream, payload = self.frame()
        assert (kind, stream) == (SETTINGS, 0), (kind, stream)
        self.settings = dict(one.split(b"=", 1) for one in payload.split(b"\0") if one)
        return self

    def serve(self):
        self.hello()
        return self.accept()

    def frame(self):
        length, kind, flags, _, stream = struct.unpack(">IBBHI", self.read(12))
        return kind, flags & 1, stream, self.read(length)

    def next(self, wanted):
        """The payload of the next frame of a type; others are passed over."""
        while True:
            kind, _, _, payload = self.frame()
            if kind == wanted:
                return payload

    def request(self, path, body=b"", stream=1, end=True, **more):
        env = {"REQUEST_METHOD": "POST", "SCRIPT_NAME": "/c", "PATH_INFO": path, "CONTENT_LENGTH": str(len(body)), **more}
        block = b"".join(f"{name}={value}".encode() + b"\0" for name, value in env.items()) + b"\0"
        self.send(frame(REQUEST, stream, struct.pack(">I", len(block)) + block + body, end))

    def answer(self, stream=1):
        """Head and body of an answer; None as the head when it was cancelled before it."""
        head, body = None, b""
        while True:
            kind, end, of, payload = self.frame()
            if of != stream or kind not in (RESPONSE, DATA, CANCEL):
                continue
            if kind == CANCEL:
                return head, None
            if kind == RESPONSE:
                head, payload = payload.split(b"\r\n\r\n", 1)
            body += payload
            if payload:
                self.send(frame(WINDOW, stream, struct.pack(">I", len(payload))))
            if end:
                return head, body

    def ask(self, path, body=b"", stream=1):
        self.request(path, body, stream)
        return self.answer(stream)

    def close(self):
        self.sock.close()


def frame(kind, stream, payload=b"", end=False):
    return struct.pack(">IBBHI", len(payload), kind, 1 if end else 0, 0, stream) + payload


class Proxy:
    """A listener, plain or inside TLS, whose connections a test takes one by one."""

    def __init__(self, tls=None, path=None, at=()):
        self.tls = tls
        if path is None:
            self.listener = listen(*at)
            self.port = self.listener.getsockname()[1]
            self.address = f"{self.listener.getsockname()[0]}:{self.port}"
        else:
            self.listener = socket.socket(socket.AF_UNIX)
            self.listener.bind(str(path))
            self.listener.listen(5)
            self.listener.settimeout(PATIENCE)
            self.address = f"unix:{path}"

    def accept(self):
        sock = self.listener.accept()[0]
        if self.tls is None:
            return Connection(sock)
        sock.settimeout(PATIENCE)
        try:
            inside = self.tls.context.wrap_socket(sock, server_side=True, suppress_ragged_eofs=False)
        except Exception:
            sock.close()
            raise
        return Connection(inside, self.tls.hash)

    def serve(self):
        return self.accept().serve()

    def close(self):
        self.listener.close()


class Tls:
    """What a proxy inside TLS shows."""

    def __init__(self, authority, name, alpn="lrwp/3", oldest=None, newest=None):
        certificate = authority.folder / f"{name}.pem"
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, authority.folder / f"{name}.key")
        self.context.load_verify_locations(authority.folder / "ca.pem")
        self.context.verify_mode = ssl.CERT_OPTIONAL
        if alpn:
            self.context.set_alpn_protocols([alpn])
        if newest:
            self.context.maximum_version = newest
        if oldest:
            self.context.minimum_version = oldest
        self.hash = hashlib.sha256(ssl.PEM_cert_to_DER_cert(certificate.read_text())).digest()


class Authority:
    """Issues certificates with openssl."""

    def __init__(self, folder, name):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        (self.folder / "index.txt").write_text("")
        (self.folder / "serial").write_text("1000\n")
        (self.folder / "ca.conf").write_text(
            "[ca]\ndefault_ca = this\n[this]\ndir = .\ndatabase = index.txt\nserial = serial\nnew_certs_dir = .\n"
            "certificate = ca.pem\nprivate_key = ca.key\ndefault_md = sha256\nunique_subject = no\npolicy = any\n"
            "copy_extensions = copy\n[any]\ncommonName = supplied\n[req]\ndistinguished_name = name\n[name]\n"
        )
        self._run("req -x509 -config ca.conf -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -keyout ca.key "
                  f"-out ca.pem -subj /CN={name} -addext basicConstraints=critical,CA:true")  # fmt: skip

    def issue(self, name, hosts="DNS:localhost,IP:127.0.0.1", start="20200101000000Z", end="20491231235959Z"):
        self._run("req -config ca.conf -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                  f"-keyout {name}.key -out {name}.csr -subj /CN={name} -addext subjectAltName={hosts}")  # fmt: skip
        self._run(f"ca -config ca.conf -batch -notext -in {name}.csr -out {name}.pem -startdate {start} -enddate {end}")
        return self.files(name)

    def files(self, name):
        return ("--certificate", self.folder / f"{name}.pem", "--certificate-key", self.folder / f"{name}.key")

    @property
    def trusted(self):
        return ("--ca-file", self.folder / "ca.pem")

    def _run(self, words):
        done = subprocess.run(["openssl", *words.split()], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"openssl {words}: {done.stderr}")


class Peer:
    """The test's peer as a process; its lines are kept."""

    def __init__(self, *arguments, environment=None):
        program = [*shlex.split(os.environ.get("LRWP_TEST_UNDER", "")), os.environ["LRWP_TEST_PEER"]]
        command = [*program, *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                        env={**os.environ, **(environment or {})})  # fmt: skip
        self.lines = []
        self.changed = threading.Condition()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self):
        with self.process.stdout as lines:
            for line in lines:
                with self.changed:
                    self.lines.append(line.rstrip("\n"))
                    self.changed.notify_all()

    def count(self, text):
        return sum(text in line for line in self.lines)

    def wait(self, text, count=1):
        """The line of that number which has a text."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.count(text) >= count, PATIENCE):
                raise AssertionError(f"no line {text!r} in {self.lines}")
            return [line for line in self.lines if text in line][count - 1]

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def end(self):
        """Its exit status, once it has ended by itself."""
        status = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return status

    def kill(self):
        self.process.kill()
        self.end()


def soon(condition, what):
    """Waits until something is so."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(what)
        time.sleep(0.005)
