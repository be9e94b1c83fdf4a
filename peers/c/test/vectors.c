/* The handshake's proofs as docs/protocol.md has them, section 12 and 17. */
#include "../lrwp.c"

static int wrong(const char *what, const unsigned char *digest, const char *expected)
{
    char hex[65];

    to_hex(digest, 32, hex);
    if (strcmp(hex, expected) != 0)
        printf("%s: %s, not %s\n", what, hex, expected);
    return strcmp(hex, expected) != 0;
}

static int secret_is_wrong(void)
{
    unsigned char message[36], digest[32];
    int i;

    for (i = 0; i < 32; i++)
        message[i] = (unsigned char)i;
    memcpy(message + 32, "osp\377", 4);
    hmac("funky161", 8, message, sizeof message, digest);
    return wrong("secret", digest, "784c5777e82e53587bd04aae4e14e6da3d5bd82ac5929a880cfa6f1a110d5421");
}

int main(void)
{
    static lrwp_peer peer;
    static connection c;
    unsigned char digest[32];
    char nonce[32];
    int i, errors = secret_is_wrong();

    for (i = 0; i < 32; i++) {
        peer.key[i] = (unsigned char)i;
        nonce[i] = (char)(0x40 + i);
        c.certificate[i] = (unsigned char)(0x60 + i);
    }
    peer.key_length = 32;
    c.peer = &peer;
    c.startup_length = (size_t)sprintf(c.startup, "\3773.1\377osp\377\377billing\3772026a\377");
    for (i = 0x20; i < 0x40; i++)
        c.startup_length += (size_t)sprintf(c.startup + c.startup_length, "%02x", (unsigned)i);
    c.startup[c.startup_length++] = '\377';
    key_proof(&c, "lrwp3 proxy", nonce, digest);
    errors += wrong("proxy", digest, "da9ca1d570af4bf8b3b7f2c7add0ef47b383a71a0a687c12d8af1064ff4f5453");
    key_proof(&c, "lrwp3 peer", nonce, digest);
    errors += wrong("peer", digest, "0db4658fa8864a38f5c98dfe8f58bf5228e3be5ca33986a2455a4c625897ccdc");
    c.session = &c;
    key_proof(&c, "lrwp3 proxy", nonce, digest);
    errors += wrong("proxy inside TLS", digest, "5f3da448765180688244a7d633e4ce4a20b858fc37b7ab3dcf38073cf3257c8d");
    key_proof(&c, "lrwp3 peer", nonce, digest);
    errors += wrong("peer inside TLS", digest, "4b2ba580b6ffda702b19439280500678d74107232332af50dcaf316289059a40");
    return errors != 0;
}
