package org.lrwp.webapp.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.wire.ServingPeer;
import org.lrwp.webapp.container.ClientTls;

import java.io.IOException;
import java.net.Socket;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** What clients of the HTTPS port have proved is looked at whenever they come. */
class EdgeClientCertificateTest extends EdgeListener {
    private volatile boolean ended;

    @Override
    Encryption encryption() {
        return Encryption.OF_PROXY;
    }

    @Override
    ClientTls tls() {
        return new ClientTls(
                () -> {
                    SSLEngine engine = TestTls.shared().engine();
                    engine.setNeedClientAuth(true);
                    return engine;
                },
                session -> {
                    if (ended && session.getPeerCertificates().length > 0) {
                        throw new SSLException("not in force");
                    }
                },
                atOnce());
    }

    @Test
    void aClientWhoseCertificateHasEndedIsNotLetInByItsSession() throws IOException {
        try (ServingPeer peer = answer("Content-Type: text/plain", "hello");
                Socket before = client()) {
            send(before, GET);
            upTo(before, "hello");
            ended = true;
            try (Socket after = client()) {
                assertTrue(isRefused(after));
            }
            // Who is in stays in.
            send(before, GET);
            upTo(before, "hello");
            assertEquals(2, peer.seen().size());
        }
        assertEquals(1, edge.handshakes().done());
    }

    private static boolean isRefused(Socket client) throws IOException {
        try {
            send(client, GET);
        } catch (IOException refused) {
            return true;
        }
        return isClosed(client);
    }
}
