package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** Keys of the HTTPS port: docs/https.md. */
final class HttpsKeys {
    private static final KeyTable TABLE = new KeyTable();

    static final Key<Integer> PORT =
            TABLE.key("https.port", ValueTypes.count(0, 0xFFFF), "0")
                    .atStart(
                            "TCP port where clients speak HTTPS, beside the container's own"
                                    + " listeners; 0 = none. Taken: the proxy does not start.");

    static final Key<InetAddress> ADDRESS =
            TABLE.key("https.address", ProxyValueTypes.ADDRESS, "127.0.0.1")
                    .atStart("Address of that port.");

    static final Key<String> CERTIFICATE =
            TABLE.key("https.certificate", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file of the certificate chain, the server's own certificate first."
                                + " Read again when it changes; one that does not fit its key is"
                                + " refused, and the old one stays.");

    static final Key<String> KEY =
            TABLE.key("https.key", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file of the certificate's private key (PKCS #8), which others may"
                                    + " not read.");

    static final Key<String> CLIENT_CERTIFICATES =
            TABLE.key(
                            "https.client-certificates",
                            ValueTypes.word("none", "optional", "required"),
                            "none")
                    .atStart(
                            "Whether clients are asked for a certificate. One that is shown and not"
                                    + " trusted is refused; peers get one that is trusted as"
                                    + " `SSL_CLIENT_CERT`.");

    static final Key<String> TRUST =
            TABLE.key("https.trust", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with the authorities whose certificates clients may show."
                                    + " Needed unless `https.client-certificates` is `none`. Read"
                                    + " again when it changes; one that cannot be used is refused,"
                                    + " and the old one stays.");

    static final Key<String> REVOKED =
            TABLE.key("https.revoked", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with lists of revoked certificates (CRL), one of each"
                                    + " authority and in force: without it a certificate of that"
                                    + " authority is refused. Read again when it changes. Empty ="
                                    + " nobody is revoked.");

    static final Key<String> CHALLENGES =
            TABLE.key("https.challenges", ValueTypes.TEXT, "")
                    .atStart(
                            "Folder where the ACME module puts certificates for `tls-alpn-01`;"
                                + " empty = none. When it is set, the certificate may be missing at"
                                + " the start: clients are refused until it is there.");

    static final Key<Integer> HANDSHAKES =
            TABLE.key("https.handshakes", ValueTypes.count(0, 1_000), "0")
                    .atStart(
                            "TLS handshakes of that port that compute at once; further ones wait,"
                                    + " and addresses take turns. 0 = half the processors, so that"
                                    + " requests have the other half.");

    static final Key<Integer> WAITING_HANDSHAKES =
            TABLE.key("https.waiting-handshakes", ValueTypes.count(1, 1_000_000), "1000")
                    .atStart(
                            "TLS handshakes of that port that wait; above it the latest of the"
                                    + " address that has most of them is closed, and has a line"
                                    + " `https-refused`.");

    static final Key<Integer> REDIRECT_PORT =
            TABLE.key("https.redirect-port", ValueTypes.count(0, 0xFFFF), "0")
                    .live(
                            "Port of HTTPS, as clients see it, that requests without TLS are sent"
                                + " to by 308; 443 is left out of the address. Requests below `/-/`"
                                + " and `/.well-known/acme-challenge/` are answered as they are. 0"
                                + " = all are.");

    static final Key<Duration> HSTS =
            TABLE.key("https.hsts", ValueTypes.duration(Duration.ZERO), "0")
                    .live(
                            "How long browsers are told to ask by HTTPS only:"
                                + " `Strict-Transport-Security` in answers over TLS, unless a peer"
                                + " sends its own. It cannot be taken back before it has passed. 0"
                                + " = they are not told.");

    private HttpsKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
