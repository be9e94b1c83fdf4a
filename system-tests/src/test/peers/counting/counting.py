"""Writes the body of a request as a line into the file that COUNTED names."""

import os


def count(body):
    file = os.open(os.environ["COUNTED"], os.O_WRONLY | os.O_APPEND)
    os.write(file, body + b"\n")
    os.close(file)
