"""A small peer of LRWP 3 that keeps the rules, or breaks the one that --fault names: so it can be seen that the cases
can fail. It knows as much of the protocol as the tests need: one thread, one connection."""

import argparse
import hashlib
import hmac
import os
import select
import signal
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from conformance.wire import (CANCEL, DATA, DRAIN, END, ERROR, Failure, Frame, LONGEST, PING, PONG, REFUSED, REQUEST,
                              RESPONSE, SETTINGS, STARTED, TURN, WINDOW, Wire, counted, number, settings, u32)

HEAD = b"Content-Type: text/plain\n\n"


class Broken(Exception):
    """The proxy has broken a rule."""


class Request:
    def __init__(self, frame, window):
        length = number(frame.payload[:4])
        if length > len(frame.payload) - 4:
            raise Broken("an env block longer than its frame")
        entries = [entry.partition(b"=") for entry in frame.payload[4:4 + length].split(b"\0")]
        self.env = {name.decode(): value for name, _, value in entries}
        self.body = frame.payload[4 + length:]
        self.slot, self.over, self.window = frame.stream, frame.end, window
        self.out, self.begun, self.answered = b"", False, False
        self.path = self.env.get("PATH_INFO", b"").decode()


class Connection:
    def __init__(self, peer):
        self.peer, self.fault = peer, peer.options.fault
        host, _, port = peer.options.proxy.rpartition(":")
        self.wire = Wire(socket.create_connection((host, int(port))))
        self.requests, self.window, self.drained = {}, LONGEST, False

    def handshake(self):
        names = self.peer.options.context.encode() + b"\xff\xff"
        if self.peer.lower:
            self.wire.send(names)
            self.wire.read_end("anything", 1)
            return False
        self.wire.send(b"\xff3.0\xff" + names)
        if self.fault == "speaks-too-soon":
            self.wire.send(Frame(SETTINGS, 0, b"").encode())
        reply = self.wire.read_until(b"\xff", "a reply")
        if reply == b"CHALLENGE\xff":
            challenge = self.wire.read(41, "a challenge")[9:]
            message = challenge + (b"" if self.fault == "wrong-proof" else names[:-1])
            self.wire.send(b"000000032" + hmac.new(self.peer.secret, message, hashlib.sha256).digest())
            reply = self.wire.read_until(b"\xff", "a reply")
        if reply == b"REJECTED\xff":
            print("refused", self.wire.read_until(b"\xff", "a text"), flush=True)
            self.peer.lower = self.fault == "lower-after-rejected"
        return reply == b"OK\xff"

    def send(self, kind, slot=0, payload=b"", end=False):
        flags = (END if end else 0) | (0x80 if self.fault == "other-flags" else 0)
        self.wire.send_frames(Frame(kind, slot, payload, flags))

    def serve(self):
        said = {"capacity": self.peer.options.concurrency, "window": LONGEST, "started": 1, "ping": 1}
        self.send(SETTINGS, payload=settings(**said))
        while not self.wire.ended:
            if self.peer.leaving and not self.drained:
                self.drained = True
                if self.fault == "leaves-without-drain":
                    sys.exit(0)
                self.send(DRAIN)
            self.wire.receive(0.05)
            try:
                self.take_all()
            except Broken as rule:
                self.send(ERROR, payload=str(rule).encode())
                self.wire.finish()
                self.wire.read_end("the end", 2)

    def take_all(self):
        frame = self.wire.frame()
        while frame:
            self.take(frame)
            frame = self.wire.frame()

    def take(self, frame):
        request = self.requests.get(frame.stream)
        if frame.kind == SETTINGS:
            pairs = dict(entry.split(b"=", 1) for entry in frame.payload[:-1].split(b"\0"))
            self.window = int(pairs.get(b"window", LONGEST))
        elif frame.kind == PING:
            self.send(PONG, payload=b"pongpong" if self.fault == "other-pong" else frame.payload)
        elif frame.kind == REQUEST:
            if request and self.fault != "takes-an-open-slot":
                raise Broken("a REQUEST on an open slot")
            request = self.requests[frame.stream] = Request(frame, self.window)
            self.begin(request)
        elif request and frame.kind == DATA:
            request.body += frame.payload
            request.over = frame.end
            self.send(WINDOW, request.slot, u32(len(frame.payload) or 1))
            self.begin(request)
        elif request and frame.kind == WINDOW:
            request.window += number(frame.payload)
            self.go_on(request)
        elif request and frame.kind == CANCEL and self.fault != "deaf-to-cancel":
            print("cancelled", flush=True)
            self.send(CANCEL, request.slot)
            del self.requests[request.slot]

    def begin(self, request):
        if request.path == "/refuse":
            if self.fault == "started-and-refused":
                self.send(STARTED, request.slot)
            self.send(REFUSED, request.slot, b"not here")
            del self.requests[request.slot]
            return
        if not request.over or request.begun:
            return
        request.begun = True
        if self.fault != "no-started":
            self.send(STARTED, request.slot)
        if request.path == "/slow":
            print("began", flush=True)
            return
        if request.path == "/bytes":
            request.out = counted(int(request.env["QUERY_STRING"].split(b"=")[1]))
        elif request.path == "/fail":
            print("failed", flush=True)
        else:
            method = request.env["REQUEST_METHOD"]
            line = b" ".join((method, request.path.encode())) + b"\n"
            request.out = line + (request.body.split(b"\0")[0] if self.fault == "body-to-its-nul" else request.body)
        self.go_on(request)

    def go_on(self, request):
        """As much of the answer as the window allows."""
        if not request.begun or request.path == "/slow":
            return
        first = not request.answered
        most = LONGEST if self.fault == "deaf-to-windows" else min(request.window, LONGEST - 100)
        cut = LONGEST if self.fault == "long-data" else TURN
        while True:
            count = min(len(request.out), most, (LONGEST - 100) if first else cut)
            piece, request.out = request.out[:count], request.out[count:]
            end = not request.out
            if not (first or count or end):
                return
            head = HEAD if request.path != "/fail" else b"Status: 500 Failed\n" + HEAD
            head = b"HTTP/1.1 200 OK\n" + HEAD if self.fault == "status-line" else head
            payload = (head if first else b"") + piece
            if end and self.fault == "data-behind-end":
                self.wire.send_frames(Frame(RESPONSE, request.slot, payload, END), Frame(DATA, request.slot))
            else:
                self.send(RESPONSE if first else DATA, request.slot, payload, end)
            request.answered, first = True, False
            most -= 0 if self.fault == "deaf-to-windows" else count
            request.window -= count
            if end:
                del self.requests[request.slot]
                return
            if not most:
                return


class Peer:
    def __init__(self, options):
        self.options, self.leaving, self.lower, self.secret = options, False, False, b""
        if options.secret_file:
            with open(options.secret_file, "rb") as file:
                self.secret = file.read().strip()
        signal.signal(signal.SIGTERM, self.leave)

    def leave(self, *_):
        self.leaving = True

    def run(self):
        while not self.leaving:
            try:
                connection = Connection(self)
                if connection.handshake():
                    connection.serve()
                connection.wire.close()
            except (Failure, OSError) as error:
                print("lost", error, flush=True)
            select.select([], [], [], 0.1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--context", required=True)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--secret-file")
    parser.add_argument("--fault")
    Peer(parser.parse_args()).run()


if __name__ == "__main__":
    main()
