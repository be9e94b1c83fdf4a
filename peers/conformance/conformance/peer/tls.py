"""Peers inside TLS."""

import ssl

from ..bench import server_context
from ..cases import case
from ..link import Link
from ..wire import PATIENCE, expect, pattern, printable
from .handshake import found_again


def refused(bench, context, what):
    """The peer does not go on with this proxy: nothing of a startup string comes, and later it is there again."""
    bench.drop()
    sock = bench.accept_tcp()
    sock.settimeout(PATIENCE)
    try:
        sock = context.wrap_socket(sock, server_side=True, suppress_ragged_eofs=False)
        came = sock.recv(1000)
    except OSError:
        came = b""
    sock.close()
    expect(not came, what, printable(came), "18.1")
    bench.recovered()


@case("tls", "18.1")
def inside_tls(bench):
    """requests are served inside TLS 1.3"""
    link = bench.fresh()
    expect(link.sock.version() == "TLSv1.3", "TLSv1.3", str(link.sock.version()))
    for i in range(5):
        link.echo(body=pattern(i * 10000))


@case("tls", "18.2")
def alpn(bench):
    """LRWP 3 names itself lrwp/3 by ALPN"""
    link = bench.fresh()
    expect(link.sock.selected_alpn_protocol() == "lrwp/3", "lrwp/3", str(link.sock.selected_alpn_protocol()))


@case("tls", "18.1")
def unknown_authority(bench):
    """a proxy whose certificate is of another authority gets no startup string"""
    refused(bench, server_context("unknown"), "no byte for a proxy that is not trusted")


@case("tls", "18.1")
def certificate_of_another_host(bench):
    """a proxy whose certificate is for another host gets no startup string"""
    refused(bench, server_context("elsewhere"), "no byte for a proxy of another name")


@case("tls", "18.1")
def expired_certificate(bench):
    """a proxy whose certificate has expired gets no startup string"""
    refused(bench, server_context("expired"), "no byte for a proxy whose certificate has expired")


@case("tls", "18.1")
def older_tls(bench):
    """a proxy that has no TLS 1.3 gets no startup string"""
    refused(bench, server_context(most=ssl.TLSVersion.TLSv1_2), "no byte inside TLS 1.2")


@case("tls", "18.2")
def no_alpn(bench):
    """a proxy that does not choose lrwp/3 gets no startup string of 3.x"""
    bench.drop()
    sock = bench.accept_tcp()
    sock.settimeout(PATIENCE)
    try:
        sock = server_context(alpn=()).wrap_socket(sock, server_side=True, suppress_ragged_eofs=False)
        came = sock.recv(1000)
    except OSError:
        came = b""
    sock.close()
    expect(not came.startswith(b"\xff3"), "no startup string of 3.x", printable(came))
    found_again(bench)


@case("tls", "18.3")
def records_of_any_size(bench):
    """a frame may be cut by records anywhere"""
    link = bench.link()
    came = link.request("/records", b"he\0lo", method="POST", bytewise=True).answer()
    expect(came == b"POST /records\nhe\0lo", "the echo", printable(came))


@case("tls", "18.1")
def large_bodies_inside_tls(bench):
    """bodies of 500,000 bytes come through both ways"""
    link = bench.link()
    body = pattern(500000)
    entry = link.request("/large", method="POST", end=False, variables={"CONTENT_LENGTH": str(len(body))})
    entry.upload(body)
    came = entry.answer()
    expect(came == b"POST /large\n" + body, "the echo", f"{len(came)} bytes that differ")


@case("tls", "18.1")
def all_slots_inside_tls(bench):
    """requests on all slots at once are answered"""
    link = bench.link()
    entries = [link.request(f"/s/{slot}", slot=slot) for slot in (1, 2, 3, 4)]
    for slot, entry in enumerate(entries, 1):
        came = entry.answer()
        expect(came == b"GET /s/%d\n" % slot, "each its own echo", printable(came))


@case("tls", "15.4.4")
def cancel_inside_tls(bench):
    """CANCEL works inside TLS"""
    link = bench.link()
    entry = link.request("/slow")
    entry.await_started()
    entry.cancel()
    entry.await_end("the end of a cancelled request", "15.4.4")
    link.echo()


@case("tls", "18.3")
def error_ends_with_close_notify(bench):
    """a peer that says ERROR inside TLS ends its direction by close_notify"""
    link = bench.fresh()
    link.echo()
    link.send(b"\xff\xff\xff\xff" + bytes([7, 0, 0, 0, 0, 0, 0, 1]), "the head of a DATA of 4294967295 bytes")
    link.until(lambda: link.error is not None or link.ended, "ERROR", "15.4.6")
    link.until(lambda: link.ended, "the end of the connection")
    expect(link.ended == "close_notify", "close_notify", link.ended)
    link.close()
    bench.recovered()


@case("tls", "18.3")
def end_without_close_notify(bench):
    """an end without close_notify makes the peer dial again"""
    link = bench.fresh()
    link.echo()
    link.sock.close()
    link.ended = "closed here"
    bench.recovered()


@case("tls", "18.3")
def end_by_close_notify(bench):
    """close_notify by the proxy ends the connection, and the peer dials again"""
    link = bench.fresh()
    link.echo()
    link.finish()
    link.close()
    bench.recovered()


@case("tls", "18.1")
def no_tls_there(bench):
    """a port that does not speak TLS gets no startup string"""
    bench.drop()
    link = Link(bench.accept_tcp())
    link.read(1, "the first byte of a ClientHello")
    link.send(b"REJECTED\xffERROR: Malformed startup string\xff")
    link.finish()
    came = link.read_end("the end of the peer's connection")
    expect(b"\xff3." not in came and b"/c" not in came, "no startup string outside of TLS", printable(came))
    link.close()
    bench.recovered()


@case("tls-certificate", "18.6")
def own_certificate(bench):
    """the peer shows the certificate that it was given"""
    link = bench.fresh()
    shown = link.sock.getpeercert()
    names = dict(part[0] for part in shown.get("subject", ())) if shown else {}
    expect(names.get("commonName") == "peer", "the certificate of CN=peer", repr(shown))
    link.echo()


@case("tls-leaving", "15.10.1", own=True)
def leaves_inside_tls(bench):
    """SIGTERM inside TLS: DRAIN, the answers, and the end when the proxy closes"""
    link = bench.link()
    entry = link.request("/stream", query="n=5&size=10&ms=50")
    entry.await_body(10)
    bench.program.terminate()
    link.until(lambda: link.draining, "DRAIN", "15.10.1")
    entry.answer()
    link.finish()
    code = bench.program.await_end("the program ends when the proxy has closed", "15.10.1")
    expect(code == 0, "exit code 0", str(code))
