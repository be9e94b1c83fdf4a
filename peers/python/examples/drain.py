"""Leaves in order: after SIGTERM open requests (of one second) are answered, new ones go elsewhere, then it ends."""

import time

import options


def handle(request):
    options.say("began")
    time.sleep(1)
    return "done\n"


options.peer(handle).run()  # SIGTERM and SIGINT drain; a thread of yours would call peer.drain()
options.say("drained")
