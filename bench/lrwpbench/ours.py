"""Our proxy as `./lrwp proxy` runs it, and the peers that dial in to it."""

import json
import urllib.request

from . import ports
from .builds import PEER_LIBRARY
from .proxy import Proxy

CONTEXT = "bench"
# The front that answers requests before the container sees them, as the key `front` names it.
EDGE = "edge"
SERVLET = "servlet"
LRWP1_CONNECTIONS = 64
LRWP3_CAPACITY = 512
# A quick run measures nothing: a JVM that compiles less starts sooner.
_QUICK_OPTIONS = "-XX:TieredStopAtLevel=1 "


class Ours:
    """Starts our proxies and peers in the processes of a run."""

    def __init__(self, processes, builds, quick):
        self._processes = processes
        self._builds = builds
        self._options = _QUICK_OPTIONS if quick else ""
        # Nor is a cache of its start worth the run that makes it.
        self._environment = {"LRWP_START_CACHE": "off"} if quick else {}

    def proxy(self, name, settings=None, options="", prefix=(), wait=True, more=()):
        """A proxy with the defaults, the access log off, requests by the servlet, and `settings` as configuration.

        options: of its JVM; more: of its command line."""
        http, lrwp = ports.free(), ports.free()
        config = self._processes.folder / f"{name}-{lrwp}.properties"
        values = {"access-log.enabled": "false", "front": SERVLET, **(settings or {})}
        config.write_text("".join(f"{key}={value}\n" for key, value in values.items()))
        process = self._processes.start(
            name,
            [
                *prefix, self._builds.proxy(), "proxy", "--http-port", http, "--lrwp-port", lrwp, "--config", config,
                "--log-file", config.with_suffix(".log"), *more,
            ],
            environment={"LRWP_JAVA_OPTS": self._options + options, **self._environment},
        )  # fmt: skip
        proxy = Proxy(process, http, lrwp=lrwp)
        if wait:
            self.await_ready(proxy)
        return proxy

    def side_by_side(self, kinds, options=""):
        """Proxies that start at the same time, with their peers. kinds: name to what adds the peers, and settings.

        options: of their JVMs."""
        proxies = {}
        for name, (_, settings) in kinds.items():
            proxies[name] = self.proxy(name.replace(",", "").replace(" ", "-"), settings, options, wait=False)
        for name, (add_peers, _) in kinds.items():
            self.await_ready(proxies[name])
            add_peers(proxies[name])
        return proxies

    def await_ready(self, proxy):
        self._processes.await_text(proxy.process, "is ready", 180)

    def lrwp1(self, proxy, connections=LRWP1_CONNECTIONS, context=CONTEXT):
        """A peer that speaks LRWP 1.0 over so many connections."""
        command = [self._builds.compiled("peers/lrwp1.c"), proxy.lrwp, context, connections]
        return self._add(proxy, "lrwp1", command)

    def lrwp3(self, proxy, context=CONTEXT, port=None):
        """A peer that speaks LRWP 3 over as many connections as the proxy asks for: here a process for each.

        port: that of a tunnel to the proxy."""
        count = status(proxy)["transport"]["threads"]
        return [self.one_lrwp3(proxy, LRWP3_CAPACITY // count, context, port=port) for _ in range(count)]

    def one_lrwp3(self, proxy, capacity=LRWP3_CAPACITY, context=CONTEXT, contexts=None, port=None):
        """A peer that speaks LRWP 3 over one connection; contexts: how many instead of the one."""
        command = [self._builds.compiled("peers/lrwp3.c", PEER_LIBRARY), port or proxy.lrwp, context, capacity]
        return self._add(proxy, "lrwp3", command + ([] if contexts is None else [contexts]))

    def _add(self, proxy, name, command):
        peer = self._processes.start(name, command, "registered")
        proxy.peers.append(peer)
        return peer

    def remove(self, proxy, peer):
        proxy.peers.remove(peer)
        self._processes.stop(peer)


def status(proxy):
    root = proxy.path.removesuffix(f"/{CONTEXT}/x")
    with urllib.request.urlopen(f"http://127.0.0.1:{proxy.port}{root}/-/status", timeout=30) as page:
        return json.load(page)


def answered(proxy):
    """Requests that peers have answered since the proxy started, by its own count."""
    return sum(context["outcomes"].get("answered", 0) for context in status(proxy)["contexts"])
