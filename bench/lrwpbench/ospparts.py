"""What the meters of the OSP server's parts print: our own, and `openssl speed -mr`."""

import dataclasses
import re

_LINE = re.compile(r"bench (\S+) count=(\d+) cpu-micros=([\d.]+) seconds=([\d.]+)")
# Type, count, bits, seconds of processor time; the first line of a key is its signatures.
_OPENSSL = re.compile(r"^\+R\d+:(\d+):(?:2048|256):([\d.]+)$", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Part:
    """How many were done, microseconds of processor time for each, and how many a second on the clock."""

    count: int
    micros: float
    rate: float


def read(text, what):
    """The line of one measurement."""
    for name, count, micros, seconds in _LINE.findall(text):
        if name == what:
            return Part(int(count), float(micros), int(count) / float(seconds))
    raise ValueError(f"no line of {what}:\n{text}")


def openssl_micros(text):
    """Microseconds of processor time for each signature."""
    found = _OPENSSL.search(text)
    if found is None:
        raise ValueError(f"openssl printed no signatures:\n{text}")
    return float(found.group(2)) * 1e6 / int(found.group(1))
