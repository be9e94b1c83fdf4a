"""A NATS server, over which the nodes of a cluster reach each other."""

import subprocess

from . import ports
from .missing import Missing, need

_PROGRAM = "github.com/nats-io/nats-server/v2@v2.15.2"


def start(bench):
    """(URL, process) of a server, which is built the first time."""
    need("go")
    programs = bench.builds.root / "bench/target/nats"
    done = subprocess.run(
        ["sh", "-c", f"GOBIN='{programs}' go install {_PROGRAM}"], capture_output=True, text=True, timeout=600
    )
    if done.returncode != 0:
        raise Missing(f"nats-server cannot be had: {done.stderr[-500:]}")
    port = ports.free()
    process = bench.processes.start("nats", [programs / "nats-server", "-a", "127.0.0.1", "-p", port], "Server is ready")
    return f"nats://127.0.0.1:{port}", process
