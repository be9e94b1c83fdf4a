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
    add = parser.add_argument
    add("--proxy", required=True, action="append", metavar="HOST:PORT")
    add("--context", required=True, action="append")
    add("--concurrency", type=int, default=8)
    add("--secret-file")
    add("--identity", default="")
    add("--key-id", default="")
    add("--key-file")
    add("--ca-file")
    add("--certificate")
    add("--certificate-key")
    options = parser.parse_args()
    if options.certificate and not options.ca_file:
        parser.error("--certificate needs --ca-file")
    try:
        secret = lrwp.read_secret(options.secret_file) if options.secret_file else b""
        if options.ca_file:
            more["tls"] = lrwp.trust(options.ca_file, options.certificate, options.certificate_key)
        return lrwp.Peer(options.proxy, options.context, handler, concurrency=options.concurrency, secret=secret,
                         identity=options.identity, key_id=options.key_id, key_file=options.key_file, log=say, **more)
    except (OSError, ValueError) as error:
        parser.error(str(error))
