"""The generator of varied requests: what it sends, and which answers it takes for errors."""

import collections
import functools
import http.client
import io
import pathlib
import posixpath
import re
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lrwpbench import loads, ports  # noqa: E402
from lrwpbench.builds import Builds  # noqa: E402
from lrwpbench.processes import Processes  # noqa: E402

_COUNT = 4000

Request = collections.namedtuple("Request", "method path query fields body chunked")


def read_request(data):
    """The request at the beginning of some bytes, and the rest; None when it is not whole."""
    head, found, rest = data.partition(b"\r\n\r\n")
    if not found:
        return None
    lines = head.decode().split("\r\n")
    method, target, _ = lines[0].split(" ")
    path, _, query = target.partition("?")
    fields = [tuple(line.split(": ", 1)) for line in lines[1:]]
    values = {name.lower(): value for name, value in fields}
    chunked = "transfer-encoding" in values
    if chunked:
        body, whole = b"", False
        while not whole:
            size, found, rest = rest.partition(b"\r\n")
            if not found or len(rest) < int(size, 16) + 2:
                return None
            assert rest[int(size, 16) :][:2] == b"\r\n", "a chunk that is longer than it says"
            body, rest, whole = body + rest[: int(size, 16)], rest[int(size, 16) + 2 :], int(size, 16) == 0
    else:
        length = int(values.get("content-length", 0))
        if len(rest) < length:
            return None
        body, rest = rest[:length], rest[length:]
    return Request(method, path, query, fields, body, chunked), rest


def answer_to(request, id=None):
    """What the back ends answer; id: of another request."""
    rid = id or request.query[4:20]
    begin = f'<?xml version="1.0"?>\n<answer id="{rid}" length="{len(request.body):04d}">'
    return begin.encode().ljust(1014, b"a") + b"</answer>\n"


def with_length(body, status="200 OK"):
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


class Server(socketserver.ThreadingTCPServer):
    """Answers each request with what a function makes of it; closes after an answer that is not whole."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answer, closes=False):
        self.answer = answer
        self.closes = closes
        super().__init__(("127.0.0.1", 0), Connection)


class Connection(socketserver.BaseRequestHandler):
    def handle(self):
        data = b""
        while True:
            found = read_request(data)
            if found is None:
                received = self.request.recv(65536)
                if not received:
                    return
                data += received
                continue
            request, data = found
            self.request.sendall(self.server.answer(request))
            if self.server.closes:
                return


def setUpModule():
    if shutil.which("gcc") is None:
        raise unittest.SkipTest("gcc is not installed")
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    GeneratorTest.processes = Processes(folder.name)
    unittest.addModuleCleanup(GeneratorTest.processes.stop_all)
    GeneratorTest.builds = Builds(folder.name)
    GeneratorTest.tool = GeneratorTest.builds.compiled("load/traffic.c")


class GeneratorTest(unittest.TestCase):
    """What the tests below have: builds, processes, and the compiled generator as tool."""


class RequestsTest(GeneratorTest):
    @classmethod
    @functools.cache
    def made(cls, load, count=_COUNT, seed=1):
        command = [cls.tool, "--port", "80", "--load", load, "--seed", seed, "--print", count]
        command += ["--content", cls.builds.page()]
        data = subprocess.run([str(part) for part in command], check=True, capture_output=True).stdout
        requests = []
        printed = io.BytesIO(data)
        while size := printed.readline():
            request, rest = read_request(printed.read(int(size)))
            assert not rest, "more than one request"
            requests.append(request)
        return requests

    def share(self, requests, which):
        return sum(1 for request in requests if which(request)) / len(requests)

    def test_no_two_requests_are_alike_in_path_query_cookie_or_id(self):
        requests = self.made("mixed")
        cookies = [value for request in requests for name, value in request.fields if name.lower() == "cookie"]
        ids = [value for request in requests for name, value in request.fields if name.lower() == "x-request-id"]
        for values in ([request.path for request in requests], [request.query for request in requests], cookies, ids):
            self.assertEqual(len(set(values)), _COUNT)
        # Without the ids too.
        self.assertEqual(len({re.sub(r"sid=\w{16}", "", cookie) for cookie in cookies}), _COUNT)

    def test_each_request_has_ten_fields(self):
        for request in self.made("mixed-files", 500):
            self.assertEqual(len({name.lower() for name, _ in request.fields}), 10, request.fields)

    def test_two_of_five_are_get_and_the_others_have_bodies_of_200_to_3000_bytes(self):
        requests = self.made("varied")
        self.assertAlmostEqual(self.share(requests, lambda request: request.method == "GET"), 0.4, delta=0.03)
        lengths = [len(request.body) for request in requests if request.method == "POST"]
        self.assertTrue(200 <= min(lengths) < 250 and 2950 < max(lengths) <= 3000)
        self.assertFalse(any(request.body for request in requests if request.method == "GET"))

    def test_varied_has_no_path_to_decode_and_nothing_chunked(self):
        for request in self.made("varied"):
            self.assertRegex(request.path, r"^(/[\w-]+)+$")
            self.assertFalse(request.chunked)

    def test_mixed_has_a_tenth_of_paths_to_decode_that_stay_below_the_context(self):
        requests = self.made("mixed")
        odd = [request.path for request in requests if "%" in request.path or "/." in request.path]
        self.assertAlmostEqual(len(odd) / _COUNT, 0.1, delta=0.02)
        self.assertTrue(any("/.." in path for path in odd) and any("%" in path for path in odd))
        for path in odd:
            self.assertTrue(posixpath.normpath(urllib.parse.unquote(path, errors="strict")).startswith("/bench/"), path)

    def test_mixed_has_one_chunked_body_in_twenty_requests(self):
        requests = self.made("mixed", 20000)
        self.assertAlmostEqual(self.share(requests, lambda request: request.chunked), 0.05, delta=0.005)
        self.assertTrue(all(len(request.body) >= 200 for request in requests if request.chunked))

    def test_mixed_files_asks_for_the_file_once_in_twenty_requests(self):
        requests = self.made("mixed-files")
        files = [request for request in requests if request.path == "/index.html"]
        self.assertAlmostEqual(len(files) / _COUNT, 0.05, delta=0.015)
        self.assertEqual({request.method for request in files}, {"GET"})

    def test_the_id_is_wherever_the_back_ends_look_for_it(self):
        for request in self.made("mixed", 500):
            id = request.query[4:20]
            values = {name.lower(): value for name, value in request.fields}
            self.assertTrue(request.path.endswith(id))
            self.assertTrue(values["cookie"].startswith(f"sid={id};"))
            self.assertEqual(values["x-request-id"], id)
            self.assertTrue(not request.body or request.body.startswith(f'{{"id":"{id}"'.encode()))

    def test_a_seed_makes_the_same_requests_again_and_another_seed_others(self):
        first = self.made("varied", 50)
        self.assertEqual(first, self.made("varied", 50, seed=1))
        others = {request.path for request in self.made("varied", 50, seed=2)}
        self.assertFalse(others & {request.path for request in first})


class AnswersTest(GeneratorTest):
    def sent(self, answer, *options, closes=False):
        """What the generator says of a server that answers so."""
        with Server(answer, closes) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                return self.run_load(server.server_address[1], *options)
            finally:
                server.shutdown()
                thread.join()

    def run_load(self, port, *options):
        command = [self.tool, "--port", port, "--connections", 4, "--seconds", 0.2, "--pool", 200]
        command += options or ("--load", "varied")
        done = subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, timeout=60)
        line = done.stdout.splitlines()[-1]
        found = {name: float(value) for name, value in re.findall(r"(\w+)=([\d.]+)", line)}
        self.assertEqual(loads.read_load(done.stdout).errors, found["errors"])
        return found

    def test_right_answers_are_no_errors(self):
        found = self.sent(lambda request: with_length(answer_to(request)))
        self.assertGreater(found["requests"], 4)
        self.assertEqual(found["errors"], 0)
        self.assertTrue(0 < found["p50"] <= found["p90"] <= found["p99"] <= found["p999"] <= found["max"])

    def test_answers_may_come_chunked(self):
        def answer(request):
            body = answer_to(request)
            pieces = (body[:10], body[10:500], body[500:], b"")
            chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
            return b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + chunks

        found = self.sent(answer)
        self.assertGreater(found["requests"], 4)
        self.assertEqual(found["errors"], 0)

    def test_the_answer_to_another_request_is_wrong(self):
        found = self.sent(lambda request: with_length(answer_to(request, "0123456789abcdef")))
        self.assertGreater(found["requests"], 0)
        self.assertEqual(found["wrong"], found["requests"])

    def test_an_answer_of_another_length_is_wrong(self):
        found = self.sent(lambda request: with_length(answer_to(request)[:-1]))
        self.assertEqual(found["wrong"], found["requests"])

    def test_two_answers_to_one_request_are_wrong(self):
        found = self.sent(lambda request: 2 * with_length(answer_to(request)))
        self.assertGreater(found["wrong"], 0)

    def test_another_status_than_200_is_refused(self):
        found = self.sent(lambda request: with_length(answer_to(request), "503 Service Unavailable"))
        self.assertGreater(found["requests"], 0)
        self.assertEqual(found["refused"], found["requests"])

    def test_what_is_not_http_is_broken(self):
        found = self.sent(lambda request: b"Hello, World\r\n\r\n")
        self.assertEqual(found["broken"], found["requests"])

    def test_a_connection_that_ends_within_an_answer_is_an_error(self):
        found = self.sent(lambda request: with_length(answer_to(request))[:-1], closes=True)
        self.assertGreater(found["requests"], 0)
        self.assertEqual(found["ended"], found["requests"])

    def test_a_server_may_close_after_an_answer_when_it_says_so(self):
        found = self.sent(
            lambda request: with_length(answer_to(request)).replace(b"Content", b"Connection: close\r\nContent", 1), closes=True
        )
        self.assertEqual(found["errors"], 0)
        self.assertGreater(found["reconnects"], 0)

    def test_an_answer_that_does_not_come_is_missing(self):
        found = self.sent(lambda request: b"", "--load", "varied", "--grace", 0.1)
        self.assertEqual((found["requests"], found["missing"]), (4, 4))

    def test_a_file_has_to_be_the_one_that_was_asked_for(self):
        content = self.builds.page().read_bytes()
        options = ("--load", "mixed-files", "--content", self.builds.page())

        def answer(request, file):
            return with_length(file if request.path == "/index.html" else answer_to(request))

        self.assertEqual(self.sent(lambda request: answer(request, content), *options)["errors"], 0)
        self.assertGreater(self.sent(lambda request: answer(request, content[1:]), *options)["wrong"], 0)


class BackEndTest(GeneratorTest):
    """The back end of the rivals that speak HTTP, asked without a proxy before it."""

    @classmethod
    def setUpClass(cls):
        cls.port = ports.free()
        cls.processes.start("http", [cls.builds.compiled("peers/http.c"), cls.port], "listening")

    def test_answers_every_request_of_the_loads(self):
        for load in ("varied", "mixed"):
            command = [self.tool, "--port", self.port, "--load", load, "--connections", "5", "--threads", "2", "--seconds", "0.3"]
            found = loads.read_load(self.processes.run(command))
            self.assertGreater(found.requests, 100)
            self.assertEqual(found.errors, 0)

    def status(self, path="/bench/a-0123456789abcdef", rid="0123456789abcdef", sid="0123456789abcdef", body='{"id":"0123456789abcdef'):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        self.addCleanup(connection.close)
        connection.request("POST", f"{path}?rid={rid}&n=1", body.ljust(200, "b"), {"Cookie": f"sid={sid}; a=b"})
        return connection.getresponse().status

    def test_refuses_a_request_that_was_put_together_from_two(self):
        other = "fedcba9876543210"
        self.assertEqual(self.status(), 200)
        self.assertEqual(
            [
                self.status(path=f"/bench/a-{other}"),
                self.status(rid=other),
                self.status(sid=other),
                self.status(body=f'{{"id":"{other}'),
                self.status(body=f'{{"id":"0123456789abcdef{3000 * "b"}'),
            ],
            [500] * 5,
        )


class HistogramTest(GeneratorTest):
    PROGRAM = """
#include <stdio.h>
#include "{header}"
int main(void) {{
    static struct histogram a, b;
    for (int i = 1; i <= 100000; i++)
        histogram_count(i % 2 ? &a : &b, (uint64_t)i);
    histogram_add(&a, &b);
    printf("%d %d %d %d %d\\n", (int)histogram_percentile(&a, 0.001), (int)histogram_percentile(&a, 0.5),
           (int)histogram_percentile(&a, 0.99), (int)histogram_percentile(&a, 1), (int)a.most);
    return 0;
}}
"""

    def test_percentiles_are_within_a_hundredth_of_the_latencies(self):
        source = self.builds.folder / "percentiles.c"
        source.write_text(self.PROGRAM.format(header=self.builds.bench / "load/histogram.h"))
        done = subprocess.run([self.builds.compiled(source)], check=True, capture_output=True, text=True)
        least, half, most, last, longest = (int(number) for number in done.stdout.split())
        self.assertEqual((least, last, longest), (100, 100000, 100000))
        self.assertTrue(50000 <= half <= 50500 and 99000 <= most <= 99990, done.stdout)


if __name__ == "__main__":
    unittest.main()
