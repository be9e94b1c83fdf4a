package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;

/** The keys of the listener for peers inside TLS. */
final class TlsKeys {
    private static final KeyTable TABLE = new KeyTable();

    static final Key<String> CERTIFICATE =
            TABLE.key("agent.tls.certificate", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with the proxy's certificate, then its issuers. Opens one"
                                + " more port, where peers dial in inside TLS 1.3; empty = none. A"
                                + " file that cannot be used: the proxy does not start.");

    static final Key<String> KEY =
            TABLE.key("agent.tls.key", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with its private key: PKCS#8 without password; others must"
                                    + " not be able to read it.");

    static final Key<InetAddress> ADDRESS =
            TABLE.key("agent.tls.address", ProxyValueTypes.ADDRESS, "127.0.0.1")
                    .atStart(
                            "Address of that port. Any but a loopback address needs"
                                    + " `agent.networks`, which holds here too.");

    static final Key<Integer> PORT =
            TABLE.key("agent.tls.port", ValueTypes.count(0, 0xFFFF), "1082")
                    .atStart(
                            "TCP port where peers dial in inside TLS; 0 = any free one. Taken: the"
                                    + " proxy does not start.");

    static final Key<String> CLIENT_CERTIFICATES =
            TABLE.key(
                            "agent.tls.client-certificates",
                            ValueTypes.word("required", "optional", "none"),
                            "required")
                    .atStart(
                            "Whether peers must show a certificate. One that is shown and not"
                                    + " trusted is refused in any case.");

    static final Key<String> TRUST =
            TABLE.key("agent.tls.trust", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with the authorities whose certificates peers may show."
                                    + " Needed unless `agent.tls.client-certificates` is `none`.");

    static final Key<String> REVOKED =
            TABLE.key("agent.tls.revoked", ValueTypes.TEXT, "")
                    .atStart(
                            "PEM file with lists of revoked certificates (CRL), one of each"
                                    + " authority and in force: without it a certificate of that"
                                    + " authority is refused. Empty = nobody is revoked.");

    static final Key<Duration> RELOAD_TIME =
            TABLE.key("agent.tls.reload-time", ValueTypes.duration(Duration.ZERO), "10s")
                    .atStart(
                            "How often is looked whether these files have changed. New connections"
                                    + " get what they say; files that cannot be used are logged,"
                                    + " and what was read before stays. 0 = never.");

    static final Key<Integer> HANDSHAKES =
            TABLE.key("agent.tls.handshakes", ValueTypes.count(0, 1_000), "0")
                    .atStart(
                            "TLS handshakes that compute at once; further ones wait, and addresses"
                                + " take turns. 0 = half the processors, so that requests have the"
                                + " other half.");

    private TlsKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
