"""The work of the benchmarks as a program of ASGI."""

import work


async def app(scope, receive, send):
    if scope["type"] != "http":
        raise RuntimeError(f"there is no {scope['type']} here")
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    cookie = next((value for name, value in scope["headers"] if name == b"cookie"), b"")
    page = work.answer(scope["method"], scope["path"], scope["query_string"], cookie, body)
    headers = [(b"content-type", b"text/xml"), (b"content-length", b"%d" % len(page or b""))]
    await send({"type": "http.response.start", "status": 200 if page else 500, "headers": headers})
    await send({"type": "http.response.body", "body": page or b""})
