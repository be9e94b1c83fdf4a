"""A WebSocket echo by the websockets library (its ServerProtocol), as an LRWP peer.

    pip install -r requirements.txt
    python3 echo.py --proxy 127.0.0.1:1081 --context /socket
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import lrwp  # noqa: E402

from websockets.frames import Frame, Opcode  # noqa: E402
from websockets.server import ServerProtocol  # noqa: E402


def asked(env):
    """The head of the request, as the library reads it."""
    lines = [f"GET {env.get('REQUEST_URI', '/')} HTTP/1.1"]
    for name, value in env.items():
        if name.startswith("HTTP_") and name != "HTTP_CONTENT_LENGTH":
            lines.append(f"{name[5:].replace('_', '-').title()}: {value}")
    return "".join(line + "\r\n" for line in lines + [""]).encode("latin-1")


async def handle(request):
    if not request.offers("websocket"):
        return lrwp.Answer("this is for WebSocket\n", status="426 Upgrade Required")
    protocol = ServerProtocol(max_size=64 * 1024 * 1024)
    protocol.receive_data(asked(request.env))
    events = protocol.events_received()
    response = protocol.accept(events[0]) if events else protocol.reject(400, "no WebSocket request\n")
    if response.status_code != 101:
        return lrwp.Answer(response.body or b"", status=f"{response.status_code} {response.reason_phrase}")
    fields = [pair for pair in response.headers.raw_items() if pair[0].lower() not in ("connection", "upgrade", "date")]
    protocol.send_response(response)
    protocol.data_to_send()  # the 101 as bytes: the proxy sends its own
    await request.upgrade("websocket", fields)
    opcode, message = None, []
    while True:
        data = await request.read()
        protocol.receive_data(data) if data else protocol.receive_eof()
        for frame in protocol.events_received():
            if isinstance(frame, Frame) and frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                opcode = frame.opcode if frame.opcode != Opcode.CONT else opcode
                message.append(frame.data)
                if frame.fin:
                    send = protocol.send_text if opcode == Opcode.TEXT else protocol.send_binary
                    send(b"".join(message))
                    message = []
        for piece in protocol.data_to_send():
            if piece:
                await request.write(piece)
        if not data or protocol.close_expected():
            return None


options = argparse.ArgumentParser()
options.add_argument("--proxy", default="127.0.0.1:1081")
options.add_argument("--context", default="/socket")
options.add_argument("--concurrency", type=int, default=1000)
given = options.parse_args()
lrwp.Peer(given.proxy, [given.context], handle, concurrency=given.concurrency, upgrades="websocket").run()
