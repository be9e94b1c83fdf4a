package org.lrwp.cluster;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** As much of a NATS server as one client needs: it gets what it sends, and 503 for the rest. */
final class FakeNats implements AutoCloseable {
    private final ServerSocket server;
    private final Map<String, String> subscriptions = new ConcurrentHashMap<>();
    private volatile Socket client = new Socket();
    private volatile boolean tls;

    FakeNats() throws IOException {
        server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    URI url() {
        return URI.create("nats://127.0.0.1:" + server.getLocalPort());
    }

    /** The subjects that the client listens to. */
    List<String> subjects() {
        return new ArrayList<>(subscriptions.keySet());
    }

    private void accept() {
        try {
            while (true) {
                Socket next = server.accept();
                subscriptions.clear();
                client = next;
                send(
                        "INFO {\"server_id\":\"x\",\"version\":\"2.15.2\",\"proto\":1,\"headers\":"
                                + "true,\"host\":\"127.0.0.1\",\"port\":1,\"max_payload\":1000,"
                                + "\"tls_required\":"
                                + tls
                                + "}");
                Thread.ofPlatform().daemon().start(() -> serve(next));
            }
        } catch (IOException e) {
            // The test has ended it.
        }
    }

    private void serve(Socket socket) {
        try (InputStream in = new BufferedInputStream(socket.getInputStream())) {
            if (tls) {
                in.read();
                send("-ERR 'no TLS'");
                return;
            }
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                List<String> words = List.of(line.split(" ", -1));
                switch (words.getFirst()) {
                    case "PING" -> send("PONG");
                    case "SUB" -> subscriptions.put(words.get(1), words.getLast());
                    case "PUB" -> published(words, in);
                    default -> {}
                }
            }
        } catch (IOException e) {
            // The client has left, or was thrown out.
        }
    }

    private void published(List<String> words, InputStream in) throws IOException {
        String payload =
                new String(
                        in.readNBytes(Integer.parseInt(words.getLast())),
                        StandardCharsets.ISO_8859_1);
        line(in);
        String id = subscriptions.get(words.get(1));
        String answers = words.size() == 4 ? words.get(2) : "";
        if (id != null) {
            send("MSG " + words.get(1) + " " + id + " " + answers + " " + payload.length());
            send(payload);
        } else if (!answers.isEmpty()) {
            String head = "NATS/1.0 503\r\n\r\n";
            String to = subscriptions.getOrDefault(wild(answers), "0");
            send("HMSG " + answers + " " + to + " " + head.length() + " " + head.length());
            send(head);
        }
    }

    private static String wild(String subject) {
        return subject.substring(0, subject.lastIndexOf('.') + 1) + "*";
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private synchronized void send(String text) throws IOException {
        client.getOutputStream().write((text + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Has clients begin TLS, which it does not speak. */
    void wantTls() {
        tls = true;
    }

    /** Tells the client that it has done something wrong. */
    void complain() throws IOException {
        send("-ERR 'Permissions Violation for Publish to \"x\"'");
    }

    /** Ends the client's connection. */
    void throwOut() throws IOException {
        client.close();
    }

    @Override
    public void close() throws IOException {
        server.close();
        client.close();
    }
}
