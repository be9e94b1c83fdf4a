"""What a peer must not do, and what the proxy does then: ERROR, and the client of an open request is told."""

from ..cases import case
from ..wire import (CAPACITY, DATA, END, ERROR, Frame, PING, REFUSED, REGISTER, REQUEST, RESPONSE, SETTINGS, STARTED,
                    UNLIMITED, WINDOW, settings, u32)
from .player import Peer3


def broken(bench, section, rule, *frames):
    """A peer that sends this gets ERROR; the next peer of its context is served."""
    peer = bench.peer()
    peer.send_frames(*frames)
    peer.await_error(rule, section)
    serves(bench)


def serves(bench):
    client = bench.ask()
    bench.peer(bench.name).request().respond(b"next")
    client.answer().expect(200, b"next")


def open_request(bench, **said):
    peer = bench.peer(**said)
    client = bench.ask("POST", "/x", b"body")
    return peer, client, peer.request()


def broken_in_request(bench, section, rule, *frames):
    """The same with a request open: its client gets 502."""
    peer, client, request = open_request(bench)
    for frame in frames:
        frame.stream = request.number
    peer.send_frames(*frames)
    peer.await_error(rule, section)
    client.answer().expect(502)


def broken_settings(bench, rule, *frames):
    wire = bench.dial(b"\xff3.0\xff" + bench.context().encode() + b"\xff\xff")
    peer = bench.keep(Peer3(wire.sock)).accepted()
    peer.send_frames(*frames)
    peer.await_error(rule, "14")


@case("faults", "15.4.6")
def frame_before_settings(bench):
    """another frame before SETTINGS is an ERROR"""
    broken_settings(bench, "a frame before SETTINGS", Frame(PING, 0, b"too soon"))


@case("faults", "15.4.6")
def settings_twice(bench):
    """a second SETTINGS is an ERROR"""
    broken(bench, "15.4.6", "SETTINGS only once", Frame(SETTINGS, 0, settings(capacity=2)))


@case("faults", "14")
def bad_values_of_settings(bench):
    """a setting with a value that is not allowed is an ERROR"""
    for said in ({"capacity": "many"}, {"max_frame": 65535}, {"window": 4294967296}, {"started": 2}, {"ping": "yes"}):
        broken_settings(bench, "a setting has a bad value", Frame(SETTINGS, 0, settings(**said)))


@case("faults", "14")
def last_setting_without_nul(bench):
    """a last setting without NUL is an ERROR"""
    broken_settings(bench, "the last setting has no NUL", Frame(SETTINGS, 0, b"capacity=1"))


@case("faults", "15.4.6")
def frames_of_a_proxy(bench):
    """a type that only the proxy sends is an ERROR"""
    for kind in (REQUEST, 4):
        broken(bench, "15.4.6", "a type that only the proxy sends", Frame(kind, 1 if kind == REQUEST else 0, bytes(8)))


@case("faults", "15.4.6")
def frames_on_a_slot_that_is_not_open(bench):
    """a frame on a slot that is not open is an ERROR"""
    for kind in (RESPONSE, DATA, STARTED, REFUSED, WINDOW):
        broken(bench, "15.4.6", "a frame on a slot that is not open", Frame(kind, 1, u32(1) if kind == WINDOW else b""))


@case("faults", "15.4.6")
def data_before_response(bench):
    """DATA before RESPONSE is an ERROR"""
    broken_in_request(bench, "15.4.6", "DATA before RESPONSE", Frame(DATA, 1, b"x"))


@case("faults", "15.4.6")
def second_response(bench):
    """a second RESPONSE is an ERROR"""
    peer, _, request = open_request(bench)
    request.head()
    peer.send_frames(Frame(RESPONSE, request.number, b"Content-Type: text/plain\n\n"))
    peer.await_error("one RESPONSE", "15.4.6")


@case("faults", "15.4.6")
def frame_behind_the_end(bench):
    """a frame on a slot that the peer has ended is an ERROR"""
    peer, client, request = open_request(bench)
    request.respond(b"done")
    client.answer().expect(200, b"done")
    peer.send_frames(Frame(DATA, request.number, b"more", END))
    peer.await_error("a slot that is ended", "15.4.6")


@case("faults", "15.6.4")
def refused_behind_started(bench):
    """REFUSED behind STARTED or RESPONSE is an ERROR"""
    for before in (Frame(STARTED), Frame(RESPONSE, 0, b"Content-Type: text/plain\n\n")):
        peer, _, request = open_request(bench, started=1)
        before.stream = request.number
        peer.send_frames(before, Frame(REFUSED, request.number, b"no"))
        peer.await_error("REFUSED behind STARTED or RESPONSE", "15.6.4")


@case("faults", "15.4.6")
def payloads_of_the_wrong_length(bench):
    """a WINDOW or CAPACITY of other than 4 bytes, a PING of other than 8, is an ERROR"""
    broken_in_request(bench, "15.4.6", "WINDOW is not 4 bytes", Frame(WINDOW, 1, b"\0\0\1"))
    broken(bench, "15.4.6", "CAPACITY is not 4 bytes", Frame(CAPACITY, 0, bytes(5)))
    broken(bench, "15.4.6", "PING is not 8 bytes", Frame(PING, 0, b"seven b"))


@case("faults", "15.4.6")
def register_without_its_ends(bench):
    """a REGISTER without its two FF is an ERROR"""
    broken(bench, "15.4.6", "REGISTER without two FF", Frame(REGISTER, 0, b"one\xfftwo"))


@case("faults", "15.4.6")
def frame_above_the_longest(bench):
    """a frame above max-frame is an ERROR"""
    peer = bench.peer()
    peer.send(b"\xff\xff\xff\xff" + bytes([DATA, 0, 0, 0, 0, 0, 0, 1]), "the head of a DATA of 4294967295 bytes")
    peer.await_error("a frame above max-frame", "15.4.6")
    serves(bench)


@case("faults", "15.3.3")
def grant_that_overflows(bench):
    """more than 4294967295 bytes granted is an ERROR"""
    broken_in_request(bench, "15.3.3", "more than 4294967295 bytes granted", Frame(WINDOW, 1, u32(UNLIMITED)))


@case("faults", "15.3.3")
def answer_beyond_the_window(bench):
    """an answer far beyond its window is an ERROR, while its client does not read"""
    peer, _, request = open_request(bench)
    request.head()
    # The client does not read, so at some time no more is granted.
    frame = Frame(DATA, request.number, bytes(16384))
    for _ in range(4000):
        if peer.error is not None or peer.ended:
            break
        peer.send_frames(frame)
        peer.receive(0)
        peer.take_all()
    peer.await_error("more body than was granted", "15.3.3")


@case("faults", "13")
def error_of_a_peer(bench):
    """a peer's ERROR ends its connection; a POST that it has is 502"""
    peer, client, _ = open_request(bench)
    peer.send_frames(Frame(ERROR, 0, b"this is against the rules"))
    client.answer().expect(502)
    peer.until(lambda: peer.ended, "the end of the connection", "13")
    serves(bench)
