"""The web application in a full GlassFish domain, as installed or tuned by solaris-tuning."""

import subprocess

from . import ports
from .missing import Missing
from .processes import Failed
from .proxy import Proxy

_NAME = "bench"
_OTHER_PORTS = (
    "jms.port",
    "domain.jmxPort",
    "orb.listener.port",
    "http.ssl.port",
    "orb.ssl.port",
    "orb.mutualauth.port",
    "osgi.shell.telnet.port",
    "java.debugger.port",
)
_ROOT = "/lrwp"


class Domain:
    """Creates a domain in the run's folder, starts it in the foreground and deploys the application."""

    def __init__(self, processes, builds):
        self._processes = processes
        self._builds = builds
        self._home = builds.glassfish()
        self._admin = ports.free()
        self._http = ports.free()
        self._folder = processes.folder / f"domains-{self._admin}"

    def start(self, tuned):
        """A Proxy. Tuned needs solaris-tuning/tune-glassfish."""
        tuning = self._builds.root / "solaris-tuning/tune-glassfish"
        if tuned and not tuning.exists():
            raise Missing("solaris-tuning/tune-glassfish is not there")
        self._create()
        process = self._start()
        if tuned:
            state = self._folder / "tuning.state"
            self._run([tuning, "--apply", "--state", state, "--asadmin", self._asadmin(), "--", "--port", self._admin])
            self._processes.stop(process)
            process = self._start()
        self._remote("deploy", "--contextroot", _ROOT, "--name", _NAME, self._builds.web_application())
        pid = int((self._folder / _NAME / "config/pid").read_text())
        return Proxy(process, self._http, path=_ROOT + "/bench/x", lrwp=self._lrwp, pid=pid)

    def _create(self):
        self._folder.mkdir()
        others = ":".join(f"{name}={ports.free()}" for name in _OTHER_PORTS)
        self._run(
            [
                self._asadmin(), "create-domain", "--nopassword=true", "--domaindir", self._folder,
                "--adminport", self._admin, "--instanceport", self._http, "--domainproperties", others, _NAME,
            ]
        )  # fmt: skip
        self._lrwp = ports.free()
        config = self._folder / _NAME / "config/lrwp.properties"
        config.write_text(f"agent.port={self._lrwp}\naccess-log.enabled=false\n")

    def _start(self):
        return self._processes.start(
            "domain",
            [self._asadmin(), "start-domain", "--verbose", "--domaindir", self._folder, _NAME],
            "startup time",
            environment={"AS_JAVA": str(self._builds.jdk())},
        )

    def _remote(self, *arguments):
        self._run([self._asadmin(), "--user", "admin", "--port", self._admin, *arguments])

    def _asadmin(self):
        return self._home / "bin/asadmin"

    def _run(self, command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise Failed(f"{command[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
