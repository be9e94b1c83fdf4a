package org.lrwp.webapp.edge;

import org.glassfish.grizzly.ssl.SSLEngineConfigurator;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A server's key, made by the JDK's keytool, and clients that trust it and nothing else. */
final class TestTls {
    private static final String PASSWORD = "changeit";
    private static final TestTls SHARED = new TestTls();
    private final SSLContext context;

    private TestTls() {
        try {
            context = context(made());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static TestTls shared() {
        return SHARED;
    }

    private static KeyStore made() throws IOException, GeneralSecurityException {
        Path folder = Files.createTempDirectory("tls");
        Path file = folder.resolve("keys.p12");
        try {
            String line =
                    "-genkeypair -alias server -keyalg EC -groupname secp256r1 -dname CN=localhost"
                            + " -ext SAN=IP:127.0.0.1 -validity 2 -storetype PKCS12 -storepass "
                            + PASSWORD
                            + " -keystore "
                            + file;
            var command = new java.util.ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
            command.addAll(java.util.List.of(line.split(" ", -1)));
            Process keytool = new ProcessBuilder(command).inheritIO().start();
            if (keytool.waitFor() != 0) {
                throw new IOException("keytool ended with " + keytool.exitValue());
            }
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            return keys;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext made = SSLContext.getInstance("TLS");
        made.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return made;
    }

    /** For a connection of a server. */
    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        return engine;
    }

    /** The first bytes of a client. */
    byte[] clientHello() throws SSLException {
        SSLEngine client = context.createSSLEngine();
        client.setUseClientMode(true);
        client.beginHandshake();
        ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    /** For a listener. */
    SSLEngineConfigurator server() {
        return new SSLEngineConfigurator(context, false, false, false);
    }

    /** Speaks TLS on a connection that is there. */
    SSLSocket over(Socket connected, String... versions) throws IOException {
        var socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(connected, "127.0.0.1", connected.getPort(), true);
        if (versions.length > 0) {
            socket.setEnabledProtocols(versions);
        }
        return socket;
    }
}
