"""Several proxies, local sockets."""

import time

from ..bench import expect_code
from ..cases import case
from ..wire import Skip, counted, expect


def both(bench):
    links = []
    for at in (0, 1):
        link = bench.dialled(at=at, what="the peer dials each of its proxies")
        links.append(link.accept())
    return links


@case("proxies", "11", own=True)
def two_proxies(bench):
    """a peer with two proxies serves both at once"""
    for link in both(bench):
        link.echo()


@case("proxies", "15.5.8", own=True)
def one_instance(bench):
    """a peer that says instance= says the same to each proxy"""
    said = {link.peer["instance"] for link in both(bench)}
    if said == {""}:
        raise Skip("the peer's SETTINGS have no instance")
    expect(len(said) == 1, "one instance", repr(said))


@case("proxies", "15.1.1", own=True, needs="shared-concurrency")
def concurrency_over_all_proxies(bench):
    """handlers for all proxies together never exceed the concurrency; what is too much waits or is refused"""
    links = both(bench)
    slow = [link.request("/slow", slot=slot) for link in links for slot in (1, 2, 3, 4)]
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        for link in links:
            link.quiet(0.05)
    running = sum(1 for line in bench.program.lines if line.startswith("began"))
    expect(running <= 4, "at most 4 handlers", f"{running} handlers")
    for entry in slow:
        if not entry.ended:
            entry.cancel()
            entry.await_end("the end of a cancelled request", "15.4.4")
    for link in links:
        link.echo()


@case("proxies", "15.5", own=True)
def loss_of_one_proxy(bench):
    """the loss of one proxy does not touch the other, and is dialled again"""
    links = both(bench)
    links[0].echo()
    links[0].reset()
    links[1].echo()
    again = bench.dialled(at=0, what="the peer dials the lost proxy again").accept()
    again.echo()
    links[1].echo()


@case("proxies", "15.10.1", own=True)
def leaves_all_proxies(bench):
    """SIGTERM: DRAIN to each proxy"""
    links = both(bench)
    for link in links:
        link.echo()
    bench.program.terminate()
    for link in links:
        link.until(lambda link=link: link.draining, "DRAIN to each proxy", "15.10.1")
        link.finish()
    expect_code(bench.program, "the program ends when all proxies have closed", "15.10.1")


@case("unix", "1", own=True)
def local_socket(bench):
    """`unix:/path` is a local socket with the same bytes"""
    bench.link().echo()


@case("unix", "15.3", own=True)
def large_bodies_over_a_local_socket(bench):
    """large answers come over a local socket"""
    came = bench.link().request("/bytes", query="n=1000000").answer()
    expect(came == counted(1000000), "1,000,000 bytes", f"{len(came)} bytes that differ")


@case("unix", "15.10.1", own=True)
def leaves_over_a_local_socket(bench):
    """SIGTERM: DRAIN over a local socket"""
    link = bench.link()
    link.echo()
    bench.program.terminate()
    link.until(lambda: link.draining, "DRAIN", "15.10.1")
    link.finish()
    expect_code(bench.program, "the program ends when the proxy has closed", "15.10.1")
