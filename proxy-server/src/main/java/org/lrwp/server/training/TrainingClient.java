package org.lrwp.server.training;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client with one connection, and a new one where the server has closed it. */
final class TrainingClient implements AutoCloseable {
    private static final String LENGTH = "content-length:";
    private static final int TIMEOUT_MILLIS = 30_000;

    private final int port;
    private Socket socket;
    private InputStream in;

    TrainingClient(int port) throws IOException {
        this.port = port;
        socket = connected();
        in = new BufferedInputStream(socket.getInputStream());
    }

    private Socket connected() throws IOException {
        var made = new Socket(InetAddress.getLoopbackAddress(), port);
        made.setTcpNoDelay(true);
        made.setSoTimeout(TIMEOUT_MILLIS);
        return made;
    }

    /**
     * Sends requests one after the other.
     *
     * @param count how many
     * @param end when to stop, as {@link System#nanoTime()} has it
     * @return how many answers there were of each status
     */
    Map<Integer, Integer> send(TrainingRequests requests, int count, long end) throws IOException {
        Map<Integer, Integer> answers = new TreeMap<>();
        for (int i = 0; i < count && System.nanoTime() < end; i++) {
            answers.merge(ask(requests.next()), 1, Integer::sum);
        }
        return answers;
    }

    /** Sends a request and reads its answer whole; returns the status. */
    int ask(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        String status = readLine();
        long length = 0;
        boolean closes = false;
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            String field = line.toLowerCase(Locale.ROOT);
            if (field.startsWith(LENGTH)) {
                length = Long.parseLong(field.substring(LENGTH.length()).strip());
            }
            closes |= field.equals("connection: close");
        }
        in.skipNBytes(length);
        if (closes) {
            close();
            socket = connected();
            in = new BufferedInputStream(socket.getInputStream());
        }
        return Integer.parseInt(status.split(" ", 3)[1]);
    }

    private String readLine() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the server closed the connection in an answer: " + line);
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
