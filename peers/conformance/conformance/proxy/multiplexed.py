"""Frames, windows and ends with peers of 3.0."""

import random

from ..cases import case
from ..wire import (CAPACITY, DRAIN, END, Frame, PONG, REGISTER, RESPONSE, STARTED, UNLIMITED, UNREGISTER, expect,
                    pattern, printable, u32)


@case("frames", "13")
def one_request(bench):
    """a request is a REQUEST with END, and its answer a RESPONSE with END"""
    peer = bench.peer()
    client = bench.ask("POST", "/x?q", b"he\0lo")
    request = peer.request()
    expect(request.over and bytes(request.body) == b"he\0lo", "the whole request", printable(request.body))
    wanted = {"REQUEST_METHOD": "POST", "PATH_INFO": "/x", "QUERY_STRING": "q", "CONTENT_LENGTH": "5"}
    got = {name: request.env.get(name) for name in wanted}
    expect(got == wanted, repr(wanted), repr(got), "4")
    request.started()
    request.respond(b"lo\0he")
    came = client.answer().expect(200, b"lo\0he")
    expect(came.fields.get("content-length") == "5", "Content-Length: 5", repr(came.fields), "15.8.2")


@case("frames", "13")
def frames_of_a_peer_split(bench):
    """frames of a peer may come byte by byte"""
    peer = bench.peer()
    client = bench.ask()
    request = peer.request()
    request.ended = True
    peer.send_frames(Frame(STARTED, request.number), Frame(RESPONSE, request.number, b"Content-Type: text/plain\n\nsplit", END),
                     bytewise=True)
    client.answer().expect(200, b"split")


@case("frames", "13")
def unknown_types_and_bits(bench):
    """unknown types, reserved bytes and other flags are not looked at"""
    peer = bench.peer()
    client = bench.ask()
    request = peer.request()
    request.ended = True
    peer.send_frames(Frame(77, 0, b"x"), Frame(200, request.number, b"y", 1), Frame(99, 4000, b""),
                     Frame(STARTED, request.number, b"", 0xfe, 0xffff),
                     Frame(RESPONSE, request.number, b"Content-Type: text/plain\n\nodd", 0xff, 1))
    client.answer().expect(200, b"odd")
    peer.ping()


@case("frames", "15.2.1")
def answers_in_any_order(bench):
    """answers may come in any order, several in one segment"""
    peer = bench.peer(capacity=3)
    clients = {name: bench.ask("GET", f"/{name}") for name in "abc"}
    requests = {}
    for _ in clients:
        request = peer.request()
        requests[request.env["PATH_INFO"][1:]] = request
    frames = []
    for name in "cab":
        requests[name].ended = True
        frames.append(Frame(RESPONSE, requests[name].number, b"Content-Type: text/plain\n\n" + name.encode() * 3, END))
    peer.send_frames(*frames)
    for name, client in clients.items():
        client.answer().expect(200, name.encode() * 3)


@case("frames", "15.1.1")
def capacity_is_kept(bench):
    """never more requests are open than the capacity; the others wait"""
    peer = bench.peer(capacity=2)
    clients = [bench.ask("GET", f"/{i}") for i in range(6)]
    for _ in clients:
        request = peer.request()
        expect(1 <= request.number <= 2, "slots 1 and 2", str(request.number))
        request.respond(request.env["PATH_INFO"].encode())
    for i, client in enumerate(clients):
        client.answer().expect(200, f"/{i}".encode())


@case("frames", "15.1.1")
def pause_and_more_capacity(bench):
    """CAPACITY 0 is a pause, and a greater one ends it"""
    peer = bench.peer(capacity=1)
    peer.send_frames(Frame(CAPACITY, 0, u32(0)))
    peer.ping()
    clients = [bench.ask("GET", f"/{i}") for i in range(3)]
    peer.quiet(0.3)
    expect(not peer.arrived, "no request while the capacity is 0", f"{len(peer.arrived)} requests")
    peer.capacity = 3
    peer.send_frames(Frame(CAPACITY, 0, u32(3)))
    for _ in clients:
        request = peer.request()
        request.respond(request.env["PATH_INFO"].encode())
    for i, client in enumerate(clients):
        client.answer().expect(200, f"/{i}".encode())


@case("frames", "15.9.2")
def pings(bench):
    """PING is answered by PONG with the same bytes"""
    peer = bench.peer()
    for content in (b"12345678", bytes(8), b"\xff" * 8):
        peer.ping(content)
    peer.send_frames(Frame(PONG, 0, b"unasked!"))
    peer.ping()


@case("windows", "15.3.1")
def upload_keeps_the_window(bench):
    """a body of 200,000 bytes keeps the peer's window, and comes whole"""
    peer = bench.peer(window=3000)
    peer.grants_itself = True
    body = pattern(200000)
    client = bench.ask("POST", "/up", body)
    request = peer.request()
    if not request.over:
        request.grant(0)
        request.grant(len(request.body) or 1)
    came = request.await_over()
    expect(came == body, "the body", f"{len(came)} bytes that differ")
    request.respond(b"got it")
    client.answer().expect(200, b"got it")


@case("windows", "15.3.1")
def upload_without_window(bench):
    """with window=0 no byte of a body comes before WINDOW"""
    peer = bench.peer(window=0)
    client = bench.ask("POST", "/up", b"0123456789")
    request = peer.request()
    peer.quiet(0.2)
    expect(not request.body, "no body", printable(request.body))
    request.grant(4)
    request.await_body(4)
    peer.quiet(0.2)
    expect(bytes(request.body) == b"0123", "4 bytes", printable(request.body))
    request.grant(6)
    request.await_over()
    request.respond(b"ok")
    client.answer().expect(200, b"ok")


@case("windows", "14")
def upload_without_limit(bench):
    """with window=4294967295 a body comes without WINDOW"""
    peer = bench.peer(window=UNLIMITED)
    body = pattern(300000)
    client = bench.ask("POST", "/up", body)
    request = peer.request()
    expect(request.await_over() == body, "the body", f"{len(request.body)} bytes that differ")
    request.respond(b"ok")
    client.answer().expect(200, b"ok")


@case("windows", "15.3.2")
def large_answers(bench):
    """an answer of 1,000,000 bytes is granted piece by piece and comes whole"""
    peer = bench.peer()
    body = pattern(1000000, 1)
    client = bench.ask()
    request = peer.request()
    request.head()
    request.data(body, end=True)
    client.answer().expect(200, body)


@case("windows", "15.3.4")
def client_that_does_not_read(bench):
    """an answer whose client does not read holds up no other"""
    peer = bench.peer(capacity=2)
    bench.ask("GET", "/slow")
    slow = peer.request()
    slow.head()
    for _ in range(3):
        client = bench.ask("GET", "/quick")
        peer.request().respond(b"quick")
        client.answer().expect(200, b"quick")
    slow.data(pattern(10000), end=True)


@case("windows", "15.3.5")
def body_behind_head_is_granted(bench):
    """the body of an answer to HEAD is thrown away and granted"""
    peer = bench.peer()
    client = bench.ask("HEAD", "/x")
    request = peer.request()
    request.head()
    request.data(pattern(200000), end=True)
    client.answer().expect(200)
    peer.ping()


@case("ends", "15.4.4")
def client_leaves(bench):
    """when the client leaves the peer gets CANCEL, and only its end frees the slot"""
    peer = bench.peer(capacity=1)
    client = bench.ask("GET", "/gone")
    request = peer.request()
    request.started()
    client.reset()
    request.await_cancel("15.4.4")
    waiting = bench.ask("GET", "/next")
    peer.quiet(0.2)
    expect(not peer.arrived, "no request on a slot that the peer has not ended", "a REQUEST")
    request.cancel()
    peer.request().respond(b"next")
    waiting.answer().expect(200, b"next")


@case("ends", "15.4.3")
def peer_answers_before_the_body(bench):
    """a peer that ends first gets CANCEL, and the slot is free"""
    peer = bench.peer(window=1000, stream=1)
    client = bench.ask("POST", "/early", pattern(100000))
    request = peer.request()
    request.respond(b"enough")
    request.await_cancel("15.4.3")
    client.answer().expect(200, b"enough")
    client = bench.ask("GET", "/next")
    peer.request().respond(b"next")
    client.answer().expect(200, b"next")


@case("ends", "15.8.3")
def slow_upload_holds_no_slot(bench):
    """with stream=0 a request comes when its body is there"""
    peer = bench.peer()
    client = bench.client()
    client.method = "POST"
    client.send(f"POST /{bench.name}/slow HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\n01234".encode())
    peer.quiet(0.3)
    expect(not peer.arrived, "no request before its body is there", "a REQUEST")
    client.send(b"56789")
    request = peer.request()
    expect(bytes(request.await_over()) == b"0123456789", "the body", printable(request.body))
    request.respond(b"ok")
    client.answer().expect(200, b"ok")


@case("ends", "15.8.4")
def streamed_upload(bench):
    """with stream=1 a request comes with its head, and its body as it arrives"""
    peer = bench.peer(stream=1)
    client = bench.client()
    client.method = "POST"
    client.send(f"POST /{bench.name}/slow HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10\r\n\r\n01234".encode())
    request = peer.request()
    request.await_body(5)
    client.send(b"56789")
    expect(bytes(request.await_over()) == b"0123456789", "the body", printable(request.body))
    request.respond(b"ok")
    client.answer().expect(200, b"ok")


@case("leaving", "15.10.1")
def drain_when_idle(bench):
    """a peer that drains without requests is closed"""
    peer = bench.peer()
    peer.send_frames(Frame(DRAIN))
    peer.until(lambda: peer.ended, "the end of the connection")
    expect(peer.ended == "FIN", "an end in order", peer.ended)


@case("leaving", "15.10.1")
def drain_with_a_request(bench):
    """a peer that drains answers what it has; new requests go to the next peer, none fails"""
    peer = bench.peer(capacity=2)
    begun = bench.ask("GET", "/begun")
    request = peer.request()
    request.started()
    peer.send_frames(Frame(DRAIN))
    peer.ping()
    late = bench.ask("GET", "/late")
    peer.quiet(0.2)
    expect(not peer.arrived, "no request behind DRAIN", "a REQUEST")
    request.respond(b"begun")
    begun.answer().expect(200, b"begun")
    peer.until(lambda: peer.ended, "the end of the connection")
    bench.peer(bench.name).request().respond(b"late")
    late.answer().expect(200, b"late")


@case("leaving", "15.10.2")
def context_waits_for_the_next_peer(bench):
    """requests for a context whose last peer has left wait for the next one"""
    peer = bench.peer()
    peer.finish()
    peer.read_end("the end of the connection")
    client = bench.ask("GET", "/waits")
    bench.peer(bench.name).request().respond(b"here")
    client.answer().expect(200, b"here")


@case("leaving", "15.11")
def further_contexts_of_a_peer(bench):
    """REGISTER and UNREGISTER are answered in order, with the names as they were sent"""
    peer = bench.peer(capacity=2)
    first, second = bench.name, bench.context()
    for kind, name in ((REGISTER, f"/{second}"), (REGISTER, f"/{second}"), (UNREGISTER, first), (UNREGISTER, first)):
        peer.send_frames(Frame(kind, 0, name.encode() + b"\xff\xff"))
    peer.until(lambda: len(peer.registered) == 4, "four REGISTERED", "15.11.1")
    wanted = [(name.encode(), b"", b"") for name in (f"/{second}", f"/{second}", first, first)]
    expect(peer.registered == wanted, repr(wanted), repr(peer.registered), "15.11.2")
    client = bench.ask("GET", "/x", context=second)
    peer.request().respond(b"second")
    client.answer().expect(200, b"second")


@case("leaving", "15.11.2")
def contexts_that_are_refused(bench):
    """a context that may not be registered is answered by a text"""
    peer = bench.peer()
    for name in (b"", b"n" * 201, b"/-/x"):
        before = len(peer.registered)
        peer.send_frames(Frame(REGISTER, 0, name + b"\xff\xff"))
        peer.until(lambda before=before: len(peer.registered) > before, "REGISTERED")
        expect(peer.registered[-1][2], f"a text for {name[:20]}", "none")
    client = bench.ask()
    peer.request().respond(b"still there")
    client.answer().expect(200, b"still there")


@case("many", "8")
def each_request_is_answered_once(bench):
    """400 requests over three peers: each is given to one of them once, and answered once by its own answer"""
    peers = [bench.peer(capacity=4)]
    peers += [bench.peer(bench.name, capacity=4) for _ in range(2)]
    dice, seen = random.Random(3), {}
    clients = [bench.client() for _ in range(16)]
    asked, done, busy = 0, 0, {}
    while done < 400:
        for client in clients:
            if client not in busy and asked < 400:
                client.ask("POST", f"/{bench.name}/{asked}", b"%d" % asked)
                busy[client] = asked
                asked += 1
        open_ = []
        for peer in peers:
            peer.quiet(0.001)
            while peer.arrived:
                request = peer.arrived.pop()
                path = request.env["PATH_INFO"]
                seen[path] = seen.get(path, 0) + 1
                expect(bytes(request.await_over()) == path[1:].encode(), f"the body of {path}", printable(request.body))
                open_.append(request)
        dice.shuffle(open_)
        for request in open_:
            request.respond(b"answer to " + bytes(request.body))
        for client, at in list(busy.items()):
            client.receive(0)
            if client.inbox:
                client.answer().expect(200, b"answer to %d" % at)
                del busy[client]
                done += 1
    expect(len(seen) == 400 and set(seen.values()) == {1}, "each of 400 requests once",
           f"{len(seen)}, {max(seen.values())} times at most")
