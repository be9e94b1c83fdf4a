"""lrwp run, as a process."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import stub
from stub import Ended, Proxy, lrwp

import lrwp_run

LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
WSGI = """
import os, sys
def application(environ, start_response):
    if environ["PATH_INFO"] == "/wait":
        sys.stdin.readline()
    start_response("200 OK", [])
    return [b"%s %d" % (environ["PATH_INFO"].encode(), os.getpid())]
def create():
    return application
number = 5
"""
ASGI = """
async def app(scope, receive, send):
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup." + FAILS, "message": "no database"})
        await receive()
        print("program ends", flush=True)
        await send({"type": "lifespan.shutdown.complete"})
    else:
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"asgi"})
"""


class Detection(unittest.TestCase):
    def test_what_is_asgi(self):
        async def coroutine(scope, receive, send):
            pass

        class Object:
            async def __call__(self, scope, receive, send):
                pass

        class Wsgi:
            def __call__(self, environ, start_response):
                pass

        for program, expected in ((coroutine, True), (Object(), True), (lambda scope, receive, send: coroutine, True),
                                  (lambda environ, start_response: [], False), (Wsgi(), False),
                                  (lambda *arguments: [], False)):
            self.assertEqual(expected, lrwp_run.is_asgi(program))


class Page(unittest.TestCase):
    def test_the_readme_has_each_option_with_its_default(self):
        with open(os.path.join(LIBRARY, "README.md")) as file:
            rows = [line for line in file if line.startswith("| `--")]
        told = {name: row.split("|")[2] for row in rows for name in re.findall("--[a-z-]+", row)}
        run = lrwp_run.parser()._subparsers._group_actions[0].choices["run"]
        options = {action.option_strings[-1]: action for action in run._actions if action.option_strings}
        for hidden in ("--help", "--worker"):
            del options[hidden]
        self.assertEqual(sorted(options), sorted(told))
        for name, action in options.items():
            if action.default and isinstance(action.default, (int, float, str)):
                self.assertIn(f"{action.default:g}" if isinstance(action.default, float) else str(action.default),
                              told[name], name)


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = self.enter(tempfile.TemporaryDirectory())
        self.proxy = self.enter(Proxy())
        self.write("wsgi_app.py", WSGI)

    def enter(self, context):
        self.addCleanup(context.__exit__, None, None, None)
        return context.__enter__()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def start(self, *options):
        """The program below test, in its folder; killed at the end."""
        environment = {**os.environ, "PYTHONPATH": LIBRARY, "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            [sys.executable, "-m", "lrwp", "run", *options], cwd=self.folder, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

        def kill():
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()

        self.addCleanup(kill)
        return process

    def serving(self, *options):
        return self.start(*options, "--proxy", self.proxy.address, "--context", "/x")

    def accept(self):
        link = self.proxy.accept()
        self.assertEqual(b"\xff3.0\xff/x\xff\xff", link.hello())
        return link, link.settings()

    def ask(self, link, path=""):
        link.request(path=path)
        return link.answer()[1].decode()

    def ended(self, process):
        """Exit code and what it printed."""
        printed, _ = process.communicate(timeout=stub.PATIENCE)
        return process.returncode, printed

    def leaves(self, link):
        """The peer drains, and the proxy closes."""
        link.expect(lrwp.DRAIN)
        link.close()

    def test_options_may_stand_before_and_behind_the_program(self):
        for options in (["wsgi_app:application", "--concurrency", "3"], ["--concurrency", "3", "wsgi_app"],
                        ["wsgi_app:create()", "--concurrency", "3"]):
            with self.subTest(options):
                process = self.serving(*options)
                link, settings = self.accept()
                self.assertEqual("3", settings["capacity"])
                self.assertEqual(f"/a {process.pid}", self.ask(link, "/a"))
                process.terminate()
                self.leaves(link)
                self.assertEqual(0, self.ended(process)[0])

    def test_sigterm_lets_what_has_begun_end(self):
        process = self.serving("wsgi_app")
        link, _ = self.accept()
        link.request(path="/wait")
        link.expect(lrwp.STARTED)
        process.terminate()
        link.expect(lrwp.DRAIN)
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(f"/wait {process.pid}", link.answer()[1].decode())
        link.close()
        code, printed = self.ended(process)
        self.assertEqual(0, code)
        self.assertIn("drain by=peer", printed)

    def test_wrong_use_is_one_line(self):
        self.write("key", "00")
        os.chmod(os.path.join(self.folder, "key"), 0o600)
        for code, why, *options in (
                (3, "there is no module nothing", "nothing"),
                (2, "name it as mysite or mysite.wsgi:application", "../wsgi_app.py"),
                (2, '"wsgi_app.py:application" is no module', "wsgi_app.py:application", "--workers", "2"),
                (2, '".wsgi_app" is no module', ".wsgi_app"),
                (2, '"" is no module', ""),
                (3, "wsgi_app has no other", "wsgi_app:other"),
                (3, "it cannot be called", "wsgi_app:number"),
                (3, "os has neither application nor app", "os"),
                (2, "--workers is 1 or more, not 0", "wsgi_app", "--workers", "0"),
                (2, "--certificate needs --ca-file", "wsgi_app", "--certificate", "c", "--certificate-key", "k"),
                (2, "--certificate needs --ca-file", "wsgi_app", "--certificate", "", "--workers", "2"),
                (2, "--certificate-key needs --certificate", "wsgi_app", "--ca-file", "a", "--certificate-key", "k"),
                (2, "--ca-file is empty", "wsgi_app", "--ca-file", ""),
                (3, "holds no key", "wsgi_app", "--identity", "a", "--key-id", "b", "--key-file", "key")):
            with self.subTest(options):
                ended, printed = self.ended(self.serving(*options))
                self.assertIn(why, printed)
                self.assertEqual((code, 1), (ended, printed.count("\n")), printed)
        code, printed = self.ended(self.start("wsgi_app", "--proxy", "localhost", "--context", "/x"))
        self.assertEqual((3, 1), (code, printed.count("\n")), printed)
        self.assertIn('proxy "localhost" has no host and port', printed)

    def test_a_file_that_cannot_be_used_is_named_with_its_option(self):
        for option, more in (("secret-file", []), ("key-file", ["--identity", "a", "--key-id", "b"]), ("ca-file", []),
                             ("certificate", ["--ca-file", stub.AUTHORITY]),
                             ("certificate-key", ["--ca-file", stub.AUTHORITY, "--certificate", stub.AUTHORITY])):
            with self.subTest(option):
                code, printed = self.ended(self.serving("wsgi_app", f"--{option}", "none", *more))
                self.assertEqual((3, f"lrwp: --{option} none: No such file or directory\n"), (code, printed))
        code, printed = self.ended(self.serving("wsgi_app", "--ca-file", "wsgi_app.py"))
        self.assertEqual((3, "lrwp: wsgi_app.py holds no certificate (PEM)\n"), (code, printed))

    def test_a_program_that_cannot_be_loaded_is_told_with_its_trace(self):
        self.write("broken.py", "import nothing_of_that_name\n")
        code, printed = self.ended(self.serving("broken"))
        self.assertEqual(3, code)
        self.assertIn("No module named 'nothing_of_that_name'", printed)
        self.assertIn("broken.py", printed)

    def test_lifespan(self):
        self.write("asgi_app.py", "FAILS = 'complete'" + ASGI)
        process = self.serving("asgi_app")
        link, settings = self.accept()
        self.assertEqual(("1", "websocket"), (settings["stream"], settings["upgrade"]))
        self.assertEqual("asgi", self.ask(link))
        process.terminate()
        self.leaves(link)
        code, printed = self.ended(process)
        self.assertEqual(0, code)
        self.assertIn("program ends", printed)

    def test_a_program_that_cannot_begin_is_not_served(self):
        self.write("asgi_app.py", "FAILS = 'failed'" + ASGI)
        code, printed = self.ended(self.serving("asgi_app"))
        self.assertEqual((3, "lrwp: the program's startup has failed: no database\n"), (code, printed))

    def test_workers_are_processes_that_come_back_and_leave_together(self):
        process = self.serving("wsgi_app", "--workers", "2")
        links = [self.accept(), self.accept()]
        self.assertEqual(2, len({settings["instance"] for _, settings in links}))
        pids = [int(self.ask(link).split()[-1]) for link, _ in links]
        self.assertEqual(2, len({process.pid, *pids}) - 1)

        os.kill(pids[0], signal.SIGKILL)
        link, _ = self.accept()
        self.assertNotIn(int(self.ask(link).split()[-1]), pids)

        process.terminate()
        self.leaves(link)
        self.leaves(links[1][0])
        code, printed = self.ended(process)
        self.assertEqual(0, code)
        self.assertNotIn("Fatal", printed)

    def test_workers_leave_when_their_manager_is_killed(self):
        process = self.serving("wsgi_app", "--workers", "2")
        links = [self.accept()[0], self.accept()[0]]
        process.kill()
        for link in links:
            self.leaves(link)

    def test_workers_of_a_program_that_cannot_be_loaded_are_not_started_for_ever(self):
        code, printed = self.ended(self.serving("nothing", "--workers", "2"))
        self.assertEqual(3, code)
        self.assertIn("there is no module nothing", printed)

    def test_reload_starts_anew_when_a_source_changes(self):
        self.write("changing.py", "def app(environ, start):\n    start('200 OK', [])\n    return [b'old']\n")
        process = self.serving("changing", "--reload")
        link, _ = self.accept()
        self.assertEqual("old", self.ask(link))

        def leave():
            with contextlib.suppress(Ended, OSError):
                self.leaves(link)

        leaving = threading.Thread(target=leave)
        leaving.start()
        self.write("changing.py", "def app(environ, start):\n    start('200 OK', [])\n    return [b'newer']\n")
        link, _ = self.accept()
        leaving.join()
        self.assertEqual("newer", self.ask(link))
        process.terminate()
        self.leaves(link)
        self.assertEqual(0, self.ended(process)[0])


if __name__ == "__main__":
    unittest.main()
