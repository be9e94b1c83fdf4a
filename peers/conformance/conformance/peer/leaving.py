"""How a peer leaves, how it is sent away, and what it does about silence."""

from ..bench import expect_code
from ..cases import case
from ..wire import DRAIN, Frame, Skip, expect, printable


def leaving(bench, link):
    """SIGTERM, and the DRAIN that follows."""
    bench.program.terminate()
    return link.until(lambda: link.draining or link.ended, "DRAIN", "15.10.1")


def closed_by_proxy(bench, link):
    """The proxy closes when the last slot is done; then the program ends."""
    link.finish()
    expect_code(bench.program, "the program ends when the proxy has closed", "15.10.1")


@case("leaving", "15.10.1", own=True)
def leaves_when_idle(bench):
    """SIGTERM: DRAIN, and the end of the program when the proxy closes"""
    link = bench.link()
    link.echo()
    leaving(bench, link)
    expect(link.draining, "DRAIN before the end", f"the end: {link.ended}")
    closed_by_proxy(bench, link)


@case("leaving", "15.10.1", own=True)
def leaves_with_open_requests(bench):
    """SIGTERM: what has begun is answered, after DRAIN"""
    link = bench.link()
    entries = [link.request("/stream", query="n=6&size=10&ms=100", slot=slot) for slot in (1, 2, 3)]
    for entry in entries:
        entry.await_body(10)
    leaving(bench, link)
    for entry in entries:
        came = entry.answer()
        expect(came == bytes(range(60)), "the whole answer", printable(came))
    closed_by_proxy(bench, link)


@case("leaving", "15.1.2", own=True)
def request_that_crosses_drain(bench):
    """a request that crosses DRAIN is refused, or answered"""
    link = bench.link()
    first = link.request("/stream", query="n=8&size=10&ms=100")
    first.await_body(10)
    leaving(bench, link)
    second = link.request("/late", slot=2).await_end()
    expect(second.ended in ("REFUSED", "END"), "REFUSED, or the answer", str(second.ended))
    if second.ended == "REFUSED":
        expect(not second.started, "no STARTED before REFUSED", "STARTED", "15.6.4")
    first.answer()
    closed_by_proxy(bench, link)


@case("leaving", "15.10.1", own=True)
def upload_goes_on_while_leaving(bench):
    """a request whose body is on its way is finished after DRAIN"""
    link = bench.link()
    entry = link.request("/upload", b"be", method="POST", end=False, variables={"CONTENT_LENGTH": "5"})
    if link.peer["stream"] == "1":
        entry.await_started()
    link.ping()
    leaving(bench, link)
    entry.data(b"gun", end=True)
    came = entry.answer()
    expect(came == b"POST /upload\nbegun", "the echo", printable(came))
    closed_by_proxy(bench, link)


@case("leaving", "15.9.2", own=True)
def ping_while_leaving(bench):
    """a peer that leaves still answers PING, and keeps its windows"""
    link = bench.fresh(window=10)
    entry = link.request("/stream", query="n=4&size=10&ms=100")
    entry.await_body(10)
    leaving(bench, link)
    link.ping()
    came = entry.answer()
    expect(came == bytes(range(40)), "the whole answer", printable(came))
    closed_by_proxy(bench, link)


@case("leaving", "15.10.1", own=True)
def no_new_dial_while_leaving(bench):
    """a peer that leaves does not dial again"""
    link = bench.link()
    entry = link.request("/stream", query="n=6&size=10&ms=100")
    entry.await_body(10)
    leaving(bench, link)
    entry.answer()
    closed_by_proxy(bench, link)
    bench.expect_no_dial()


@case("leaving", "15.5.7", own=True)
def ends_when_the_proxy_is_gone(bench):
    """SIGTERM without a connection: the program ends at once"""
    link = bench.dialled()
    link.send(b"REJECTED\xffERROR: Out of resources\xff")
    link.finish()
    link.read_end("the end of the peer's connection")
    bench.program.terminate()
    expect_code(bench.program, "the program ends", "15.10")


@case("leaving", "15.5.7", own=True)
def reset_while_leaving(bench):
    """a connection that is reset while the peer leaves ends the program, not later"""
    link = bench.link()
    entry = link.request("/slow")
    entry.await_started()
    leaving(bench, link)
    link.reset()
    bench.program.await_end("the program ends when its last connection is lost", "15.10")


@case("leaving", "15.4.4", own=True)
def cancel_while_leaving(bench):
    """CANCEL works while the peer leaves"""
    link = bench.link()
    entry = link.request("/slow")
    entry.await_started()
    leaving(bench, link)
    entry.cancel()
    entry.await_end("the end of a cancelled request", "15.4.4")
    closed_by_proxy(bench, link)


@case("sent-away", "15.10.3")
def drain_of_the_proxy(bench):
    """after the proxy's DRAIN what has begun is answered, and the peer is there again"""
    link = bench.fresh()
    entry = link.request("/stream", query="n=4&size=10&ms=50")
    entry.await_body(10)
    link.send_frames(Frame(DRAIN))
    came = entry.answer()
    expect(came == bytes(range(40)), "the whole answer", printable(came))
    link.finish()
    link.await_close("the end of the peer's direction")
    link.close()
    bench.recovered()


@case("sent-away", "15.10.3")
def drain_of_an_idle_proxy(bench):
    """after DRAIN and the end of an idle connection the peer is there again"""
    link = bench.fresh()
    link.send_frames(Frame(DRAIN))
    link.finish()
    link.await_close("the end of the peer's direction")
    link.close()
    bench.recovered()


@case("sent-away", "15.10.3")
def drain_with_a_body_on_its_way(bench):
    """a request whose body is on its way is finished after the proxy's DRAIN"""
    link = bench.fresh()
    entry = link.request("/upload", b"be", method="POST", end=False, variables={"CONTENT_LENGTH": "5"})
    link.send_frames(Frame(DRAIN))
    entry.data(b"gun", end=True)
    came = entry.answer()
    expect(came == b"POST /upload\nbegun", "the echo", printable(came))
    link.finish()
    link.close()
    bench.recovered()


@case("sent-away", "15.10.3")
def drain_many_times(bench):
    """a proxy that says DRAIN to each connection is dialled again each time"""
    for _ in range(4):
        link = bench.fresh()
        link.echo()
        link.send_frames(Frame(DRAIN))
        link.finish()
        link.await_close("the end of the peer's direction")
        link.close()
    bench.recovered()


@case("alive", "15.9", own=True)
def silent_proxy(bench):
    """a peer whose proxy has fallen silent, though it said that it pings, gives the connection up and dials again"""
    link = bench.dialled().accept(ping=1)
    link.answers_pings = False
    link.quiet(6)
    if not link.ended and not link.pings:
        raise Skip("the peer does not watch for silence itself")
    link.until(lambda: link.ended, "the end of a connection whose proxy is silent")
    link.close()
    bench.recovered()


@case("alive", "15.9.1", own=True)
def proxy_that_pings(bench):
    """a peer whose proxy pings keeps its connection"""
    link = bench.dialled().accept(ping=1)
    for _ in range(8):
        link.quiet(0.5)
        link.ping()
    link.echo()


@case("alive", "15.9", own=True)
def proxy_that_never_pings(bench):
    """with ping=0 silence is no reason to leave"""
    link = bench.dialled().accept(ping=0)
    link.quiet(4)
    link.echo()


@case("alive", "15.9.3", own=True)
def stalled_answer_is_no_silence(bench):
    """an answer that waits long for window is not given up while the proxy pings"""
    link = bench.dialled().accept(ping=1, window=10)
    entry = link.request("/bytes", query="n=20")
    entry.grants_itself = False
    entry.await_body(10)
    for _ in range(8):
        link.quiet(0.5)
        link.ping()
    entry.window(10)
    entry.answer()
