"""What clients get, and where a request goes when its peer fails."""

from ..cases import case
from ..wire import END, Frame, RESPONSE, expect, printable


def served(bench, peer, text=b"well"):
    """The connection is as good as new."""
    client = bench.ask("GET", "/well")
    peer.request().respond(text)
    client.answer().expect(200, text)


@case("answers", "6")
def fields_of_the_answer(bench):
    """status and fields of a CGI head reach the client, connection fields do not"""
    peer = bench.peer()
    client = bench.ask()
    peer.request().respond(b"x", b"Status: 418 Teapot\r\nX-One: 1\r\nConnection: X-Two\r\nX-Two: 2\r\n"
                                 b"Transfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n")
    came = client.answer().expect(418, b"x")
    expect(came.fields.get("x-one") == "1" and "x-two" not in came.fields, "X-One, no X-Two", repr(came.fields))


@case("answers", "6")
def location_without_status(bench):
    """Location without Status is 302"""
    peer = bench.peer()
    client = bench.ask()
    peer.request().respond(b"", b"Location: /elsewhere\n\n")
    came = client.answer().expect(302)
    expect(came.fields.get("location") == "/elsewhere", "Location: /elsewhere", repr(came.fields))


@case("answers", "15.8.1")
def pieces_reach_the_client_at_once(bench):
    """each DATA is with the client before the next one is made"""
    peer = bench.peer()
    client = bench.ask()
    request = peer.request()
    request.head(b"Content-Type: text/event-stream\n\ndata: 1\n\n")
    client.read_until(b"data: 1\n\n", "the first event")
    for i in range(2, 5):
        request.data(b"data: %d\n\n" % i)
        client.read_until(b"data: %d\n\n" % i, f"event {i}", 10000)
    request.data(end=True)
    client.read_until(b"0\r\n\r\n", "the last chunk", 10000)


@case("answers", "15.7.2")
def broken_heads_of_3_0(bench):
    """a head that is broken, an interim one, a status line or no blank line is 502; the connection goes on"""
    peer = bench.peer()
    for head in (b"no colon\n\n", b"Status: 100 Continue\n\n", b"HTTP/1.1 200 OK\n\n", b"Content-Type: text/plain\n",
                 b"X Y: z\n\n", b"X: a\x00b\n\n", b"Status: 99\n\n"):
        client = bench.ask()
        peer.request().head(head, True)
        client.answer().expect(502)
    served(bench, peer)


@case("answers", "15.7.2")
def broken_head_without_end(bench):
    """a broken head without END is cancelled too"""
    peer = bench.peer()
    client = bench.ask()
    request = peer.request()
    request.head(b"no colon\n\n")
    request.await_cancel("15.7.2")
    client.answer().expect(502)
    request.cancel(b"")
    served(bench, peer)


@case("answers", "15.7.3")
def fewer_bytes_than_content_length(bench):
    """fewer bytes than Content-Length cut the client"""
    peer = bench.peer()
    client = bench.ask()
    request = peer.request()
    request.head(b"Content-Type: text/plain\nContent-Length: 10\n\n01234")
    client.read_until(b"01234", "the first half", 10000)
    request.data(end=True)
    client.read_end("a cut connection")
    served(bench, peer)


@case("answers", "15.7.3")
def more_bytes_than_content_length(bench):
    """bytes beyond Content-Length are dropped, the client has its whole answer"""
    peer = bench.peer()
    client = bench.ask()
    request = peer.request()
    request.head(b"Content-Type: text/plain\nContent-Length: 5\n\n0123456789")
    request.await_cancel("15.7.3")
    client.answer().expect(200, b"01234")
    request.cancel(b"")
    served(bench, peer)


@case("answers", "15.7.1")
def cancel_without_answer(bench):
    """a peer's CANCEL before RESPONSE is 502"""
    peer = bench.peer()
    client = bench.ask()
    peer.request().cancel()
    client.answer().expect(502)
    served(bench, peer)


@case("answers", "15.7.4")
def cancel_in_an_answer(bench):
    """a peer's CANCEL in the middle of an answer cuts the client: no last chunk comes"""
    peer = bench.peer()
    client = bench.ask()
    request = peer.request()
    request.head(b"Content-Type: text/plain\n\nhalf")
    client.read_until(b"half", "the first half", 10000)
    request.cancel()
    came = client.read_end("a cut connection")
    expect(b"0\r\n\r\n" not in came, "no last chunk", printable(came))
    served(bench, peer)


@case("answers", "6")
def statuses_without_body(bench):
    """the body behind 204 and 304 is thrown away"""
    peer = bench.peer()
    client = bench.client()
    for status in (204, 304, 200):
        client.ask("GET", f"/{bench.name}/x")
        peer.request().respond(b"body", b"Status: %d X\nContent-Type: text/plain\n\n" % status)
        client.answer().expect(status, b"body" if status == 200 else b"")


@case("elsewhere", "15.6.1")
def refused_by_the_only_peer(bench):
    """a request that the only peer refuses is 503 with Retry-After"""
    peer = bench.peer()
    client = bench.ask("POST", "/x", b"y")
    peer.request().refuse()
    came = client.answer().expect(503)
    expect("retry-after" in came.fields, "Retry-After", repr(came.fields))
    served(bench, peer)


def two(bench, **said):
    """Two peers of one context, and whichever of them gets the next request first."""
    peers = [bench.peer(**said)]
    peers.append(bench.peer(bench.name, **said))
    return peers


def first(peers):
    """The peer that has the request, the other one, and the request."""
    for _ in range(100):
        for at, peer in enumerate(peers):
            peer.quiet(0.05)
            if peer.arrived:
                return peer, peers[1 - at], peer.arrived.pop(0)
    return None, None, peers[0].request()


@case("elsewhere", "15.6.1")
def refused_goes_to_another(bench):
    """REFUSED gives a POST to another peer"""
    peers = two(bench)
    client = bench.ask("POST", "/x", b"body")
    _, other, request = first(peers)
    request.refuse()
    again = other.request()
    expect(bytes(again.body) == b"body", "the same body", printable(again.body))
    again.respond(b"other")
    client.answer().expect(200, b"other")


@case("elsewhere", "15.5.2")
def not_started_goes_to_another(bench):
    """a POST without STARTED goes to another peer when its own ends in order"""
    peers = two(bench, started=1)
    client = bench.ask("POST", "/x", b"body")
    owner, other, _ = first(peers)
    owner.finish()
    other.request().respond(b"other")
    client.answer().expect(200, b"other")


@case("elsewhere", "15.5.3")
def started_post_is_502(bench):
    """a POST that has been started is never repeated: 502"""
    peers = two(bench, started=1)
    client = bench.ask("POST", "/x", b"body")
    owner, other, request = first(peers)
    request.started()
    owner.ping()
    owner.finish()
    client.answer().expect(502)
    other.quiet(0.3)
    expect(not other.arrived, "no repetition", "a REQUEST")


@case("elsewhere", "15.5.3")
def reset_post_is_502(bench):
    """a POST whose connection is reset counts as started: 502"""
    peers = two(bench, started=1)
    client = bench.ask("POST", "/x", b"body")
    owner, other, _ = first(peers)
    owner.reset()
    client.answer().expect(502)
    other.quiet(0.3)
    expect(not other.arrived, "no repetition", "a REQUEST")


@case("elsewhere", "15.5.3")
def started_get_is_repeated_once(bench):
    """a GET that has been started is repeated elsewhere, once"""
    peers = two(bench, started=1)
    client = bench.ask("GET", "/x")
    owner, other, request = first(peers)
    request.started()
    owner.ping()
    owner.reset()
    again = other.request()
    again.started()
    other.ping()
    other.reset()
    third = bench.peer(bench.name)
    client.answer().expect(502)
    third.quiet(0.2)
    expect(not third.arrived, "no third time", "a REQUEST")


@case("elsewhere", "15.5.3")
def begun_answer_is_cut(bench):
    """a request whose answer has begun is cut when its peer dies, never repeated"""
    peers = two(bench)
    client = bench.ask("GET", "/x")
    owner, other, request = first(peers)
    request.head(b"Content-Type: text/plain\n\nhalf")
    client.read_until(b"half", "the first half", 10000)
    owner.reset()
    came = client.read_end("a cut connection")
    expect(b"0\r\n\r\n" not in came, "no last chunk", printable(came), "15.7.4")
    other.quiet(0.2)
    expect(not other.arrived, "no repetition", "a REQUEST")


UPGRADE = ["Connection: Upgrade", "Upgrade: echo"]


def upgraded(bench):
    peer = bench.peer(upgrade="echo")
    client = bench.ask("GET", "/tunnel", fields=UPGRADE)
    request = peer.request()
    expect(not request.over, "a REQUEST without END", "END", "15.12.2")
    expect(request.env.get("HTTP_UPGRADE") == "echo", "HTTP_UPGRADE=echo", repr(request.env.get("HTTP_UPGRADE")),
           "15.12.2")
    request.head(b"Status: 101 Switching Protocols\nUpgrade: echo\n\n")
    client.answer().expect(101)
    return peer, client, request


@case("upgrade", "15.12.5")
def tunnel_of_bytes(bench):
    """101 opens a tunnel: bytes go both ways as they are"""
    peer, client, request = upgraded(bench)
    client.send(b"\0\xff to the peer")
    request.await_body(14)
    expect(bytes(request.body) == b"\0\xff to the peer", "the bytes of the client", printable(request.body))
    request.data(b"to the client")
    client.read_until(b"to the client", "the bytes of the peer")
    client.finish()
    peer.until(lambda: request.over, "END when the client has ended", "15.12.8")
    request.data(b"last", end=True)
    came = client.read_end("the end of the tunnel")
    expect(came == b"last", "last words", printable(came), "15.12.8")
    peer.ping()


@case("upgrade", "15.12.9")
def cancel_cuts_the_client(bench):
    """CANCEL in a tunnel cuts the client"""
    peer, client, request = upgraded(bench)
    request.cancel()
    client.read_end("a cut connection")
    peer.ping()


@case("upgrade", "15.12.6")
def other_status_to_an_upgrade(bench):
    """any other status is an ordinary answer"""
    peer = bench.peer(upgrade="echo")
    client = bench.ask("GET", "/tunnel", fields=UPGRADE)
    request = peer.request()
    request.respond(b"no", b"Status: 403 No\nContent-Type: text/plain\n\n")
    client.answer().expect(403, b"no")
    peer.until(lambda: request.over, "CANCEL: the peer has ended first", "15.4.3")


@case("upgrade", "15.12.3")
def upgrade_that_nobody_takes(bench):
    """an upgrade that no peer takes is an ordinary request"""
    peer = bench.peer()
    client = bench.ask("GET", "/tunnel", fields=UPGRADE)
    request = peer.request()
    expect(request.over and "HTTP_UPGRADE" not in request.env, "an ordinary request", repr(request.env.keys()))
    request.respond(b"plain")
    client.answer().expect(200, b"plain")


@case("upgrade", "15.12.7")
def unasked_101(bench):
    """101 to a request that did not ask is 502"""
    peer = bench.peer(upgrade="echo")
    client = bench.ask()
    request = peer.request()
    request.ended = True
    peer.send_frames(Frame(RESPONSE, request.number, b"Status: 101 X\nUpgrade: echo\n\n", END))
    client.answer().expect(502)
    peer.ping()
