"""The challenge of 3.0."""

from ..cases import case
from ..wire import expect, printable
from .handshake import redialled


def closes_without_answer(link, content, section="12"):
    """The peer gets this, says nothing, and closes."""
    link.send(content)
    came = link.read_end("the end of the peer's connection", seconds=15)
    expect(not came, "no answer, only the end", printable(came), section)
    link.close()


def never_lower(bench, content, version="3.", section="12"):
    """Whatever an older server would say: the next two dials are 3.x."""
    bench.drop()
    link = bench.dialled()
    link.send(content)
    link.finish()
    link.read_end("the end of the peer's connection")
    link.close()
    for _ in range(2):
        link = redialled(bench, version, "no dial below 3.0: it would give the key away", section)
        link.send(content)
        link.finish()
        link.close()
    bench.recovered()


@case("secret", "12")
def challenge_is_answered(bench):
    """the answer to a challenge is the HMAC of challenge, appname, FF and vhost"""
    bench.fresh().echo()


@case("secret", "12")
def answers_differ(bench):
    """each challenge gets its own answer"""
    bench.fresh().echo()
    bench.fresh().echo()


@case("secret", "12")
def challenge_split(bench):
    """the challenge may come byte by byte"""
    bench.drop()
    link = bench.dialled()
    bench.handshake(link, link.send_bytewise)
    link.accept().echo()


@case("secret", "12")
def ok_without_challenge(bench):
    """a proxy that needs no secret may accept at once"""
    bench.drop()
    bench.dialled().accept().echo()


@case("secret", "12")
def second_challenge(bench):
    """a second challenge on one connection is not answered"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    closes_without_answer(link, b"CHALLENGE\xff000000032" + bytes(32))
    bench.recovered()


@case("secret", "12")
def challenge_of_another_length(bench):
    """a challenge whose length is not 32 is not answered"""
    bench.drop()
    link = bench.dialled()
    link.send(b"CHALLENGE\xff000000016" + bytes(16))
    link.finish()
    came = link.read_end("the end of the peer's connection")
    expect(not came, "no answer, only the end", printable(came))
    link.close()
    redialled(bench, "3.", "version 3.x again")
    bench.drop()
    bench.recovered()


@case("secret", "12")
def proof_refused(bench):
    """the refusal of a proof is told, and the peer goes on with 3.x"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    mark = bench.program.mark()
    link.send(b"REJECTED\xffIncorrect LRWP challenge response\xff")
    link.finish()
    link.close()
    bench.program.await_line("Incorrect LRWP challenge response", since=mark, section="3")
    bench.recovered()


@case("secret", "12")
def secret_and_unknown_version(bench):
    """a peer with a secret never goes below 3.0 after `Unknown LRWP version`"""
    never_lower(bench, b"ERROR: Unknown LRWP version")


@case("secret", "12")
def secret_and_bare_ok(bench):
    """a peer with a secret never goes below 3.0 after a bare OK"""
    never_lower(bench, b"OK")


@case("silent-secret", "12", own=True)
def secret_and_no_reply(bench):
    """a peer with a secret never goes below 3.0 when nothing comes"""
    link = bench.dialled()
    link.read_end("the end of the peer's connection without a reply", 25)
    link.close()
    redialled(bench, "3.", "no dial below 3.0: it would give the secret away")
