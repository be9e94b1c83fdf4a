"""CGI heads, as docs/protocol.md section 6 and 13 read them."""

import re

from .wire import Failure, expect, printable

_TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")


class Head:
    """Status and fields of an answer."""

    def __init__(self, status, fields):
        self.status, self.fields = status, fields

    def values(self, name):
        return [value for field, value in self.fields if field.lower() == name.lower()]

    def value(self, name):
        return (self.values(name) or [None])[-1]


def parse(payload):
    """The head of a RESPONSE, and the bytes behind its blank line."""
    expect(not payload.startswith(b"HTTP/"), "a head without status line", printable(payload), "13")
    lines, at = [], 0
    while True:
        end = payload.find(b"\n", at)
        if end < 0:
            raise Failure("a head that ends with a blank line in its RESPONSE", printable(payload), "13")
        line = payload[at:end - 1] if payload[at:end].endswith(b"\r") else payload[at:end]
        at = end + 1
        if not line:
            break
        lines.append(line)
    status, fields = None, []
    for line in lines:
        name, colon, value = line.partition(b":")
        value = value.strip(b" \t")
        good = colon and _TOKEN.fullmatch(name.rstrip(b" \t")) and not _CONTROL.search(value)
        expect(good, "lines of a head that are `Name: value`", printable(line), "6")
        fields.append((name.rstrip(b" \t").decode("latin-1"), value.decode("latin-1")))
        if name.lower() == b"status":
            expect(re.fullmatch(rb"[1-9][0-9]{2}( .*)?", value), "a status of three digits", printable(line), "6")
            status = int(value[:3])
    if status is None:
        status = 302 if any(name.lower() == "location" for name, _ in fields) else 200
    return Head(status, fields), payload[at:]
