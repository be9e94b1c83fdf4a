#!/usr/bin/env python3
"""An LRWP 1.0 peer in the manner of the 1990s: one recv has to bring the acknowledgement."""

import argparse
import socket
import sys
import time


def fail(text):
    sys.stderr.write("echo_peer.py: %s\n" % text)
    sys.exit(1)


def read_bytes(connection, count):
    """Returns count bytes, or None at the end of input before the first one."""
    content = bytearray()
    while len(content) < count:
        piece = connection.recv(min(count - len(content), 65536))
        if not piece and not content:
            return None
        if not piece:
            fail("connection broken within a request")
        content += piece
    return bytes(content)


def read_block(connection):
    digits = read_bytes(connection, 9)
    if digits is None:
        return None
    if not digits.isdigit():
        fail("bad length")
    if int(digits) == 0:
        return b""
    block = read_bytes(connection, int(digits))
    if block is None:
        fail("connection broken within a request")
    return block


def attach(connection, app, vhost, pause_ms):
    connection.send(app.encode("latin-1") + b"\xff" + vhost.encode("latin-1") + b"\xff")
    time.sleep(pause_ms / 1000.0)
    ack = connection.recv(1023)
    if ack != b"OK":
        fail(ack.decode("latin-1"))
    print("registered", flush=True)


def serve_one(connection):
    block = read_block(connection)
    if block is None:
        return False
    env = dict(entry.split(b"=", 1) for entry in block.split(b"\0") if b"=" in entry)
    body = read_block(connection)
    if body is None:
        fail("connection broken within a request")
    names = (b"REQUEST_METHOD", b"PATH_INFO", b"QUERY_STRING")
    output = b"Content-Type: text/plain\r\nX-Peer: python\r\n\r\n"
    output += b" ".join(env.get(name, b"") for name in names) + b"\n" + body
    connection.send(b"%09d" % len(output))
    connection.sendall(output)
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("app")
    parser.add_argument("vhost", nargs="?", default="")
    parser.add_argument("--requests", type=int, default=5)
    parser.add_argument("--pause-ms", type=int, default=0)
    options = parser.parse_args()

    connection = socket.create_connection((options.host, options.port))
    attach(connection, options.app, options.vhost, options.pause_ms)
    served = 0
    while (options.requests == 0 or served < options.requests) and serve_one(connection):
        served += 1
    connection.close()


if __name__ == "__main__":
    main()
