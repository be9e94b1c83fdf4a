"""How a request ends before its time."""

import fcntl
import sys
import termios
import time

from ..cases import case
from ..wire import CANCEL, DATA, END, Frame, PATIENCE, UNLIMITED, WINDOW, expect, pattern, printable, u32


@case("ends", "15.4.4")
def cancel_of_a_running_handler(bench):
    """CANCEL reaches a handler that runs, and the peer ends the slot"""
    link, mark = bench.link(), bench.start().mark()
    entry = link.request("/slow")
    entry.await_started()
    bench.program.await_line("began", since=mark)
    entry.cancel()
    entry.await_end("the end of a cancelled request", "15.4.4")
    bench.program.await_line("cancelled", since=mark)
    link.echo()


@case("ends", "15.4.4")
def only_the_handlers_end_frees_the_slot(bench):
    """a slot whose handler goes on after CANCEL is ended when the handler has ended"""
    link, mark = bench.link(), bench.start().mark()
    entry = link.request("/slow", query="linger=600")
    entry.await_started()
    bench.program.await_line("began", since=mark)
    entry.cancel()
    link.ping()
    link.quiet(0.2)
    expect(not entry.ended, "no end of the slot while its handler runs", str(entry.ended))
    link.echo(slot=2)
    entry.await_end("the end of the slot with its handler", "15.4.4")
    link.echo()


@case("ends", "15.4.4")
def cancel_before_the_handler_began(bench):
    """REQUEST and CANCEL in one segment: the peer ends the slot"""
    link = bench.link()
    frame, entry = link.request_frame("/slow")
    entry.cancelled = True
    link.send_frames(frame, Frame(CANCEL, 1, b"gone at once"))
    entry.await_end("the end of a request that was cancelled at once", "15.4.4")
    link.echo()


@case("ends", "15.4.4")
def cancel_with_the_body_on_its_way(bench):
    """CANCEL in the middle of a request's body ends it"""
    link = bench.link()
    entry = link.request("/upload", b"begin", method="POST", end=False, variables={"CONTENT_LENGTH": "100000"})
    entry.data(pattern(5000))
    entry.cancel()
    entry.await_end("the end of a cancelled request", "15.4.4")
    link.echo(body=pattern(2000))


@case("ends", "15.4.4")
def cancel_in_the_middle_of_an_answer(bench):
    """CANCEL in the middle of an answer ends it"""
    link = bench.link()
    entry = link.request("/stream", query="n=1000&size=100&ms=20")
    entry.await_body(200)
    entry.cancel()
    entry.await_end("the end of a cancelled answer", "15.4.4")
    expect(len(entry.body) < 100000, "an answer that was not finished", f"{len(entry.body)} bytes")
    link.echo()


@case("ends", "15.2.3")
def cancel_takes_back_what_waits(bench):
    """behind CANCEL the answer that waits to be written is dropped"""
    link = bench.fresh(window=UNLIMITED)
    entry = link.request("/bytes", query="n=16000000")
    entry.await_body(100000)
    entry.cancel()
    entry.await_end("the end of a cancelled answer", "15.2.3")
    expect(len(entry.body) < 16000000, "less than the whole answer", f"{len(entry.body)} bytes")
    link.echo()


@case("ends", "13")
def text_of_cancel(bench):
    """the text of CANCEL may be empty, long, or of any bytes"""
    link = bench.link()
    for text in (b"", b"x" * 1000, bytes(range(256)), b"\xff\xfe\0\n"):
        entry = link.request("/slow")
        entry.await_started()
        entry.cancel(text)
        entry.await_end("the end of a cancelled request", "15.4.4")
    link.echo()


@case("ends", "15.4.5")
def cancel_behind_the_answer(bench):
    """a CANCEL that crosses the end of the answer is ignored"""
    link = bench.link()
    link.request("/done").answer()
    link.send_frames(Frame(CANCEL, 1, b"too late"), Frame(WINDOW, 1, u32(100)))
    link.ping()
    link.echo()


@case("ends", "15.4.1")
def slot_after_cancel(bench):
    """the next request on a slot gets its own answer, not the rest of a cancelled one"""
    link = bench.link()
    for i in range(5):
        entry = link.request("/stream", query="n=100&size=1000&ms=5")
        entry.await_body(1000)
        entry.cancel()
        entry.await_end("the end of a cancelled answer", "15.4.4")
        came = link.request(f"/next/{i}").answer()
        expect(came == b"GET /next/%d\n" % i, f"the echo of /next/{i}", printable(came))


@case("ends", "15.4.3")
def answer_before_the_body_has_ended(bench):
    """an answer may end before its request: the proxy cancels, and the slot is free"""
    bench.offers("stream")
    link = bench.link()
    for _ in range(3):
        entry = link.request("/unread", b"begin", method="POST", end=False, variables={"CONTENT_LENGTH": "100000"})
        entry.await_end()
        expect(entry.ended == "END" and bytes(entry.body) == b"unread\n", "the answer", printable(entry.body))
    link.echo()


@case("ends", "15.4.5")
def data_behind_the_answer(bench):
    """DATA that crosses the end of an early answer is ignored, and not granted"""
    bench.offers("stream")
    link = bench.link()
    frame, entry = link.request_frame("/unread", b"begin", method="POST", end=False,
                                      variables={"CONTENT_LENGTH": "100000"})
    link.send_frames(frame, *[Frame(DATA, 1, pattern(10000)) for _ in range(5)])
    entry.await_end()
    link.ping()
    link.echo()


@case("ends", "15.4.1")
def cancel_with_others_running(bench):
    """CANCEL of one request leaves the others alone"""
    link = bench.link()
    slow = [link.request("/slow", slot=slot) for slot in (1, 2, 3)]
    for entry in slow:
        entry.await_started()
    slow[1].cancel()
    slow[1].await_end("the end of a cancelled request", "15.4.4")
    link.ping()
    expect(not slow[0].ended and not slow[2].ended, "the others run on", f"{slow[0].ended}, {slow[2].ended}")
    link.echo(slot=2)
    for entry in (slow[0], slow[2]):
        entry.cancel()
        entry.await_end("the end of a cancelled request", "15.4.4")


@case("ends", "15.4.4")
def cancel_of_all_at_once(bench):
    """CANCEL of all slots in one segment frees all of them"""
    link = bench.link()
    slow = [link.request("/slow", slot=slot) for slot in (1, 2, 3, 4)]
    for entry in slow:
        entry.await_started()
        entry.over = entry.cancelled = True
    link.send_frames(*[Frame(CANCEL, slot, b"") for slot in (1, 2, 3, 4)])
    for entry in slow:
        entry.await_end("the end of a cancelled request", "15.4.4")
    for slot in (4, 3, 2, 1):
        link.echo(slot=slot)


@case("ends", "15.4.4")
def cancel_many_times(bench):
    """two hundred cancelled requests cost no slot"""
    link = bench.link()
    for i in range(200):
        slot = i % 4 + 1
        frame, entry = link.request_frame("/slow" if i % 3 else "/stream", slot=slot, query="n=50&size=10&ms=5")
        entry.cancelled = True
        link.send_frames(frame, Frame(CANCEL, slot, b""))
        entry.await_end("the end of a cancelled request", "15.4.4")
    for slot in (1, 2, 3, 4):
        link.echo(slot=slot)


@case("ends", "15.9.2")
def ping_while_all_handlers_run(bench):
    """a peer with ping=1 answers PING while all of its handlers run"""
    bench.offers("ping")
    link = bench.link()
    slow = [link.request("/slow", slot=slot) for slot in (1, 2, 3, 4)]
    for entry in slow:
        entry.await_started()
    begun = time.monotonic()
    link.ping()
    expect(time.monotonic() - begun < 5, "PONG at once", f"after {time.monotonic() - begun:.1f} s")
    for entry in slow:
        entry.cancel()
        entry.await_end("the end of a cancelled request", "15.4.4")


def stuck(bench, link):
    """The peer cannot write: it has a long answer for a proxy that reads nothing."""
    entry = link.request("/bytes", query="n=16000000")
    link.until(lambda: entry.head, "the head of the answer")
    waits, since, until = 0, time.monotonic(), time.monotonic() + PATIENCE
    while time.monotonic() - since < 0.3:
        expect(time.monotonic() < until, "a peer that can write no more", f"{waits} bytes wait and more come")
        bench.program.pause(0.02)
        now = unread(link)
        if now != waits:
            waits, since = now, time.monotonic()
    return entry


def unread(link):
    """Bytes that have come and are not read."""
    four = fcntl.ioctl(link.sock.fileno(), termios.FIONREAD, bytes(4))
    return int.from_bytes(four, sys.byteorder)


@case("stuck", "15.5.1", own=True)
def no_handler_before_started_is_written(bench):
    """a peer with started=1 enters no handler while its STARTED cannot be written"""
    bench.offers("started")
    link, program = bench.fresh(window=UNLIMITED), bench.program
    stuck(bench, link)
    mark = program.mark()
    frame, entry = link.request_frame("/slow", slot=2)
    link.sock.setblocking(True)
    link.note(f"sent  {frame}, and nothing is read from here on")
    link.sock.sendall(frame.encode())
    link.sock.setblocking(False)
    until = time.monotonic() + 0.7
    while time.monotonic() < until and "began" not in program.lines[mark:]:
        program.pause(until - time.monotonic())
    if "began" in program.lines[mark:]:
        # Then STARTED must be in what the peer has written until now.
        program.freeze()
        try:
            link.until(lambda: entry.started, "STARTED before its handler runs")
        finally:
            program.thaw()
        return
    link.reset()
    bench.recovered()
    expect("began" not in program.lines[mark:], "no handler of a connection that is over", "began")


@case("stuck", "15.3.4", own=True)
def connection_is_read_while_nothing_can_be_written(bench):
    """a peer goes on reading while it cannot write"""
    link = bench.fresh(window=UNLIMITED)
    stuck(bench, link)
    frame, entry = link.request_frame("/upload", method="POST", slot=2, end=False,
                                      variables={"CONTENT_LENGTH": "1000000"})
    content = frame.encode()
    room = int(link.peer["window"])
    body = pattern(min(room, 1000000), 5)
    for at in range(0, len(body), 16384):
        content += Frame(DATA, 2, body[at:at + 16384]).encode()
    content += Frame(DATA, 2, b"", END).encode()
    link.sock.setblocking(True)
    link.sock.settimeout(10)
    link.note(f"sent  {frame} and {len(body)} bytes of DATA, END, without reading")
    try:
        link.sock.sendall(content)
    except OSError as error:
        expect(False, "all of it is taken", str(error))
    link.sock.setblocking(False)
    entry.over = True
    link.slots[1].cancel()
    link.slots[1].await_end("the end of a cancelled answer", "15.4.4")
    came = entry.answer()
    expect(came == b"POST /upload\n" + body, "the echo", f"{len(came)} bytes that differ")
