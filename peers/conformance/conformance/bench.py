"""A proxy played for one process of the program under test."""

import os
import select
import shutil
import socket
import ssl
import tempfile
import time

from .link import Link, read_hello
from .program import Program
from .wire import Failure, PATIENCE, Skip, expect, printable

CERTIFICATES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "certificates")


def certificate(name):
    return os.path.join(CERTIFICATES, name)


def server_context(name="server", alpn=("lrwp/3",), most=None):
    """How this proxy speaks TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(f"{name}.pem"), certificate(f"{name}.key"))
    context.load_verify_locations(certificate("authority.pem"))
    context.verify_mode = ssl.CERT_OPTIONAL
    context.num_tickets = 0
    if alpn:
        context.set_alpn_protocols(list(alpn))
    if most:
        context.maximum_version = most
    return context


class Folder:
    """Files that a process of the program reads."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="conformance-")

    def file(self, name, text, mode=0o600):
        path = os.path.join(self.path, name)
        with open(path, "wb") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Bench:
    """Listens, starts the program when it is needed, takes its connections."""

    def __init__(self, command, contexts=("/c",), options=(), tls=False, listens=1, unix=None,
                 folder=None, room=None):
        self.command, self.contexts, self.options, self.tls, self.folder = command, contexts, list(options), tls, folder
        self.host = "localhost" if tls else "127.0.0.1"
        self.listeners = [self._listen(room) for _ in range(listens)]
        self.unix = unix
        if unix:
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(unix)
            listener.listen(16)
            self.listeners = [listener]
        self.addresses = [f"unix:{unix}" if unix else f"{self.host}:{listener.getsockname()[1]}"
                          for listener in self.listeners]
        self.program = None
        self.links = []
        self._shared = None
        self._said = None  # the settings of the peer
        self._anew = False  # the next dial is the first of a case
        self._first_dial = None  # seconds from the start of the program

    @staticmethod
    def _listen(room):
        listener = socket.socket()
        if room:  # for what has come and is not yet read
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        return listener

    def start_without_listener(self):
        """Nobody listens at the address that the program is told."""
        self.listeners[0].close()
        self.start()

    def listen_again(self, address):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(16)
        self.listeners[0] = listener

    def start(self):
        if self.program is None:
            command = list(self.command)
            for address in self.addresses:
                command += ["--proxy", address]
            for context in self.contexts:
                command += ["--context", context]
            self.program = Program(command + self.options)
        return self.program

    @property
    def diary(self):
        return self.links[-1].diary if self.links else []

    @property
    def lines(self):
        return self.program.lines if self.program else []

    def accept_tcp(self, what="the peer dials", seconds=2 * PATIENCE, at=0):
        """The next connection, before anything is read from it."""
        program, since = self.start(), time.monotonic()
        while not select.select([self.listeners[at]], [], [], 0.05)[0]:
            waited = time.monotonic() - since
            if program.code() is not None:
                raise Failure(what, f"the program has ended with code {program.code()}: {program.lines[-5:]}")
            if waited > seconds:
                raise Failure(what, f"no connection; the last lines of the program: {program.lines[-5:]}")
            if self._anew and self._first_dial and waited > max(0.5, self._first_dial):
                program, since = self._restart(), time.monotonic()
        sock, _ = self.listeners[at].accept()
        self._first_dial = self._first_dial or time.monotonic() - since
        self._anew = False
        return sock

    def _restart(self):
        """A new process, for one whose waits between dials have grown by the losses of earlier cases."""
        self.program.kill()
        for listener in self.listeners:
            while select.select([listener], [], [], 0)[0]:
                listener.accept()[0].close()
        self.program = None
        return self.start()

    def expect_no_dial(self):
        """No connection waits that nobody has asked for."""
        waits = any(select.select([listener], [], [], 0)[0] for listener in self.listeners)
        expect(not waits, "no further dial", "a connection waits")

    def accept_link(self, context=None, **more):
        """The next connection, inside TLS where this bench is, before anything is read from it."""
        sock = self.accept_tcp(**more)
        if self.tls:
            sock.settimeout(PATIENCE)
            try:
                sock = (context or server_context()).wrap_socket(sock, server_side=True, suppress_ragged_eofs=False)
            except (OSError, ssl.SSLError) as error:
                sock.close()
                raise Failure("a TLS handshake", str(error), "18.1") from None
        link = Link(sock)
        self.links = self.links[-7:] + [link]
        return link

    def dialled(self, **more):
        """The next connection with its startup string."""
        left_over = 5 if self._anew else 0  # what an earlier case has made the peer dial, and give up
        while True:
            try:
                link = self.accept_link(**more)
                link.hello = read_hello(link)
                return link
            except Failure:
                left_over -= 1
                if left_over < 0:
                    raise

    def fresh(self, anew=True, **values):
        """A connection of its own for a case, registered; values are settings of the proxy. Not anew: of the same process."""
        self.drop(anew)
        link = self.handshake(self.dialled())
        link.accept(**values)
        return link

    def handshake(self, link, send=None):
        """What comes before OK; send is another way to write."""
        return link

    def link(self):
        """A connection that serves, maybe one of an earlier case."""
        if self._shared is None or not self._shared.idle():
            self._shared = self.fresh()
        return self._shared

    def over(self):
        """A case has passed; the next one may go on with what is open."""

    def drop(self, anew=True):
        """Ends what is open, after a request that lets the peer dial again soon. Not anew: the same process dials."""
        for link in self.links:
            if not link.ended and link.hello and link.has_settings:
                try:
                    if link.idle():
                        link.request("/bytes", query="n=0").answer()
                    link.finish()
                except (Failure, OSError):
                    pass
            if link.sock.fileno() >= 0:
                link.close()
        self.links = []
        self._shared = None
        self._anew = anew

    def recovered(self, **more):
        """The peer is as good as new after what the case has done to it."""
        self._anew = False
        link = self.handshake(self.dialled(what="the peer dials again", **more))
        link.accept()
        link.echo()
        self._shared = link
        return link

    def offers(self, setting, value="1"):
        """Skips what is about an ability that the peer's SETTINGS do not name."""
        if self._said is None:
            self._said = self.link().peer
        said = self._said[setting]
        if (value not in said.lower().split(",")) if setting == "upgrade" else said != value:
            raise Skip(f"the peer's SETTINGS do not say {setting}={value}")

    def close(self):
        for link in self.links:
            link.sock.close()
        for listener in self.listeners:
            listener.close()
        if self.program:
            self.program.kill()
        if self.folder:
            self.folder.remove()


def require_behaviour(slot):
    """A behaviour that a test peer need not have is answered 501."""
    slot.await_end()
    if slot.head and slot.head.status == 501:
        raise Skip(f"the test peer answers 501 to it: {printable(slot.body)}")
    return slot


def expect_code(program, what, section):
    code = program.await_end(what, section)
    expect(code == 0, f"{what}, exit code 0", f"exit code {code}: {program.lines[-3:]}", section)
