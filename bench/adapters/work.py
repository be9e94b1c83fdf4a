"""What peers/work.h does, for the varied loads alone, in Python."""

ID = 16
LEAST, MOST = 200, 3000
ANSWER = 1024


def answer(method, path, query, cookie, body):
    """The answer to a request; None for one that the loads do not send. All is bytes but method and path."""
    identity = query[4 : 4 + ID]
    if query[:4] != b"rid=" or path[-ID:].encode() != identity or cookie[:4] != b"sid=" or cookie[4 : 4 + ID] != identity:
        return None
    if method == "POST":
        if not LEAST <= len(body) <= MOST or body[:7] != b'{"id":"' or body[7 : 7 + ID] != identity:
            return None
    elif method != "GET" or body:
        return None
    begin = b'<?xml version="1.0"?>\n<answer id="%s" length="%04d">' % (identity, len(body))
    return begin.ljust(ANSWER - 10, b"a") + b"</answer>\n"
