"""What the cases for a proxy are run with."""

from . import answers, faults, handshakes, multiplexed, serial  # noqa: F401
from .player import Bench

NEEDS = {"serial": ("lrwp1",), "identity": ("identity",)}
SLOW = ()


def bench(group, options):
    return Bench(options)
