"""Answers each request with its method, its path and its body. A blocking handler, on a thread of the pool."""

import options
from lrwp import Answer


def handle(request):
    line = f"{request.env['REQUEST_METHOD']} {request.env['PATH_INFO']}\n"
    return Answer(line.encode("latin-1") + request.body(), headers=[("X-Peer", "python")])


options.peer(handle).run()
