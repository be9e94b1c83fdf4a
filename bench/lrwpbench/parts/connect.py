"""What lrwp-connect costs beside a reverse proxy that does the same work without an LRWP proxy in front."""

from .. import rounds
from ..goals import HAPROXY, verdict
from ..missing import need
from ..ours import CONTEXT, EDGE
from ..proxy import Proxy, Whole
from ..spread import median, shown

HELP = (
    "lrwp-connect in front of an HTTP server, beside HAProxy and nginx in front of the same one: POST of 1.5 KB, answer of 1 KB, 100",
    "connections. Goal: the agent takes 1.5 times HAProxy's CPU per request at most; floor: 2.2. 5 minutes.",
)
_AGENT = "lrwp-connect"
_BOTH = "LRWP proxy and lrwp-connect"
_NGINX = "nginx, HTTP"
_GOAL, _FLOOR = 1.5, 2.2


def run(bench):
    need("gcc", "go")
    section = bench.section("connect", "An HTTP server by lrwp-connect")
    proxies = _start(bench)
    connections = 100 if 100 in bench.scale.connections else bench.scale.connections[0]
    cases = rounds.cases(proxies, bench.loads.wrk, connections)
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    section.text(
        f"The same HTTP server in C behind each, {connections} connections of wrk, access logs off. CPU of `{_AGENT}` is the agent's alone; "
        f"`{_BOTH}` is the same load with the CPU of both."
    )
    section.table(("what is measured", *rounds.HEADER), [(name, *rounds.cells(results[name])) for name in proxies])
    ratios = {name: _ratios(results[name], results[other]) for name, other in ((_AGENT, HAPROXY), (_BOTH, _NGINX))}
    cost = median(ratios[_AGENT])
    section.table(
        ("CPU per request", "times", "goal, floor", "reached"),
        [
            (f"{_AGENT} beside {HAPROXY}", shown(ratios[_AGENT], 2), f"{_GOAL}, {_FLOOR}", verdict(cost, _GOAL, _FLOOR)),
            (f"{_BOTH} beside {_NGINX}", shown(ratios[_BOTH], 2), "-", "-"),
        ],
    )
    section.data["connect"] = {"haproxy": cost, "nginx": median(ratios[_BOTH])}
    return section


def _start(bench):
    """Name to what is measured; the first two share proxy and agent."""
    back_end = bench.rivals.http_back_end()
    proxy = bench.ours.proxy("connect", {"front": EDGE})
    url = f"http://127.0.0.1:{back_end}"
    command = [bench.builds.connect(), "connect", "http", url, f"/{CONTEXT}", "--proxy", f"127.0.0.1:{proxy.lrwp}", "--concurrency", 512]
    agent = Proxy(bench.processes.start(_AGENT, command, "registered"), proxy.port)
    both = Whole(proxy.process, proxy.port, [agent.process])
    return {_AGENT: agent, _BOTH: both, HAPROXY: bench.rivals.haproxy(), _NGINX: bench.rivals.nginx_http()}


def _ratios(samples, base):
    return [one.cpu / other.cpu for one, other in zip(samples, base, strict=True) if other.cpu] or [0.0]
