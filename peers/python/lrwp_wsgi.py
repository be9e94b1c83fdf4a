"""WSGI (PEP 3333) on lrwp.py: lrwp_wsgi.handler(application) is a handler for lrwp.Peer.

SCRIPT_NAME is the context, PATH_INFO the rest, as in the env block. A body is read as it comes, an answer of which all
is there goes out whole, every other piece by piece.
"""

import io
import sys

from lrwp import Answer

# CONTENT_LENGTH and CONTENT_TYPE once more, as no program of WSGI may get them.
NOT_FOR_PROGRAMS = ("HTTP_CONTENT_LENGTH", "HTTP_CONTENT_TYPE")


class _Input(io.RawIOBase):
    """wsgi.input below its buffer: the body as it comes."""

    def __init__(self, request):
        self._request = request
        self._rest = b""

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = self._rest or self._request.read()
        count = min(len(piece), len(buffer))
        buffer[:count] = piece[:count]
        self._rest = piece[count:]
        return count


class FileWrapper:
    """wsgi.file_wrapper: a file in blocks."""

    def __init__(self, file, block_size=65536):
        self._file, self._block_size = file, block_size
        if hasattr(file, "close"):
            self.close = file.close

    def __iter__(self):
        return self

    def __next__(self):
        block = self._file.read(self._block_size)
        if not block:
            raise StopIteration
        return block


def environment(request, threads, processes):
    """The environ of a request."""
    environ = dict(request.env)
    for name in NOT_FOR_PROGRAMS:
        environ.pop(name, None)
    environ["wsgi.version"] = (1, 0)
    environ["wsgi.url_scheme"] = "https" if request.env.get("HTTPS") == "on" else "http"
    if environ.get("REMOTE_USER") == "-":  # nobody, to programs of the 1990s
        del environ["REMOTE_USER"]
    environ["wsgi.input"] = io.BufferedReader(_Input(request))
    environ["wsgi.input_terminated"] = True  # its end is the body's: no length is needed
    environ["wsgi.errors"] = sys.stderr
    environ["wsgi.multithread"] = threads
    environ["wsgi.multiprocess"] = processes
    environ["wsgi.run_once"] = False
    environ["wsgi.file_wrapper"] = FileWrapper
    return environ


class _Answering:
    """One answer: what start_response was given, and whether it is on its way."""

    def __init__(self, request):
        self._request = request
        self._status = None
        self._headers = []
        self._length = None  # of the body, where a header says it
        self._is_begun = self._is_whole = False

    def start_response(self, status, headers, exc_info=None):
        if exc_info:
            try:
                if self._is_begun:
                    raise exc_info[1].with_traceback(exc_info[2])
            finally:
                exc_info = None  # no circle with the frame
        elif self._status is not None:
            raise RuntimeError("start_response was called before, and there is no exc_info")
        self._status, self._headers, self._length = status, list(headers), None
        for name, value in self._headers:
            if name.lower() == "content-length" and value.isdigit():
                self._length = int(value)
        return self.write

    def write(self, piece):
        if not isinstance(piece, bytes):
            raise TypeError(f"a piece of a body is bytes, not {type(piece).__name__}")
        if self._is_whole:
            raise RuntimeError("the body is longer than its Content-Length")
        if self._begin():
            self._request.start(None, self._status, self._headers)
        if piece:
            self._request.write(piece)

    def _begin(self):
        if self._status is None:
            raise RuntimeError("start_response was not called before the first piece of the body")
        begun, self._is_begun = self._is_begun, True
        return not begun

    def whole(self, body):
        """An answer of which nothing comes any more; the program may go on."""
        if not isinstance(body, bytes):
            raise TypeError(f"a piece of a body is bytes, not {type(body).__name__}")
        self._begin()
        self._is_whole = True
        self._request.answer(Answer(body, None, self._status, self._headers))

    def send(self, result):
        """Sends what the program has returned."""
        if isinstance(result, (list, tuple)) and not self._is_begun:
            self.whole(result[0] if len(result) == 1 else b"".join(result))
            return
        pieces = iter(result)
        for piece in pieces:
            if piece and not self._is_begun and self._length == len(piece):
                self.whole(piece)
            elif piece:
                self.write(piece)
        if self._begin():
            self._request.answer(Answer(b"", None, self._status, self._headers))


def handler(application, threads=True, processes=False):
    """A handler that calls a WSGI application.

    threads, processes: whether it may be called by another thread, or run in another process, at the same time.
    """

    def handle(request):
        answering = _Answering(request)
        result = application(environment(request, threads, processes), answering.start_response)
        try:
            answering.send(result)
        finally:
            if hasattr(result, "close"):
                result.close()

    return handle
