"""A peer of LRWP 1, 2 or 3 that does right most of the time; started by the rig as a process of its own.

wire_peer.py HOST PORT VERSION CONTEXT RECORD SEED MISDEEDS: MISDEEDS of 1,000 requests get something else."""

import random
import signal
import sys
import time

if __package__ in (None, ""):
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rig import wire
from rig.wire import Gone, Record, Wire, frame, right_answer, serial_answer

HEAD = b"Content-Type: text/plain\r\n\r\n"
CAPACITY = 6
PIECE = 16384
WINDOW = 65536


class Leaving(Exception):
    """SIGTERM has come."""


class SerialPeer:
    """LRWP 1 and 2: one request after the other."""

    def __init__(self, version, context, record, choices, misdeeds):
        self.version = version
        self.context = context
        self.record = record
        self.choices = choices
        self.misdeeds = misdeeds

    def live(self, address, leaving):
        link = Wire(address, self.version, self.context)
        try:
            self.serve(link, leaving)
        finally:
            link.close()

    def serve(self, link, leaving):
        link.socket.settimeout(0.25)
        while True:
            if leaving():
                raise Leaving
            try:
                link.wait(1)
            except TimeoutError:
                continue
            link.socket.settimeout(20)
            env, body = link.serial_request()
            self.record.executed(env)
            if not self.answer(link, right_answer(env, body)):
                return
            link.socket.settimeout(0.25)

    def answer(self, link, body):
        """Whether the connection goes on."""
        right = serial_answer(HEAD + body)
        if self.choices.randrange(1000) >= self.misdeeds:
            link.send(right)
            return True
        return self.choices.choice([
            self.close, self.reset, self.no_length, self.no_head, self.nothing, self.too_much, self.too_little,
            self.late,
        ])(link, right)

    def close(self, link, right):
        link.finish()
        return False

    def reset(self, link, right):
        link.reset()
        return False

    def no_length(self, link, right):
        link.send(b"garbage!!" + right)
        return False

    def no_head(self, link, right):
        link.send(serial_answer(b"no colon\r\n\r\nx"))
        return True

    def nothing(self, link, right):
        link.send(b"000000000")
        return True

    def too_much(self, link, right):
        link.send(right + bytes(5000))
        return False

    def too_little(self, link, right):
        link.send(right[: max(40, len(right) // 2)])
        time.sleep(self.choices.uniform(0, 0.2))
        self.choices.choice([link.reset, link.finish])()
        return False

    def late(self, link, right):
        time.sleep(self.choices.uniform(0, 0.5))
        link.send(right)
        return True


class StreamPeer:
    """LRWP 3: several requests on one connection, each executed when it is whole."""

    def __init__(self, context, record, choices, misdeeds):
        self.context = context
        self.record = record
        self.choices = choices
        self.misdeeds = misdeeds

    def live(self, address, leaving):
        # With stream=1 a slow client holds its answer back here. Peers that do no wrong leave that to the proxy.
        stream = self.choices.randrange(2) if self.misdeeds else 0
        settings = [f"capacity={CAPACITY}", "started=1", "ping=1", f"stream={stream}", "name=wire-peer"]
        self.link = Wire(address, 3, self.context, settings)
        self.open = {}
        self.whole = []
        self.drained = False
        try:
            self.serve(leaving)
        finally:
            self.link.close()

    def serve(self, leaving):
        self.link.socket.settimeout(0.25)
        while True:
            if leaving() and not self.drained:
                self.drained = True
                self.link.send(frame(wire.DRAIN, 0))
            try:
                self.link.wait(wire.HEAD.size)
            except TimeoutError:
                continue
            except Gone:
                if self.drained:
                    raise Leaving from None
                raise
            self.link.socket.settimeout(20)
            self.take(*self.link.frame())
            if not self.answer_all():
                return
            self.link.socket.settimeout(0.25)

    def take(self, kind, ends, stream, payload):
        if kind == wire.REQUEST:
            env, body = wire.request_of(payload)
            self.open[stream] = [env, body, WINDOW]
            self.arrived(stream, len(body), ends)
        elif kind == wire.DATA and stream in self.open:
            self.open[stream][1] += payload
            self.arrived(stream, len(payload), ends)
        elif kind == wire.WINDOW and stream in self.open:
            self.open[stream][2] += int.from_bytes(payload, "big")
        elif kind == wire.CANCEL and self.open.pop(stream, None):
            self.whole = [other for other in self.whole if other != stream]
            self.link.send(frame(wire.CANCEL, stream))
        elif kind == wire.PING:
            self.link.send(frame(wire.PONG, 0, payload))

    def arrived(self, stream, count, ends):
        if ends:
            self.whole.append(stream)
        elif count:
            self.link.send(frame(wire.WINDOW, stream, count.to_bytes(4, "big")))

    def answer_all(self):
        """Answers what is there as a whole, one after the other; whether the connection goes on."""
        while self.whole:
            if not self.answer(self.whole.pop(0)):
                return False
        return True

    def answer(self, stream):
        if self.choices.randrange(1000) >= self.misdeeds:
            self.start(stream)
            self.write(stream)
            return True
        return self.choices.choice([
            self.refuse, self.leave_unstarted, self.reset_unstarted, self.reset_started, self.leave_started,
            self.bad_head, self.give_up, self.break_rule, self.give_up_late, self.reset_late, self.late, self.drain,
        ])(stream)

    def start(self, stream):
        self.link.send(frame(wire.STARTED, stream))
        self.record.executed(self.open[stream][0])

    def write(self, stream):
        """The answer, as its window allows."""
        body = right_answer(*self.open[stream][:2])
        first = min(len(body), self.open[stream][2], 60000)
        self.link.send(frame(wire.RESPONSE, stream, HEAD + body[:first], end=first == len(body)))
        if first == len(body):
            del self.open[stream]
            return
        self.open[stream][2] -= first
        self.pour(stream, body, first)

    def pour(self, stream, body, sent):
        while sent < len(body):
            # Frames that come meanwhile are taken; requests among them wait until this answer is out.
            while stream in self.open and self.open[stream][2] == 0:
                self.take(*self.link.frame())
            if stream not in self.open:
                return
            size = min(PIECE, self.open[stream][2], len(body) - sent)
            self.open[stream][2] -= size
            self.link.send(frame(wire.DATA, stream, body[sent : sent + size], end=sent + size == len(body)))
            sent += size
        del self.open[stream]

    def end(self, stream):
        self.open.pop(stream)

    def refuse(self, stream):
        self.end(stream)
        self.link.send(frame(wire.REFUSED, stream, b"not now"))
        return True

    def leave_unstarted(self, stream):
        self.link.finish()
        return False

    def reset_unstarted(self, stream):
        self.link.reset()
        return False

    def reset_started(self, stream):
        self.start(stream)
        self.link.reset()
        return False

    def leave_started(self, stream):
        self.start(stream)
        self.link.finish()
        return False

    def bad_head(self, stream):
        self.start(stream)
        self.link.send(frame(wire.RESPONSE, stream, b"no colon\n\n", end=True))
        self.end(stream)
        return True

    def give_up(self, stream):
        self.start(stream)
        self.link.send(frame(wire.CANCEL, stream, b"given up"))
        self.end(stream)
        return True

    def break_rule(self, stream):
        self.start(stream)
        self.link.send(frame(wire.DATA, stream + CAPACITY, b"on no slot"))
        return False

    def begin(self, stream):
        self.start(stream)
        self.link.send(frame(wire.RESPONSE, stream, HEAD + b"x" * 500))
        time.sleep(self.choices.uniform(0, 0.1))

    def give_up_late(self, stream):
        self.begin(stream)
        self.link.send(frame(wire.CANCEL, stream, b"given up"))
        self.end(stream)
        return True

    def reset_late(self, stream):
        self.begin(stream)
        self.link.reset()
        return False

    def late(self, stream):
        self.start(stream)
        time.sleep(self.choices.uniform(0, 0.5))
        self.write(stream)
        return True

    def drain(self, stream):
        self.start(stream)
        self.write(stream)
        self.link.send(frame(wire.DRAIN, 0))
        return True


def main():
    host, port, version, context, record, seed, misdeeds = sys.argv[1:]
    told = []
    signal.signal(signal.SIGTERM, lambda *_: told.append(True))
    choices = random.Random(seed)
    kept = Record(record)
    if version == "3":
        peer = StreamPeer(context, kept, choices, int(misdeeds))
    else:
        peer = SerialPeer(int(version), context, kept, choices, int(misdeeds))
    while not told:
        try:
            peer.live((host, int(port)), lambda: bool(told))
        except Leaving:
            return
        except (Gone, OSError):
            # It dials again; the waits are short, because the run is.
            time.sleep(choices.uniform(0.02, 0.2))


if __name__ == "__main__":
    main()
