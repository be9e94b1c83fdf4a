"""Cases for a proxy: this program plays its peers and its clients."""
