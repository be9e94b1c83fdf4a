"""A WebSocket echo by the websockets library (its ServerProtocol), as an LRWP peer.

    pip install -r requirements.txt
    python3 echo.py --proxy 127.0.0.1:1081 --context /socket --concurrency 1000
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import options  # noqa: E402
import lrwp  # noqa: E402  (where options finds it)

from websockets.frames import CloseCode, Frame, Opcode  # noqa: E402
from websockets.server import ServerProtocol  # noqa: E402


def asked(env):
    """The head of the request, as the library reads it."""
    lines = [f"GET {env.get('REQUEST_URI', '/')} HTTP/1.1"]
    for name, value in env.items():
        if name.startswith("HTTP_") and name != "HTTP_CONTENT_LENGTH":
            lines.append(f"{name[5:].replace('_', '-').title()}: {value}")
    return "".join(line + "\r\n" for line in lines + [""]).encode("latin-1")


def answer(protocol, opcode, message):
    """Sends a message back; what text is not UTF-8 is for the program to see, not for the protocol."""
    if opcode == Opcode.BINARY:
        protocol.send_binary(message)
        return
    try:
        message.decode()
        protocol.send_text(message)
    except UnicodeDecodeError:
        protocol.fail(CloseCode.INVALID_DATA, "not UTF-8")


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
                    answer(protocol, opcode, b"".join(message))
                    message = []
        for piece in protocol.data_to_send():
            if piece:
                await request.write(piece)
        if not data or protocol.close_expected():
            return None


options.peer(handle, upgrades="websocket").run()
