"""Requests, answers, and handlers that fail."""

from ..cases import case
from ..wire import STARTED, counted, expect, pattern, printable


def expect_500(slot, what):
    slot.await_end()
    came = f"{slot.ended}, status {slot.head.status if slot.head else 'none'}"
    expect(slot.ended == "END" and slot.head.status == 500, f"500 for {what}", came, "6")
    expect(not slot.head.values("Set-Cookie"), "no field that the handler's value has made", repr(slot.head.fields))


@case("answers", "15.5.1")
def started_before_the_answer(bench):
    """a peer with started=1 says STARTED before its answer"""
    bench.offers("started")
    entry = bench.link().request("/bytes", query="n=10")
    entry.answer()
    expect(entry.started, "STARTED before RESPONSE", "RESPONSE alone")


@case("answers", "13")
def methods(bench):
    """every method reaches the handler"""
    link = bench.link()
    for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "REPORT"):
        came = link.request("/m", method=method).answer()
        expect(came == f"{method} /m\n".encode(), f"{method} /m", printable(came))


@case("answers", "15.8.2")
def head_request(bench):
    """HEAD is answered, and the connection goes on"""
    link = bench.link()
    entry = link.request("/head", method="HEAD")
    entry.answer()
    link.echo()


@case("answers", "6")
def status_204(bench):
    """204 has no body"""
    entry = bench.link().request("/status/204")
    came = entry.answer(204)
    expect(came == b"", "no body", printable(came))


@case("answers", "6")
def other_statuses(bench):
    """the status of the handler is that of the answer"""
    link = bench.link()
    for status in (201, 301, 404, 418, 503, 599):
        link.request(f"/status/{status}").answer(status)


@case("answers", "6")
def fields_of_an_answer(bench):
    """fields come as the handler gave them, those of one name in their order"""
    entry = bench.link().request("/fields")
    entry.answer()
    expect(entry.head.values("X-One") == ["1"], "X-One: 1", repr(entry.head.fields))
    expect(entry.head.values("Set-Cookie") == ["a=1", "b=2"], "two Set-Cookie in order", repr(entry.head.fields))


@case("answers", "6")
def content_type(bench):
    """an answer with a body says what type it is"""
    entry = bench.link().request("/x")
    entry.answer()
    expect(entry.head.value("Content-Type"), "a Content-Type", repr(entry.head.fields))


@case("answers", "13")
def body_of_all_bytes(bench):
    """bodies are bytes: every value comes through both ways"""
    body = bytes(range(256)) * 3
    came = bench.link().request("/all", body, method="POST").answer()
    expect(came == b"POST /all\n" + body, "the echo", printable(came))


@case("answers", "13")
def body_that_looks_like_a_head(bench):
    """a body that looks like a head, or like a frame, is a body"""
    link = bench.link()
    for body in (b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", b"\n\n", bytes([0, 0, 0, 1, 6, 1, 0, 0, 0, 0, 0, 1, 65])):
        came = link.request("/like", body, method="POST").answer()
        expect(came == b"POST /like\n" + body, "the echo", printable(came))


@case("answers", "13")
def empty_answer(bench):
    """an answer may have no body"""
    came = bench.link().request("/bytes", query="n=0").answer()
    expect(came == b"", "no body", printable(came))


@case("answers", "15.8.1")
def pieces_go_at_once(bench):
    """each piece of an answer is sent when the handler has made it"""
    link = bench.link()
    # So far apart that also a test that was held up sees the first one alone.
    entry = link.request("/stream", query="n=2&size=10&ms=4000")
    entry.await_body(10)
    expect(len(entry.body) == 10, "the first piece alone", f"{len(entry.body)} bytes", "15.8.1")
    came = entry.answer()
    expect(came == counted(20), "both pieces", f"{len(came)} bytes that differ")


@case("answers", "15.8.1")
def long_stream(bench):
    """a stream of 2,000 pieces comes whole"""
    came = bench.link().request("/stream", query="n=2000&size=50&ms=0").answer()
    expect(came == counted(100000), "100,000 bytes", f"{len(came)} bytes that differ")


@case("answers", "15.8.4")
def handler_begins_before_the_body_is_there(bench):
    """with stream=1 the handler runs while the body is on its way"""
    bench.offers("stream")
    link = bench.link()
    entry = link.request("/early", b"he", method="POST", end=False)
    entry.await_started()
    entry.data(b"llo", end=True)
    came = entry.answer()
    expect(came == b"POST /early\nhello", "the echo", printable(came))


@case("answers", "15.8.4")
def body_of_unknown_length(bench):
    """CONTENT_LENGTH may be missing: the body ends with END"""
    link = bench.link()
    entry = link.request("/unknown", method="POST", end=False)
    body = pattern(40000, 9)
    entry.upload(body)
    came = entry.answer()
    expect(came == b"POST /unknown\n" + body, "the echo", f"{len(came)} bytes that differ")


@case("answers", "15.7")
def handler_fails(bench):
    """a handler that fails is 500 to the client, or gives the request up; the log has a line"""
    link, mark = bench.link(), bench.program.mark()
    entry = link.request("/fail").await_end()
    status = entry.head.status if entry.head else None
    expect((entry.ended == "END" and status == 500) or (entry.ended == "CANCEL" and not entry.head),
           "500, or CANCEL", f"{entry.ended}, status {status}")
    bench.program.await_line("fail", since=mark)
    link.echo()


@case("answers", "6")
def value_with_a_line_end(bench):
    """a value with CR and LF is an error of the handler, never a field of its own"""
    expect_500(bench.link().request("/fail/value"), "a value with CR and LF")
    bench.link().echo()


@case("answers", "6")
def name_that_is_no_token(bench):
    """a name that is no token is an error of the handler"""
    expect_500(bench.link().request("/fail/name"), "a name with a blank")
    bench.link().echo()


@case("answers", "15.7.1")
def handler_fails_late(bench):
    """a handler that fails in the middle of its answer ends it by CANCEL, never by END"""
    link = bench.link()
    entry = link.request("/fail/late").await_end()
    expect(entry.ended == "CANCEL", "CANCEL: the answer is not whole", str(entry.ended))
    link.echo()


@case("answers", "15.7.1")
def many_failures(bench):
    """handlers that fail cost no slot"""
    link = bench.link()
    for i in range(20):
        link.request("/fail", slot=i % 4 + 1).await_end()
    for slot in (1, 2, 3, 4):
        link.echo(slot=slot)


@case("answers", "15.6")
def refused_before_it_is_started(bench):
    """a request that the program refuses gets REFUSED with a reason, without STARTED"""
    link = bench.link()
    before = len(link.frames)
    entry = link.request("/refuse").await_end()
    expect(entry.ended == "REFUSED" and entry.text == b"not here", "REFUSED `not here`",
           f"{entry.ended} {printable(entry.text)}")
    expect(STARTED not in [frame.kind for frame in link.frames[before:]], "no STARTED", "STARTED", "15.6.4")
    link.echo()


@case("answers", "15.6")
def refused_with_a_body_on_its_way(bench):
    """a request that is refused while its body is on its way frees its slot"""
    link = bench.link()
    entry = link.request("/refuse", b"some", method="POST", end=False, variables={"CONTENT_LENGTH": "100000"})
    entry.await_end()
    expect(entry.ended == "REFUSED", "REFUSED", str(entry.ended))
    for _ in range(3):
        link.echo(body=pattern(1000))


@case("answers", "15.6")
def refusals_beside_answers(bench):
    """refusing some requests of a segment does not touch the others"""
    link = bench.link()
    pairs = [link.request_frame("/refuse" if slot % 2 else "/ok", slot=slot) for slot in (1, 2, 3, 4)]
    link.send_frames(*[frame for frame, _ in pairs])
    ends = [entry.await_end().ended for _, entry in pairs]
    expect(ends == ["REFUSED", "END", "REFUSED", "END"], "REFUSED, END, REFUSED, END", ", ".join(ends))
