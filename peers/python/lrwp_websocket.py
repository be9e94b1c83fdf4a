"""WebSocket (RFC 6455) over an upgraded request of lrwp.py: the server's side, without extensions."""

import base64
import binascii
import codecs
import hashlib
import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FIN, RESERVED, MASKED = 0x80, 0x70, 0x80
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
NORMAL, PROTOCOL_ERROR, NO_STATUS, ABNORMAL, INVALID, TOO_BIG = 1000, 1002, 1005, 1006, 1007, 1009
FAILED, LEAVING = 1011, 1012


class Fault(Exception):
    """The client has broken a rule: the close code, and why."""

    def __init__(self, code, reason):
        super().__init__(reason)
        self.code, self.reason = code, reason


def accept_key(env):
    """Sec-WebSocket-Accept for a request; None when it is no handshake of version 13."""
    key = env.get("HTTP_SEC_WEBSOCKET_KEY", "").strip()
    try:
        is_key = len(base64.b64decode(key, validate=True)) == 16
    except (binascii.Error, ValueError):
        is_key = False
    if not is_key or env.get("HTTP_SEC_WEBSOCKET_VERSION", "").strip() != "13":
        return None
    return base64.b64encode(hashlib.sha1(key.encode() + GUID).digest()).decode()


def frame(opcode, payload):
    """A whole message, or a control frame, as a server sends it."""
    length = len(payload)
    if length < 126:
        head = struct.pack("!BB", FIN | opcode, length)
    elif length < 65536:
        head = struct.pack("!BBH", FIN | opcode, 126, length)
    else:
        head = struct.pack("!BBQ", FIN | opcode, 127, length)
    return head + payload


def close_frame(code, reason=""):
    """Code 1005 stands for a close frame without one."""
    text = reason.encode()[:123].decode(errors="ignore").encode()
    return frame(CLOSE, b"" if code == NO_STATUS else struct.pack("!H", code) + text)


def is_sendable(code):
    """Whether a close frame may hold this code: section 7.4."""
    return 1000 <= code <= 1014 and code not in (1004, 1005, 1006) or 3000 <= code <= 4999


def _unmasked(payload, mask):
    """By numbers as long as the payload: a loop over its bytes is a hundred times slower."""
    count = len(payload)
    whole = int.from_bytes(mask * (count // 4 + 1), "big") >> 8 * (4 - count % 4)
    return (int.from_bytes(payload, "big") ^ whole).to_bytes(count, "big")


class Reader:
    """Takes bytes as they come, and gives what they mean: pairs of an opcode and its payload.

    A message is (TEXT, str) or (BINARY, bytes), whole; a control frame (PING, bytes), (PONG, bytes) or
    (CLOSE, (code, reason)).
    most: bytes of one message; a longer one is a fault.
    """

    def __init__(self, most):
        self._most = most
        self._inbox = bytearray()
        self._opcode = None  # of the message that has begun
        self._pieces = []
        self._size = 0
        self._decoder = None

    def feed(self, data):
        """Everything that is complete now. What came before a Fault has been given."""
        self._inbox += data
        at = 0
        try:
            while True:
                head = self._head(at)
                if head is None:
                    return
                first, start, length = head
                if len(self._inbox) < start + length:
                    return
                mask = bytes(self._inbox[start - 4 : start])
                payload = _unmasked(bytes(self._inbox[start : start + length]), mask)
                at = start + length
                opcode, is_last = first & 15, bool(first & FIN)
                if opcode >= CLOSE:
                    yield opcode, self._closing(payload) if opcode == CLOSE else payload
                else:
                    message = self._data(opcode, payload, is_last)
                    if message:
                        yield message
        finally:
            del self._inbox[:at]

    def _head(self, at):
        """First byte, where the payload begins and how long it is; None while the head is not there. Section 5.2."""
        inbox = self._inbox
        if len(inbox) < at + 2:
            return None
        first, second = inbox[at], inbox[at + 1]
        opcode, length = first & 15, second & 127
        if first & RESERVED:
            raise Fault(PROTOCOL_ERROR, "a reserved bit is set")
        if opcode not in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG):
            raise Fault(PROTOCOL_ERROR, "an unknown opcode")
        if not second & MASKED:
            raise Fault(PROTOCOL_ERROR, "a frame without mask")
        if opcode >= CLOSE and (length > 125 or not first & FIN):
            raise Fault(PROTOCOL_ERROR, "a control frame that is too long or in pieces")
        if opcode < CLOSE and (opcode == CONTINUATION) != (self._opcode is not None):
            raise Fault(PROTOCOL_ERROR, "a message within a message, or a continuation of none")
        start = at + 2
        if length > 125:
            size = 2 if length == 126 else 8
            start += size
            if len(inbox) < start:
                return None
            length = int.from_bytes(inbox[start - size : start], "big")
            if length < (126 if size == 2 else 65536) or length >> 63:
                raise Fault(PROTOCOL_ERROR, "a length that is not written in the shortest way")
        if opcode < CLOSE and self._size + length > self._most:
            raise Fault(TOO_BIG, f"a message of more than {self._most} bytes")
        return first, start + 4, length

    def _data(self, opcode, payload, is_last):
        if opcode != CONTINUATION:
            self._opcode = opcode
            self._decoder = codecs.getincrementaldecoder("utf-8")() if opcode == TEXT else None
        self._size += len(payload)
        try:
            piece = self._decoder.decode(payload, is_last) if self._decoder else payload
        except UnicodeDecodeError:
            raise Fault(INVALID, "text that is not UTF-8") from None
        if piece:  # frames without content take no memory
            self._pieces.append(piece)
        if not is_last:
            return None
        message = self._opcode, ("" if self._decoder else b"").join(self._pieces)
        self._opcode, self._pieces, self._size = None, [], 0
        return message

    @staticmethod
    def _closing(payload):
        """Code and reason of a close frame: section 5.5.1."""
        if not payload:
            return NO_STATUS, ""
        code = int.from_bytes(payload[:2], "big")
        if len(payload) == 1 or not is_sendable(code):
            raise Fault(PROTOCOL_ERROR, "a close code that cannot be")
        try:
            return code, payload[2:].decode()
        except UnicodeDecodeError:
            raise Fault(INVALID, "a reason that is not UTF-8") from None
