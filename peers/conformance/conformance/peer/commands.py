"""What the command line says about wrong values."""

from ..cases import case
from ..wire import expect


def refused(bench, *options):
    """The program ends with a line of error, and not by a crash."""
    bench.addresses, bench.options = [], list(options)
    program = bench.start()
    code = program.await_end("the end of a program with a wrong option")
    expect(code > 0, "an exit code above 0", str(code))
    return program.lines


@case("commands", "19", own=True)
def address_that_is_none(bench):
    """an address whose port is no number is an error at once"""
    lines = refused(bench, "--proxy", "127.0.0.1:none", "--concurrency", "4")
    expect(any("none" in line for line in lines), "a line that names it", repr(lines))


@case("commands", "19", own=True)
def secret_file_that_is_missing(bench):
    """a secret file that is not there is an error at once"""
    lines = refused(bench, "--proxy", "127.0.0.1:1", "--secret-file", "/nowhere/secret")
    expect(any("/nowhere/secret" in line for line in lines), "a line that names the file", repr(lines))
