"""What a cluster costs: a request that another node answers, the same load on 1, 3 and 6 nodes, and a connection."""

import concurrent.futures
import dataclasses
import functools
import time
import urllib.error
import urllib.request

from .. import java_heap, machine, nats, rounds
from ..goals import verdict
from ..loads import BODY
from ..missing import need
from ..ours import CONTEXT, EDGE, status
from ..processes import Failed
from ..proxy import Proxy
from ..rounds import Load
from ..spread import median, shown

HELP = (
    "CPU of a request that another node answers beside a local one; of a request on 1, 3 and 6 nodes at 2,000 requests/s each, all",
    "nodes and NATS together; what a connection holds in a node and in lrwp-connect. 14 minutes, only when it is asked for.",
)
_HERE, _AWAY = "at its own node", "at another node"
_FAR = "far"
_CONNECTIONS = 100
_SIZES = (1, 3, 6)
_ROUNDS = 5
_RATE = 2000  # requests a second for each node
# CPU of a request that another node answers, as a multiple of a local one.
_FORWARD_GOAL, _FORWARD_FLOOR = 2.5, 3.5
# CPU per request over all nodes, as a multiple of that of one.
_SCALE_FLOORS = {3: 1.07, 6: 1.09}
_PROXIES, _AGENTS = 100, 10  # 1,000 connections to one node


@dataclasses.dataclass
class Several(Proxy):
    """What is asked, and all that works for it. others: processes whose time counts too."""

    others: tuple = ()

    def pids(self):
        return [pid for one in (self.process, *self.others) for pid in machine.with_children(one.pid)]


def run(bench):
    need("gcc", "go", "haproxy")
    section = bench.section("cluster", "A cluster")
    url, server = nats.start(bench)
    _forwarded(bench, section, url, server)
    _scaled(bench, section, url, server)
    _held(bench, section)
    return section


def _node(bench, url, cluster, name, **options):
    settings = {"cluster.nats": url, "cluster.node": name, "cluster.name": cluster, "front": EDGE}
    return bench.ours.proxy(f"{cluster}-{name}", settings, **options)


# ---- A request that goes to another node.


def _forwarded(bench, section, url, server):
    a, b = (_node(bench, url, "forward", name) for name in "ab")
    bench.ours.lrwp3(a)
    bench.ours.lrwp3(b, context=_FAR)
    _await_answer(a.port, f"/{_FAR}/x")
    both = (b.process, server)
    proxies = {
        _HERE: Several(a.process, a.port, a.peers, others=both),
        _AWAY: Several(a.process, a.port, b.peers, f"/{_FAR}/x", others=both),
    }
    found = rounds.interleaved(bench.processes, bench.scale, rounds.cases(proxies, bench.loads.varied, "varied", _CONNECTIONS), bench.say)
    ratios = [away.cpu / here.cpu for away, here in zip(found[_AWAY], found[_HERE]) if here.cpu]
    cost = median(ratios)
    section.text(
        f"**A request that another node answers.** Two nodes; the load `varied` with {_CONNECTIONS} connections goes to one. The CPU is that of "
        "both nodes and of the NATS server between them."
    )
    section.table(("answered", *rounds.HEADER), [(name, *rounds.cells(found[name])) for name in proxies])
    section.text(
        f"A request that another node answers takes {shown(ratios, 2)} times the CPU of a local one (goal {_FORWARD_GOAL}, floor "
        f"{_FORWARD_FLOOR}): {verdict(cost, _FORWARD_GOAL, _FORWARD_FLOOR)}."
    )
    section.data["forwarded"] = cost
    for node in (a, b):
        _stop(bench, node)


def _await_answer(port, path, seconds=30):
    """Until a node knows what the other one serves."""
    end = time.monotonic() + seconds
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", data=bytes(BODY), timeout=10):
                return
        except urllib.error.URLError as error:
            if time.monotonic() > end:
                raise Failed(f"{path} is not answered: {error}") from error
            time.sleep(0.2)


def _stop(bench, node):
    for peer in list(node.peers):
        bench.ours.remove(node, peer)
    bench.processes.stop(node.process)


# ---- The same load for each node.


def _scaled(bench, section, url, server):
    sizes = _SIZES[:2] if bench.scale.quick else _SIZES
    clusters = {size: _cluster(bench, url, size) for size in sizes}
    cases = []
    for size, nodes in clusters.items():
        first, *more = nodes
        others = (*(node.process for node in more), server)
        proxy = Several(first.process, first.port, others=others)
        cases.append(rounds.Case(_named(size), proxy, functools.partial(_load_all, bench, nodes)))
    scale = bench.scale if bench.scale.quick else dataclasses.replace(bench.scale, rounds=max(_ROUNDS, bench.scale.rounds))
    found = rounds.interleaved(bench.processes, scale, cases, bench.say)
    section.text(
        f"**More nodes.** Clusters of 1, 3 and 6 nodes, each node with peers of its own for the one context and {_RATE:,} requests/s (POST of 1.5 KB). "
        f"The CPU is that of all nodes and of NATS, for each request at any of them. {scale.rounds} rounds in turn."
    )
    rows = []
    for size in sizes:
        samples = found[_named(size)]
        ratios = [one.cpu / base.cpu for one, base in zip(samples, found[_named(1)]) if base.cpu]
        floor = _SCALE_FLOORS.get(size)
        kept = "" if floor is None else "yes" if median(ratios) <= floor else "no"
        rows.append((_named(size), *rounds.cells(samples)[:4], shown(ratios, 2), floor or "", kept))
        section.data[f"{size} nodes"] = median(ratios)
    section.table(("cluster", *rounds.HEADER[:4], "CPU against one node", "at most", "reached"), rows)
    for nodes in clusters.values():
        for node in nodes:
            _stop(bench, node)


def _named(size):
    return f"{size} node" if size == 1 else f"{size} nodes"


def _cluster(bench, url, size):
    nodes = [_node(bench, url, f"of{size}", f"n{number}", wait=False) for number in range(size)]
    for node in nodes:
        bench.ours.await_ready(node)
        bench.ours.lrwp3(node)
    return nodes


def _load_all(bench, nodes, seconds):
    """The same for each node at the same time; latencies are those of the slowest."""
    rate = _RATE if not bench.scale.quick else bench.scale.paced_rate
    with concurrent.futures.ThreadPoolExecutor(len(nodes)) as pool:
        run = functools.partial(bench.loads.paced, path=f"/{CONTEXT}/x", rate=rate, seconds=max(1, round(seconds)), connections=50)
        loads = list(pool.map(lambda node: run(node.port), nodes))
    return Load(
        sum(load.requests for load in loads),
        sum(load.errors for load in loads),
        sum(load.rate for load in loads),
        *(max(getattr(load, name) for load in loads) for name in ("p50", "p99", "p999", "longest")),
    )


# ---- What a connection holds.


def _held(bench, section):
    """Each agent dials one node as if it was many: a range of ports that all lead to it."""
    proxies, agents = (10, 2) if bench.scale.quick else (_PROXIES, _AGENTS)
    node = bench.ours.proxy("held", {"front": EDGE, "agent.max-peers-per-address": 10000})
    first, _ = bench.rivals.tunnel(node.lrwp, count=proxies)
    back_end = bench.rivals.http_back_end()
    jdk, pid = bench.builds.jdk(), node.process.pid
    readings = 1 if bench.scale.quick else 3
    one = _agent(bench, back_end, [first], 0)
    few = _connections(node)
    heap, resident = java_heap.settled_mib(jdk, pid, readings), node.resident_mib()
    many = [_agent(bench, back_end, range(first, first + proxies), number) for number in range(1, agents + 1)]
    bench.processes.await_true(many[-1], "all connections are there", lambda: _connections(node) >= few * (1 + proxies * agents), 120)
    more = _connections(node) - few
    in_heap = (java_heap.settled_mib(jdk, pid, readings) - heap) * 1024 / more
    in_memory = (node.resident_mib() - resident) * 1024 / more
    in_agent = (median([machine.resident_mib([agent.pid]) for agent in many]) - machine.resident_mib([one.pid])) * 1024 / (proxies - 1)
    section.text(
        f"**A connection.** {agents} lrwp-connect that each dial {proxies} proxies, here one node by {proxies} ports: {more:,} connections of LRWP 3 "
        f"more than one agent with one proxy has. Each holds {in_heap:.0f} KiB of live heap and {in_memory:.0f} KiB of resident memory in the node; "
        f"in the agent each proxy holds {in_agent:.0f} KiB."
    )
    section.data["connection KiB"] = {"heap": in_heap, "resident": in_memory, "agent": in_agent}


def _connections(node):
    return sum(context["connections"] for context in status(node)["contexts"])


def _agent(bench, back_end, dialled, number):
    command = [bench.builds.connect(), "connect", "http", f"http://127.0.0.1:{back_end}", f"/held{number}", "--concurrency", 8]
    for port in dialled:
        command += ["--proxy", f"127.0.0.1:{port}"]
    return bench.processes.start("lrwp-connect", command, "registered")
