"""The proxy as an application in a GlassFish domain of the rig's own, whose listeners can be restarted."""

import glob
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

from rig.ledger import ABSENT
from rig.own import NotStarted, OwnProxy, free_port

NAME = "torture"
COMMAND_SECONDS = 180
OTHER_PORTS = (
    "http.ssl.port", "jms.port", "domain.jmxPort", "orb.listener.port", "orb.ssl.port", "orb.mutualauth.port",
    "osgi.shell.telnet.port", "java.debugger.port")
# Any change of it makes the container build its listener anew. None of the values is met by a run.
SETTING = "configs.config.server-config.network-config.protocols.protocol.http-listener-1.http.max-connections"
VALUES = (100_000, 100_001)


class Detached:
    """A process that is not the rig's child; as much of Popen as the rig needs."""

    def __init__(self, pid):
        self.pid = pid
        self.returncode = None

    def poll(self):
        if self.returncode is None and state_of(self.pid) in (None, "Z"):
            # Nobody but its parent is told.
            self.returncode = "an exit code that is not known"
        return self.returncode

    def send_signal(self, number):
        os.kill(self.pid, number)

    def wait(self, seconds=10):
        end = time.monotonic() + seconds
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(str(self.pid), seconds)
            time.sleep(0.05)
        return self.returncode


def state_of(pid):
    """The letter of the process' state, or None when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def java_home():
    """The folder of a Java 25: JAVA_HOME, else one below /usr/lib/jvm."""
    for home in [os.environ.get("JAVA_HOME", ""), *sorted(glob.glob("/usr/lib/jvm/*"))]:
        release = Path(home) / "release"
        if home and release.is_file() and re.search(r'^JAVA_VERSION="25\b', release.read_text(), re.MULTILINE):
            return home
    raise NotStarted("there is no JDK 25 in JAVA_HOME or below /usr/lib/jvm")


class DomainProxy(OwnProxy):
    between = ABSENT

    def __init__(self, root, folder, seed, glassfish):
        self.asadmin = glassfish / "bin" / "asadmin"
        if not self.asadmin.is_file():
            raise NotStarted(f"there is no bin/asadmin in {glassfish}")
        self.java_home = java_home()
        super().__init__(root, folder, seed)
        self.admin_port = free_port()
        self.domains = self.folder / "domains"
        self.restarts = 0

    def abilities(self):
        return super().abilities() | {"listener"}

    def run(self, *command):
        """A command of asadmin; blocks for seconds."""
        environment = self.environment() | {
            "AS_JAVA": self.java_home, "JAVA_HOME": self.java_home, "GF_CLIENT_DIR": str(self.folder / "gfclient")}
        with open(self.folder / "proxy.out", "ab") as output:
            ended = subprocess.run(
                ["bash", self.asadmin, *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=environment, timeout=COMMAND_SECONDS, check=False, start_new_session=True)
        if ended.returncode:
            raise NotStarted(f"asadmin {command[0]} failed: {self.last_words()}")

    def remote(self, *command):
        self.run("--host", "127.0.0.1", "--port", str(self.admin_port), *command)

    def start(self):
        first = not self.domains.exists()
        if first:
            self.create()
        self.run("start-domain", "--domaindir", str(self.domains), NAME)
        self.process = Detached(int((self.config() / "pid").read_text()))
        if first:
            war = self.root / "proxy-server" / "target" / "proxy-webapp.war"
            self.remote("deploy", "--contextroot", "/", "--name", "lrwp", str(war))

    def create(self):
        """Builds what is to be deployed, and makes a domain that is for this machine alone."""
        if subprocess.run([self.root / "lrwp", "--version"], stdout=subprocess.DEVNULL, check=False).returncode:
            raise NotStarted("the proxy cannot be built")
        others = ":".join(f"{name}={free_port()}" for name in OTHER_PORTS)
        self.run(
            "create-domain", "--nopassword=true", "--domaindir", str(self.domains), "--adminport",
            str(self.admin_port), "--instanceport", str(self.http[1]), "--domainproperties", others, NAME)
        domain = self.config() / "domain.xml"
        text = domain.read_text().replace('address="0.0.0.0"', 'address="127.0.0.1"')
        domain.write_text(text.replace("<network-listener port", '<network-listener address="127.0.0.1" port'))
        words = (self.folder / "lrwp.properties").read_text()
        (self.config() / "lrwp.properties").write_text(words + f"agent.port = {self.lrwp[1]}\n")

    def config(self):
        return self.domains / NAME / "config"

    def restart_listener(self):
        """Blocks until the container has been told."""
        self.restarts += 1
        self.remote("set", f"{SETTING}={VALUES[self.restarts % len(VALUES)]}")

    def close(self):
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGKILL)
            self.await_end(10)
        log = self.domains / NAME / "logs" / "server.log"
        if log.is_file():
            shutil.copy(log, self.folder / "proxy.log")
        self.free_mount()
