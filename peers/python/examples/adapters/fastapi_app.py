"""A FastAPI program, unchanged: lifespan, streams both ways, WebSocket.

    pip install fastapi
    lrwp run fastapi_app --context /shop
"""

import contextlib

from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse, PlainTextResponse, StreamingResponse


@contextlib.asynccontextmanager
async def lifespan(app):
    print("begins", flush=True)
    yield {"greeting": "hello"}
    print("ends", flush=True)


app = FastAPI(lifespan=lifespan)


@app.get("/", response_class=HTMLResponse)
async def index(request: Request):
    return f'<a href="{request.url_for("hello", name="you").path}">hello</a>\n'


@app.get("/hello/{name}", response_class=PlainTextResponse)
async def hello(name: str, request: Request):
    return f"{request.state.greeting} {name}\n"


@app.post("/upload", response_class=PlainTextResponse)
async def upload(request: Request):
    size = 0
    async for piece in request.stream():
        size += len(piece)
    return f"{size}\n"


@app.get("/count")
async def count():
    async def numbers():
        for number in range(5):
            yield f"{number}\n"

    return StreamingResponse(numbers(), media_type="text/plain")


@app.get("/file", response_class=PlainTextResponse)
def file():  # on a thread of FastAPI's
    return b"0123456789" * 20_000


@app.get("/fail")
async def fail():
    raise ValueError("thrown by the view")


@app.websocket("/echo")
async def echo(socket: WebSocket):
    await socket.accept()
    with contextlib.suppress(WebSocketDisconnect):
        while True:
            await socket.send_text(await socket.receive_text())
