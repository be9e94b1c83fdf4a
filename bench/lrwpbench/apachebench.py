"""ApacheBench: its command and what it prints."""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class AbRun:
    """What one ab saw: seconds from its first request to its last answer; latencies in whole milliseconds, as ab has them."""

    requests: int
    failed: int
    seconds: float
    p50: int
    p99: int


def command(url, body, connections, requests):
    """Keep-alive; answers may differ in length, as tokens do."""
    return ["ab", "-q", "-k", "-l", "-c", connections, "-n", requests, "-p", body, "-T", "text/plain", url]


def read(text):
    """Reads a report of ab; what it calls failed, and answers that are no 2xx, are failed."""

    def number(pattern, default=None):
        found = re.search(pattern, text)
        if found is None and default is None:
            raise ValueError(f"ab printed nothing like {pattern}:\n{text}")
        return float(found.group(1)) if found else default

    return AbRun(
        int(number(r"Complete requests:\s+(\d+)")),
        int(number(r"Failed requests:\s+(\d+)") + number(r"Non-2xx responses:\s+(\d+)", 0)),
        number(r"Time taken for tests:\s+([\d.]+)"),
        int(number(r"\n\s+50%\s+(\d+)")),
        int(number(r"\n\s+99%\s+(\d+)")),
    )
