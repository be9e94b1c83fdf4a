"""The command line that all examples share."""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import lrwp  # noqa: E402  (the file one folder up)


# The log goes to standard output, line by line, so that a script can wait for "registered".
def say(*words):
    """One write for a line: handlers run on several threads, and print() writes its end by itself."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def peer(handler, **more):
    parser = argparse.ArgumentParser()
    parser.add_argument("--proxy", required=True, metavar="HOST:PORT")
    parser.add_argument("--context", required=True, action="append")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--secret-file")
    options = parser.parse_args()
    secret = b""
    if options.secret_file:
        with open(options.secret_file, "rb") as file:
            secret = file.read().rstrip(b"\r\n")
    return lrwp.Peer(options.proxy, options.context, handler, concurrency=options.concurrency, secret=secret, log=say,
                     **more)
