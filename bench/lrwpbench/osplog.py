"""The calls per minute that the OSP peer logs, one line for each span in which something happened."""

import dataclasses
import re

_LINE = re.compile(
    r"calls cpm=(\d+) authorisations=(\d+) source-usages=(\d+) destination-usages=(\d+)"
)


@dataclasses.dataclass(frozen=True)
class Span:
    """cpm: whole calls of the span, extrapolated to a minute by the peer."""

    cpm: int
    authorisations: int
    sources: int
    destinations: int


def spans(text):
    return [Span(*(int(number) for number in found.groups())) for found in _LINE.finditer(text)]


def calls_per_minute(found, seconds):
    """All whole calls over the time of all spans; seconds: of one, short beside the time of all, as the first and the last are not full."""
    return min(totals(found)) * 60 / (len(found) * seconds)


def totals(found):
    """(authorisations, source usages, destination usages) over all spans."""
    return (
        sum(span.authorisations for span in found),
        sum(span.sources for span in found),
        sum(span.destinations for span in found),
    )
