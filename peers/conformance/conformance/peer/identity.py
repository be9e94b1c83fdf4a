"""The handshake of 3.1, in which both sides prove a key."""

import hashlib
import hmac
import os
import ssl

from ..cases import case
from ..wire import expect, printable
from .keys import KEY, KEY_ID, NAME
from .secret import closes_without_answer, never_lower


def proof(link, label, key=KEY, challenge=None, certificate=True):
    """What a side proves with: over the label, the startup string, the proxy's nonce, inside TLS the certificate."""
    transcript = label + b"\0" + link.hello.content + (challenge or link.challenge)
    if isinstance(link.sock, ssl.SSLSocket) and certificate:
        transcript += hashlib.sha256(own_certificate()).digest()
    return hmac.new(key, transcript, hashlib.sha256).digest()


def own_certificate():
    from ..bench import certificate
    with open(certificate("server.pem"), encoding="ascii") as file:
        return ssl.PEM_cert_to_DER_cert(file.read())


def challenge(link, send=None):
    """The challenge of a proxy that has the key."""
    link.challenge = os.urandom(32)
    content = b"CHALLENGE\xff000000064" + link.challenge + proof(link, b"lrwp3 proxy")
    (send or link.send)(content)


def dialled(bench):
    bench.drop()
    return bench.dialled()


def forged(bench, make):
    """The peer closes without a proof of its own."""
    link = dialled(bench)
    link.challenge = os.urandom(32)
    closes_without_answer(link, b"CHALLENGE\xff000000064" + link.challenge + make(link), "17")
    bench.recovered()


@case("identity", "17")
def identity_startup_string(bench):
    """the startup string of 3.1 has name, key id and a nonce of 64 hexadecimal digits"""
    link = dialled(bench)
    hello = link.hello
    expect(hello.version == "3.1", "version 3.1", str(hello))
    expect(hello.name == NAME.encode() and hello.key_id == KEY_ID.encode(), f"{NAME} and {KEY_ID}", str(hello))
    digits = hello.nonce.decode("latin-1")
    expect(len(digits) == 64 and all(c in "0123456789abcdefABCDEF" for c in digits), "64 hexadecimal digits", digits)
    bench.handshake(link).accept().echo()


@case("identity", "17")
def nonce_is_never_used_again(bench):
    """each dial has a nonce of its own"""
    nonces = [bench.fresh().hello.nonce for _ in range(3)]
    expect(len(set(nonces)) == 3, "three nonces", repr(nonces))


@case("identity", "17")
def key_challenge_is_answered(bench):
    """a peer checks the proof of the proxy and gives its own"""
    bench.fresh().echo()


@case("identity", "17")
def key_challenge_split(bench):
    """the challenge may come byte by byte"""
    link = dialled(bench)
    bench.handshake(link, link.send_bytewise)
    link.accept().echo()


@case("identity", "17")
def forged_proof(bench):
    """a proxy that has another key gets no proof"""
    forged(bench, lambda link: proof(link, b"lrwp3 proxy", key=bytes(32)))


@case("identity", "17")
def proof_with_one_wrong_bit(bench):
    """a proof of the proxy counts to its last bit"""
    def wrong(link):
        right = proof(link, b"lrwp3 proxy")
        return right[:31] + bytes([right[31] ^ 1])

    forged(bench, wrong)


@case("identity", "17")
def reflected_proof(bench):
    """the proof that a peer would give does not pass for that of a proxy"""
    forged(bench, lambda link: proof(link, b"lrwp3 peer"))


@case("identity", "17")
def proof_of_another_connection(bench):
    """a proof that was made for another startup string is refused"""
    def replayed(link):
        transcript = link.hello.content.replace(link.hello.nonce, b"00" * 32) + link.challenge
        return hmac.new(KEY, b"lrwp3 proxy\0" + transcript, hashlib.sha256).digest()

    forged(bench, replayed)


@case("identity", "17")
def proof_of_another_challenge(bench):
    """a proof that was made for another challenge is refused"""
    forged(bench, lambda link: proof(link, b"lrwp3 proxy", challenge=bytes(32)))


@case("identity", "17")
def ok_without_proof(bench):
    """a peer with a key does not go on after a bare acceptance"""
    link = dialled(bench)
    closes_without_answer(link, b"OK\xff", "17")
    bench.recovered()


@case("identity", "17")
def challenge_of_3_0(bench):
    """a peer with a key does not answer the challenge of 3.0"""
    link = dialled(bench)
    closes_without_answer(link, b"CHALLENGE\xff000000032" + bytes(32), "17")
    bench.recovered()


@case("identity", "17")
def key_and_unknown_version(bench):
    """a peer with a key never dials lower after `Unknown LRWP version`"""
    never_lower(bench, b"ERROR: Unknown LRWP version", "3.1", "17")


@case("identity", "17")
def key_and_bare_ok(bench):
    """a peer with a key never dials lower after a bare OK"""
    never_lower(bench, b"OK", "3.1", "17")


@case("identity", "17")
def key_and_malformed_startup_string(bench):
    """a peer with a key never dials 3.0, not even after `Malformed startup string`"""
    never_lower(bench, b"REJECTED\xffERROR: Malformed startup string\xff", "3.1", "17")


@case("identity", "17")
def second_key_challenge(bench):
    """a second challenge on one connection is not answered"""
    link = bench.handshake(dialled(bench))
    content = b"CHALLENGE\xff000000064" + link.challenge + proof(link, b"lrwp3 proxy")
    closes_without_answer(link, content, "17")
    bench.recovered()


@case("identity", "17")
def identity_refused(bench):
    """a refusal after the proof is told, and the peer goes on with 3.1"""
    link = bench.handshake(dialled(bench))
    mark = bench.program.mark()
    link.send(b"REJECTED\xffERROR: Application not permitted\xff")
    link.finish()
    link.close()
    bench.program.await_line("Application not permitted", since=mark, section="3")
    bench.recovered()


@case("tls-identity", "17")
def certificate_is_in_the_proof(bench):
    """inside TLS both proofs are over the proxy's certificate too"""
    bench.fresh().echo()


@case("tls-identity", "17")
def proof_without_certificate(bench):
    """inside TLS a proof that is not over the certificate is refused: somebody stands in between"""
    link = dialled(bench)
    link.challenge = os.urandom(32)
    content = b"CHALLENGE\xff000000064" + link.challenge + proof(link, b"lrwp3 proxy", certificate=False)
    closes_without_answer(link, content, "17")
    bench.recovered()


def refused_file(bench, name, text, mode, *words):
    """A key file that must not be used ends the program with a line that says why."""
    file = bench.folder.file(name, text, mode)
    bench.options[bench.options.index("--key-file") + 1] = file
    program = bench.start()
    code = program.await_end("the end of a program whose key file must not be used")
    expect(code != 0, "an exit code that is not 0", str(code), "17")
    program.await_line(*words, section="17")


@case("identity-files", "17", own=True)
def key_that_others_can_read(bench):
    """a key file that others can read is refused, and the line says what to do"""
    refused_file(bench, "open", KEY.hex().encode(), 0o644, "600")


@case("identity-files", "17", own=True)
def short_key(bench):
    """a key of less than 32 bytes is refused when it is read"""
    refused_file(bench, "short", KEY[:16].hex().encode(), 0o600, "32", "64")
