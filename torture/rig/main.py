"""./lrwp torture: the options, the run from its first start to its report, the exit code."""

import argparse
import asyncio
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rig import report
from rig.clients import Client, Http2Client
from rig.domain import DomainProxy
from rig.health import Health
from rig.ledger import Ledger
from rig.own import NotStarted, OwnProxy
from rig.peers import LOAD, SHAKEN, STEADY, executions, peers_of
from rig.plan import plan
from rig.stage import Stage

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = 14
# Longer than all limits together that one request can meet: with the rig's own configuration, and with the defaults.
OWN_PATIENCE, OTHER_PATIENCE = 25, 100
OWN_REGISTRATION, OTHER_REGISTRATION = 3, 5
FIRST_ANSWERS = 60


class Run:
    """What the parts of a run share."""

    def __init__(self, options, folder):
        self.seed = options.seed
        self.seconds = options.seconds
        self.glassfish = options.glassfish
        self.folder = folder
        self.own = None
        self.tls = None
        self.abilities = set()
        self.over = asyncio.Event()
        self.missing = []
        self.peers = []
        if options.http:
            self.http, self.lrwp = options.http, options.lrwp
            self.patience, self.registration_time = OTHER_PATIENCE, OTHER_REGISTRATION
        else:
            if options.glassfish:
                self.own = DomainProxy(ROOT, folder, self.seed, options.glassfish)
            else:
                self.own = OwnProxy(ROOT, folder, self.seed)
            self.http, self.lrwp, self.tls = self.own.http, self.own.lrwp, self.own.tls
            self.abilities = self.own.abilities()
            self.patience, self.registration_time = OWN_PATIENCE, OWN_REGISTRATION
        self.patience = options.patience or self.patience
        self.ledger = Ledger()

    def why_not(self, missing):
        if "process" in missing or not self.own:
            return "needs the process, the configuration or the machine of the proxy"
        return {
            "disk": "this user may not mount a file system of its own (tmpfs)",
            "tls": "there is no openssl to make a certificate",
            "clock": "libfaketime is not installed (Debian: faketime)",
            "listener": "only a GlassFish domain starts its HTTP listener again: --glassfish FOLDER",
        }[min(missing)]

    async def torture(self):
        """The whole run; returns the stage that has played it."""
        try:
            if self.own:
                await asyncio.to_thread(self.own.start)
                await asyncio.to_thread(self.own.await_ready)
            self.peers, self.missing = await asyncio.to_thread(peers_of, self, ROOT)
            for peer in self.peers:
                await peer.start()
            self.stage = Stage(self)
            await self.await_peers()
            await self.play()
        finally:
            for peer in self.peers:
                await peer.close()
            if self.own:
                self.own.close()

    async def await_peers(self):
        """The first answers of all contexts; then the clock of the plan begins."""
        end = time.monotonic() + FIRST_ANSWERS
        for context in (SHAKEN, STEADY, LOAD):
            while not await self.stage.probe(context):
                if time.monotonic() > end:
                    raise NotStarted(f"no answer at {context} within {FIRST_ANSWERS} s: may peers register it?")
                await asyncio.sleep(0.1)
        self.health = Health(self)
        await self.health.take_figures()

    async def play(self):
        self.ledger.start = time.monotonic()
        clients = [Client(self, number) for number in range(CLIENTS)]
        why_not = await asyncio.to_thread(no_http2, self.http)
        if why_not:
            self.missing.append(f"HTTP/2: {why_not}")
        else:
            clients.append(Http2Client(self, self.folder))
        tasks = [asyncio.create_task(client.live()) for client in clients]
        await self.stage.play(plan(self.seed, self.seconds))
        await self.stage.until(self.seconds)
        self.over.set()
        await asyncio.gather(*tasks)
        await self.health.check()


def no_http2(http):
    """Why there are no clients of HTTP/2; None when there can be some."""
    if not shutil.which("curl"):
        return "there is no curl"
    if b"HTTP2" not in subprocess.run(["curl", "-V"], capture_output=True, check=False).stdout:
        return "this curl does not speak it"
    asked = subprocess.run(
        ["curl", "-q", "-s", "-m", "10", "--http2-prior-knowledge", "-o", "/dev/null", "-w", "%{http_version}",
         "http://%s:%d/" % http], capture_output=True, check=False)
    return None if asked.stdout == b"2" else "the proxy does not speak it without TLS"


def address(text):
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise argparse.ArgumentTypeError(f"{text} is no HOST:PORT")
    return host.strip("[]"), int(port)


def seconds(text):
    if not text.isdigit() or not 5 <= int(text) <= 86400:
        raise argparse.ArgumentTypeError(f"{text} is no number from 5 to 86400")
    return int(text)


class Parser(argparse.ArgumentParser):
    """Wrong use is told in one line."""

    def error(self, message):
        self.exit(2, f"lrwp torture: {message}\n")


def options_of(arguments):
    parser = Parser(
        prog="./lrwp torture", description="Does to a proxy what goes wrong in years, and judges each answer.")
    add = parser.add_argument
    add("--seconds", type=seconds, default=60, metavar="N", help="how long faults are made (60; 5 to 86400)")
    add("--seed", type=int, default=None, metavar="S", help="the same seed makes the same faults (a random one)")
    add("--http", type=address, metavar="HOST:PORT", help="where the clients of a proxy of yours ask; with --lrwp")
    add("--lrwp", type=address, metavar="HOST:PORT", help="where its peers dial in")
    add("--glassfish", type=Path, metavar="FOLDER", help="its own proxy is an application in this GlassFish")
    add("--patience", type=seconds, metavar="N",
        help=f"seconds that a client waits ({OWN_PATIENCE}; {OTHER_PATIENCE} with --http)")
    add("--report", type=Path, metavar="FILE", help="the report (target/torture/report-SEED.html)")
    add("--plan", action="store_true", help="prints the faults and makes none")
    options = parser.parse_args(arguments)
    if bool(options.http) != bool(options.lrwp):
        parser.error("--http and --lrwp go together")
    if options.glassfish and options.http:
        parser.error("--glassfish is for a proxy of its own")
    if options.seed is None:
        options.seed = random.randrange(1_000_000)
    options.report = options.report or ROOT / "target" / "torture" / f"report-{options.seed}.html"
    return options


def main(arguments):
    options = options_of(arguments)
    if options.plan:
        for fault in plan(options.seed, options.seconds):
            print(f"{fault.at:8.3f} s  {fault.kind}")
        return 0
    print(f"torture: {options.seconds} s with --seed {options.seed}", file=sys.stderr, flush=True)
    folder = Path(tempfile.mkdtemp(prefix="lrwp-torture-"))
    try:
        run = Run(options, folder)
        asyncio.run(run.torture())
        run.ledger.judge(executions(folder))
        options.report.parent.mkdir(parents=True, exist_ok=True)
        report.write(run, options.report)
        kept = keep_logs(folder, options.report) if run.ledger.findings else None
        report.print_summary(run, options.report, kept)
        return 1 if run.ledger.findings else 0
    except NotStarted as fault:
        print(f"lrwp torture: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keep_logs(folder, page):
    """The logs of a run that found something, beside its report."""
    kept = page.with_suffix(".logs")
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    for pattern in ("*.log*", "proxy.out", "record-*", "*.properties"):
        for path in folder.glob(pattern):
            shutil.copy(path, kept)
    return kept
