"""The peers of a run: programs of all versions and languages, each a process that can be killed and stopped."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rig.relay import Relay

HERE = Path(__file__).resolve().parent
MISDEEDS = 150
SHAKEN, STEADY, LOAD = "/torture", "/torture-steady", "/torture-load"
LOAD_SLOTS, LOAD_SECONDS = 12, 0.2


@dataclass(frozen=True)
class Sort:
    """A program that can be a peer: what it is called, and the command that starts it for one."""

    name: str
    command: callable
    context: str = SHAKEN
    delay: float = 0
    concurrency: int = 8


def wire_sort(version, context=SHAKEN, misdeeds=MISDEEDS):
    def command(peer):
        return [sys.executable, HERE / "wire_peer.py", *peer.address, version, context, peer.record,
                peer.seed + 1000 * peer.starts, misdeeds]
    return Sort(f"LRWP {version}", command, context)


def program(*words):
    def command(peer):
        return [*words, "--proxy", "%s:%d" % peer.address, "--context", peer.sort.context,
                "--concurrency", peer.sort.concurrency]
    return command


def library_sorts(root, folder):
    """The libraries whose languages this machine has, and why others are left out."""
    mine = root / "torture" / "peers"
    sorts, missing = [Sort("Python", program(sys.executable, mine / "peer.py"))], []
    if shutil.which("node"):
        sorts.append(Sort("JavaScript", program("node", mine / "peer.mjs")))
    else:
        missing.append("JavaScript: there is no node")
    for name, build in (("Go", build_go), ("C", build_c), ("Java", build_java)):
        try:
            sorts.append(Sort(name, build(root, mine, folder)))
        except (OSError, subprocess.CalledProcessError) as error:
            words = getattr(error, "stderr", b"") or str(error).encode()
            missing.append(f"{name}: " + words.decode("utf-8", "replace").strip().splitlines()[0][:120])
    return sorts, missing


def run(*command, **more):
    subprocess.run([str(word) for word in command], check=True, capture_output=True, timeout=120, **more)


def build_go(root, mine, folder):
    run("go", "build", "-o", folder / "peer-go", ".", cwd=mine / "go")
    return program(folder / "peer-go")


def build_c(root, mine, folder):
    library = root / "peers" / "c"
    run("cc", "-std=c99", "-O1", "-pthread", f"-I{library}", f"-I{library / 'examples'}", mine / "peer.c",
        library / "lrwp.c", "-o", folder / "peer-c")
    return program(folder / "peer-c")


def build_java(root, mine, folder):
    classes = [root / name / "target" / "classes" for name in ("lrwp-peer-sdk", "lrwp-protocol")]
    for place in classes:
        if not (place / "org").is_dir():
            raise OSError("the SDK is not built")
    path = os.pathsep.join(map(str, classes))
    javac = newest_java("javac")
    run(javac, "-d", folder, "-cp", path, mine / "Peer.java")
    return program(javac.with_name("java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp",
                   f"{folder}{os.pathsep}{path}", "Peer")


def newest_java(name):
    """A JDK 17 or newer that has this program: JAVA_HOME, else that of the PATH."""
    home = os.environ.get("JAVA_HOME")
    found = Path(home) / "bin" / name if home else Path(shutil.which(name) or "")
    if not found.is_file():
        raise OSError("there is no JDK in JAVA_HOME or PATH")
    return found.resolve()


class Peer:
    """One process of a sort, its relay if it has one, and its record."""

    def __init__(self, sort, number, seed, folder, proxy, relayed):
        self.sort = sort
        self.name = f"{sort.name} #{number}"
        self.seed = seed + number
        self.folder = folder
        self.proxy = proxy
        self.relay = Relay(proxy) if relayed else None
        self.record = folder / f"record-{number}"
        self.log = folder / f"peer-{number}.log"
        self.process = None
        self.busy = False
        self.starts = 0

    async def start(self):
        if self.relay and not self.relay.server:
            self.address = await self.relay.start()
        elif not self.relay:
            self.address = self.proxy
        self.begin()

    def begin(self):
        environment = os.environ | {"TORTURE_RECORD": str(self.record), "TORTURE_DELAY": str(self.sort.delay)}
        command = self.sort.command(self)
        self.starts += 1
        with open(self.log, "ab") as output:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=environment, start_new_session=True)

    def signal(self, number):
        if self.process and self.process.poll() is None:
            self.process.send_signal(number)

    async def ended(self, seconds):
        """Whether the process has ended within that time."""
        end = time.monotonic() + seconds
        while self.process.poll() is None:
            if time.monotonic() > end:
                return False
            await asyncio.sleep(0.02)
        return True

    async def close(self):
        if self.relay:
            self.relay.close()
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGKILL)
        if self.process:
            self.process.wait()


def inside_tls(sort, certificate):
    return Sort(f"{sort.name} inside TLS", lambda peer: [*sort.command(peer), "--ca-file", certificate])


def peers_of(run, root):
    """All peers of a run, not started, and what is missing on this machine."""
    folder, proxy, seed = run.folder, run.lrwp, run.seed
    libraries, missing = library_sorts(root, folder)
    shaken = [wire_sort(1), wire_sort(1), wire_sort(2), wire_sort(3), wire_sort(3), *libraries]
    python = libraries[0]
    peers = []
    for number, sort in enumerate(shaken):
        peers.append(Peer(sort, number, seed, folder, proxy, relayed=number % 2 == 0))
    if run.tls:
        sort = inside_tls(python, folder / "certificate.pem")
        peers.append(Peer(sort, len(peers), seed, folder, run.tls, relayed=True))
    steady = [wire_sort(1, STEADY, 0), wire_sort(3, STEADY, 0), Sort(python.name, python.command, STEADY)]
    load = [Sort(python.name, python.command, LOAD, delay=LOAD_SECONDS, concurrency=LOAD_SLOTS)]
    for sort in steady + load:
        peers.append(Peer(sort, len(peers), seed, folder, proxy, relayed=False))
    return peers, missing


def executions(folder):
    """How often each request was executed, by all records."""
    counts = Counter()
    for record in folder.glob("record-*"):
        counts.update(record.read_text(errors="replace").split())
    return counts
