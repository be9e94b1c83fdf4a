"""The OSP server: signatures, answers, records on the disk, and calls per minute by kind of token."""

import functools
import time

from .. import machine, ospparts
from ..calls import Stage, agreement, disturbed
from ..missing import need
from ..ours import EDGE
from ..rounds import DISTURBED
from ..spread import median, shown
from .seed import SEED_CPM_FOUR_CORES

HELP = (
    "the OSP server: signatures beside openssl speed, parse and answer, usage with durable records, and the seed's calls per",
    "minute with ECDSA, unsigned and RSA tokens. With --rounds 1 9 minutes.",
)
# What each is worth on a quiet machine.
SIGNATURE_ABOVE_OPENSSL = 1.15
ANSWER_MICROS = 25
USAGES_A_SECOND_AND_CORE = 10_000
SEED_RATIO = 12

_KEYS = {"RSA-2048": ("rsa", "rsa2048"), "ECDSA P-256": ("ecdsa", "ecdsap256")}
_PROVIDERS = {"Corretto": "corretto", "JDK": "jdk"}
# Of the peer, and of the proxy.
_TOKENS = {
    "ECDSA P-256": (("token.generate=ecdsa",), {}),
    "ECDSA P-256, edge": (("token.generate=ecdsa",), {"front": EDGE}),
    "unsigned": (("token.kind=xml-unsigned",), {}),
    "unsigned, edge": (("token.kind=xml-unsigned",), {"front": EDGE}),
    "RSA-2048": ((), {}),
}


def run(bench):
    need("openssl", "ab", "taskset")
    section = bench.section("osp", "The OSP server")
    jar = bench.builds.module("bench/osp", "bench-osp.jar")
    _signatures(bench, section, jar)
    _pieces(bench, section, jar)
    _calls(bench, section)
    section.data["summary"] = _summary(section.data)
    return section


def _java(bench, jar, *arguments):
    return [*bench.builds.java(), "-jar", jar, *arguments, bench.scale.seconds]


def _in_turn(bench, cases):
    """Name of each case to its results, one a round; what others disturbed is measured again."""
    results = {name: [] for name in cases}
    for number in range(bench.scale.rounds):
        names = list(cases)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            for _ in range(bench.scale.tries):
                begin, busy, own = time.monotonic(), machine.busy_seconds(), bench.processes.own_seconds()
                found = cases[name]()
                taken = machine.busy_seconds() - busy - (bench.processes.own_seconds() - own)
                others = max(0.0, taken / (time.monotonic() - begin) / machine.CORES)
                if others <= DISTURBED or not bench.scale.judged:
                    break
            results[name].append((found, others <= DISTURBED or not bench.scale.judged))
            bench.say(f"  {name}: {found.micros:.1f} CPU-microseconds, {found.rate:,.0f}/s, others {others:.1%}")
    return results


def _run(bench, jar, what, *arguments, warm=()):
    text = bench.processes.run([*_java(bench, jar, what, *arguments), *warm])
    return ospparts.read(text, what)


def _openssl(bench, algorithm):
    """As many at once as there are cores: they share what cores share."""
    seconds = max(1, round(bench.scale.seconds))
    command = ["openssl", "speed", "-mr", "-seconds", seconds, algorithm]
    texts = bench.processes.run_together([command] * machine.CORES)
    micros = [ospparts.openssl_micros(text) for text in texts]
    mean = sum(micros) / len(micros)
    return ospparts.Part(0, mean, machine.CORES * 1e6 / mean)


def _micros(rounds, digits=1):
    mark = "" if all(quiet for _, quiet in rounds) else " *"
    return shown([found.micros for found, _ in rounds], digits) + mark


def _signatures(bench, section, jar):
    cases = {}
    keys = dict(list(_KEYS.items())[:1]) if bench.scale.quick else _KEYS
    for name, (kind, algorithm) in keys.items():
        cases[f"{name}, openssl speed"] = functools.partial(_openssl, bench, algorithm)
        for shown_as, provider in _PROVIDERS.items():
            cases[f"{name}, {shown_as}"] = functools.partial(_run, bench, jar, "signatures", provider, kind)
    results = _in_turn(bench, cases)
    section.text(
        "**Signatures.** Tokens signed by the server's pool, a thread a core, as CMS; processor time of the whole process. Beside it "
        "`openssl speed`, a process a core, its own processor time."
    )
    rows = []
    for name, rounds in results.items():
        base = median([found.micros for found, _ in results[name.split(",")[0] + ", openssl speed"]])
        ratio = median([found.micros for found, _ in rounds]) / base
        rows.append((name, _micros(rounds), f"{ratio:.2f}", shown([found.rate for found, _ in rounds])))
        section.data[name] = ratio
    section.table(("signature", "CPU-microseconds", "against openssl", "a second, whole machine"), rows)
    fastest = min(section.data[f"RSA-2048, {name}"] for name in _PROVIDERS)
    _judge(section, "the pool's RSA signature against openssl", f"{fastest:.2f}", f"at most {SIGNATURE_ABOVE_OPENSSL}")


def _pieces(bench, section, jar):
    counter = iter(range(1_000))

    def piece(what, message):
        folder = bench.processes.folder / f"{what}-{next(counter)}"
        folder.mkdir()
        message = bench.builds.bench / "messages" / f"{message}.xml"
        # The compiler works for longer than a round: with a short one before it half of what is measured is the compiler's.
        return _run(bench, jar, what, folder, message, warm=[max(bench.scale.warm_seconds, bench.scale.seconds)])

    results = _in_turn(
        bench,
        {
            "answers": functools.partial(piece, "answers", "authorisation"),
            "usages": functools.partial(piece, "usages", "usage-source"),
        },
    )
    section.text(
        "**Without HTTP.** One process, processor time of all its threads. The authorisation is that of the real client, "
        "answered with one unsigned token. Each usage is another one, sent by 64 gateways at once; it counts when it is confirmed, so "
        "its journal is on the disk, and the time ends when all rows are in the database."
    )
    answers, usages = results["answers"], results["usages"]
    a_core = [1e6 / found.micros for found, _ in usages]
    section.table(
        ("piece", "CPU-microseconds", "a second and core", "a second on the clock"),
        [
            ("authorisation, read, routed, answered", _micros(answers), shown([1e6 / found.micros for found, _ in answers]), ""),
            ("usage, from message to row", _micros(usages), shown(a_core), shown([found.rate for found, _ in usages])),
        ],
    )
    section.data["answer"] = median([found.micros for found, _ in answers])
    section.data["usages"] = median(a_core)
    _judge(section, "microseconds of an answer", f"{section.data['answer']:.1f}", f"at most {ANSWER_MICROS}")
    _judge(section, "usages a second and core", f"{section.data['usages']:,.0f}", f"at least {USAGES_A_SECOND_AND_CORE:,}")


def _calls(bench, section):
    tokens = dict(list(_TOKENS.items())[:1]) if bench.scale.quick else _TOKENS
    stages, results = {}, {name: [] for name in tokens}
    for number, (name, (peer, proxy)) in enumerate(tokens.items()):
        stages[name] = Stage(bench, machine.CORES, f"-tokens{number}", peer, proxy)
        stages[name].warm()
    for number in range(bench.scale.rounds):
        names = list(stages)
        for name in names[number % len(names) :] + names[: number % len(names)]:
            found = stages[name].measure()
            results[name].append(found)
            bench.say(
                f"  {name}: nexus.log {found.log:,.0f}, ab {found.ab:,.0f} calls/min, proxy {found.proxy:.0%}, "
                f"peer {found.peer:.0%} of the cores, others {found.others:.1%}"
            )
    section.text(
        f"**Calls per minute**, {machine.CORES} cores, load generator included: the seed's three ab (an authorisation, a source usage and three "
        "destination usages for each call) against proxy and OSP peer. By the peer's `nexus.log` and by ab. ab repeats one message: the peer "
        "reads and confirms each usage, but knows that it is on the disk already; usages that are all written are measured above."
    )
    rows = []
    for name, rounds in results.items():
        quiet = [one for one in rounds if not disturbed(bench, one)]
        mark = "" if len(quiet) == len(rounds) else " *"
        log = [one.log for one in quiet]
        if log:
            section.data[f"calls {name}"] = median(log)
        rows.append(
            (
                name, shown(log) or "disturbed *", shown([one.ab for one in quiet]) or "disturbed *", agreement(bench, quiet),
                f"{median(log) / SEED_CPM_FOUR_CORES:.1f}" if log else "",
                shown([100 * one.proxy for one in rounds]) + mark, shown([100 * one.peer for one in rounds]) + mark,
                shown([one.p99 for one in quiet]),
            )
        )  # fmt: skip
    section.table(
        (
            "tokens", "calls/min, nexus.log", "calls/min, ab", "apart", f"against the seed's {SEED_CPM_FOUR_CORES:,}",
            "proxy % of the cores", "peer %", "p99 ms",
        ),
        rows,
    )  # fmt: skip
    known = [value for name, value in section.data.items() if name.startswith("calls ") and "RSA" not in name]
    if known:
        best = max(known) / SEED_CPM_FOUR_CORES
        _judge(section, "calls per minute against the seed, ECDSA or unsigned", f"{best:.1f}", f"at least {SEED_RATIO}")


def _judge(section, what, found, wanted):
    section.data.setdefault("floors", []).append((what, found, wanted))


def _summary(data):
    lines = ["| OSP server | asked | here |", "|---|---|---|"]
    lines.extend(f"| {what} | {wanted} | {found} |" for what, found, wanted in data["floors"])
    return "\n".join(lines)
