"""The work of the benchmarks as a program of WSGI."""

import work


def app(environ, start_response):
    length = int(environ.get("CONTENT_LENGTH") or 0)
    body = environ["wsgi.input"].read(length) if length else b""
    query, cookie = environ["QUERY_STRING"].encode("latin-1"), environ.get("HTTP_COOKIE", "").encode("latin-1")
    page = work.answer(environ["REQUEST_METHOD"], environ["PATH_INFO"], query, cookie, body)
    if page is None:
        start_response("500 Internal Server Error", [("Content-Length", "0")])
        return [b""]
    start_response("200 OK", [("Content-Type", "text/xml"), ("Content-Length", str(len(page)))])
    return [page]
