"""The load generators, and how what they print is read."""

import re

from .rounds import Load

BODY = 1500
# Of the generator of varied requests, in the order in which they are measured.
VARIED = ("varied", "mixed", "mixed-files")


class Loads:
    """Runs load generators against an HTTP port of loopback."""

    def __init__(self, processes, builds):
        self._processes = processes
        self._builds = builds

    def wrk(self, port, path, connections, seconds, script="post.lua"):
        """As fast as the answers come, POST of 1,500 bytes. wrk counts a stall once for each connection."""
        text = self._processes.run(
            [
                "wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "10s",
                "-s", self._builds.bench / "load" / script, f"http://127.0.0.1:{port}{path}",
            ]
        )  # fmt: skip
        return read_load(text)

    def paced(self, port, path, rate, seconds, connections=100):
        """At a constant rate; latency counts from when a request was due, so that stalls are not hidden."""
        tool = self._builds.compiled("load/paced.c")
        return read_load(self._processes.run([tool, port, path, rate, seconds, connections, BODY]))

    def varied(self, port, path, kind, connections, seconds):
        """As fast as the answers come, no two requests alike. kind: of VARIED. Each answer is for its request, or an error."""
        tool = self._builds.compiled("load/traffic.c")
        prefix = path.rsplit("/", 1)[0]
        text = self._processes.run(
            [
                tool, "--port", port, "--load", kind, "--connections", connections, "--seconds", seconds, "--prefix", prefix,
                "--file", prefix.rsplit("/", 1)[0] + "/index.html", "--content", self._builds.page(),
            ]
        )  # fmt: skip
        load = read_load(text)
        if load.errors:
            print(text)
        return load


def read_load(text):
    """Reads the line that all of them print: name=value, latencies in microseconds."""
    line = [line for line in text.splitlines() if "requests=" in line][-1]
    values = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", line)}
    return Load(
        int(values["requests"]),
        int(values["errors"]),
        values["rate"],
        values["p50"] / 1000,
        values["p99"] / 1000,
        values["p999"] / 1000,
        values["max"] / 1000,
    )
