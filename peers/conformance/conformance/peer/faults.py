"""What the proxy must not do, and what a peer has to do then."""

import random

from ..cases import case
from ..wire import (CANCEL, DATA, ERROR, Frame, PING, RESPONSE, SETTINGS, STARTED, Skip, UNLIMITED, WINDOW,
                    pattern, settings, u32)


def error(bench, link, rule, section=None):
    """The peer says ERROR, ends in order, and is there again."""
    link.await_error(rule, section)
    link.close()
    bench.recovered()


def good(bench, **values):
    link = bench.fresh(**values)
    link.request("/bytes", query="n=0").answer()
    return link


def broken_settings(bench, payload, rule):
    """SETTINGS that are not allowed; the next connection has to work."""
    bench.drop()
    link = bench.handshake(bench.dialled())
    link.send(b"OK\xff" + Frame(SETTINGS, 0, payload).encode(), f"OK, SETTINGS {payload}")
    error(bench, link, rule, "14")


@case("faults", "14")
def setting_that_is_no_number(bench):
    """a window that is no number is an ERROR"""
    broken_settings(bench, settings(name="x", window="many"), "a setting has a bad value")


@case("faults", "14")
def setting_above_its_range(bench):
    """a window above 4294967295 is an ERROR"""
    broken_settings(bench, settings(window=4294967296), "a setting has a bad value")


@case("faults", "14")
def max_frame_below_the_least(bench):
    """a max-frame below 65,536 is an ERROR"""
    broken_settings(bench, settings(max_frame=65535), "max-frame is below 65536")


@case("faults", "14")
def setting_without_nul(bench):
    """a last setting without its NUL is an ERROR"""
    broken_settings(bench, b"name=x\0window=70000", "the last setting has no NUL")


@case("faults", "14")
def setting_with_a_sign(bench):
    """a number with a sign is an ERROR"""
    broken_settings(bench, settings(window="+5"), "a setting has a bad value")


@case("faults", "15.4.6")
def first_frame_is_not_settings(bench):
    """another frame before SETTINGS is an ERROR"""
    bench.drop()
    link = bench.handshake(bench.dialled())
    link.send(b"OK\xff" + Frame(PING, 0, b"too soon").encode(), "OK, PING")
    link.speaks_first = True  # its own SETTINGS may come, or not
    error(bench, link, "a frame before SETTINGS")


@case("faults", "15.4.6")
def second_settings(bench):
    """a second SETTINGS is an ERROR"""
    link = good(bench)
    link.send_frames(Frame(SETTINGS, 0, settings(name="again", window=5)))
    error(bench, link, "SETTINGS only once")


@case("faults", "13")
def frame_above_max_frame(bench):
    """a frame above the max-frame of the peer is an ERROR"""
    link = good(bench)
    link.send(Frame(DATA, 1, bytes(int(link.peer["max-frame"]) + 1)).encode(), "DATA above max-frame")
    error(bench, link, "a frame above max-frame", "15.4.6")


@case("faults", "13")
def frame_of_four_gigabytes(bench):
    """a length of 4 GiB is an ERROR at once, and takes no memory"""
    link = good(bench)
    link.send(b"\xff\xff\xff\xff" + bytes([DATA, 0, 0, 0, 0, 0, 0, 1]), "the head of a DATA of 4294967295 bytes")
    error(bench, link, "a frame above max-frame", "15.4.6")


@case("faults", "15.1.2")
def stream_above_the_capacity(bench):
    """a REQUEST on a stream above the greatest capacity is an ERROR"""
    link = good(bench)
    link.request("/above", slot=link.largest + 1)
    error(bench, link, "a stream above the capacity")


@case("faults", "13")
def request_on_stream_0(bench):
    """a REQUEST on stream 0 is an ERROR"""
    link = good(bench)
    link.request("/zero", slot=0)
    error(bench, link, "a REQUEST on stream 0")


@case("faults", "13")
def request_on_a_huge_stream(bench):
    """a REQUEST on stream 4294967295 is an ERROR"""
    link = good(bench)
    link.request("/huge", slot=UNLIMITED)
    error(bench, link, "a stream above the capacity")


@case("faults", "15.1.1")
def request_on_an_open_stream(bench):
    """a second REQUEST on a stream that is open is an ERROR"""
    link = good(bench)
    link.request("/slow").await_started()
    link.request("/second")
    error(bench, link, "a REQUEST on a stream that is open")


@case("faults", "13")
def env_block_longer_than_its_frame(bench):
    """a length of the env block beyond the frame is an ERROR"""
    link = good(bench)
    frame, _ = link.request_frame("/x")
    frame.payload = u32(len(frame.payload)) + frame.payload[4:]
    link.send_frames(frame)
    error(bench, link, "the env block does not fit its frame")


@case("faults", "13")
def env_block_of_four_gigabytes(bench):
    """a length of the env block of 4294967295 is an ERROR"""
    link = good(bench)
    frame, _ = link.request_frame("/x")
    frame.payload = u32(UNLIMITED) + frame.payload[4:]
    link.send_frames(frame)
    error(bench, link, "the env block does not fit its frame")


@case("faults", "13")
def request_without_length(bench):
    """a REQUEST of less than 4 bytes is an ERROR"""
    link = good(bench)
    frame, _ = link.request_frame("/x")
    frame.payload = b"\0\0"
    link.send_frames(frame)
    error(bench, link, "a REQUEST without the length of its env block")


@case("faults", "4")
def env_block_without_nul(bench):
    """an env block that does not end with NUL is an ERROR"""
    link = good(bench)
    link.request(raw=b"REQUEST_METHOD=GET\0PATH_INFO=/x")
    error(bench, link, "an env block that does not end with NUL", "4")


@case("faults", "15.3.3")
def body_beyond_the_window(bench):
    """more body than the peer has granted is an ERROR"""
    bench.offers("stream")
    link = good(bench, window=0)
    entry = link.request("/through", method="POST", end=False)
    entry.await_started()
    # The answer of this handler stops, as no window is granted, and then its reading.
    while link.error is None and not link.ended:
        while entry.credit > 0:
            entry.data(pattern(min(entry.credit, 16384)))
        entry.data(b"x")
        link.until(lambda: link.error is not None or link.ended or entry.credit > 0, "ERROR, or window for what came")
    error(bench, link, "more body than was granted")


@case("faults", "15.3.3")
def body_beyond_the_window_in_the_request(bench):
    """a REQUEST that holds more body than the window is an ERROR"""
    window = int(good(bench).peer["window"])
    if window > 60000:
        raise Skip(f"no REQUEST can exceed the peer's window of {window} bytes")
    link = good(bench)
    link.request("/x", pattern(window + 1), method="POST")
    error(bench, link, "more body than was granted")


@case("faults", "15.3.3")
def window_that_overflows(bench):
    """granting more than 4294967295 open bytes is an ERROR"""
    link = good(bench)
    link.request("/slow").await_started()
    link.send_frames(Frame(WINDOW, 1, u32(UNLIMITED)))
    error(bench, link, "more than 4294967295 bytes granted")


@case("faults", "15.4.6")
def window_of_three_bytes(bench):
    """a WINDOW that is not 4 bytes is an ERROR"""
    link = good(bench)
    link.request("/slow").await_started()
    link.send_frames(Frame(WINDOW, 1, b"\0\0\1"))
    error(bench, link, "WINDOW is not 4 bytes")


@case("faults", "15.4.6")
def ping_of_seven_bytes(bench):
    """a PING that is not 8 bytes is an ERROR"""
    link = good(bench)
    link.send_frames(Frame(PING, 0, b"seven b"))
    error(bench, link, "PING is not 8 bytes")


@case("losses", "13")
def frames_of_a_peer(bench):
    """a frame that only peers send ends the connection or is skipped; the peer lives"""
    for kind in (RESPONSE, STARTED, 2, 9, 12):
        link = good(bench)
        link.send_frames(Frame(kind, 1 if kind in (RESPONSE, STARTED, 9) else 0, b"\0\0\0\1" if kind == 12 else b""))
        link.lives_or_ends()
    bench.drop()
    bench.recovered()


@case("losses", "13")
def data_on_a_stream_that_was_never_open(bench):
    """DATA, WINDOW and CANCEL on a stream that was never open end the connection or are skipped; the peer lives"""
    for frame in (Frame(DATA, 3, b"x"), Frame(WINDOW, 3, u32(5)), Frame(CANCEL, 3, b"")):
        link = good(bench)
        link.send_frames(frame)
        link.lives_or_ends()
    bench.drop()
    bench.recovered()


@case("losses", "13")
def error_from_the_proxy(bench):
    """after ERROR the peer tells its text, ends the connection, and dials again"""
    link, mark = good(bench), bench.program.mark()
    link.send_frames(Frame(ERROR, 0, b"this is against the rules"))
    link.finish()
    link.await_close("the end of the connection after ERROR")
    link.close()
    bench.program.await_line("this is against the rules", since=mark)
    bench.recovered()


@case("faults", "15.5.7")
def error_with_handlers_running(bench):
    """an ERROR by the peer stops its handlers, and it is there again"""
    link, mark = good(bench), bench.program.mark()
    for slot in (1, 2, 3):
        link.request("/slow", slot=slot).await_started()
    for _ in range(3):
        bench.program.await_line("began", since=mark)
    link.send_frames(Frame(WINDOW, 1, b""))
    error(bench, link, "WINDOW is not 4 bytes")
    bench.program.await_line("cancelled", since=mark)


@case("faults", "15.5.7")
def peer_reads_on_after_its_error(bench):
    """after its ERROR the peer reads on, so that no reset takes the text back"""
    link = good(bench)
    content = Frame(PING, 0, b"bad").encode() + Frame(PING, 0, b"12345678").encode() * 5000
    link.send(content, "a PING of 3 bytes and 5,000 good ones")
    error(bench, link, "PING is not 8 bytes")


@case("losses", "15.5")
def end_in_the_middle_of_a_frame(bench):
    """an end in the middle of a frame ends the connection, and the peer dials again"""
    link = good(bench)
    link.send(Frame(DATA, 1, bytes(100)).encode()[:50], "half a frame")
    link.finish()
    link.await_close("the end of the connection")
    link.close()
    bench.recovered()


@case("losses", "15.5")
def reset_with_handlers_running(bench):
    """a reset stops the handlers, and the peer dials again"""
    link, mark = good(bench), bench.program.mark()
    for slot in (1, 2):
        link.request("/slow", slot=slot).await_started()
    bench.program.await_line("began", since=mark)
    link.reset()
    bench.program.await_line("cancelled", since=mark)
    bench.recovered()


@case("losses", "15.5")
def fin_with_handlers_running(bench):
    """an end in order with requests open stops the handlers, and the peer dials again"""
    link, mark = good(bench), bench.program.mark()
    link.request("/slow", slot=4).await_started()
    bench.program.await_line("began", since=mark)
    link.finish()
    bench.program.await_line("cancelled", since=mark)
    link.await_close("the end of the connection")
    link.close()
    bench.recovered()


@case("losses", "15.5")
def fin_when_idle(bench):
    """an end in order without open requests makes the peer dial again"""
    link = good(bench)
    link.finish()
    link.await_close("the end of the connection")
    link.close()
    bench.recovered()


@case("losses", "15.5")
def many_losses(bench):
    """five losses one after the other: the peer is there each time"""
    link = good(bench)
    for i in range(5):
        link.reset() if i % 2 else link.finish()
        link = bench.recovered()


@case("losses", "13")
def random_frames(bench):
    """random frames end a connection at most, never the peer"""
    dice = random.Random(20261124)
    for _ in range(12):
        link = good(bench)
        frames = [Frame(dice.randrange(1, 17), dice.randrange(0, 6), bytes(dice.randrange(256) for _ in range(
            dice.choice((0, 3, 4, 8, 50)))), dice.randrange(2)) for _ in range(10)]
        link.send_frames(*frames)
        link.reset()
    bench.recovered()
