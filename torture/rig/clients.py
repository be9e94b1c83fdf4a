"""Clients that do what clients do, and compare each answer with the one that its request must have."""

import asyncio
import random
import tempfile
from pathlib import Path

from rig import http1
from rig.http1 import Cut, Malformed, read_answer
from rig.peers import SHAKEN, STEADY

METHODS = ("GET", "GET", "GET", "POST", "POST", "POST", "PUT", "PUT", "DELETE", "HEAD")
WITH_BODY = ("POST", "PUT")
ERRORS = {502, 503, 504}
# What a container says by itself where no application is, or not yet all of it: with its own page, or with nothing.
NOT_THERE = {403, 404, 500, 503}
SMALL, LARGE, LARGE_SHARE = 3000, 300_000, 0.05
PAUSE = 0.05
# Exit codes of curl.
NO_CONNECTION, TIME_OVER, STREAM_RESET = 7, 28, 92


def body_of(choices, method):
    if method not in WITH_BODY:
        return b""
    most = LARGE if choices.random() < LARGE_SHARE else SMALL
    return choices.randbytes(choices.randrange(most))


def right_body(method, identity, body):
    return b"" if method == "HEAD" else f"{method} /{identity}\n".encode() + body


def outcome_of(method, identity, body, answer):
    """The word for an answer, and what is wrong with it."""
    if answer.status == 200:
        right = right_body(method, identity, body)
        if answer.body == right:
            return "right", ""
        return "wrong", f"{len(answer.body)} bytes, {answer.body[:60]!r} in place of {len(right)}"
    ours = answer.status != 503 or "retry-after" in answer.fields
    if answer.status in ERRORS and ours:
        return f"{answer.status} {answer.reason()}", ""
    if answer.status in NOT_THERE and (not answer.body or b"HTTP Status %d" % answer.status in answer.body):
        return "absent", f"{answer.status} of a container that has no application there"
    if not ours:
        return "wrong", "503 without Retry-After"
    return "wrong", f"status {answer.status} {answer.body[:60]!r}"


class Client:
    """One connection after the other, many requests on each."""

    def __init__(self, run, number):
        self.run = run
        self.ledger = run.ledger
        self.name = f"c{number}"
        self.choices = random.Random(f"client {number} {run.seed}")
        self.count = 0
        self.reader = self.writer = None

    async def live(self):
        ways = [
            (80, self.plain), (6, self.chunked), (4, self.slow_sender), (3, self.slow_reader), (3, self.leaver),
            (4, self.pair)]
        while not self.run.over.is_set():
            way = self.choices.choices([way for _, way in ways], [weight for weight, _ in ways])[0]
            await way()
            if self.choices.random() < 0.05:
                self.hang_up()
            await asyncio.sleep(self.choices.uniform(0, PAUSE))
        self.hang_up()

    def hang_up(self):
        if self.writer:
            self.writer.close()
        self.reader = self.writer = None

    def next(self, methods=METHODS, may_repeat=False):
        """A request that nobody has sent before."""
        self.count += 1
        identity = f"{self.name}-{self.count}"
        method = self.choices.choice(methods)
        context = STEADY if self.choices.random() < 0.3 else SHAKEN
        body = body_of(self.choices, method)
        self.ledger.begin(identity, method, context, may_repeat)
        return identity, method, context, body

    def bytes_of(self, identity, method, context, body, chunked=False):
        return http1.request(method, f"{context}/{identity}", body, chunked, [("X-Id", identity)])

    async def dialled(self, *identities):
        """Whether there is a connection."""
        if self.writer and not self.writer.is_closing() and not self.reader.at_eof():
            return True
        self.hang_up()
        try:
            async with asyncio.timeout(self.run.patience):
                self.reader, self.writer = await http1.connect(self.run.http)
            return True
        except (OSError, TimeoutError) as fault:
            outcome = "hung" if isinstance(fault, TimeoutError) else "unreachable"
            for identity in identities:
                self.ledger.end(identity, outcome, "no connection")
            await asyncio.sleep(0.1)
            return False

    async def plain(self, chunked=False):
        request = self.next()
        if await self.dialled(request[0]):
            self.writer.write(self.bytes_of(*request, chunked=chunked and bool(request[3])))
            await self.hear(*request)

    async def chunked(self):
        await self.plain(chunked=True)

    async def hear(self, identity, method, context, body, pieces=None):
        """Reads the answer; whether the connection can have another."""
        try:
            async with asyncio.timeout(self.run.patience):
                answer = await read_answer(self.reader, method)
        except TimeoutError:
            self.ledger.end(identity, "hung", f"after {self.run.patience} s")
        except Cut as cut:
            self.ledger.end(identity, "cut" if cut.begun else "none")
        except (Malformed, ValueError) as fault:
            self.ledger.end(identity, "wrong", str(fault))
        else:
            self.ledger.end(identity, *outcome_of(method, identity, body, answer))
            # What a peer breaks off behind the head of a HEAD nobody sees, but the connection is cut for it.
            if not answer.says_close() and method != "HEAD":
                return True
        self.hang_up()
        return False

    async def slow_sender(self):
        request = self.next(WITH_BODY)
        if not await self.dialled(request[0]):
            return
        data = self.bytes_of(*request)
        pieces = self.choices.randrange(2, 6)
        size = len(data) // pieces + 1
        try:
            for i in range(0, len(data), size):
                self.writer.write(data[i : i + size])
                await self.writer.drain()
                await asyncio.sleep(self.choices.uniform(0, 0.2))
        except OSError:
            pass
        await self.hear(*request)

    async def slow_reader(self):
        """Its answer waits: first with the proxy, then in its file."""
        request = self.next(WITH_BODY)
        if await self.dialled(request[0]):
            self.writer.write(self.bytes_of(*request))
            self.writer.transport.pause_reading()
            await asyncio.sleep(self.choices.uniform(0, 1))
            self.writer.transport.resume_reading()
            await self.hear(*request)

    async def leaver(self):
        """Leaves at any moment between its first byte and the answer's last."""
        request = self.next()
        if not await self.dialled(request[0]):
            return
        data = self.bytes_of(*request)
        whole = self.choices.random() < 0.7
        self.writer.write(data if whole else data[: self.choices.randrange(1, len(data))])
        await asyncio.sleep(self.choices.choice([0, 0.002, 0.02, 0.2]))
        self.ledger.end(request[0], "gone")
        if self.choices.random() < 0.5:
            http1.reset(self.writer)
        self.hang_up()

    async def pair(self):
        """Two requests in one write."""
        first, second = self.next(("GET",)), self.next(("GET",))
        if not await self.dialled(first[0], second[0]):
            return
        self.writer.write(self.bytes_of(*first) + self.bytes_of(*second))
        if await self.hear(*first):
            await self.hear(*second)
        else:
            # What was sent behind an answer with Connection: close, or on a connection that was lost, is not done.
            self.ledger.end(second[0], "gone")


class Http2Client:
    """Some requests at once on one HTTP/2 connection, by curl."""

    BATCH = 6

    def __init__(self, run, folder):
        self.run = run
        self.client = Client(run, "h2")
        self.folder = Path(tempfile.mkdtemp(prefix="h2-", dir=folder))

    async def live(self):
        while not self.run.over.is_set():
            await self.batch()
            await asyncio.sleep(self.client.choices.uniform(0.1, 0.5))

    async def batch(self):
        methods = [method for method in METHODS if method != "HEAD"]
        # curl sends a request again by itself when the connection that it shared has ended.
        requests = [self.client.next(methods, may_repeat=True) for _ in range(self.BATCH)]
        lines = []
        for identity, method, context, body in requests:
            lines += ["next"] if lines else []
            lines += self.options(identity, method, context, body)
        process = await asyncio.create_subprocess_exec(
            "curl", "-q", "--parallel", "--parallel-immediate", "-K", "-", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL)
        output, _ = await process.communicate("\n".join(lines).encode())
        results = {}
        for line in output.decode().splitlines():
            identity, status, fault, retry = (line.split(" ", 3) + [""])[:4]
            results[identity] = (int(status), int(fault), retry)
        for identity, method, context, body in requests:
            self.judge(identity, method, body, results.get(identity, (0, -1, "")))

    def options(self, identity, method, context, body):
        host, port = self.run.http
        options = [
            f'url = "http://{host}:{port}{context}/{identity}"', "http2-prior-knowledge", "silent",
            f'header = "X-Id: {identity}"', f"max-time = {self.run.patience}", f'request = "{method}"',
            f'output = "{self.folder / identity}"',
            f'write-out = "{identity} %{{http_code}} %{{exitcode}} %header{{retry-after}}\\n"']
        if method in WITH_BODY:
            sent = self.folder / f"{identity}.sent"
            sent.write_bytes(body)
            options += [f'data-binary = "@{sent}"', 'header = "Content-Type: application/octet-stream"']
        return options

    def judge(self, identity, method, body, result):
        status, fault, retry = result
        got = self.folder / identity
        data = got.read_bytes() if got.exists() else b""
        got.unlink(missing_ok=True)
        (self.folder / f"{identity}.sent").unlink(missing_ok=True)
        if fault == 0:
            fields = {"retry-after": retry} if retry else {}
            outcome = outcome_of(method, identity, body, http1.Answer(status, fields, data))
        elif fault == TIME_OVER:
            outcome = ("hung", f"after {self.run.patience} s")
        elif fault == NO_CONNECTION:
            outcome = ("unreachable", "no connection")
        else:
            # A stream that is reset is a cut that its client sees, though its head may not have come.
            cut = status or fault == STREAM_RESET
            outcome = ("cut" if cut else "none", f"curl's exit code {fault}")
        self.run.ledger.end(identity, *outcome)
