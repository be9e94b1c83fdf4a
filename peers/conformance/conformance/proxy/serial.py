"""Peers of 1.0 and 2.0."""

from ..cases import case
from ..wire import expect, pattern, printable
from .player import variables

HEAD = b"Content-Type: text/plain\n\n"


def peer(bench, context=None):
    """A peer of 2.0, which gets its requests at once."""
    wire = bench.dial(b"\xff2.0\xff" + (context or bench.context()).encode() + b"\xff\xff")
    came = wire.read(3, "OK FF")
    expect(came == b"OK\xff", "OK FF", printable(came), "3")
    return wire


def request(wire):
    """The env block and the body of the next request."""
    parts = []
    for what in ("env block", "body"):
        digits = wire.read(9, f"nine digits of the length of the {what}")
        expect(digits.isdigit(), "nine digits", printable(digits), "4")
        parts.append(wire.read(int(digits), f"the {what}"))
    return variables(parts[0]), parts[1]


def answer(wire, output, bytewise=False):
    content = b"%09d" % len(output) + output
    wire.send_bytewise(content) if bytewise else wire.send(content)


@case("serial", "4")
def request_of_2_0(bench):
    """a request comes as nine digits, env block, nine digits, body"""
    wire = peer(bench)
    body = bytes(range(256))
    client = bench.ask("POST", "/a%20b?x=1&y=2", body, ["X-Test: one"])
    env, came = request(wire)
    wanted = {"REQUEST_METHOD": "POST", "SCRIPT_NAME": f"/{bench.name}", "PATH_INFO": "/a b",
              "QUERY_STRING": "x=1&y=2", "CONTENT_LENGTH": "256", "HTTP_X_TEST": "one",
              "REQUEST_URI": f"/{bench.name}/a%20b?x=1&y=2", "GATEWAY_INTERFACE": "CGI/1.1"}
    got = {name: env.get(name) for name in wanted}
    expect(got == wanted, repr(wanted), repr(got))
    expect(came == body, "the body", printable(came))
    answer(wire, b"Content-Type: text/plain\r\n\r\nok\0\n")
    client.answer().expect(200, b"ok\0\n")


@case("serial", "5")
def answer_split(bench):
    """an answer may come byte by byte"""
    wire = peer(bench)
    client = bench.ask()
    request(wire)
    answer(wire, b"Content-Type: text/plain\n\nsplit", True)
    client.answer().expect(200, b"split")


@case("serial", "6")
def output_without_head(bench):
    """output that begins with `<` has no head"""
    wire = peer(bench)
    client = bench.ask()
    request(wire)
    answer(wire, b"<html>x</html>")
    came = client.answer().expect(200, b"<html>x</html>")
    expect(came.fields.get("content-type", "").startswith("text/html"), "text/html", repr(came.fields))


@case("serial", "5")
def length_that_is_none(bench):
    """a length that is not nine digits is 502, and the connection ends"""
    wire = peer(bench)
    client = bench.ask()
    request(wire)
    wire.send(b"12345678x")
    client.answer().expect(502)
    wire.read_end("the end of the connection")


@case("serial", "5")
def length_of_nothing(bench):
    """a length of 0 is 502, and the connection stays"""
    wire = peer(bench)
    client = bench.ask()
    request(wire)
    wire.send(b"000000000")
    client.answer().expect(502)
    served_again(bench, wire)


def served_again(bench, wire):
    client = bench.ask()
    request(wire)
    answer(wire, HEAD + b"again")
    client.answer().expect(200, b"again")


@case("serial", "6")
def broken_heads(bench):
    """a broken head is 502, and the connection stays"""
    wire = peer(bench)
    for head in (b"no colon\n\nx", b"A B: x\n\nx", b"Status: 20\n\nx", b"Content-Length: many\n\nx", b"X: a\x01b\n\nx"):
        client = bench.ask()
        request(wire)
        answer(wire, head)
        client.answer().expect(502)
    served_again(bench, wire)


@case("serial", "5")
def answer_longer_than_its_length(bench):
    """bytes behind an answer end the connection; the client has its answer"""
    wire = peer(bench)
    client = bench.ask()
    request(wire)
    wire.send(b"%09d" % (len(HEAD) + 2) + HEAD + b"ok" + b"more")
    client.answer().expect(200, b"ok")
    wire.read_end("the end of the connection")


@case("serial", "8")
def peer_dies_with_a_post(bench):
    """a peer that dies with a POST leaves 502"""
    wire = peer(bench)
    client = bench.ask("POST", "/x", b"once")
    request(wire)
    wire.close()
    client.answer().expect(502)


@case("serial", "8")
def peer_dies_with_a_get(bench):
    """a GET whose peer dies is tried once more on another connection"""
    first = peer(bench)
    client = bench.ask("GET", "/x")
    request(first)
    second = peer(bench, bench.name)
    first.close()
    request(second)
    answer(second, HEAD + b"second")
    client.answer().expect(200, b"second")


@case("serial", "8")
def connections_are_a_pool(bench):
    """two connections of one context have a request each"""
    wires = [peer(bench)]
    wires.append(peer(bench, bench.name))
    clients = [bench.ask("GET", "/pool") for _ in wires]
    for wire in wires:
        request(wire)
    for wire in wires:
        answer(wire, HEAD + b"pooled")
    for client in clients:
        client.answer().expect(200, b"pooled")


@case("serial", "5")
def large_bodies_of_2_0(bench):
    """bodies of 300,000 bytes come through both ways"""
    wire = peer(bench)
    body = pattern(300000)
    client = bench.ask("POST", "/large", body)
    _, came = request(wire)
    expect(came == body, "the body", f"{len(came)} bytes that differ")
    answer(wire, HEAD + body)
    client.answer().expect(200, body)
