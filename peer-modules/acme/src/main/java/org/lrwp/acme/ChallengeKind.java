package org.lrwp.acme;

/** How it is proved that a name is ours; its text is that of RFC 8555 section 9.7.8. */
enum ChallengeKind {
    /** A file below {@code /.well-known/acme-challenge} on port 80: RFC 8555 section 8.3. */
    HTTP_01("http-01"),
    /** A certificate on port 443 for clients that ask for {@code acme-tls/1}: RFC 8737. */
    TLS_ALPN_01("tls-alpn-01");

    private final String type;

    ChallengeKind(String type) {
        this.type = type;
    }

    @Override
    public String toString() {
        return type;
    }
}
