"""Windows, in both directions."""

from ..cases import case
from ..wire import DATA, Frame, RESPONSE, TURN, UNLIMITED, WINDOW, counted, expect, pattern, u32


def expect_body(came, count):
    expect(came == counted(count), f"{count} bytes, that at i is i modulo 251", f"{len(came)} bytes that differ")


@case("windows", "15.3.1")
def large_answer(bench):
    """an answer of 1,000,000 bytes comes through, piece by piece as it is granted"""
    expect_body(bench.link().request("/bytes", query="n=1000000").answer(), 1000000)


@case("windows", "15.3.3")
def answer_stops_at_the_window(bench):
    """an answer stops when its window is used up, and goes on by what is granted"""
    link = bench.fresh(window=1000)
    entry = link.request("/bytes", query="n=200000")
    entry.grants_itself = False
    entry.await_body(1000)
    link.ping()
    expect(len(entry.body) == 1000, "1,000 bytes", f"{len(entry.body)} bytes", "15.3.3")
    for count in (1, 2, 5000, 60000):
        before = len(entry.body)
        entry.window(count)
        entry.await_body(before + count)
    entry.grants_itself = True
    entry.window(65536)
    expect_body(entry.answer(), 200000)


@case("windows", "15.3.2")
def window_of_one(bench):
    """a window that is granted byte by byte is used byte by byte"""
    link = bench.fresh(window=0)
    entry = link.request("/bytes", query="n=40")
    entry.grants_itself = False
    for i in range(40):
        entry.window(1)
        entry.await_body(i + 1)
    expect_body(entry.answer(), 40)


@case("windows", "15.3.1")
def end_needs_no_window(bench):
    """an answer that just fits its window ends without more of it"""
    link = bench.fresh(window=5000)
    entry = link.request("/stream", query="n=5&size=1000&ms=1")
    entry.grants_itself = False
    expect_body(entry.answer(), 5000)


@case("windows", "15.3.4")
def waiting_stream_stops_no_other(bench):
    """while one answer waits for window others go on"""
    link = bench.fresh(window=1000)
    waiting = [link.request("/bytes", query="n=100000", slot=slot) for slot in (1, 2, 3)]
    for entry in waiting:
        entry.grants_itself = False
        entry.await_body(1000)
    for _ in range(5):
        link.echo(slot=4)
    for entry in waiting:
        entry.grants_itself = True
        entry.window(65536)
        expect_body(entry.answer(), 100000)


@case("windows", "15.3.2")
def window_of_a_new_request(bench):
    """each request begins with the whole window, whatever is left of the one before"""
    link = bench.fresh(window=1000)
    for _ in range(3):
        entry = link.request("/bytes", query="n=1000")
        entry.grants_itself = False
        expect_body(entry.answer(), 1000)
    entry = link.request("/bytes", query="n=10")
    entry.grants_itself = False
    entry.window(1000000)
    entry.answer()
    entry = link.request("/bytes", query="n=1500")
    entry.grants_itself = False
    entry.await_body(1000)
    link.ping()
    expect(len(entry.body) == 1000, "1,000 bytes: what the last request had left is gone", f"{len(entry.body)} bytes")
    entry.window(500)
    expect_body(entry.answer(), 1500)


@case("windows", "15.4.2")
def window_behind_the_end_of_a_request(bench):
    """WINDOW counts also when the request has ended"""
    link = bench.fresh(window=10)
    entry = link.request("/bytes", query="n=100")
    entry.grants_itself = False
    entry.await_body(10)
    entry.window(90)
    expect_body(entry.answer(), 100)


@case("windows", "15.3.3")
def window_to_the_brim(bench):
    """4294967295 open bytes are allowed"""
    link = bench.fresh(window=1000)
    entry = link.request("/slow")
    entry.await_started()
    entry.window(UNLIMITED - 1000)
    link.ping()
    entry.cancel()
    entry.await_end()
    link.echo()


@case("windows", "15.3.2")
def large_upload(bench):
    """a body of 1,000,000 bytes is granted piece by piece and comes through"""
    link = bench.link()
    body = pattern(1000000, 3)
    entry = link.request("/large", body[:100], method="POST", end=False,
                         variables={"CONTENT_LENGTH": str(len(body))})
    entry.upload(body[100:])
    came = entry.answer()
    expect(came == b"POST /large\n" + body, "the echo", f"{len(came)} bytes that differ")


@case("windows", "15.3.2")
def two_uploads_at_once(bench):
    """two bodies whose DATA come in turn are not mixed up"""
    link = bench.link()
    bodies = {1: pattern(150000, 1), 2: pattern(150000, 2)}
    entries = {slot: link.request(f"/up/{slot}", method="POST", slot=slot, end=False,
                                  variables={"CONTENT_LENGTH": "150000"}) for slot in bodies}
    for at in range(0, 150000, 1000):
        for slot, entry in entries.items():
            link.until(lambda entry=entry: entry.credit >= 1000 or entry.ended, "window for the body")
            entry.data(bodies[slot][at:at + 1000], end=at == 149000)
    for slot, entry in entries.items():
        came = entry.answer()
        expect(came == b"POST /up/%d\n" % slot + bodies[slot], "the echo", f"{len(came)} bytes that differ")


@case("windows", "13")
def data_larger_than_a_turn(bench):
    """DATA above 16,384 bytes is taken: only a sender is asked to cut there"""
    link = bench.link()
    body = pattern(50000)
    entry = link.request("/data", method="POST", end=False, variables={"CONTENT_LENGTH": "50000"})
    link.until(lambda: entry.credit >= 50000 or entry.started, "window")
    if entry.credit < 50000:
        body = body[:entry.credit]
    entry.data(body, end=True)
    came = entry.answer()
    expect(came == b"POST /data\n" + body, "the echo", f"{len(came)} bytes that differ")


@case("windows", "15.3.2")
def upload_of_many_small_pieces(bench):
    """a body of 3,000 DATA frames of one byte comes through"""
    link = bench.link()
    body = pattern(3000)
    entry = link.request("/small", method="POST", end=False, variables={"CONTENT_LENGTH": "3000"})
    for at in range(0, 3000, 500):
        link.send_frames(*[Frame(DATA, 1, body[i:i + 1]) for i in range(at, at + 500)])
    entry._count(body)
    entry.data(end=True)
    came = entry.answer()
    expect(came == b"POST /small\n" + body, "the echo", f"{len(came)} bytes that differ")


@case("windows", "15.3.3")
def no_more_is_granted_than_was_sent(bench):
    """what a peer has granted never exceeds its window and what it has got"""
    link = bench.link()
    window = int(link.peer["window"])
    body = pattern(300000)
    entry = link.request("/grants", method="POST", end=False, variables={"CONTENT_LENGTH": "300000"})
    entry.upload(body)
    entry.answer()
    expect(entry.granted <= 300000 + window, f"at most {300000 + window} bytes granted", str(entry.granted))


@case("windows", "15.4.5")
def late_frames_on_an_ended_stream(bench):
    """WINDOW, DATA and CANCEL on a stream that the peer has ended are ignored"""
    link = bench.link()
    entry = link.request("/x", end=False, variables={"CONTENT_LENGTH": "5"}, method="POST")
    entry.data(b"hello", end=True)
    entry.answer()
    link.send_frames(Frame(WINDOW, 1, u32(5000)))
    link.ping()
    link.echo()


@case("windows", "15.2.5")
def data_is_cut(bench):
    """a long answer comes in DATA of at most 16,384 bytes, also where the window allows more"""
    link = bench.fresh(window=UNLIMITED)
    link.request("/stream", query="n=4&size=100000").answer()
    data = [frame for frame in link.frames if frame.kind == DATA]
    expect(data and all(len(frame.payload) <= TURN for frame in data), "DATA of at most 16,384 bytes",
           str(max(len(frame.payload) for frame in data)) if data else "no DATA")


@case("windows", "15.2.5")
def long_answer_holds_up_no_short_one(bench):
    """an answer that is short goes between the frames of a long one"""
    link = bench.fresh(window=UNLIMITED)
    # So long that also a slow peer hears of the other request before its end.
    long = link.request("/stream", query="n=10000&size=100000", slot=1)
    long.await_body(100000)
    short = link.request("/short", slot=2)
    short.await_end()
    expect(not long.ended, "the short answer before the end of the long one", f"{len(long.body)} bytes of it before")
    long.cancel()
    long.await_end()


@case("windows", "15.2.5")
def small_answer_is_one_frame(bench):
    """an answer that is whole and fits is one RESPONSE with END"""
    link = bench.link()
    before = len(link.frames)
    link.request("/bytes", query="n=1000").answer()
    kinds = [frame for frame in link.frames[before:] if frame.kind in (RESPONSE, DATA)]
    expect(len(kinds) == 1 and kinds[0].end, "one RESPONSE with END", "; ".join(map(str, kinds)))


@case("windows", "15.3.5")
def cancel_ends_the_wait_for_window(bench):
    """an answer that waits for window ends at CANCEL"""
    link = bench.fresh(window=100)
    entry = link.request("/bytes", query="n=100000")
    entry.grants_itself = False
    entry.await_body(100)
    entry.cancel()
    entry.await_end("the end of an answer that was cancelled", "15.3.5")
    expect(len(entry.body) == 100, "no byte behind CANCEL", f"{len(entry.body)} bytes")
    link.echo()


@case("windows", "15.3.5")
def cancel_ends_a_handler_that_writes(bench):
    """a handler that waits for window in the middle of its answer ends at CANCEL"""
    link = bench.fresh(window=100)
    entry = link.request("/stream", query="n=100&size=50000")
    entry.grants_itself = False
    entry.await_body(100)
    entry.cancel()
    entry.await_end("the end of an answer that was cancelled", "15.3.5")
    link.echo()


@case("windows", "15.3.2")
def window_split(bench):
    """WINDOW may come byte by byte"""
    link = bench.fresh(window=0)
    entry = link.request("/bytes", query="n=10")
    entry.grants_itself = False
    entry.allowance += 10
    link.send_frames(Frame(WINDOW, 1, u32(10)), bytewise=True)
    expect_body(entry.answer(), 10)
