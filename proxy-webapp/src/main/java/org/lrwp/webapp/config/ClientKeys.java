package org.lrwp.webapp.config;

import org.lrwp.protocol.network.Network;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.time.Duration;
import java.util.List;

/** Keys that say what clients may do. */
final class ClientKeys {
    private static final KeyTable TABLE = new KeyTable();
    private static final Duration SOME = Duration.ofMillis(1);
    private static final int MILLION = 1_000_000;

    static final Key<String> HALF_CLOSE =
            TABLE.key("client.half-close", ValueTypes.word("gone", "allowed"), "gone")
                    .live(
                            "What a client means that ends its sending half of the connection while"
                                + " it waits for an answer: `gone` = it has left, and its request"
                                + " ends; `allowed` = it still wants the answer.");

    static final Key<Duration> HEAD_TIMEOUT =
            TABLE.key("client.head-timeout", ValueTypes.duration(SOME), "30s")
                    .live(
                            "How long the head of a request may take from its first byte to its"
                                + " last; then the connection is closed. Looked at once a second.");

    static final Key<Long> BODY_RATE =
            TABLE.key("client.body-rate", ValueTypes.size(0, 1L << 30), "100")
                    .live(
                            "How many bytes a second the body of a request has to come with, on"
                                + " average; slower ends with 408. What the client is held back by"
                                + " its peer or the disk does not count. 0 = any rate.");

    static final Key<Duration> BODY_GRACE =
            TABLE.key("client.body-grace", ValueTypes.duration(SOME), "30s")
                    .live(
                            "How long a body may take before `client.body-rate` holds; and how long"
                                    + " the rest of a body may take that is dropped after an early"
                                    + " answer, then the connection is closed.");

    static final Key<Integer> MAX_CONNECTIONS =
            TABLE.key("client.max-connections-per-address", ValueTypes.count(0, MILLION), "1000")
                    .live(
                            "Connections of one client address at once; further ones are closed. An"
                                    + " IPv6 network of 64 bits counts as one address. 0 = any"
                                    + " number.");

    static final Key<Integer> MAX_REQUESTS =
            TABLE.key("client.max-requests-per-address", ValueTypes.count(0, MILLION), "1000")
                    .live(
                            "Requests for peers of one client address at once; above it 503. 0 ="
                                    + " any number.");

    static final Key<List<Network>> EXEMPT =
            TABLE.key("client.exempt-networks", ValueTypes.NETWORKS, "127.0.0.0/8, ::1")
                    .live(
                            "Addresses that the limits for each address do not hold for, beside"
                                    + " `request.trusted-proxies`.");

    static final Key<Integer> MAX_RESETS =
            TABLE.key("client.max-resets", ValueTypes.count(0, MILLION), "50")
                    .atStart(
                            "Streams that a client may reset on one HTTP/2 connection within 10"
                                    + " seconds; above it the connection ends with GOAWAY. 0 = any"
                                    + " number.");

    static final Key<String> PROXY_PROTOCOL =
            TABLE.key("client.proxy-protocol", ValueTypes.word("off", "on"), "off")
                    .atStart(
                            "Whether each connection of the HTTP listeners begins with a header of"
                                + " the PROXY protocol, version 1 or 2, that names the client. `on`"
                                + " = it must: a connection from elsewhere than"
                                + " `request.trusted-proxies`, or without a valid header of at most"
                                + " 4096 bytes, is closed at once; one whose header is not whole"
                                + " after `client.head-timeout` too. With TLS the header comes"
                                + " before the handshake. Only where the strict reader is.");

    private ClientKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
