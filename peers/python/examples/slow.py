"""Work of ten seconds, given up when nobody waits for its end any more."""

import options


def handle(request):
    options.say("began")
    if request.cancelled.wait(10):
        options.say("cancelled")
        return None
    return "done\n"


options.peer(handle).run()
