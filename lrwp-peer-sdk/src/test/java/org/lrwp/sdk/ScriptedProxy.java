package org.lrwp.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;

/** A proxy of which the test plays every byte. */
final class ScriptedProxy implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 10_000;

    private final ServerSocket listener;

    private ScriptedProxy(InetAddress address, int port) throws IOException {
        listener = new ServerSocket();
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(address, port));
        listener.setSoTimeout(PATIENCE_MILLIS);
    }

    static ScriptedProxy start() {
        return at("127.0.0.1", 0);
    }

    static ScriptedProxy at(String address, int port) {
        try {
            return new ScriptedProxy(InetAddress.ofLiteral(address), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts two on a port that is free at the usual address and at another one. */
    static List<ScriptedProxy> startTwo(String address) throws IOException {
        InetAddress second = InetAddress.ofLiteral(address);
        while (true) {
            ScriptedProxy first = start();
            try {
                return List.of(first, new ScriptedProxy(second, first.port()));
            } catch (BindException e) {
                first.close(); // Somebody else has it there.
            }
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    String address() {
        return "127.0.0.1:" + port();
    }

    ProxySide accept() throws IOException {
        return new ProxySide(listener.accept());
    }

    /** Accepts a connection and its registration for one context, LRWP 1.0. */
    ProxySide register(String application) throws IOException {
        ProxySide side = accept();
        side.expect(application + "\u00ff\u00ff");
        side.send("OK");
        return side;
    }

    void stop() throws IOException {
        listener.close();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
