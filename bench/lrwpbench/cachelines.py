"""What bench/cache prints, and what the test of kill -9 says, as figures."""

import re

_NUMBER = r"([\w-]+)=([\d.]+)"


def operations(text):
    """(kind, threads) to its figures: cpu-nanos, rate, hits, wrong, p50, p999."""
    found = {}
    for kind, figures in re.findall(r"^operation \S+ (\S+) (.*)$", text, re.MULTILINE):
        values = {key: float(value) for key, value in re.findall(_NUMBER, figures)}
        found[kind, int(values.pop("threads"))] = values
    return found


def heap(text):
    """MiB of heap that a filled cache takes."""
    return float(re.search(r"^cache \S+ heap=(-?\d+)$", text, re.MULTILINE).group(1))


def wrong(text):
    """Values that were not those of their keys, when all were compared at the end."""
    return int(re.search(r"^content \S+ wrong=(\d+)$", text, re.MULTILINE).group(1))


def ratios(text):
    """Trace to rule to hit ratio."""
    found = {}
    for trace, rule, hits in re.findall(r"^ratio (\S+) (\S+) hits=([\d.]+)", text, re.MULTILINE):
        found.setdefault(trace, {})[rule] = float(hits)
    return found


def opened(text):
    """Milliseconds, entries, and what became of the file."""
    millis, entries, outcome = re.search(r"^opened millis=([\d.]+) entries=(\d+) outcome=(\S+)$", text, re.MULTILINE).groups()
    return float(millis), int(entries), outcome


def kills(text):
    """Rounds, and segments that were found in the middle of a put."""
    rounds, torn = re.search(r"kill: (\d+) rounds, (\d+) segments in a put", text).groups()
    return int(rounds), int(torn)
