package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.transport.tls.ClientCertificates;
import org.lrwp.engine.transport.tls.TlsConfig;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys of the port for peers inside TLS. */
class TlsKeysTest {
    private final Map<String, String> set =
            new HashMap<>(
                    Map.of(
                            "lrwp.agent.tls.certificate", "/etc/proxy.pem",
                            "lrwp.agent.tls.key", "/etc/proxy.key",
                            "lrwp.agent.tls.trust", "/etc/ca.pem"));

    private WebappConfig read() throws BadConfigurationException {
        return ConfigReader.read(Map.of(), set, null, "1.0");
    }

    private void assertFault(String expected) {
        String message =
                String.valueOf(
                        assertThrows(BadConfigurationException.class, this::read).getMessage());
        assertTrue(message.contains(expected), message);
    }

    @Test
    void withoutACertificateThereIsNoSuchPort() throws BadConfigurationException {
        set.clear();
        assertNull(read().tls());
    }

    @Test
    void peersMustShowACertificateByDefault() throws BadConfigurationException {
        TlsConfig tls = read().tls();
        assertNotNull(tls);
        assertEquals(ClientCertificates.REQUIRED, tls.clientCertificates());
        assertEquals(1082, tls.address().getPort());
        assertTrue(tls.address().getAddress().isLoopbackAddress());
        assertEquals(Path.of("/etc/ca.pem"), tls.trust());
        assertNull(tls.revoked());
        assertEquals(Duration.ofSeconds(10), tls.reloadTime());
        int half = Runtime.getRuntime().availableProcessors() / 2;
        assertEquals(Math.max(1, half), tls.handshakes());
    }

    @Test
    void aCertificateNeedsItsKey() {
        set.remove("lrwp.agent.tls.key");
        assertFault("agent.tls.certificate needs agent.tls.key");
    }

    @Test
    void whoAsksForCertificatesSaysWhomHeTrusts() throws BadConfigurationException {
        set.remove("lrwp.agent.tls.trust");
        assertFault("agent.tls.client-certificates needs agent.tls.trust");
        set.put("lrwp.agent.tls.client-certificates", "none");
        assertNotNull(read().tls());
        set.put("lrwp.agent.tls.revoked", "/etc/revoked.pem");
        assertFault("agent.tls.revoked needs agent.tls.trust");
    }

    @Test
    void whoAsksClientsForCertificatesSaysWhomHeTrusts() throws BadConfigurationException {
        set.put("lrwp.https.port", "8443");
        set.put("lrwp.https.certificate", "/etc/server.pem");
        set.put("lrwp.https.key", "/etc/server.key");
        assertEquals(ClientCertificates.NONE, https().clientCertificates());

        set.put("lrwp.https.client-certificates", "required");
        assertFault("https.client-certificates needs https.trust");
        set.put("lrwp.https.trust", "/etc/clients.pem");
        assertEquals(ClientCertificates.REQUIRED, https().clientCertificates());
        assertEquals(Path.of("/etc/clients.pem"), https().trust());
        assertNull(https().revoked());
        set.put("lrwp.https.revoked", "/etc/revoked.pem");
        assertEquals(Path.of("/etc/revoked.pem"), https().revoked());
        set.remove("lrwp.https.trust");
        assertFault("https.revoked needs https.trust");
    }

    @Test
    void operatorsByCertificateNeedThatClientsAreAsked() throws BadConfigurationException {
        set.put("lrwp.operator.erika.certificate", "CN=erika, sha256:" + "ab".repeat(32));
        assertFault("operator.erika.certificate needs https.client-certificates");

        set.put("lrwp.https.port", "8443");
        set.put("lrwp.https.certificate", "/etc/server.pem");
        set.put("lrwp.https.key", "/etc/server.key");
        set.put("lrwp.https.client-certificates", "optional");
        set.put("lrwp.https.trust", "/etc/clients.pem");
        assertEquals(
                List.of(
                        CertificatePattern.parse("CN=erika"),
                        CertificatePattern.parse("sha256:" + "ab".repeat(32))),
                read().admin().certificates().get("erika"));
    }

    private HttpsConfig https() throws BadConfigurationException {
        HttpsConfig https = read().https();
        assertNotNull(https);
        return https;
    }

    @Test
    void anAddressThatOthersReachNeedsNetworks() throws BadConfigurationException {
        set.put("lrwp.agent.tls.address", "0.0.0.0");
        assertFault("agent.tls.address = 0.0.0.0 can be reached from other hosts");
        set.put("lrwp.agent.networks", "10.0.0.0/8");
        assertNotNull(read().tls());
    }
}
