"""Builds what the benchmarks run, when it is missing or older than its sources."""

import fcntl
import functools
import os
import pathlib
import re
import subprocess

from .missing import Missing, need

_FLAGS = ["-std=gnu99", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread"]
PEER_LIBRARY = "../peers/c/lrwp.c"
GLASSFISH = "8.0.0"


class Builds:
    """Where everything is. Each thing is built when it is first asked for."""

    def __init__(self, folder):
        self.bench = pathlib.Path(__file__).resolve().parent.parent
        self.root = self.bench.parent
        self.folder = pathlib.Path(folder)

    def compiled(self, source, *further):
        """The program of a C file of bench/, and further ones that it needs."""
        program = self.folder / pathlib.Path(source).stem
        if not program.exists():
            need("gcc")
            sources = [self.bench / one for one in (source, *further)]
            subprocess.run(["gcc", *_FLAGS, "-o", program, *sources], check=True)
        return program

    @staticmethod
    def jdk():
        """Home of a JDK 25, looked for as the launcher does: JAVA_HOME, then the usual places."""
        usual = sorted(pathlib.Path("/usr/lib/jvm").glob("*"))
        for place in [pathlib.Path(os.environ.get("JAVA_HOME") or "/nowhere"), *usual]:
            release = place / "release"
            if release.exists() and re.search(r'JAVA_VERSION="25\b', release.read_text()):
                return place
        raise Missing("no JDK 25 in JAVA_HOME or /usr/lib/jvm")

    def java(self):
        """A JVM with collector, young generation, trimming and pages as the launcher has them for what serves."""
        pages = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
        offered = pages.exists() and re.search(r"\[(always|madvise)\]", pages.read_text())
        huge = ["-XX:+UseTransparentHugePages"] if offered else []
        return [self.jdk() / "bin/java", "-XX:+UseParallelGC", "-XX:NewSize=32m", "-XX:MaxNewSize=96m", "-XX:TrimNativeHeapInterval=5000", *huge]

    def proxy(self):
        """The launcher, with the proxy built: nothing is built while something is measured."""
        return _built(self.root / "lrwp", "--version")

    def osp_peer(self):
        return _built(self.root / "lrwp", "osp-peer", "--help")

    def connect(self):
        """The launcher, with lrwp-connect built."""
        return _built(self.root / "lrwp", "connect", "--version")

    def peer_module(self, kind):
        """The program of a peer module."""
        return self.module(f"peer-modules/{kind}", f"{kind}.jar")

    def page(self):
        """A static file of our web application, which each proxy has as /index.html."""
        return self.root / "proxy-webapp/src/main/webapp/index.html"

    def servlets(self):
        """The web application with the servlets of the seed's articles."""
        return self.module("bench/rivals/servlets", "bench-servlets.war")

    def module(self, folder, jar):
        """The jar, or the web application, of a Maven module. Parts that run together wait for one build."""
        target = self.root / folder / "target" / jar
        with open(self.root / "bench/reports/.build-lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.exists() or _newest(self.root, folder) > target.stat().st_mtime:
                self._package(folder)
                target.touch()  # Maven leaves a file as it is when its content is the same
        return target

    def _package(self, folder):
        need("mvn")
        done = subprocess.run(
            # Without the bill of materials: a new one says that all modules are built anew, and ./lrwp believes it.
            [
                "mvn", "-B", "-q", "-ntp", "-P", "rival-caches", "-pl", folder, "-am", "package",
                "-Dmaven.test.skip=true", "-Dcyclonedx.skip=true",
            ],
            cwd=self.root,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise Missing(f"mvn did not build {folder}: {done.stdout[-1500:]}")

    def glassfish(self):
        """The full distribution, as the system tests have unpacked it, else from Maven Central."""
        for folder in (self.root / "system-tests/target/glassfish", self.root / "bench/target/glassfish"):
            if (found := _home_of_glassfish(folder)) is not None:
                return found
        need("mvn")
        artifact = f"org.glassfish.main.distributions:glassfish:{GLASSFISH}:zip"
        subprocess.run(
            [
                "mvn", "-B", "-q", "-ntp", "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:unpack",
                f"-Dartifact={artifact}", f"-DoutputDirectory={folder}", "-N",
            ],
            cwd=self.root,
            check=True,
        )  # fmt: skip
        return _home_of_glassfish(folder)

    def web_application(self):
        self.proxy()
        return next((self.root / "proxy-server/target").glob("*.war"))


@functools.cache
def _built(launcher, *arguments):
    """The launcher, after a command that builds what it runs; once in a run."""
    done = subprocess.run([launcher, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise Missing(f"./lrwp {' '.join(arguments)} ended with {done.returncode}: {done.stderr[-1000:]}")
    return launcher


def _newest(root, folder):
    """When a source of the module, or one of the modules it is made of, was last written."""
    files = [root / "pom.xml", root / folder / "pom.xml"]
    for sources in (folder, "lrwp-protocol", "lrwp-peer-sdk", "proxy-engine", "peer-modules/runtime", "osp-sample-peer", "cache-map"):
        files.extend((root / sources / "src/main").rglob("*.java"))
    return max(os.path.getmtime(file) for file in files)


def _home_of_glassfish(folder):
    homes = list(folder.glob("glassfish*/bin/asadmin"))
    return homes[0].parent.parent if homes else None

