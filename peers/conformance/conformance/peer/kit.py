"""What the cases for peers are run with: one process of the test peer for each group, or for one case."""

import hashlib
import hmac
import os

from ..bench import Bench, Folder, certificate
from ..wire import expect, printable
from . import (answers, commands, ends, faults, frames, handshake, identity, leaving, many, proxies,  # noqa: F401
               registers, secret, tls, upgrade, windows)
from .keys import KEY, KEY_ID, NAME, SECRET

NEEDS = {"identity": ("identity",), "identity-files": ("identity",), "tls": ("tls",), "tls-leaving": ("tls",), "tls-certificate": ("tls",),
         "tls-identity": ("tls", "identity"), "proxies": ("proxies",), "unix": ("proxies", "unix")}

SLOW = ("silent", "silent-secret", "alive", "dialling", "stuck")


class SecretBench(Bench):
    """A proxy that asks for the secret."""

    def handshake(self, link, send=None):
        challenge = os.urandom(32)
        (send or link.send)(b"CHALLENGE\xff000000032" + challenge)
        names = link.hello.appname + b"\xff" + link.hello.vhost
        proof = b"000000032" + hmac.new(SECRET, challenge + names, hashlib.sha256).digest()
        came = link.read(41, "the proof of the secret")
        expect(came == proof, f"the proof {printable(proof)}", printable(came), "12")
        return link


class IdentityBench(Bench):
    """A proxy that asks for the key of an identity, and proves it first."""

    def handshake(self, link, send=None):
        identity.challenge(link, send)
        came = link.read(41, "the proof of the peer")
        proof = identity.proof(link, b"lrwp3 peer")
        expect(came == b"000000032" + proof, f"the proof {printable(proof)}", printable(came), "17")
        return link


def bench(group, options):
    folder = Folder()
    secret_file = ["--secret-file", folder.file("secret", SECRET + b"\n")]
    key = ["--identity", NAME, "--key-id", KEY_ID, "--key-file", folder.file("key", KEY.hex().encode() + b"\n")]
    trust = ["--ca-file", certificate("authority.pem")]
    with open(certificate("peer.key"), "rb") as file:  # which others can read in a checkout
        own_key = folder.file("peer.key", file.read())
    own = ["--certificate", certificate("peer.pem"), "--certificate-key", own_key]
    four = ["--concurrency", "4"]
    command = options.command
    local = os.path.join(folder.path, "proxy.sock")
    makers = {
        "single": lambda: Bench(command, options=["--concurrency", "1"], folder=folder),
        "many": lambda: Bench(command, options=["--concurrency", "64"], folder=folder),
        "contexts": lambda: Bench(command, ("/c", "/d", ".e"), four, folder=folder),
        "secret": lambda: SecretBench(command, options=four + secret_file, folder=folder),
        "silent-secret": lambda: SecretBench(command, options=four + secret_file, folder=folder),
        "identity": lambda: IdentityBench(command, options=four + key, folder=folder),
        "identity-files": lambda: Bench(command, options=four + key, folder=folder),
        "tls-leaving": lambda: Bench(command, options=four + trust, tls=True, folder=folder),
        "tls": lambda: Bench(command, options=four + trust, tls=True, folder=folder),
        "tls-certificate": lambda: Bench(command, options=four + trust + own, tls=True, folder=folder),
        "tls-identity": lambda: IdentityBench(command, options=four + trust + key, tls=True, folder=folder),
        "stuck": lambda: Bench(command, options=four, folder=folder, room=65536),
        "proxies": lambda: Bench(command, options=four, listens=2, folder=folder),
        "unix": lambda: Bench(command, options=four, unix=local, folder=folder),
    }
    return makers.get(group, lambda: Bench(command, options=four, folder=folder))()
