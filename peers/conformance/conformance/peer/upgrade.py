"""Upgrades: a request that becomes a tunnel."""

from ..cases import case
from ..wire import DATA, END, Frame, TURN, expect, pattern, printable


def upgraded(bench, path="/upgrade", slot=1, link=None, **values):
    """A tunnel of the protocol `echo`."""
    bench.offers("upgrade", "echo")
    link = link or (bench.fresh(**values) if values else bench.link())
    entry = link.request(path, slot=slot, end=False, offers="echo")
    link.until(lambda: entry.head or entry.ended, "the RESPONSE to an upgrade", "15.12.5")
    status = entry.head.status if entry.head else entry.ended
    expect(status == 101, "status 101", str(status), "15.12.5")
    return link, entry


def over(entry, section="15.12.8"):
    entry.await_end("the peer's END of a tunnel", section)
    expect(entry.ended == "END", "END", f"{entry.ended} {printable(entry.text)}", section)


@case("upgrade", "15.12.5")
def tunnel(bench):
    """101 opens a tunnel: bytes go both ways as they are"""
    link, entry = upgraded(bench)
    for content in (b"hello", b"\0\xff\r\n", b"HTTP/1.1 200 OK\r\n\r\n"):
        before = len(entry.body)
        entry.data(content)
        entry.await_body(before + len(content))
        expect(bytes(entry.body[before:]) == content, printable(content), printable(entry.body[before:]))
    entry.data(end=True)
    over(entry)
    link.echo()


@case("upgrade", "15.12.5")
def fields_of_101(bench):
    """the head of 101 names the protocol, once"""
    _, entry = upgraded(bench)
    expect([value.lower() for value in entry.head.values("Upgrade")] == ["echo"], "Upgrade: echo",
           repr(entry.head.fields))
    entry.data(end=True)
    over(entry)


@case("upgrade", "15.12.1")
def protocol_in_another_case(bench):
    """names of protocols are compared without regard to case, and may be one of several"""
    bench.offers("upgrade", "echo")
    link = bench.link()
    for offers in ("ECHO", "other, Echo"):
        entry = link.request("/upgrade", end=False, offers=offers)
        link.until(lambda entry=entry: entry.head or entry.ended, "the RESPONSE to an upgrade")
        status = entry.head.status if entry.head else entry.ended
        expect(status == 101, f"status 101 for `{offers}`", str(status))
        entry.data(end=True)
        over(entry)


@case("upgrade", "15.12.8")
def client_ends_first(bench):
    """the END of the client is the end of the peer's input; what it still says goes out"""
    link, entry = upgraded(bench)
    link.send_frames(Frame(DATA, 1, b"last words", END))
    entry._count(b"last words")
    entry.over = True
    over(entry)
    expect(bytes(entry.body) == b"last words", "last words", printable(entry.body))
    link.echo()


@case("upgrade", "15.12.8")
def peer_ends_first(bench):
    """after its own END the peer takes DATA until the proxy's END; then the slot is free"""
    link, entry = upgraded(bench, "/upgrade/close")
    over(entry)
    expect(bytes(entry.body) == b"bye", "bye", printable(entry.body))
    for _ in range(10):
        entry.data(pattern(1000))
    link.ping()
    link.echo(slot=2)
    entry.data(end=True)
    link.ping()
    link.echo()


@case("upgrade", "15.12.8")
def peer_that_has_ended_still_grants(bench):
    """after its own END the peer grants what it takes"""
    link, entry = upgraded(bench, "/upgrade/close")
    over(entry)
    window = int(link.peer["window"])
    left = 2 * window
    while left > 0:
        link.until(lambda: entry.credit > 0, "WINDOW behind the peer's END", "15.12.8")
        count = min(left, entry.credit, 16384)
        entry.data(pattern(count))
        left -= count
    entry.data(end=True)
    link.ping()
    link.echo()


@case("upgrade", "15.12.8")
def next_request_may_use_what_was_granted_late(bench):
    """what the peer grants behind its END may cross ours: the next request on the slot may use it"""
    bench.offers("stream")
    link, entry = upgraded(bench, "/upgrade/close", window=0)
    entry.window(100)
    over(entry)
    before = entry.granted
    while entry.granted == before:
        link.until(lambda: entry.credit > 0, "WINDOW behind the peer's END", "15.12.8")
        entry.data(pattern(min(entry.credit, TURN)))
        link.ping()
    entry.data(end=True)
    link.ping()
    late = entry.granted - before
    # The answer of this handler stops, as no window is granted, and then its reading.
    upload = link.request("/through", method="POST", end=False)
    upload.await_started()
    while upload.credit > 0:
        upload.data(pattern(min(upload.credit, TURN)))
        link.ping()
    for at in range(0, late, TURN):
        upload.data(pattern(min(late - at, TURN)))
    link.ping()
    expect(link.error is None, "no ERROR", str(link.error), "15.12.8")
    upload.cancel()
    upload.await_end()


@case("upgrade", "15.12.9")
def cancel_cuts_a_tunnel(bench):
    """CANCEL ends a tunnel"""
    link, entry = upgraded(bench)
    entry.data(b"x")
    entry.await_body(1)
    entry.cancel()
    entry.await_end("the end of a tunnel that was cut", "15.12.9")
    link.echo()


@case("upgrade", "15.12.9")
def cancel_behind_the_peers_end(bench):
    """CANCEL ends a tunnel whose peer has ended its direction"""
    link, entry = upgraded(bench, "/upgrade/close")
    over(entry)
    entry.cancel()
    link.ping()
    link.echo()


@case("upgrade", "15.12.10")
def windows_of_a_tunnel(bench):
    """windows count in a tunnel"""
    link, entry = upgraded(bench, window=100)
    entry.grants_itself = False
    entry.data(pattern(1000))
    entry.await_body(100)
    link.ping()
    expect(len(entry.body) == 100, "100 bytes", f"{len(entry.body)} bytes", "15.3.3")
    entry.grants_itself = True
    entry.window(900)
    entry.await_body(1000)
    expect(bytes(entry.body) == pattern(1000), "the bytes that were sent", "others")
    entry.data(end=True)
    over(entry)


@case("upgrade", "15.12.10")
def large_tunnel(bench):
    """500,000 bytes go through a tunnel and back"""
    link, entry = upgraded(bench)
    sent = pattern(500000, 4)
    entry.upload(sent)
    over(entry)
    expect(bytes(entry.body) == sent, "the bytes that were sent", f"{len(entry.body)} bytes that differ")
    link.echo()


@case("upgrade", "15.12.5")
def two_tunnels_and_a_request(bench):
    """tunnels and requests share a connection"""
    link, first = upgraded(bench, slot=1)
    _, second = upgraded(bench, slot=2, link=link)
    for i in range(10):
        first.data(b"%d" % i)
        second.data(b"%d" % (9 - i))
        link.echo(slot=3)
    first.await_body(10)
    second.await_body(10)
    expect(bytes(first.body) == b"0123456789" and bytes(second.body) == b"9876543210", "each its own bytes",
           f"{bytes(first.body)} and {bytes(second.body)}")
    for entry in (first, second):
        entry.data(end=True)
        over(entry)


@case("upgrade", "15.12.6")
def ordinary_answer_to_an_upgrade(bench):
    """a handler may answer an upgrade like any request"""
    bench.offers("upgrade", "echo")
    link = bench.link()
    entry = link.request("/bytes", query="n=10", end=False, offers="echo").await_end()
    expect(entry.ended == "END" and entry.head.status == 200 and len(entry.body) == 10, "an answer of 10 bytes",
           f"{entry.ended}, {len(entry.body)} bytes")
    link.echo()


@case("upgrade", "15.12.7")
def no_101_unasked(bench):
    """a request that offers no protocol never gets 101"""
    entry = bench.link().request("/upgrade").await_end()
    expect(not entry.head or entry.head.status != 101, "another status", "101")
    bench.link().echo()


@case("upgrade-leaving", "15.12.13", own=True)
def tunnel_outlives_drain(bench):
    """a tunnel goes on after the peer's DRAIN"""
    link, entry = upgraded(bench)
    entry.data(b"before")
    entry.await_body(6)
    bench.program.terminate()
    link.until(lambda: link.draining, "DRAIN", "15.10.1")
    entry.data(b" after")
    entry.await_body(12)
    entry.data(end=True)
    over(entry)
    link.finish()
    bench.program.await_end("the program ends when the proxy has closed", "15.10.1")
