"""Frames in all the forms that they may come in."""

from ..cases import case
from ..wire import (DATA, Frame, LONGEST, PING, PONG, SETTINGS, UNLIMITED, counted, expect, pattern, printable,
                    settings)


@case("serving", "13")
def request_split(bench):
    """a REQUEST may come byte by byte"""
    link = bench.link()
    came = link.request("/split", b"he\0lo", method="POST", bytewise=True).answer()
    expect(came == b"POST /split\nhe\0lo", "the echo", printable(came))


@case("serving", "13")
def requests_in_one_segment(bench):
    """several requests may come in one segment"""
    link = bench.link()
    pairs = [link.request_frame(f"/many/{slot}", b"%d" % slot, method="POST", slot=slot) for slot in (1, 2, 3, 4)]
    link.send_frames(*[frame for frame, _ in pairs])
    for slot, (_, entry) in enumerate(pairs, 1):
        came = entry.answer()
        expect(came == b"POST /many/%d\n%d" % (slot, slot), "each its own echo", printable(came))


@case("serving", "13")
def frames_cut_anywhere(bench):
    """a frame may end in the middle of a segment, and the next one begin there"""
    link = bench.link()
    first, one = link.request_frame("/one", b"first", method="POST", slot=1)
    second, two = link.request_frame("/two", b"second", method="POST", slot=2)
    content = first.encode() + second.encode()
    for cut in (7, 40, len(first.encode()) + 5):
        link.send(content[:cut])
        link.receive(0.01)
        content = content[cut:]
    link.send(content)
    for came, wanted in ((one.answer(), b"POST /one\nfirst"), (two.answer(), b"POST /two\nsecond")):
        expect(came == wanted, printable(wanted), printable(came))


@case("serving", "13")
def unknown_type_on_the_connection(bench):
    """a frame of an unknown type on stream 0 is skipped, whatever its flags and payload"""
    link = bench.link()
    link.send_frames(Frame(17, 0, b"later"), Frame(255, 0, bytes(1000), 0xff), Frame(0, 0))
    link.echo()


@case("serving", "13")
def unknown_type_on_a_stream(bench):
    """a frame of an unknown type is skipped on an open stream, and on one that is not"""
    link = bench.link()
    frame, entry = link.request_frame("/open", b"he", method="POST", end=False)
    link.send_frames(frame, Frame(99, 1, b"what is it", 1), Frame(99, 3, b"", 1), Frame(200, 4000000000, b"x"))
    entry.data(b"llo", end=True)
    came = entry.answer()
    expect(came == b"POST /open\nhello", "the echo", printable(came))


@case("serving", "13")
def reserved_bytes(bench):
    """the two reserved bytes are not looked at"""
    link = bench.link()
    frame, entry = link.request_frame("/reserved")
    frame.reserved = 0xabcd
    link.send_frames(frame)
    entry.answer()


@case("serving", "13")
def other_flags_are_not_end(bench):
    """flags other than END are not looked at, alone"""
    link = bench.link()
    frame, entry = link.request_frame("/flags", b"he", method="POST", end=False)
    frame.flags = 0xfe
    link.send_frames(frame)
    link.ping()
    expect(not entry.ended, "an answer when the body is whole only", f"{entry.ended} at once")
    entry.data(b"llo", end=True)
    came = entry.answer()
    expect(came == b"POST /flags\nhello", "the echo of the whole body", printable(came))


@case("serving", "13")
def other_flags_beside_end(bench):
    """flags other than END are not looked at, beside END"""
    link = bench.link()
    frame, entry = link.request_frame("/flags", b"x", method="POST")
    frame.flags = 0xff
    link.send_frames(frame)
    entry.answer()


@case("serving", "13")
def empty_data(bench):
    """DATA without payload may come at any time"""
    link = bench.link()
    entry = link.request("/empty", b"he", method="POST", end=False)
    link.send_frames(Frame(DATA, 1), Frame(DATA, 1))
    entry.data(b"llo")
    entry.data(end=True)
    came = entry.answer()
    expect(came == b"POST /empty\nhello", "the echo", printable(came))


@case("serving", "13")
def end_on_request(bench):
    """a request without body is one REQUEST with END"""
    came = bench.link().request("/nothing").answer()
    expect(came == b"GET /nothing\n", "the echo", printable(came))


@case("serving", "13")
def longest_frame(bench):
    """a REQUEST of 65,536 bytes is taken"""
    link = bench.link()
    length = {"CONTENT_LENGTH": "60000"}  # as many digits as it will have
    frame, _ = link.request_frame("/longest", method="POST", variables=length)
    body = pattern(LONGEST - len(frame.payload))
    length["CONTENT_LENGTH"] = str(len(body))
    frame, entry = link.request_frame("/longest", body, method="POST", variables=length)
    expect(len(frame.payload) == LONGEST, "a payload of 65,536 bytes", str(len(frame.payload)))
    link.send_frames(frame)
    came = entry.answer()
    expect(came == b"POST /longest\n" + body, "the echo", f"{len(came)} bytes that differ from it")


@case("serving", "4")
def large_env_block(bench):
    """an env block of nearly 64 KiB is taken"""
    link = bench.link()
    value = "v" * 60000
    came = link.request("/env", query="HTTP_LARGE", variables={"HTTP_LARGE": value}).answer()
    expect(came == value.encode(), "the value of 60,000 bytes", f"{len(came)} bytes: {printable(came)}")


@case("serving", "4")
def many_variables(bench):
    """an env block of 500 variables is taken"""
    more = {f"HTTP_X_{i}": str(i) for i in range(500)}
    came = bench.link().request("/env", query="HTTP_X_431", variables=more).answer()
    expect(came == b"431", "431", printable(came))


@case("serving", "4")
def value_with_equals_sign(bench):
    """a value may hold `=`"""
    came = bench.link().request("/env", query="HTTP_X", variables={"HTTP_X": "a=b=c="}).answer()
    expect(came == b"a=b=c=", "a=b=c=", printable(came))


@case("serving", "4")
def empty_value(bench):
    """a value may be empty"""
    came = bench.link().request("/env", query="HTTP_X", variables={"HTTP_X": ""}).answer()
    expect(came == b"", "nothing", printable(came))


@case("serving", "4")
def entry_without_equals_sign(bench):
    """an entry of the env block without `=` is skipped"""
    block = (b"HTTP_X=before\0nothing at all\0REQUEST_METHOD=GET\0PATH_INFO=/env\0SCRIPT_NAME=/c\0QUERY_STRING=HTTP_X\0"
             b"REQUEST_URI=/c/env?HTTP_X\0SERVER_PROTOCOL=HTTP/1.1\0HTTP_HOST=a.test\0CONTENT_LENGTH=0\0\0")
    came = bench.link().request(raw=block).answer()
    expect(came == b"before", "before", printable(came))


@case("serving", "4")
def bytes_in_values(bench):
    """values are bytes: those above 127 come through"""
    value = bytes(range(0xa1, 0x100))
    came = bench.link().request("/env", query="HTTP_X", variables={"HTTP_X": value}).answer()
    expect(came == value, printable(value), printable(came))


@case("serving", "4")
def missing_variables(bench):
    """a request with the fewest variables is answered"""
    block = (b"REQUEST_METHOD=GET\0SCRIPT_NAME=/c\0PATH_INFO=/few\0QUERY_STRING=\0SERVER_PROTOCOL=HTTP/1.1\0"
             b"REQUEST_URI=/c/few\0\0")
    came = bench.link().request(raw=block).answer()
    expect(came == b"GET /few\n", "the echo", printable(came))


@case("serving", "4")
def decoded_path(bench):
    """PATH_INFO is decoded already and is not decoded again"""
    came = bench.link().request("/a b%20c", variables={"REQUEST_URI": "/c/a%20b%2520c"}).answer()
    expect(came == b"GET /a b%20c\n", "GET /a b%20c", printable(came))


@case("serving", "15.9.2")
def ping(bench):
    """PING is answered by PONG with the same bytes"""
    link = bench.link()
    for content in (b"12345678", bytes(8), b"\xff" * 8):
        link.ping(content)


@case("serving", "15.9.2")
def pings_in_one_segment(bench):
    """several PINGs are answered, in their order"""
    link = bench.link()
    before = len(link.pongs)
    sent = [b"%08d" % i for i in range(20)]
    link.send_frames(*[Frame(PING, 0, content) for content in sent])
    link.until(lambda: len(link.pongs) >= before + 20, "20 PONGs")
    expect(link.pongs[before:] == sent, "the bytes of each PING in order", repr(link.pongs[before:]))


@case("serving", "15.9.2")
def ping_split(bench):
    """a PING may come byte by byte"""
    link = bench.link()
    before = len(link.pongs)
    link.send_frames(Frame(PING, 0, b"bytewise"), bytewise=True)
    link.until(lambda: len(link.pongs) > before, "PONG")


@case("serving", "15.9.1")
def pong_that_nobody_asked_for(bench):
    """a PONG that was not asked for does no harm"""
    link = bench.link()
    link.send_frames(Frame(PONG, 0, b"unasked!"))
    link.echo()


@case("settings", "14")
def unknown_settings(bench):
    """unknown settings are skipped"""
    link = bench.fresh(colour="blue", x_y_z="1" * 5000)
    link.echo()


@case("settings", "14")
def default_settings(bench):
    """what the proxy's SETTINGS do not say has its default: a window of 65,536 bytes"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    link.send(b"OK\xff" + Frame(SETTINGS, 0, settings(name="x")).encode(), "OK, SETTINGS name=x")
    link.await_settings()
    entry = link.request("/bytes", query="n=100000")
    entry.grants_itself = False
    entry.await_body(LONGEST)
    link.ping()
    expect(len(entry.body) == LONGEST, "65,536 bytes before the first WINDOW", f"{len(entry.body)} bytes")
    entry.window(100000)
    entry.answer()


@case("settings", "14")
def last_setting_counts(bench):
    """when a setting comes twice its last value counts"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    link.window = 300
    payload = settings(window=7) + settings(name="x", max_frame=65536, ping=0, connections=1, window=300)
    link.send(b"OK\xff" + Frame(SETTINGS, 0, payload).encode(), "OK, SETTINGS with window=7 and window=300")
    link.await_settings()
    entry = link.request("/bytes", query="n=1000")
    entry.grants_itself = False
    entry.await_body(300)
    entry.window(1000)
    entry.answer()


@case("settings", "14")
def settings_split(bench):
    """SETTINGS may come byte by byte"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    link.send(b"OK\xff")
    payload = settings(name="conformance", max_frame=65536, window=65536, ping=0, connections=1)
    link.send_frames(Frame(SETTINGS, 0, payload), bytewise=True)
    link.await_settings().echo()


@case("settings", "14")
def larger_max_frame(bench):
    """a proxy may read longer frames; the answer is the same"""
    link = bench.fresh(max_frame=1048576, window=UNLIMITED)
    came = link.request("/bytes", query="n=200000").answer()
    expect(came == counted(200000), "200,000 bytes", f"{len(came)} bytes that differ")


@case("settings", "14")
def unlimited_window(bench):
    """with window=4294967295 nothing is counted: an answer needs no WINDOW, and WINDOW means nothing"""
    link = bench.fresh(window=UNLIMITED)
    entry = link.request("/bytes", query="n=1000000")
    entry.window(UNLIMITED)
    entry.window(UNLIMITED)
    came = entry.answer()
    expect(came == counted(1000000), "1,000,000 bytes", f"{len(came)} bytes that differ")


@case("settings", "15.3.1")
def window_of_nothing(bench):
    """with window=0 the head comes, and no byte of the body before WINDOW"""
    link = bench.fresh(window=0)
    entry = link.request("/bytes", query="n=100")
    link.until(lambda: entry.head, "the head, which needs no window")
    link.ping()
    expect(not entry.body and not entry.ended, "no body without window", f"{len(entry.body)} bytes, {entry.ended}")
    entry.window(100)
    expect(len(entry.answer()) == 100, "the body", f"{len(entry.body)} bytes")


@case("settings", "15.3.1")
def answer_without_body_needs_no_window(bench):
    """with window=0 an answer without body is whole"""
    link = bench.fresh(window=0)
    link.request("/bytes", query="n=0").answer()
    link.request("/status/204").answer(204)
