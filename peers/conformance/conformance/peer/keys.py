"""What the peer is told to prove."""

SECRET = b"funky161"
NAME, KEY_ID = "billing", "2026a"
KEY = bytes(range(32))
