"""How a proxy takes peers, and whom it refuses."""

import hashlib
import hmac
import os

from ..cases import case
from ..wire import Skip, expect, printable
from .player import Peer3


def refused(wire, text, framed, section="3"):
    """The proxy says why, and closes."""
    came = wire.read_end(f"the text `{text}` and the end")
    wanted = b"REJECTED\xff" + text.encode() + b"\xff" if framed else text.encode()
    expect(came == wanted, printable(wanted), printable(came), section)


def startup(name, version="3.0", host=""):
    return b"\xff" + version.encode() + b"\xff" + name.encode() + b"\xff" + host.encode() + b"\xff"


def multiplexed(bench, wire):
    """A connection that has to be accepted now, as a peer of 3.0."""
    peer = bench.keep(Peer3(wire.sock))
    peer.inbox = wire.inbox
    return peer.accepted().settle().ready()


@case("handshakes", "3", needs="lrwp1")
def accepts_1_0(bench):
    """a peer of 1.0 gets OK"""
    wire = bench.dial(bench.context().encode() + b"\xff\xff")
    came = wire.read(2, "OK")
    expect(came == b"OK", "OK", printable(came))


@case("handshakes", "3", needs="lrwp1")
def accepts_2_0(bench):
    """a peer of 2.x gets OK FF"""
    for version in ("2.0", "2.7"):
        came = bench.dial(startup(bench.context(), version)).read(3, "OK FF")
        expect(came == b"OK\xff", "OK FF", printable(came))


@case("handshakes", "2", needs="lrwp1")
def filter_of_1_0(bench):
    """a third field behind a 1.0 startup string is skipped"""
    wire = bench.dial(bench.context().encode() + b"\xff\xffa filter\xff")
    wire.read(2, "OK")
    client = bench.ask()
    digits = wire.read(9, "the request")
    wire.read(int(digits), "the env block")
    wire.read(9, "the length of the body")
    wire.send(b"000000005\n\nok\n")
    client.answer().expect(200)


@case("handshakes", "12")
def accepts_3_0(bench):
    """a peer of 3.0 gets OK FF, and SETTINGS with all settings of a proxy at once"""
    bench.peer()


@case("handshakes", "1")
def startup_string_split(bench):
    """a startup string may come byte by byte"""
    multiplexed(bench, bench.dial(startup(bench.context()), bytewise=True))


@case("handshakes", "17")
def accepts_3_1_without_key(bench):
    """a peer of 3.1 without a key is treated as one of 3.0"""
    for version in (b"3.1", b"3.9"):
        name = bench.context()
        hello = b"\xff" + version + b"\xff" + name.encode() + b"\xff\xff\xff\xff" + b"ab" * 32 + b"\xff"
        peer = bench.peer(name, hello=hello)
        client = bench.ask()
        peer.request().respond(b"ok")
        client.answer().expect(200, b"ok")


@case("handshakes", "2")
def unknown_versions(bench):
    """a version that is neither 2.x nor 3.x is refused"""
    for version in ("1.0", "4.0", "9.9"):
        wire = bench.dial(startup(bench.context(), version))
        refused(wire, "ERROR: Unknown LRWP version", False)


@case("handshakes", "2")
def version_that_is_none(bench):
    """a version that is not digit, dot, digit is refused"""
    refused(bench.dial(startup(bench.context(), "x.y")), "ERROR: Malformed startup string", False)


@case("handshakes", "3")
def empty_appname_of_2_0(bench):
    """an empty appname in 2.0 is refused"""
    refused(bench.dial(startup("", "2.0")), "Malformed LRWP2 connection string", False)


@case("handshakes", "2")
def names_too_long(bench):
    """names above 200 bytes are refused; those of 200 are not"""
    refused(bench.dial(startup("n" * 201)), "ERROR: Registration component too long", True, "12")
    refused(bench.dial(startup(bench.context(), host="h" * 201)), "ERROR: Registration component too long", True, "12")
    long = (bench.context() + "-" * 200)[:200]
    bench.peer(long)


@case("handshakes", "2")
def startup_string_without_end(bench):
    """a startup string above 1,024 bytes is refused"""
    wire = bench.dial(b"\xff3.0\xff" + b"n" * 1100)
    refused(wire, "ERROR: Malformed startup string", True, "12")


@case("handshakes", "12")
def startup_string_that_breaks_off(bench):
    """a startup string that breaks off is refused"""
    wire = bench.dial(b"\xff3.0\xffabc")
    wire.finish()
    refused(wire, "ERROR: Malformed startup string", True, "12")


@case("handshakes", "2")
def context_of_the_proxy(bench):
    """the context /- belongs to the proxy"""
    refused(bench.dial(startup("/-/mine")), "ERROR: Application not permitted", True)


@case("handshakes", "2")
def leading_slash(bench):
    """one leading slash of a context is dropped"""
    name = bench.context()
    peer = bench.peer("/" + name)
    client = bench.ask(context=name)
    peer.request().respond(b"ok")
    client.answer().expect(200, b"ok")


def secret(bench):
    if not bench.options.secret:
        raise Skip("no --secret")
    context, _, text = bench.options.secret.partition(":")
    return context.strip("/"), text.encode()


def challenge(wire, size=32):
    came = wire.read(19 + size, "a challenge")
    wanted = b"CHALLENGE\xff%09d" % size
    expect(came.startswith(wanted), printable(wanted), printable(came), "12")
    return came[19:]


@case("secrets", "12")
def right_proof_of_3_0(bench):
    """a peer of 3.0 that proves the secret is accepted"""
    name, key = secret(bench)
    wire = bench.dial(startup(name))
    nonce = challenge(wire)
    wire.send(b"000000032" + hmac.new(key, nonce + name.encode() + b"\xff", hashlib.sha256).digest())
    multiplexed(bench, wire)


@case("secrets", "12")
def wrong_proof_of_3_0(bench):
    """a wrong proof is refused"""
    name, _ = secret(bench)
    wire = bench.dial(startup(name))
    challenge(wire)
    wire.send(b"000000032" + bytes(32))
    refused(wire, "Incorrect LRWP challenge response", True)


@case("secrets", "12")
def each_challenge_is_new(bench):
    """no challenge comes twice"""
    name, _ = secret(bench)
    nonces = {challenge(bench.dial(startup(name))) for _ in range(3)}
    expect(len(nonces) == 3, "three challenges", repr(nonces))


@case("secrets", "3", needs="lrwp1")
def right_answer_of_2_0(bench):
    """a peer of 2.0 answers by XOR"""
    name, key = secret(bench)
    wire = bench.dial(startup(name, "2.0"))
    nonce = challenge(wire)
    wire.send(b"000000032" + bytes(byte ^ key[i % len(key)] for i, byte in enumerate(nonce)))
    came = wire.read(3, "OK FF")
    expect(came == b"OK\xff", "OK FF", printable(came))


@case("secrets", "3", needs="lrwp1")
def secret_and_1_0(bench):
    """a peer of 1.0 gets no context with a secret"""
    name, _ = secret(bench)
    refused(bench.dial(name.encode() + b"\xff\xff"), "ERROR: Connection requires LRWP2 authentication", False)


def identity(bench):
    if not bench.options.identity:
        raise Skip("no --identity")
    name, key_id, digits, prefix = bench.options.identity.split(":")
    context = f"{prefix.strip('/')}/{bench.context()}"
    return context, name, key_id, bytes.fromhex(digits)


def identified(bench, context, name, key_id):
    nonce = os.urandom(32).hex().encode()
    hello = b"\xff3.1\xff" + b"\xff".join((context.encode(), b"", name.encode(), key_id.encode(), nonce)) + b"\xff"
    return bench.dial(hello), hello


@case("identity", "17")
def both_sides_prove_the_key(bench):
    """the proxy proves the key of an identity first, then takes the peer's proof"""
    context, name, key_id, key = identity(bench)
    wire, hello = identified(bench, context, name, key_id)
    came = challenge(wire, 64)
    proof = hmac.new(key, b"lrwp3 proxy\0" + hello + came[:32], hashlib.sha256).digest()
    expect(came[32:] == proof, "the proof of the proxy", printable(came[32:]))
    wire.send(b"000000032" + hmac.new(key, b"lrwp3 peer\0" + hello + came[:32], hashlib.sha256).digest())
    multiplexed(bench, wire)


@case("identity", "17")
def wrong_proof_of_an_identity(bench):
    """a wrong proof is refused"""
    context, name, key_id, _ = identity(bench)
    wire, _ = identified(bench, context, name, key_id)
    challenge(wire, 64)
    wire.send(b"000000032" + bytes(32))
    refused(wire, "Incorrect LRWP challenge response", True)


@case("identity", "17")
def unknown_identity(bench):
    """an unknown name or key id gets a challenge too, and the same refusal: names cannot be tried out"""
    context, name, key_id, _ = identity(bench)
    for other in (("nobody", key_id), (name, "nokey")):
        wire, _ = identified(bench, context, *other)
        challenge(wire, 64)
        wire.send(b"000000032" + bytes(32))
        refused(wire, "Incorrect LRWP challenge response", True)


@case("identity", "17")
def broken_fields_of_3_1(bench):
    """a nonce that is not 64 hexadecimal digits, or a name of other characters, is refused"""
    for fields in (b"a\xffk\xff" + b"x" * 64, b"a\xffk\xffabcd", b"a b\xffk\xff" + b"ab" * 32):
        wire = bench.dial(b"\xff3.1\xff" + bench.context().encode() + b"\xff\xff" + fields + b"\xff")
        refused(wire, "ERROR: Malformed startup string", True)
