package org.lrwp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;

/** Who is believed to be NATS: whose certificate has the name that was dialled. */
class NatsTlsTest {
    private static final String PASSWORD = "changeit";

    @TempDir static Path folder;
    private static SSLServerSocket server;
    private static Path trusted;

    @BeforeAll
    static void start() throws Exception {
        Path store = folder.resolve("keys.p12");
        List<String> options =
                List.of(
                        ("-genkeypair -alias a -keyalg EC -dname CN=nats -ext SAN=DNS:localhost"
                             + " -validity 2 -storetype PKCS12 -storepass %s -keystore %s")
                                .formatted(PASSWORD, store)
                                .split(" ", -1));
        var command = new ArrayList<>(options);
        command.addFirst(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        byte[] certificate = Objects.requireNonNull(keys.getCertificate("a")).getEncoded();
        String text = Base64.getMimeEncoder().encodeToString(certificate);
        trusted =
                Files.writeString(
                        folder.resolve("ca.pem"),
                        "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        var loopback = InetAddress.getLoopbackAddress();
        server =
                (SSLServerSocket)
                        context.getServerSocketFactory().createServerSocket(0, 5, loopback);
        Thread.ofPlatform().daemon().start(NatsTlsTest::serve);
    }

    private static void serve() {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getOutputStream().write('x');
            } catch (IOException e) {
                // The client did not believe it, or the test is over.
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** Dials as the library does. */
    private static int dial(SSLContext context, String host) throws IOException {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        try (var inside =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(plain, host, server.getLocalPort(), true)) {
            inside.startHandshake();
            return inside.getInputStream().read();
        }
    }

    @Test
    void nameThatIsDialledHasToStandInTheCertificate() throws Exception {
        SSLContext context = NatsTls.context(trusted, null);
        assertEquals('x', dial(context, "localhost"));
        assertThrows(SSLException.class, () -> dial(context, "127.0.0.1"));
        assertThrows(SSLException.class, () -> dial(context, "nats.example"));
    }

    @Test
    void whomNobodyVouchesForIsNotBelieved() throws Exception {
        SSLContext ofTheJvm = NatsTls.context(null, null);
        assertThrows(SSLException.class, () -> dial(ofTheJvm, "localhost"));
        String missing =
                assertThrows(
                                IOException.class,
                                () -> NatsTls.context(folder.resolve("none.pem"), null))
                        .getMessage();
        assertTrue(String.valueOf(missing).contains("none.pem"), missing);
    }

    @Test
    void whatHasNoNameIsNotBelieved() throws Exception {
        X509ExtendedTrustManager check = NatsTls.checking(trusted);
        var chain = check.getAcceptedIssuers();
        assertEquals(1, chain.length);
        assertThrows(CertificateException.class, () -> check.checkServerTrusted(chain, "EC"));
        try (var plain = new Socket()) {
            assertThrows(
                    CertificateException.class, () -> check.checkServerTrusted(chain, "EC", plain));
            assertThrows(
                    CertificateException.class, () -> check.checkClientTrusted(chain, "EC", plain));
        }
        assertThrows(CertificateException.class, () -> check.checkClientTrusted(chain, "EC"));
    }
}
