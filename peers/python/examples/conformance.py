"""The test peer of peers/conformance: what it does is in docs/protocol.md, section 19."""

import time
from urllib.parse import parse_qs

import options
from lrwp import Answer


def line(request):
    return f"{request.env['REQUEST_METHOD']} {request.env['PATH_INFO']}\n".encode("latin-1")


def pattern(begin, count):
    """Bytes of which the byte at i is i modulo 251."""
    skipped = begin % 251
    return (bytes(range(251)) * ((skipped + count) // 251 + 1))[skipped:skipped + count]


def slow(request, query):
    options.say("began")
    if not request.cancelled.wait(30):
        return "done\n"
    time.sleep(query("linger") / 1000)
    options.say("cancelled")
    return None


def stream(request, query):
    size = query("size")
    request.start()
    for i in range(query("n")):
        if i > 0:
            time.sleep(query("ms") / 1000)
        request.write(pattern(i * size, size))


def fail(request, query):
    raise ValueError("the handler fails")


def fail_late(request, query):
    request.start()
    request.write(b"begun\n")
    raise ValueError("the handler fails late")


def through(request, query):
    request.start()
    request.write(line(request))
    while piece := request.read():
        request.write(piece)


def upgrade(request, query):
    if not request.offers("echo"):
        return Answer(b"this is for echo\n", status="426 Upgrade Required")
    request.upgrade("echo")
    while piece := request.read():
        request.write(piece)
    return None


def close(request, query):
    request.upgrade("echo")
    request.write(b"bye")


FIELDS = [("X-One", "1"), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
PATHS = {
    "/bytes": lambda request, query: pattern(0, query("n")),
    "/env": lambda request, query: request.env.get(request.env["QUERY_STRING"], "").encode("latin-1"),
    "/stream": stream,
    "/slow": slow,
    "/fields": lambda request, query: Answer(b"fields\n", headers=FIELDS),
    "/through": through,
    "/unread": lambda request, query: "unread\n",
    "/fail": fail,
    "/fail/value": lambda request, query: Answer(b"x", headers=[("X-Value", "a\r\nSet-Cookie: stolen=1")]),
    "/fail/name": lambda request, query: Answer(b"x", headers=[("X Value", "a")]),
    "/fail/late": fail_late,
    "/upgrade": upgrade,
    "/upgrade/close": close,
    "/capacity": lambda request, query: Answer(b"its capacity stays\n", status="501 Not Implemented"),
}


def echo(request, query):
    return Answer(line(request) + request.body())


def handle(request):
    path, values = request.env["PATH_INFO"], parse_qs(request.env.get("QUERY_STRING", ""))
    if path.startswith("/status/"):
        return Answer(status=f"{path[8:]} Test")
    return PATHS.get(path, echo)(request, lambda name: int(values.get(name, ["0"])[0]))


def admit(env):
    return "not here" if env["PATH_INFO"] == "/refuse" else None


options.peer(handle, stream=True, upgrades="echo", admit=admit).run()
