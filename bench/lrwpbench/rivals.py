"""What people use today, each with its committed configuration in bench/rivals."""

import pathlib
import shutil

from . import ports
from .missing import Missing, need
from .proxy import Proxy


class Rivals:
    """Starts rivals, each with a back end of its own that does the same work as our peers."""

    def __init__(self, processes, builds):
        self._processes = processes
        self._builds = builds

    def nginx_fastcgi(self, log="off"):
        return self._nginx("fastcgi", log)

    def nginx_http(self, log="off"):
        return self._nginx("http", log)

    def _nginx(self, kind, log):
        back_end, peer = self._back_end(kind)
        return self.nginx_before(kind, f"127.0.0.1:{back_end}", peer, log)

    def nginx_before(self, kind, address, peer, log="off", **values):
        """nginx before a process that listens there, to which it speaks as nginx-KIND.pass says. values: what is filled in there."""
        need("nginx")
        port = ports.free()
        folder = self._processes.folder / f"nginx-{port}"
        folder.mkdir(mode=0o777)
        folder.chmod(0o777)
        self._processes.folder.chmod(0o755)  # its workers serve the file in there
        shutil.copy(self._builds.page(), folder / "index.html")
        indented = self._filled(f"nginx-{kind}.pass", **values).strip().replace("\n", "\n            ")
        config = folder / "nginx.conf"
        config.write_text(
            self._filled("nginx.conf", FOLDER=folder, LOG=log, BACKEND=address, PORT=port, PASS=indented)
        )
        process = self._processes.start(f"nginx-{kind}", ["/usr/sbin/nginx", "-p", folder, "-c", config])
        return self._listening(process, port, peer)

    def haproxy(self, tunnel=None, tls=""):
        """tunnel: makes one to the port of the back end, for `tls`, the words by which the server line speaks it."""
        need("haproxy")
        back_end, peer = self._back_end("http")
        peers = [peer]
        if tunnel:
            back_end, process = tunnel(back_end)
            peers.append(process)
        config = self._filled("haproxy.cfg", BACKEND=back_end, TLS=tls, FILE=self._builds.page())
        port, process = self._haproxy("haproxy", config)
        return Proxy(process, port, peers)

    def tunnel(self, to, inside="", outside="", count=1):
        """(port, process) of a way to a port; inside and outside: how TLS is spoken on its two ends; count: of ports that lead
        there, the first one and those after it."""
        return self._haproxy("tunnel", self._filled("tunnel.cfg", TO=to, IN=inside, OUT=outside), count)

    def _haproxy(self, name, text, count=1):
        need("haproxy")
        port = ports.free(count)
        config = self._processes.folder / f"{name}-{port}.cfg"
        config.write_text(text.replace("@PORT@", str(port) if count == 1 else f"{port}-{port + count - 1}"))
        process = self._processes.start(name, ["/usr/sbin/haproxy", "-db", "-f", config])
        ports.await_listener(port, process)
        return port, process

    def php_fpm(self, workers):
        """(address, process) of PHP-FPM with so many workers."""
        programs = sorted(pathlib.Path("/usr/sbin").glob("php-fpm*"))
        if not programs:
            raise Missing("php-fpm is not installed (package php-fpm)")
        socket = self._processes.folder / f"php-{ports.free()}.sock"
        self._processes.folder.chmod(0o755)  # its workers, and nginx's, are nobody
        config = socket.with_suffix(".conf")
        config.write_text(self._filled("php-fpm.conf", SOCKET=socket, WORKERS=workers))
        process = self._processes.start("php-fpm", [programs[-1], "-F", "-R", "-y", config])
        ports.await_listener(str(socket), process)
        return f"unix:{socket}", process

    def http_back_end(self):
        """The port of an HTTP server like those behind the rivals."""
        return self._back_end("http")[0]

    def jetty(self):
        return self._java("JettyProxy")

    def undertow(self):
        return self._java("UndertowProxy")

    def _java(self, name):
        jar = self._builds.module("bench/rivals/java", "bench-rivals.jar")
        back_end, peer = self._back_end("http")
        port = ports.free()
        path = f"{jar}:{jar.parent}/lib/*"
        java = self._builds.jdk() / "bin/java"
        process = self._processes.start(
            name, [java, "-cp", path, f"org.lrwp.bench.rivals.{name}", port, back_end], "listening"
        )
        return Proxy(process, port, [peer])

    def _back_end(self, kind):
        port = ports.free()
        peer = self._processes.start(f"backend-{kind}", [self._builds.compiled(f"peers/{kind}.c"), port], "listening")
        return port, peer

    def _filled(self, name, **values):
        text = (self._builds.bench / "rivals" / name).read_text()
        for key, value in values.items():
            text = text.replace(f"@{key}@", str(value))
        return text

    def _listening(self, process, port, peer):
        ports.await_listener(port, process)
        return Proxy(process, port, [peer])
