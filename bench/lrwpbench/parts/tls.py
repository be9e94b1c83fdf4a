"""What TLS to the back end costs the proxy, ours and HAProxy."""

import subprocess

from .. import ports, rounds
from ..goals import HAPROXY, verdict
from ..missing import need
from ..ours import EDGE
from ..spread import median

HELP = (
    "what TLS 1.3 between proxy and back end costs the proxy: ours with LRWP 3 at the edge, and HAProxy, each with TLS",
    "and without; wrk with 100 connections, POST of 1.5 KB. 4 minutes.",
)
_CONNECTIONS = 100
_LRWP3 = "LRWP 3, edge"
_KINDS = ("plain", "TLS")
# The proxy's CPU with TLS, as a multiple of that without.
_GOAL, _FLOOR = 1.25, 1.5


def run(bench):
    need("haproxy", "openssl")
    section = bench.section("tls", "TLS to the back end")
    files = _certificate(bench.processes.folder)
    port = ports.free()
    proxies = {
        **bench.ours.side_by_side(
            {
                f"{_LRWP3}, plain": (_plain_peers(bench), {"front": EDGE}),
                f"{_LRWP3}, TLS": (_tls_peers(bench, files, port), {"front": EDGE, **files.settings(port)}),
            }
        ),
        f"{HAPROXY}, plain": bench.rivals.haproxy(bench.rivals.tunnel),
        f"{HAPROXY}, TLS": bench.rivals.haproxy(lambda to: bench.rivals.tunnel(to, inside=f"ssl crt {files.both}"), files.trusting()),
    }
    cases = rounds.cases(proxies, bench.loads.wrk, _CONNECTIONS)
    results = rounds.interleaved(bench.processes, bench.scale, cases, bench.say)
    section.text(
        f"wrk with {_CONNECTIONS} connections. Each back end is in C and speaks no TLS: a HAProxy in TCP mode stands beside it, with TLS "
        "towards the proxy or without, so that both have the same way. Its CPU is not the proxy's. TLS 1.3, P-256, connections kept."
    )
    ratios = {name: _ratio(results, name) for name in (_LRWP3, HAPROXY)}
    section.table(
        ("proxy", *rounds.HEADER, "CPU against plain"),
        [(name, *rounds.cells(results[name]), f"{ratios[name.rsplit(', ', 1)[0]]:.2f}" if name.endswith("TLS") else "") for name in results],
    )
    section.text(f"Goal for ours: {_GOAL} of the CPU without TLS, floor {_FLOOR}: {verdict(ratios[_LRWP3], _GOAL, _FLOOR)}.")
    section.data["ratios"] = ratios
    return section


def _ratio(results, name):
    """The median over rounds: those of one round saw the same machine."""
    plain, tls = (results[f"{name}, {kind}"] for kind in _KINDS)
    return median([with_tls.cpu / without.cpu for with_tls, without in zip(tls, plain)])


class _Files:
    """certificate and key: PEM files; both: one file with both, as HAProxy wants it."""

    def __init__(self, folder):
        self.certificate, self.key, self.both = (folder / f"tls-{name}.pem" for name in ("certificate", "key", "both"))

    def trusting(self):
        """How a HAProxy speaks TLS to a server that shows the certificate."""
        return f"ssl verify required ca-file {self.certificate} force-tlsv13"

    def settings(self, port):
        return {
            "agent.tls.certificate": self.certificate,
            "agent.tls.key": self.key,
            "agent.tls.port": port,
            "agent.tls.client-certificates": "none",
        }


def _certificate(folder):
    files = _Files(folder)
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=bench -addext subjectAltName=IP:127.0.0.1"
    command = [*command.split(), "-keyout", files.key, "-out", files.certificate]
    subprocess.run(command, check=True, capture_output=True)
    files.both.write_text(files.certificate.read_text() + files.key.read_text())
    return files


def _plain_peers(bench):
    return lambda proxy: bench.ours.lrwp3(proxy, port=bench.rivals.tunnel(proxy.lrwp)[0])


def _tls_peers(bench, files, port):
    outside = f"{files.trusting()} alpn lrwp/3"
    return lambda proxy: bench.ours.lrwp3(proxy, port=bench.rivals.tunnel(port, outside=outside)[0])
