"""A Starlette program, unchanged.

    pip install starlette
    lrwp run starlette_app --context /shop
"""

import pathlib
import tempfile

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, StreamingResponse
from starlette.routing import Route, WebSocketRoute


async def index(request):
    return HTMLResponse(f'<a href="{request.url_for("hello", name="you").path}">hello</a>\n')


async def hello(request):
    return PlainTextResponse(f"hello {request.path_params['name']}\n")


async def upload(request):
    size = 0
    async for piece in request.stream():
        size += len(piece)
    return PlainTextResponse(f"{size}\n")


async def count(request):
    async def numbers():
        for number in range(5):
            yield f"{number}\n"

    return StreamingResponse(numbers(), media_type="text/plain")


async def file(request):
    with tempfile.NamedTemporaryFile(delete=False) as temporary:
        temporary.write(b"0123456789" * 20_000)
    path = pathlib.Path(temporary.name)
    return FileResponse(path, media_type="application/octet-stream", background=BackgroundTask(path.unlink))


async def fail(request):
    raise ValueError("thrown by the view")


async def echo(socket):
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


app = Starlette(routes=[
    Route("/", index),
    Route("/hello/{name}", hello, name="hello"),
    Route("/upload", upload, methods=["POST"]),
    Route("/count", count),
    Route("/file", file),
    Route("/fail", fail),
    WebSocketRoute("/echo", echo),
])
