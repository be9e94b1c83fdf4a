"""A proxy that the rig has started itself, so that it can be killed, stopped and starved."""

import glob
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

START_SECONDS = 120
FAKE_CLOCKS = "/usr/lib/*/faketime/libfaketime.so.1"
DISK_MIB = 24
# Short limits: a run of minutes has to reach them. What is slow for a moment does not.
CONFIGURATION = """\
agent.registration-time = 3s
agent.ping-time = 2s
context.queue-time = 4s
context.grace = 4s
context.response-timeout = 5s
context.send-timeout = 3s
context.body-timeout = 5s
context./torture-load.queue-length = 40
context./torture-load.queue-time = 1s
answer.stall-timeout = 5s
drain-time = 3s
spool.folder = {folder}/spool
spool.memory-per-body = 16KiB
spool.memory-total = 2MiB
access-log.file = {folder}/access.log
front = {front}
"""
TLS = """\
agent.tls.port = {port}
agent.tls.certificate = {folder}/certificate.pem
agent.tls.key = {folder}/key.pem
agent.tls.client-certificates = none
"""


class NotStarted(Exception):
    """The proxy does not start; the message says why."""


def free_port():
    """Below the ports that systems give to outgoing connections: those could take ours away."""
    while True:
        with socket.socket() as probe:
            port = random.randrange(10000, 30000)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def run_quietly(*command, **more):
    return subprocess.run(command, capture_output=True, check=False, **more).returncode == 0


class OwnProxy:
    """`./lrwp proxy` with its own ports, in a folder of the run."""

    # What else its clients may see while it starts and ends.
    between = frozenset()

    def __init__(self, root, folder, seed):
        self.root = root
        self.folder = Path(folder)
        self.process = None
        self.http = ("127.0.0.1", free_port())
        self.lrwp = ("127.0.0.1", free_port())
        self.tls = None
        self.front = "edge" if seed % 2 == 0 else "servlet"
        self.has_disk = self.make_disk()
        self.fake_clock = next(iter(glob.glob(FAKE_CLOCKS)), None)
        text = CONFIGURATION.format(folder=self.folder, front=self.front)
        if self.make_certificate():
            self.tls = ("127.0.0.1", free_port())
            text += TLS.format(port=self.tls[1], folder=self.folder)
        (self.folder / "lrwp.properties").write_text(text)

    def make_disk(self):
        """A file system of its own for temporary files, where this user may have one."""
        spool = self.folder / "spool"
        spool.mkdir(mode=0o700)
        return run_quietly("mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m,mode=700", "tmpfs", spool)

    def make_certificate(self):
        if not shutil.which("openssl"):
            return False
        files = ["-keyout", self.folder / "key.pem", "-out", self.folder / "certificate.pem"]
        os.umask(0o077)
        return run_quietly(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", *files)

    def abilities(self):
        there = {"process"}
        if self.has_disk:
            there.add("disk")
        if self.tls:
            there.add("tls")
        if self.fake_clock:
            there.add("clock")
        return there

    def environment(self):
        """That of the rig, and what lets the wall clock jump. The monotonic clock stays the kernel's, as in life; the library
        is not to mend what waits by it, which makes a JVM's timed waits spin."""
        if not self.fake_clock:
            return dict(os.environ)
        self.set_clock("+0")
        return os.environ | {
            "LD_PRELOAD": self.fake_clock, "FAKETIME_TIMESTAMP_FILE": str(self.folder / "clock"),
            "FAKETIME_CACHE_DURATION": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_FORCE_MONOTONIC_FIX": "0",
            "FAKETIME_DONT_RESET": "1", "LRWP_START_CACHE": "off"}

    def set_clock(self, offset):
        clock = self.folder / "clock"
        (self.folder / "clock.new").write_text(offset + "\n")
        (self.folder / "clock.new").rename(clock)

    def start(self):
        command = [
            self.root / "lrwp", "proxy", "--http-port", str(self.http[1]), "--lrwp-port", str(self.lrwp[1]), "--http2",
            "--config", self.folder / "lrwp.properties", "--log-file", self.folder / "proxy.log"]
        # Its words, in case that it does not start; a process group of its own, so that Ctrl-C reaches the rig first.
        with open(self.folder / "proxy.out", "ab") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self.environment(),
                start_new_session=True)

    def await_ready(self):
        """Blocks until clients are let in."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(self.http, 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise NotStarted(f"the proxy did not start: {self.last_words()}")

    def last_words(self):
        return " | ".join((self.folder / "proxy.out").read_text(errors="replace").strip().splitlines()[-3:])

    def signal(self, number):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)

    def await_end(self, seconds):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def limit_descriptors(self, more):
        """Lets it have so many more descriptors than it has now; returns the old limit."""
        old = resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, (self.descriptors() + more, old[1]))
        return old

    def restore_descriptors(self, old):
        resource.prlimit(self.process.pid, resource.RLIMIT_NOFILE, old)

    def fill_disk(self):
        """Writes a file until there is no room left."""
        with open(self.folder / "spool" / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(65536))
            except OSError:
                return

    def free_disk(self):
        (self.folder / "spool" / "filler").unlink(missing_ok=True)

    def figures(self):
        """What must not grow: descriptors, threads, temporary files; and resident MiB, to be looked at."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        return {
            "descriptors": self.descriptors(),
            "threads": int(fields["Threads"]),
            "resident MiB": int(fields["VmRSS"].split()[0]) // 1024,
            "temporary files": sum(1 for path in (self.folder / "spool").rglob("*") if path.is_file()),
        }

    def close(self):
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGTERM)
            if self.await_end(15) is None:
                self.signal(signal.SIGKILL)
                self.process.wait()
        self.free_mount()

    def free_mount(self):
        if self.has_disk:
            run_quietly("umount", self.folder / "spool")
