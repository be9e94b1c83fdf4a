"""What clients notice while the ports of peers are under attack."""

import functools
import subprocess
import sys

from .. import ports
from ..missing import need
from ..ours import EDGE
from ..processes import Failed
from ..rounds import Case, cases, interleaved
from ..spread import median, shown

HELP = (
    "99th percentile of allowed requests while the ports of peers are attacked in eight ways, as a multiple of that in",
    "quiet. The floor is 2. 14 minutes.",
)
_RATE = 2000
_CONNECTIONS = 50
_WARM_SECONDS = 15
_FLOOR = 2.0
_QUIET = "quiet"
_ATTACKS = {
    "silent": "10,000 silent connections, dialled again when they are closed",
    "proofs": "wrong proofs of a key",
    "half": "half TLS handshakes",
    "again": "a second handshake inside a connection",
    "truncated": "TLS that is cut without close_notify",
    "single": "records of one byte",
    "certificates": "certificates of an unknown authority",
    "registrations": "10,000 contexts of one peer, which leaves and comes back",
}


def run(bench):
    need("openssl")
    section = bench.section("attacks", "Under attack")
    folder = bench.processes.folder
    _certificates(folder)
    tls = ports.free()
    proxy = bench.ours.proxy("attacked", {"front": EDGE, **_settings(folder, tls)})
    bench.ours.lrwp3(proxy)
    rate, connections = (100, 4) if bench.scale.quick else (_RATE, _CONNECTIONS)

    def load(port, path, seconds):
        return bench.loads.paced(port, path, rate, seconds, connections)

    quiet = cases({_QUIET: proxy}, load)[0]
    done = {kind: [] for kind in _ATTACKS}
    attacked = [
        Case(kind, proxy, quiet.load, functools.partial(_attack, bench, proxy, tls, kind, quiet.load, done[kind]))
        for kind in _ATTACKS
    ]
    results = interleaved(bench.processes, bench.scale, [quiet, *attacked], bench.say)
    _report(section, results, done, rate, connections)
    return section


def _report(section, results, done, rate, connections):
    section.text(
        f"Allowed requests, POST of 1,500 bytes, {rate:,} a second over {connections} connections to a peer that is there all the time, the edge. "
        "The attackers are programs in Python on the same machine, which run when nobody else wants a processor (SCHED_IDLE), as fast as they "
        "can; how often they did it counts the first of four processes (of one peer: the only one). The multiple is the median over rounds."
    )
    ratios = {kind: median([a.load.p99 / b.load.p99 for a, b in zip(results[kind], results[_QUIET])]) for kind in _ATTACKS}
    rows = [(_QUIET, *_times(results[_QUIET]), "", "")]
    rows += [
        (_ATTACKS[kind], *_times(results[kind]), shown(done[kind]), f"{ratio:.2f}{'' if ratio <= _FLOOR else ' missed'}")
        for kind, ratio in ratios.items()
    ]
    section.table(("attack", "p50 ms", "p99 ms", "longest ms", "errors", "done", "p99 against quiet"), rows)
    verdict = "met" if max(ratios.values()) <= _FLOOR else "missed"
    section.text(f"Floor: {_FLOOR:g} times the 99th percentile in quiet: {verdict}.")
    section.data["ratios"] = ratios


def _times(samples):
    loads = [sample.load for sample in samples]
    return (
        shown([load.p50 for load in loads], 2),
        shown([load.p99 for load in loads], 2),
        shown([load.longest for load in loads], 1),
        str(sum(load.errors for load in loads)),
    )


def _attack(bench, proxy, tls, kind, load, done):
    """Begins an attack; returns what ends it. What the proxy has to do is new to its JVM, whose compiler takes a processor
    at first: that is over when this returns."""
    command = [sys.executable, bench.builds.bench / "attacks" / "attack.py", kind, proxy.lrwp, tls, bench.processes.folder]
    process = bench.processes.start(kind, command, "attacking")
    if not bench.scale.quick:
        load(_WARM_SECONDS)

    def end():
        bench.processes.stop(process)
        if process.returncode != 0:
            raise Failed(f"the attack '{kind}' ended with {process.returncode}:\n{bench.processes.tail(process)}")
        done.append(int(bench.processes.tail(process).rsplit("done=", 1)[1].split()[0]))

    return end


def _settings(folder, tls):
    (folder / "narrow.secret").write_text("5a" * 32 + "\n")
    peers = folder / "peers"
    peers.write_text(
        f"peer.narrow.certificate = CN=narrow\npeer.narrow.key.k1 = {folder / 'narrow.secret'}\npeer.narrow.contexts = /narrow/**\n"
    )
    for private in (peers, folder / "narrow.secret"):
        private.chmod(0o600)
    return {
        "agent.peers-file": peers,
        "agent.tls.certificate": folder / "localhost.pem",
        "agent.tls.key": folder / "localhost.key",
        "agent.tls.trust": folder / "authority.pem",
        "agent.tls.port": tls,
        # One peer registers again and again; by default it would have to wait.
        "agent.registration-burst": 10_000_000,
    }


def _certificates(folder):
    """An authority, certificates of the proxy and a peer, and that of a stranger who is his own authority."""
    for name in ("authority", "stranger"):
        _openssl(folder, f"req -x509 -days 2 -subj /CN={name} {_key(name)} -out {name}.pem")
    for name in ("localhost", "narrow"):
        _openssl(folder, f"req -subj /CN={name} -addext subjectAltName=DNS:{name} {_key(name)} -out {name}.csr")
        _openssl(folder, f"x509 -req -days 2 -in {name}.csr -CA authority.pem -CAkey authority.key -copy_extensions copy -out {name}.pem")
    for key in folder.glob("*.key"):
        key.chmod(0o600)


def _key(name):
    return f"-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {name}.key"


def _openssl(folder, arguments):
    subprocess.run(["openssl", *arguments.split()], cwd=folder, check=True, capture_output=True)
