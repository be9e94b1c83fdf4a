"""The image store beside servers of files, the response cache beside other caches of HTTP."""

import dataclasses
import functools
import os
import shutil
import time
import urllib.request

from . import ports, rounds
from .missing import Missing, need
from .ours import EDGE
from .plots import Picture
from .processes import Failed
from .proxy import Proxy
from .spread import median

SEED_IMAGES_A_SECOND_AND_CORE = 8750
IMAGE_RATIO = 5
IMAGES = 1000
CONNECTIONS = 64

_STORE = "LRWP image store in the proxy"
_ANSWERS = "LRWP response cache"
# What is added to these names, with what our proxy is configured; the first alone in a quick run.
_FRONTS = {"": {}, ", `front=edge`": {"front": EDGE}}
_PAGES = {"1 KB": ("small", 1, 1 << 10), "64 KB": ("large", 2, 64 << 10)}


class Servers:
    """Starts and loads them. memory: a folder in memory; jar: of bench/cache, for one-nio's server."""

    def __init__(self, bench, section, jar, memory):
        self._bench = bench
        self._section = section
        self._jar = jar
        self._memory = memory
        self._root = memory / "files"
        self.goals = []
        # Two comparisons of servers in memory are steadier than those of proxies with peers behind them.
        self._scale = dataclasses.replace(bench.scale, seconds=bench.scale.seconds * 2 / 3, tries=min(2, bench.scale.tries))

    def compare(self):
        images = self._write_files()
        fronts = dict(list(_FRONTS.items())[: 1 if self._bench.scale.quick else None])
        ours = {name: self._ours(f"cache-{number}", settings) for number, (name, settings) in enumerate(fronts.items())}
        files, cached = self._nginx()
        for proxy in ours.values():
            self._put_pages(proxy)
        charts = {f"image of 4 KB from {IMAGES:,}": self._images(ours, files, images)}
        varnish = None if self._bench.scale.quick else self._varnish(files.port)
        for size, (name, number, _) in list(_PAGES.items())[: 1 if self._bench.scale.quick else None]:
            servers = {_ANSWERS + front: (proxy, f"/pages/{number}") for front, proxy in ours.items()}
            servers["nginx proxy_cache"] = (cached, f"/{name}")
            if varnish is not None:
                servers["Varnish"] = (varnish, f"/{name}")
            charts[f"cached answer of {size}"] = self._cached(size, servers)
        if not self._bench.scale.quick:
            self._picture(charts)

    # ---- What is started.

    def _write_files(self):
        (self._root / "img").mkdir(parents=True)
        images = [os.urandom(4096) for _ in range(IMAGES)]
        for number, content in enumerate(images):
            (self._root / "img" / str(number)).write_bytes(content)
        for name, _, length in _PAGES.values():
            (self._root / name).write_bytes(os.urandom(length))
        return images

    def _ours(self, name, more):
        """One proxy with the store, which has its images from the files, and with a second one whose answers it caches."""
        memory = self._memory / name
        memory.mkdir()
        settings = {
            "cache.file": memory / "answers",
            "cache.size": "64MiB",
            "context./pages.cache": "true",
            "module.images.origin": self._root / "img",
            "module.images.origin-requests": IMAGES,
            **more,
        }
        for module, context in (("images", "/img"), ("pages", "/pages")):
            settings |= {
                f"module.{module}.type": "cache",
                f"module.{module}.context": context,
                f"module.{module}.file": memory / module,
                f"module.{module}.size": "64MiB",
                f"module.{module}.max-age": "1h",
            }
        proxy = self._bench.ours.proxy(name, settings)
        proxy.path = proxy.path.removesuffix("/bench/x")
        return proxy

    def _put_pages(self, ours):
        for name, number, _ in _PAGES.values():
            url = _url(ours, f"/pages/{number}")
            content = (self._root / name).read_bytes()
            headers = {"Content-Type": "application/octet-stream"}
            urllib.request.urlopen(urllib.request.Request(url, content, headers, method="PUT")).close()
            for _ in range(2):
                with urllib.request.urlopen(url) as answer:
                    answer.read()
                    status = str(answer.headers["Cache-Status"])
            if "hit" not in status:
                raise Failed(f"{url} is not cached: {status}")

    def _nginx(self):
        """nginx once: a server of files, and one that caches the first one's answers."""
        folder = self._memory / "nginx"
        folder.mkdir()
        folder.chmod(0o777)
        files, cached = ports.free(), ports.free()
        text = (self._bench.builds.bench / "rivals" / "nginx-cache.conf").read_text()
        for key, value in {"FOLDER": folder, "ROOT": self._root, "FILES": files, "CACHED": cached}.items():
            text = text.replace(f"@{key}@", str(value))
        config = folder / "nginx.conf"
        config.write_text(text)
        process = self._bench.processes.start("nginx-cache", ["/usr/sbin/nginx", "-p", folder, "-c", config])
        ports.await_listener(cached, process)
        return _compiled(process, files), _compiled(process, cached)

    def _one_nio(self):
        port = ports.free()
        java = self._bench.builds.jdk() / "bin/java"
        process = self._bench.processes.start(
            "one-nio",
            [
                java, "--sun-misc-unsafe-memory-access=allow", "-jar", self._jar, "images", port, self._memory / "one-nio", 64 << 20,
                self._root / "img",
            ],
            "listening",
        )  # fmt: skip
        return Proxy(process, port, path="")

    def _varnish(self, origin):
        try:
            need("varnishd", "gcc")
        except Missing as reason:
            self._section.text(f"**Varnish was not measured:** {reason}.")
            return None
        port = ports.free()
        folder = self._memory / "varnish"
        folder.mkdir()
        process = self._bench.processes.start(
            "varnish",
            [
                shutil.which("varnishd", path="/usr/sbin:/usr/bin"), "-F", "-j", "none", "-n", folder, "-a", f"127.0.0.1:{port}",
                "-b", f"127.0.0.1:{origin}", "-s", "malloc,64m",
            ],
        )  # fmt: skip
        ports.await_listener(port, process)
        varnish = _compiled(process, port)
        end = time.monotonic() + 20
        while True:
            try:
                urllib.request.urlopen(_url(varnish, "/small")).close()
                return varnish
            except OSError as reason:
                if time.monotonic() > end:
                    raise Failed(f"Varnish does not answer: {reason}\n{self._bench.processes.tail(process)}") from reason
                time.sleep(0.1)

    # ---- What is measured.

    def _images(self, ours, files, images):
        self._section.text(
            f"**Images.** {IMAGES:,} of 4 KiB in shared memory, asked for by chance; wrk with {CONNECTIONS} connections on the same cores, rounds of "
            f"{self._scale.seconds:.2g} s. nginx sends files from tmpfs with sendfile and keeps them open; one-nio has its own map in front of its own server."
        )
        servers = {_STORE + front: proxy for front, proxy in ours.items()}
        servers["nginx, files in tmpfs"] = files
        if not self._bench.scale.quick:
            servers["one-nio"] = self._one_nio()
        for name, server in servers.items():
            _same(name, _url(server, "/img/7"), images[7])
        results = self._compare({name: (server, "/img/", "images.lua") for name, server in servers.items()})
        self._a_core(results, ours)
        return results

    def _a_core(self, results, ours):
        """What one core answers, by the CPU time."""
        rates = {}
        for front in ours:
            cpu = median([sample.cpu for sample in results[_STORE + front]])
            rates[front] = 1e6 / cpu if cpu else 0
            self.goals.append(
                (
                    f"images a second and core{front}: times the seed's {SEED_IMAGES_A_SECOND_AND_CORE:,}",
                    f">= {IMAGE_RATIO}",
                    rates[front] / SEED_IMAGES_A_SECOND_AND_CORE,
                )
            )
        self._section.data["images a second and core"] = {f"LRWP{front}": rate for front, rate in rates.items()}
        told = ", ".join(f"{rate:,.0f}{front.replace(',', ' with', 1)}" for front, rate in rates.items())
        self._section.text(
            f"By its CPU time the store answers so many a second with one core: {told}; the seed's server did "
            f"{SEED_IMAGES_A_SECOND_AND_CORE:,} a core."
        )

    def _cached(self, size, servers):
        self._section.text(f"**A cached answer of {size}**, one URL, a hit each time; wrk with {CONNECTIONS} connections.")
        content = (self._root / _PAGES[size][0]).read_bytes()
        for name, (server, path) in servers.items():
            _same(name, _url(server, path), content)
        if self._bench.scale.quick:
            return {}
        results = self._compare({name: (server, path, "get.lua") for name, (server, path) in servers.items()})
        self._section.data[f"hit {size}"] = {name: median([sample.cpu for sample in samples]) for name, samples in results.items()}
        return results

    def _compare(self, servers):
        cases = [
            rounds.Case(name, server, functools.partial(self._load, server, path, script))
            for name, (server, path, script) in servers.items()
        ]
        for name, (server, _, _) in servers.items():
            # Another way through our proxy: what a virtual machine compiled for the last one does not help here.
            server.warm = server.warm and not name.startswith("LRWP")
        # That the others answer is known by then, and a quick run has no time.
        chosen = cases[:1] if self._bench.scale.quick else cases
        results = rounds.interleaved(self._bench.processes, self._scale, chosen, self._bench.say)
        self._section.table(
            ("server", "requests/s", "CPU-ms of the server per 1000 requests", "p50 ms", "p99 ms", "RSS MiB", "errors"),
            [(name, *_cells(samples)) for name, samples in results.items()],
        )
        return results

    def _load(self, server, path, script, seconds):
        return self._bench.loads.wrk(server.port, server.path + path, CONNECTIONS, seconds, script=script)

    def _picture(self, charts):
        picture = Picture(self._section, self._bench.folder, "cache-servers.svg", "CPU of an answer from memory", len(charts))
        for number, (title, results) in enumerate(charts.items()):
            values = [median([sample.cpu for sample in samples]) for samples in results.values()]
            picture.bars(number, title, list(results), values, "CPU-ms of the server per 1000 requests")
        picture.save()


def _cells(samples):
    cells = rounds.cells(samples)
    return cells[:4] + cells[5:]


def _compiled(process, port):
    """A server that needs no long warm-up: nothing is compiled while it runs."""
    return Proxy(process, port, path="", warm=True)


def _url(server, path):
    return f"http://127.0.0.1:{server.port}{server.path}{path}"


def _same(name, url, content):
    with urllib.request.urlopen(url) as answer:
        if answer.read() != content:
            raise Failed(f"{name}: {url} answers other bytes")
