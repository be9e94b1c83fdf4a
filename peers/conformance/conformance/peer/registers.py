"""More than one context."""

from ..cases import case
from ..wire import Frame, REGISTER, REGISTERED, Skip, expect, printable


def registered(bench):
    """The names of all contexts that a new connection asks for, and the connection."""
    link = bench.fresh()
    link.until(lambda: len(names(link)) >= 3, "a REGISTER for each further context", "15.11")
    return link


def names(link):
    asked = [name for kind, name, _ in link.registers if kind == REGISTER]
    return [name for name in [link.hello.appname, *asked] if name]


@case("contexts", "15.11.1")
def further_contexts(bench):
    """contexts beside the first come by REGISTER, each once"""
    came = names(registered(bench))
    wanted = {b"c", b"d", b".e"}
    expect({name.lstrip(b"/") for name in came} == wanted and len(came) == 3, "/c, /d and .e", repr(came))


@case("contexts", "15.11.1")
def further_contexts_are_served(bench):
    """requests for each of the contexts are answered on the one connection"""
    link = registered(bench)
    for slot, context in enumerate(("/c", "/d"), 1):
        variables = {"SCRIPT_NAME": context, "REQUEST_URI": f"{context}/x"}
        came = link.request("/x", slot=slot, variables=variables).answer()
        expect(came == b"GET /x\n", "the echo", printable(came))
    variables = {"SCRIPT_NAME": "/a.e", "PATH_INFO": "", "REQUEST_URI": "/a.e"}
    came = link.request("", variables=variables).answer()
    expect(came == b"GET \n", "the echo of an empty PATH_INFO", printable(came), "4")


@case("contexts", "15.11.2")
def further_context_refused(bench):
    """a refusal in REGISTERED is told, with the proxy's text; the rest goes on"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    mark = bench.program.mark()
    link.answers_registers = False
    link.accept()
    link.until(lambda: len(names(link)) >= 2, "REGISTER", "15.11")
    if not link.registers:
        raise Skip("each context has a connection of its own")
    told = 0
    while told < 2:
        link.until(lambda: len(link.registers) > told, "REGISTER of the next context", "15.11")
        _, name, host = link.registers[told]
        text = b"ERROR: Application not permitted" if name.lstrip(b"/") == b"d" else b""
        link.send_frames(Frame(REGISTERED, 0, name + b"\xff" + host + b"\xff" + text + b"\xff"))
        told += 1
    bench.program.await_line("ERROR: Application not permitted", since=mark)
    link.echo()


@case("contexts", "15.11.2")
def requests_before_registered(bench):
    """requests may come before REGISTERED"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    link.answers_registers = False
    link.accept()
    link.until(lambda: link.registers, "REGISTER", "15.11")
    link.echo()


@case("contexts", "15.11.1")
def contexts_are_registered_again(bench):
    """after a loss all contexts are registered again"""
    for _ in range(2):
        link = registered(bench)
        link.echo()
        link.reset()
    bench.drop()
    link = bench.handshake(bench.dialled())
    link.accept()
    link.until(lambda: len(names(link)) >= 3, "all contexts again", "15.11")
    link.echo()


@case("contexts", "13")
def registered_in_odd_forms(bench):
    """a REGISTERED that answers nothing, or holds odd bytes, does not end the peer"""
    link = registered(bench)
    link.send_frames(Frame(REGISTERED, 0, b"/unknown\xff\xff\xff"), Frame(REGISTERED, 0, b"/c\xffa.test\xffno\n\x01\xff"))
    link.lives_or_ends()
    bench.drop()
    bench.recovered()
