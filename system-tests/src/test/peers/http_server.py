"""An HTTP server as people have it, for lrwp-connect: http_server.py PORT. Ends in order on SIGTERM."""

import base64
import hashlib
import http.server
import os
import signal
import socketserver
import sys
import threading

more = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"%s %s " % (self.command.encode(), self.path.encode()) + hashlib.sha256(body).hexdigest().encode())

    def do_GET(self):
        if self.path.endswith("/events"):
            self.events()
        elif self.path.endswith("/more"):
            more.set()
            self.answer(b"")
        elif self.path.endswith("/moved"):
            self.answer(b"", 302, ("Location", "/elsewhere"))
        elif self.headers.get("Upgrade") == "websocket":
            self.websocket()
        else:
            self.answer(b"%d %s %s" % (os.getpid(), self.path.encode(), (self.headers["X-Forwarded-For"] or "nobody").encode()))

    def answer(self, body, status=200, *fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def events(self):
        """Two chunks; the second one waits until somebody has asked for more."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"b\r\ndata: one\n\n\r\n")
        more.wait(20)
        self.wfile.write(b"b\r\ndata: two\n\n\r\n0\r\n\r\n")

    def websocket(self):
        """Gives back each frame, unmasked; of the lengths only the short one is known."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Connection", "Upgrade")
        self.send_header("Upgrade", "websocket")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        while head := self.rfile.read(2):
            mask, payload = self.rfile.read(4), self.rfile.read(head[1] & 127)
            plain = bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))
            self.wfile.write(bytes([head[0], len(plain)]) + plain)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
