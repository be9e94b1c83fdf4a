"""A FastAPI program that counts its requests, by ASGI."""

import asyncio

from counting import count
from fastapi import FastAPI, Request, Response

app = FastAPI()


@app.post("/count")
async def counted(request: Request):
    body = await request.body()
    count(body)
    await asyncio.sleep(0.01)
    return Response(body)
