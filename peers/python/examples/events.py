"""Server-sent events: ten, one each half second. An async handler: a thousand listeners need no thousand threads."""

import asyncio

import options


async def handle(request):
    await request.start("text/event-stream", headers=[("Cache-Control", "no-store")])
    try:
        for number in range(1, 11):
            options.say("event", number)
            await request.write(f"id: {number}\ndata: tick {number}\n\n")
            if number < 10:
                await asyncio.sleep(0.5)
    except asyncio.CancelledError:
        options.say("cancelled")
        raise


options.peer(handle).run()
