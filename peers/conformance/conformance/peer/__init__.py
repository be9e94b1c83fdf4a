"""Cases for peers: this program is the proxy."""
