"""Fails in the ways that a handler can: the client gets 500, and the log says why."""

import options
from lrwp import Answer

INJECTED = "a\r\nSet-Cookie: stolen=1"
ANSWERS = {
    "/value": Answer(b"x", headers=[("X-Value", INJECTED)]),
    "/wide": Answer(b"x", headers=[("X-Value", "a\u010d\u010aSet-Cookie: stolen=1")]),
    "/nul": Answer(b"x", headers=[("X-Value", "a\0b")]),
    "/name": Answer(b"x", headers=[("X Value", "a")]),
    "/type": Answer(b"x", INJECTED),
    "/object": {"answer": "x"},
}


def handle(request):
    if request.env["PATH_INFO"] == "/throw":
        raise ValueError("thrown by the handler")
    return ANSWERS.get(request.env["PATH_INFO"], "fine\n")


options.peer(handle).run()
