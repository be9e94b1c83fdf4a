"""lrwp run: serves a WSGI or ASGI program through an LRWP proxy.

    lrwp run app:app --proxy 127.0.0.1:1081 --context /x
    python3 -m lrwp run mysite.wsgi --proxy proxy.example:1081 --context /x --workers 4
"""

import argparse
import asyncio
import gc
import importlib
import inspect
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback

import lrwp
import lrwp_asgi
import lrwp_wsgi

THREADS, TASKS = 16, 256  # --concurrency of WSGI and ASGI
NAMES = ("application", "app")  # what a module is looked through for
LOOK_SECONDS = 0.5  # between two looks at the sources, and at the workers
RELOAD_SECONDS = 5  # what a worker has begun may take so long when a source has changed
LONGEST_DELAY = 10  # between two starts of a worker that ends by itself
SKIPPED = ("__pycache__", "node_modules", "site-packages")
FILES = ("secret_file", "key_file", "ca_file", "certificate", "certificate_key")
WRONG_USE, CANNOT_START = 2, 3  # exit codes


class CannotStart(Exception):
    """The program is not there, or is none."""


def parser():
    top = argparse.ArgumentParser(prog="lrwp", description="Serves Python programs through an LRWP proxy.")
    run = top.add_subparsers(dest="command", required=True).add_parser(
        "run", help="serve a WSGI or ASGI program")
    run.add_argument("app", metavar="MODULE[:NAME]",
                     help="the program; module:create() calls a factory; without NAME: application or app")
    add = run.add_argument
    add("--proxy", action="append", metavar="H:P",
        help="where to dial: host:port, [v6]:port, unix:/path; repeatable (127.0.0.1:1081)")
    add("--context", action="append", required=True, metavar="PATH", help="what to serve, such as /x; repeatable")
    add("--vhost", default="", metavar="HOST", help="only requests for this host")
    add("--interface", choices=("auto", "wsgi", "asgi"), default="auto", help="what the program is (auto)")
    add("--concurrency", type=int, metavar="N",
        help=f"requests at once for each worker: threads of WSGI ({THREADS}), tasks of ASGI ({TASKS})")
    add("--workers", type=int, default=1, metavar="N", help="processes (1)")
    add("--reload", action="store_true", help="for development: start anew when a source below --app-dir changes")
    add("--app-dir", default=".", metavar="DIR", help="where modules are looked for first (.)")
    add("--drain-seconds", type=float, default=30, metavar="S", help="what has begun may take so long at the end (30)")
    add("--websocket-max-size", type=int, default=16 * 1024 * 1024, metavar="BYTES",
        help="one message of a WebSocket; a longer one ends it with 1009 (16777216)")
    add("--name", default="", metavar="TEXT", help="what status page and log of the proxy call it (the program's name)")
    add("--secret-file", metavar="F", help="the secret of the context, mode 600")
    add("--identity", default="", metavar="NAME", help="who this is, with --key-id and --key-file")
    add("--key-id", default="", metavar="ID", help="which key of the identity")
    add("--key-file", metavar="F", help="the key, in hexadecimal digits, mode 600")
    add("--ca-file", metavar="F", help="dial inside TLS: the authorities that are trusted (PEM)")
    add("--certificate", metavar="F", help="and what is shown to the proxy (PEM)")
    add("--certificate-key", metavar="F", help="with its key (PEM)")
    add("--worker", action="store_true", help=argparse.SUPPRESS)  # one of several: see Manager
    return top


def wrong_use(options):
    """What is wrong with the options whatever the program is, or None."""
    for name in ("workers", "concurrency", "websocket_max_size"):
        value = getattr(options, name)
        if value is not None and value < 1:
            return f"--{name.replace('_', '-')} is 1 or more, not {value}"
    module = options.app.partition(":")[0]
    is_file = module.endswith(".py") and os.path.exists(os.path.join(options.app_dir, module))
    if is_file or "/" in module or "\\" in module or "" in module.split("."):
        return f'"{options.app}" is no module: name it as mysite or mysite.wsgi:application, its folder by --app-dir'
    # Each of these would else be ignored, and the program dialled in without what was asked for.
    if options.ca_file == "":
        return "--ca-file is empty"
    if options.certificate_key is not None and options.certificate is None:
        return "--certificate-key needs --certificate"
    if options.certificate is not None and options.ca_file is None:
        return "--certificate needs --ca-file"
    return None


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


# ---- the program


def load(name, folder):
    """The program of MODULE[:NAME]."""
    sys.path.insert(0, os.path.abspath(folder))
    module_name, _, attribute = name.partition(":")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(error.name + ".")):
            raise CannotStart(f"there is no module {module_name} in {os.path.abspath(folder)} or sys.path") from None
        raise
    if not attribute:
        found = [one for one in NAMES if hasattr(module, one)]
        if not found:
            raise CannotStart(f"{module_name} has neither application nor app: name it, as in {module_name}:NAME")
        attribute = found[0]
    program = module
    for part in attribute[:-2].split(".") if attribute.endswith("()") else attribute.split("."):
        if not hasattr(program, part):
            raise CannotStart(f"{module_name} has no {attribute}")
        program = getattr(program, part)
    program = program() if attribute.endswith("()") else program
    if not callable(program):
        raise CannotStart(f"{name} is no program of WSGI or ASGI: it cannot be called")
    return program


def is_asgi(program):
    """Whether a program is one of ASGI: a coroutine function, or one that takes three arguments and not two."""
    call = getattr(program, "__call__", program)
    if inspect.iscoroutinefunction(program) or inspect.iscoroutinefunction(call):
        return True

    def takes(count):
        try:
            inspect.signature(program).bind(*[None] * count)
            return True
        except (TypeError, ValueError):
            return False

    return takes(3) and not takes(2)


# ---- one process


def options_of_peer(options, log):
    """What lrwp.Peer gets whatever the program is."""
    secret = lrwp.read_secret(options.secret_file) if options.secret_file else b""
    tls = lrwp.trust(options.ca_file, options.certificate, options.certificate_key) if options.ca_file else None
    return dict(secret=secret, vhost=options.vhost, name=options.name or options.app, tls=tls, log=log,
                drain_seconds=options.drain_seconds, identity=options.identity, key_id=options.key_id,
                key_file=options.key_file)


def peer_of(options, program, log):
    """The peer, and the handler of ASGI or None."""
    proxies = options.proxy or ["127.0.0.1:1081"]
    more = options_of_peer(options, log)
    if options.interface == "asgi" or (options.interface == "auto" and is_asgi(program)):
        handler = lrwp_asgi.Handler(program, options.websocket_max_size)
        return lrwp.Peer(proxies, options.context, handler, concurrency=options.concurrency or TASKS, stream=True,
                         upgrades="websocket", on_drain=handler.leave, **more), handler
    concurrency = options.concurrency or THREADS
    handler = lrwp_wsgi.handler(program, threads=concurrency > 1, processes=options.worker)
    return lrwp.Peer(proxies, options.context, handler, concurrency=concurrency, **more), None


def told(error, options):
    """An error's text; where a file of an option cannot be read, that option comes first."""
    for name in FILES if isinstance(error, OSError) and error.filename else ():
        if getattr(options, name) == error.filename:
            return f"--{name.replace('_', '-')} {error.filename}: {error.strerror}"
    return str(error)


async def serve(peer, handler, log):
    if handler is None:
        await peer.serve(with_signals=True)
        return
    without = await handler.startup()
    if without:
        log(f'no lifespan why="{without}"')
    try:
        await peer.serve(with_signals=True)
    finally:
        await handler.shutdown()


def work(options):
    """One worker, to its end."""
    log = (lambda line: say(f"[{os.getpid()}] {line}")) if options.worker else say
    try:
        peer, handler = peer_of(options, load(options.app, options.app_dir), log)
    except (CannotStart, OSError, ValueError) as error:
        print(f"lrwp: {told(error, options)}", file=sys.stderr)
        return CANNOT_START
    except Exception:
        print(f"lrwp: {options.app} cannot be loaded\n{traceback.format_exc()}", file=sys.stderr)
        return CANNOT_START
    gc.collect()
    gc.freeze()  # what the program has loaded stays: no collection looks at it again
    if options.worker:
        threading.Thread(target=leave_with_manager, daemon=True).start()
    try:
        runner()(serve(peer, handler, log))
    except lrwp_asgi.LifespanFailed as error:
        print(f"lrwp: {error}", file=sys.stderr)
        return CANNOT_START
    return 0


def runner():
    """uvloop, where it is installed, takes less time for the same."""
    try:
        import uvloop
        return uvloop.run
    except (ImportError, AttributeError):
        return asyncio.run


def leave_with_manager():
    """The manager holds the other end of standard input: when it is gone, so is its work."""
    while os.read(0, 4096):  # past Python's buffer, whose lock may not be held when Python ends
        pass
    os.kill(os.getpid(), signal.SIGTERM)


# ---- several processes, or one that is started anew


class Manager:
    """Starts workers, starts those anew that end by themselves, and ends all of them in order."""

    def __init__(self, options, arguments):
        self._options = options
        self._arguments = arguments
        self._workers = {}  # process -> when it was started
        self._delay = 0.1
        self._leaving = False
        self._woken, self._waker = socket.socketpair()
        self._code = 0

    def run(self):
        self._waker.setblocking(False)
        signal.set_wakeup_fd(self._waker.fileno())
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._leave)
        sources = self._sources()
        for _ in range(1 if self._options.reload else self._options.workers):
            self._start()
        while not self._wait(LOOK_SECONDS):
            if self._options.reload:
                before, sources = sources, self._sources()
                if before != sources:
                    say("reload")
                    self._end(RELOAD_SECONDS)
                    self._start()
            else:
                self._replace()
        self._end(None)
        return self._code

    def _leave(self, *_):
        self._leaving = True

    def _wait(self, seconds):
        """True when it is time to leave; a signal ends the waiting."""
        if not self._leaving and select.select([self._woken], [], [], seconds)[0]:
            self._woken.recv(100)
        return self._leaving

    def _start(self):
        command = [sys.executable, os.path.abspath(__file__), *self._arguments, "--worker"]
        self._workers[subprocess.Popen(command, stdin=subprocess.PIPE)] = time.monotonic()

    def _replace(self):
        """Workers that have ended by themselves are started anew, later and later while that goes on."""
        for worker in [worker for worker in self._workers if worker.poll() is not None]:
            lasted = time.monotonic() - self._workers.pop(worker)
            worker.stdin.close()
            say(f"worker ended pid={worker.pid} code={worker.returncode}")
            if worker.returncode == CANNOT_START and lasted < LONGEST_DELAY:
                self._code = CANNOT_START  # the next one could not either
                self._leaving = True
                return
            self._delay = 0.1 if lasted > LONGEST_DELAY else min(2 * self._delay, LONGEST_DELAY)
            if not self._wait(self._delay):
                self._start()

    def _end(self, patience):
        """Lets all workers leave in order; what has not gone after so many seconds is killed."""
        for worker in self._workers:
            if worker.poll() is None:
                worker.terminate()
        for worker in self._workers:
            try:
                worker.wait(patience)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
            worker.stdin.close()
        self._workers.clear()

    def _sources(self):
        """Path and time of each source below --app-dir, without what was installed there."""
        found = {}
        if self._options.reload:
            for folder, folders, files in os.walk(self._options.app_dir):
                folders[:] = [name for name in folders if name not in SKIPPED and name[0] != "."
                              and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))]
                for name in files:
                    if name.endswith(".py"):
                        path = os.path.join(folder, name)
                        try:
                            found[path] = os.stat(path).st_mtime_ns
                        except OSError:
                            continue  # it has just gone
        return found


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    options = parser().parse_args(arguments)
    wrong = wrong_use(options)
    if wrong:
        print(f"lrwp: {wrong}", file=sys.stderr)
        return WRONG_USE
    if options.worker or (options.workers == 1 and not options.reload):
        return work(options)
    return Manager(options, arguments).run()


if __name__ == "__main__":
    sys.exit(main())
