"""Programs of Python, Node and PHP, as our adapters and as the usual servers run them. What they do is in bench/adapters."""

import fcntl
import os
import subprocess

from . import ports
from .missing import Missing, need
from .ours import EDGE, status
from .proxy import Whole

_THREADS = 16  # of a worker of WSGI, on either side
_LRWP = "peers/python/lrwp.py"


class Programs:
    """Starts them, with so many worker processes each; all that dial in share one proxy."""

    def __init__(self, bench, workers):
        self._processes = bench.processes
        self._builds = bench.builds
        self._rivals = bench.rivals
        self._ours = bench.ours
        self._folder = bench.builds.bench / "adapters"
        self._workers = workers
        self._proxy = None

    # ---- by our adapters

    def lrwp_run(self, kind):
        """kind: wsgi or asgi."""
        command = ["python3", self._builds.root / _LRWP, "run", f"{kind}:app", "--app-dir", self._folder, "--workers", self._workers]
        return self._dialled(kind, [[*command, "--proxy", self._address(), "--context", f"/{kind}"]])

    def lrwp_serve(self):
        need("node")
        return self._dialled("node", [["node", self._folder / "node.mjs", "serve", self._address(), "/node"]] * self._workers)

    def lrwp_connect(self):
        need("go")
        address, php = self._rivals.php_fpm(self._workers)
        command = [self._builds.connect(), "connect", "fastcgi", address, "/php", "--root", self._folder, "--front", "index.php", "--connections", self._workers]
        found = self._dialled("php", [[*command, "--proxy", self._address(), "--concurrency", 256]], connections=1)
        found.peers.append(php)
        return found

    def _address(self):
        if self._proxy is None:
            self._proxy = self._ours.proxy("adapters", {"front": EDGE})
        return f"127.0.0.1:{self._proxy.lrwp}"

    def _dialled(self, kind, commands, connections=0):
        """The proxy with the processes of these commands, when all of them serve the context."""
        peers = [self._processes.start(kind, command, environment=self._python()) for command in commands]
        self._processes.await_true(peers[0], f"/{kind} is served", lambda: self._served(kind) >= (connections or self._workers))
        return Whole(self._proxy.process, self._proxy.port, peers, path=f"/{kind}/x")

    def _served(self, kind):
        return sum(one["connections"] for one in status(self._proxy)["contexts"] if one["context"] == f"/{kind}")

    # ---- by the usual servers, behind nginx

    def gunicorn(self):
        port = ports.free()
        command = f"-m gunicorn wsgi:app --bind 127.0.0.1:{port} --worker-class gthread --threads {_THREADS} --keep-alive 600 --log-level warning"
        return self._behind_nginx("gunicorn", ["python3", *command.split(), "--workers", self._workers], port, "wsgi")

    def uvicorn(self):
        port = ports.free()
        command = f"-m uvicorn asgi:app --port {port} --loop uvloop --http httptools --no-access-log --log-level warning --timeout-keep-alive 600"
        return self._behind_nginx("uvicorn", ["python3", *command.split(), "--workers", self._workers], port, "asgi")

    def node_http(self):
        need("node")
        port = ports.free()
        return self._behind_nginx("node", ["node", self._folder / "node.mjs", "http", port, self._workers], port, "node")

    def _behind_nginx(self, name, command, port, kind):
        peer = self._processes.start(name, command, environment=self._python())
        ports.await_listener(port, peer)
        return _whole(self._rivals.nginx_before("http", f"127.0.0.1:{port}", peer), kind)

    def nginx_php(self):
        address, php = self._rivals.php_fpm(self._workers)
        return _whole(self._rivals.nginx_before("php", address, php, SCRIPT=self._folder / "index.php"), "php")

    def _python(self):
        """Where Python finds the programs, and the servers in the versions of requirements.txt."""
        return {"PYTHONPATH": f"{self._folder}:{self._installed()}", "PYTHONDONTWRITEBYTECODE": "1"}

    def _installed(self):
        wanted = self._folder / "requirements.txt"
        folder = self._builds.bench / "target/python"
        folder.mkdir(parents=True, exist_ok=True)
        known = folder / wanted.name
        with open(folder.parent / "python.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not known.exists() or known.read_text() != wanted.read_text():
                options = "-q --disable-pip-version-check --root-user-action ignore --upgrade"
                command = ["python3", "-m", "pip", "install", *options.split(), "--target", folder, "-r", wanted]
                done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
                if done.returncode != 0:
                    raise Missing(f"pip did not install {wanted.name}: {(done.stdout + done.stderr)[-1000:]}")
                known.write_text(wanted.read_text())
        return folder


def _whole(proxy, kind):
    return Whole(proxy.process, proxy.port, proxy.peers, path=f"/{kind}/x")
