"""The contract itself: that its cases can fail, and that it says what failed. python3 -m unittest discover tests"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

TESTS = os.path.dirname(os.path.abspath(__file__))
RUN = os.path.join(TESTS, "..", "run")
PEER = [sys.executable, os.path.join(TESTS, "faulty_peer.py")]
sys.path.insert(0, os.path.join(TESTS, ".."))

from conformance import heads  # noqa: E402
from conformance.wire import Failure, Frame, RESPONSE, env_block, number, u32  # noqa: E402

# What a peer does wrong, and the case that has to see it.
FAULTS = {
    "speaks-too-soon": "nothing-before-ok",
    "wrong-proof": "challenge-is-answered",
    "lower-after-rejected": "rejected",
    "other-flags": "request-split",
    "other-pong": "pings-in-one-segment",
    "takes-an-open-slot": "request-on-an-open-stream",
    "deaf-to-windows": "answer-stops-at-the-window",
    "long-data": "data-is-cut",
    "deaf-to-cancel": "cancel-of-a-running-handler",
    "started-and-refused": "refused-before-it-is-started",
    "no-started": "started-before-the-answer",
    "data-behind-end": "end-on-request",
    "status-line": "other-statuses",
    "body-to-its-nul": "body-of-all-bytes",
    "leaves-without-drain": "leaves-when-idle",
}
# The one case of these that the small peer does not know how to pass.
BEYOND = {"data-is-cut", "other-statuses"}


def run(*arguments, peer=()):
    environment = dict(os.environ, CONFORMANCE_PATIENCE="2")
    command = [sys.executable, RUN, *arguments, "--", *PEER, *peer]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)


class Cases(unittest.TestCase):
    def test_a_good_peer_passes(self):
        only = [word for case in FAULTS.values() if case not in BEYOND for word in ("--only", "=" + case)]
        done = run(*only)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertIn("failed 0, skipped 0", done.stdout)

    def test_each_fault_is_seen(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            runs = [pool.submit(run, "--only", "=" + case, peer=("--fault", fault)) for fault, case in FAULTS.items()]
        for (fault, case), future in zip(FAULTS.items(), runs):
            with self.subTest(fault=fault):
                done = future.result()
                self.assertEqual(1, done.returncode, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"not ok 1 - [0-9.]+ {case}: ")

    def test_a_failure_says_what_was_expected_and_what_came(self):
        done = run("--only", "=pings-in-one-segment", peer=("--fault", "other-pong"))
        self.assertIn("# section 15.9.2 of docs/protocol.md", done.stdout)
        self.assertIn("# expected: the bytes of each PING in order", done.stdout)
        self.assertIn("came  PONG stream=0 8 bytes 'pongpong'", done.stdout)

    def test_a_program_that_ends_at_once_fails(self):
        command = [sys.executable, RUN, "--only", "=ping", "--", sys.executable, "-c", "print('no peer')"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(1, done.returncode)
        self.assertIn("the program has ended with code 0: ['no peer']", done.stdout)

    def test_what_is_skipped_has_its_name(self):
        done = run("--without", "tls", "--only", "=alpn", "--only", "=handler-begins-before-the-body-is-there")
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertRegex(done.stdout, "ok [12] - 18.2 alpn: .* SKIP without tls")
        self.assertRegex(done.stdout, "SKIP the peer's SETTINGS do not say stream=1")

    def test_junit(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "result.xml")
            run("--only", "=pings-in-one-segment", "--only", "=alpn", "--without", "tls", "--junit", file, "--name",
                "small", peer=("--fault", "other-pong"))
            suite = xml.parse(file).getroot()
        self.assertEqual(("2", "1", "1"), (suite.get("tests"), suite.get("failures"), suite.get("skipped")))
        self.assertIn("small.section-15.9.2", [case.get("classname") for case in suite])

    def test_wrong_use(self):
        for arguments in ([], ["--proxy-under-test", "127.0.0.1:1"], ["--no-such-option"]):
            done = subprocess.run([sys.executable, RUN, *arguments], capture_output=True, text=True, timeout=60,
                                  check=False)
            self.assertEqual(2, done.returncode, done.stderr)

    def test_the_list_is_long_enough_and_names_are_unique(self):
        for options, least in (([], 120), (["--http", "x"], 40)):
            done = subprocess.run([sys.executable, RUN, "--list", *options], capture_output=True, text=True,
                                  timeout=60, check=False)
            names = [line.split(" ")[1] for line in done.stdout.splitlines()]
            self.assertGreaterEqual(len(names), least)
            self.assertEqual(len(set(names)), len(names))


class Parts(unittest.TestCase):
    def test_frames(self):
        content = Frame(RESPONSE, 3, b"x", 1).encode()
        self.assertEqual(bytes([0, 0, 0, 1, 6, 1, 0, 0, 0, 0, 0, 3]) + b"x", content)
        self.assertEqual(66051, number(u32(66051)))
        self.assertEqual(b"A=1\0B=\xff\0\0", env_block({"A": "1", "B": b"\xff"}))

    def test_heads(self):
        head, body = heads.parse(b"Status: 404 Not Found\r\nX: 1\nX: 2\n\nrest")
        self.assertEqual((404, ["1", "2"], b"rest"), (head.status, head.values("x"), body))
        for broken in (b"HTTP/1.1 200 OK\n\n", b"no end\n", b"no colon\n\n", b"A B: 1\n\n", b"A: \x01\n\n",
                       b"Status: 20\n\n"):
            with self.assertRaises(Failure):
                heads.parse(broken)


if __name__ == "__main__":
    unittest.main()
