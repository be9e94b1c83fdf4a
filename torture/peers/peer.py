"""The rig's peer with the Python library: executes each request once in the file $TORTURE_RECORD, then echoes it.

$TORTURE_DELAY: seconds that each request takes."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../peers/python/examples"))
import options  # noqa: E402  (the library's examples, two folders up)

RECORD = os.open(os.environ["TORTURE_RECORD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
DELAY = float(os.environ.get("TORTURE_DELAY", "0"))


def handle(request):
    os.write(RECORD, request.env.get("HTTP_X_ID", "?").encode() + b"\n")
    if DELAY:
        time.sleep(DELAY)
    line = f"{request.env['REQUEST_METHOD']} {request.env['PATH_INFO']}\n"
    return line.encode("latin-1") + request.body()


options.peer(handle).run()
