"""How a peer registers, and what it does when it may not."""

import time

from ..cases import case
from ..wire import Failure, PATIENCE, Skip, expect, printable


def redialled(bench, version, what, section="12"):
    """The next dial of the peer has this version."""
    link = bench.dialled(what="the peer dials again")
    expect(link.hello.version.startswith(version), what, str(link.hello), section)
    return link


def turned_away(bench, content, reset=False):
    """The peer dials, gets this reply, and the connection ends."""
    bench.drop()
    link = bench.dialled()
    if content:
        link.send(content)
    link.reset() if reset else link.finish()
    if not reset:
        link.read_end("the end of the peer's connection after its refusal")
        link.close()
    return link


@case("handshake", "12")
def startup_string(bench):
    """the peer begins with a startup string of 3.x that names its context and no host"""
    bench.drop()
    link = bench.dialled()
    expect(link.hello.version.startswith("3."), "a startup string of version 3.x", str(link.hello))
    expect(link.hello.appname in (b"/c", b"c", b""), "the appname /c, or an empty one", str(link.hello))
    expect(link.hello.vhost == b"", "no host", str(link.hello))
    link.accept()
    if not link.hello.appname:
        link.until(lambda: link.registers, "REGISTER of the context", "12")
    link.echo()


@case("handshake", "12")
def nothing_before_ok(bench):
    """the peer sends nothing behind its startup string before OK"""
    bench.drop()
    link = bench.dialled()
    link.silent(0.2, "nothing before OK")
    link.accept().echo()


@case("handshake", "12")
def ok_split(bench):
    """OK and SETTINGS may come byte by byte"""
    bench.drop()
    link = bench.dialled()
    link.send_bytewise(b"OK\xff")
    link.accept(okay=b"").echo()


@case("handshake", "12")
def ok_and_settings_in_one_segment(bench):
    """SETTINGS may come with OK"""
    bench.drop()
    bench.dialled().accept().echo()


@case("handshake", "13")
def first_frame_is_settings(bench):
    """the peer's first frame is SETTINGS, with a capacity that is the concurrency it was started with"""
    bench.drop()
    link = bench.dialled().accept()
    expect(link.capacity == 4, "capacity=4", f"capacity={link.capacity}", "14")
    link.echo()


@case("handshake", "12")
def rejected(bench):
    """after REJECTED the peer closes, dials again with the same version, and tells the text"""
    bench.drop()
    link = bench.dialled()
    version, mark = link.hello.version, bench.program.mark()
    link.send(b"REJECTED\xffERROR: Application not permitted\xff")
    link.finish()
    link.read_end("the end of the peer's connection after REJECTED")
    link.close()
    bench.program.await_line("application not permitted", since=mark, section="3")
    link = redialled(bench, version, f"version {version} again: a lower one does not help after REJECTED")
    link.accept().echo()


@case("handshake", "12")
def rejected_split(bench):
    """REJECTED may come byte by byte"""
    bench.drop()
    link = bench.dialled()
    link.send_bytewise(b"REJECTED\xffERROR: Out of resources\xff")
    link.read_end("the end of the peer's connection after REJECTED")
    link.close()
    redialled(bench, link.hello.version, "the same version again after REJECTED").accept().echo()


@case("handshake", "12")
def unknown_version(bench):
    """`ERROR: Unknown LRWP version` makes the peer dial a lower version"""
    turned_away(bench, b"ERROR: Unknown LRWP version")
    served_and_left(bench, lower(bench))


def lower(bench):
    """The first dial below 3.0; one that has sent 3.1 may try 3.0 before."""
    link = bench.dialled(what="the peer dials again with a lower version")
    for _ in range(2):
        if link.hello.version[0] in "12":
            return link
        link.send(b"ERROR: Unknown LRWP version")
        link.close()
        link = bench.dialled(what="the peer dials again with a lower version")
    expect(link.hello.version[0] in "12", "a dial with version 2.0 or 1.0", str(link.hello), "12")
    return link


def served_and_left(bench, link):
    """An older server takes the peer, and goes; the next attempt begins with 3.x."""
    link.send(b"OK" if link.hello.version == "1.0" else b"OK\xff")
    bench.program.await_line("registered")
    link.finish()
    link.close()
    found_again(bench)


@case("handshake", "12")
def bare_ok(bench):
    """a bare OK without FF makes the peer dial a lower version"""
    turned_away(bench, b"OK")
    served_and_left(bench, lower(bench))


@case("handshake", "12")
def lower_version_closed(bench):
    """when the dial with a lower version is closed too, the next attempt begins with 3.x again"""
    turned_away(bench, b"ERROR: Unknown LRWP version")
    link = lower(bench)
    link.finish()
    link.close()
    found_again(bench)


def serial(bench):
    """A connection of LRWP 1.0, accepted."""
    turned_away(bench, b"ERROR: Unknown LRWP version")
    link = lower(bench)
    for _ in range(9):  # one that has several connections of 2.0 dials with each
        if link.hello.version == "1.0":
            break
        link.send(b"ERROR: Unknown LRWP version")
        link.finish()
        link.close()
        link = bench.dialled(what="the peer dials again with 1.0")
    expect(link.hello.version == "1.0", "a dial with version 1.0", str(link.hello), "2")
    link.send(b"OK")
    return link


def serial_request(link, path, body):
    block = b"REQUEST_METHOD=POST\0SCRIPT_NAME=/c\0PATH_INFO=" + path + b"\0QUERY_STRING=\0SERVER_PROTOCOL=HTTP/1.1\0"
    block += b"CONTENT_LENGTH=%d\0\0" % len(body)
    return b"%09d%s%09d%s" % (len(block), block, len(body), body)


def serial_answer(link, path, body):
    digits = link.read(9, "nine digits of the length of the answer")
    expect(digits.isdigit(), "nine digits", printable(digits), "5")
    output = link.read(int(digits), "the rest of the answer")
    wanted = b"POST " + path + b"\n" + body
    expect(output.endswith(b"\r\n\r\n" + wanted) or output.endswith(b"\n\n" + wanted),
           f"a CGI head and {printable(wanted)}", printable(output), "5")


@case("handshake", "4")
def older_server_is_served(bench):
    """with a server of 1.0 the peer answers one request after the other, in any pieces"""
    link = serial(bench)
    for path, body in ((b"/a", b""), (b"/b", b"he\0lo"), (b"/c", bytes(range(256)) * 40)):
        link.send(serial_request(link, path, body))
        serial_answer(link, path, body)
    link.send_bytewise(serial_request(link, b"/split", b"in pieces"))
    serial_answer(link, b"/split", b"in pieces")
    link.finish()
    link.close()
    found_again(bench)


@case("handshake", "12")
def begins_with_3_again(bench):
    """after the loss of a 1.0 connection the peer begins with 3.x again"""
    link = serial(bench)
    link.send(serial_request(link, b"/x", b"x"))
    serial_answer(link, b"/x", b"x")
    link.finish()
    link.close()
    found_again(bench)


@case("handshake", "12")
def falls_back_from_3_1(bench):
    """a peer of 3.1 without a key dials 3.0 after `Malformed startup string`"""
    bench.drop()
    link = bench.dialled()
    if link.hello.version == "3.0":
        link.accept().echo()
        raise Skip("the peer begins with 3.0")
    expect(link.hello.key_id == b"", "no key id", str(link.hello), "17")
    link.send(b"REJECTED\xffERROR: Malformed startup string\xff")
    link.finish()
    link.close()
    redialled(bench, "3.0", "version 3.0 after a proxy that does not know 3.1", "17").accept().echo()


@case("handshake", "3")
def closed_without_text(bench):
    """a connection that is closed without a text is dialled again with 3.x"""
    turned_away(bench, b"")
    redialled(bench, "3.", "version 3.x again").accept().echo()


@case("handshake", "3")
def reset_in_handshake(bench):
    """a reset instead of a reply does not end the peer"""
    turned_away(bench, b"", reset=True)
    redialled(bench, "3.", "version 3.x again").accept().echo()


@case("handshake", "3")
def cut_in_the_middle_of_a_reply(bench):
    """an end in the middle of a refusal does not end the peer"""
    turned_away(bench, b"REJECTED\xffERROR: Appl")
    redialled(bench, "3.", "version 3.x again").accept().echo()


@case("handshake", "3")
def http_port(bench):
    """a dial that reaches a port of HTTP is told, and ends the connection"""
    bench.drop()
    link = bench.dialled()
    mark = bench.program.mark()
    link.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    link.finish()
    link.read_end("the end of the peer's connection")
    link.close()
    bench.program.await_line("HTTP", since=mark)
    found_again(bench)


def found_again(bench):
    """After a reply of no 3.x, whatever the peer tries first, it comes back with 3.x. One that had several connections
    of an older version may dial with each."""
    until = time.monotonic() + 2 * PATIENCE
    while True:
        try:
            link = bench.dialled(what="the peer dials again with 3.x")
            if link.hello.version.startswith("3."):
                link.accept().echo()
                return link
            link.finish()
            link.close()
            expect(time.monotonic() < until, "a dial with 3.x", str(link.hello), "12")
        except Failure:
            if time.monotonic() > until:
                raise


@case("handshake", "3")
def random_bytes_as_reply(bench):
    """a reply that is none of those of the protocol ends the connection, not the peer"""
    bench.drop()
    link = bench.dialled()
    link.send(bytes((i * 37 + 11) % 254 for i in range(2000)))
    link.finish()
    link.read_end("the end of the peer's connection")
    link.close()
    found_again(bench)


@case("handshake", "12")
def challenge_without_secret(bench):
    """a peer without a secret does not answer a challenge; it closes"""
    bench.drop()
    link = bench.dialled()
    link.send(b"CHALLENGE\xff000000032" + bytes(32))
    came = link.read_end("the end of the peer's connection")
    expect(not came, "nothing but the end", printable(came))
    link.close()
    redialled(bench, "3.", "version 3.x again").accept().echo()


@case("handshake", "15.5.8")
def instance(bench):
    """a peer that says instance= says the same one on each connection"""
    first = bench.fresh().peer["instance"]
    if not first:
        raise Skip("the peer's SETTINGS have no instance")
    expect(1 <= len(first) <= 64 and all(c.isalnum() or c in "._-" for c in first) and first.isascii(),
           "1 to 64 letters, digits, `.`, `_`, `-`", first, "14")
    second = bench.fresh(anew=False).peer["instance"]
    expect(second == first, f"instance={first}", f"instance={second}")


@case("dialling", "3", own=True)
def growing_waits(bench):
    """the waits between refused dials grow"""
    at = []
    for _ in range(6):
        link = bench.dialled(what="the peer dials again", seconds=30)
        at.append(time.monotonic())
        link.send(b"REJECTED\xffERROR: Out of resources\xff")
        link.finish()
        link.close()
    waits = [later - earlier for earlier, later in zip(at, at[1:])]
    # One of the first may look long on a busy machine. What does not grow is spread over its second half at most.
    expect(waits[-1] > 2.1 * min(waits[:3]), "a fifth wait that is longer than the first ones",
           ", ".join(f"{wait:.2f} s" for wait in waits))


@case("dialling", "3", own=True)
def proxy_comes_later(bench):
    """a peer that finds no proxy goes on dialling until there is one"""
    address = bench.listeners[0].getsockname()
    bench.start_without_listener()
    bench.program.await_line("refused", "lost", "connect")
    bench.listen_again(address)
    bench.dialled(what="the peer dials the proxy that has come", seconds=20).accept().echo()


@case("silent", "12", own=True)
def no_reply(bench):
    """a server that says nothing makes the peer dial a lower version when it has waited enough"""
    link = bench.dialled()
    link.read_end("the end of the peer's connection without a reply", 25)
    link.close()
    served_and_left(bench, lower(bench))


@case("silent", "12", own=True)
def challenge_then_silence(bench):
    """a peer whose proxy stops in the middle of its reply gives up and dials again"""
    link = bench.dialled()
    link.send(b"REJEC")
    link.read_end("the end of the peer's connection without a whole reply", 25)
    link.close()
    found_again(bench)
