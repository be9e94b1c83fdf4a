"""A WebSocket echo as an ASGI program, without a framework.

    lrwp run sockets --context /socket
"""


async def application(scope, receive, send):
    if scope["type"] == "websocket":
        await echo(receive, send)
    elif scope["type"] == "http":
        headers = [(b"content-type", b"text/plain"), (b"upgrade", b"websocket")]
        await send({"type": "http.response.start", "status": 426, "headers": headers})
        await send({"type": "http.response.body", "body": b"this is for WebSocket\n"})
    else:
        raise NotImplementedError(scope["type"])  # lifespan: it has none


async def echo(receive, send):
    while True:
        message = await receive()
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        elif message["type"] == "websocket.disconnect":
            return
        else:
            await send({**message, "type": "websocket.send"})
