package org.lrwp.webapp.servlet;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** An LRWP 1.0 peer that answers what the test says, on a thread of its own. */
public final class ScriptedPeer implements AutoCloseable {
    private final Socket socket;
    private final String answer;
    public final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

    public ScriptedPeer(int port, String context, String answer) throws IOException {
        this.answer = answer;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write((context + "\u00ff\u00ff").getBytes(StandardCharsets.ISO_8859_1));
        var in = new DataInputStream(socket.getInputStream());
        if (in.read() != 'O' || in.read() != 'K') {
            throw new IOException("not registered");
        }
        Thread.ofPlatform().daemon().start(() -> serve(in));
    }

    private void serve(DataInputStream in) {
        try {
            OutputStream out = socket.getOutputStream();
            while (true) {
                String env = part(in);
                requests.add(env.replace('\0', '\n') + "\n" + part(in));
                out.write(
                        (String.format("%09d", answer.length()) + answer)
                                .getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            requests.add("end");
        }
    }

    private static String part(DataInputStream in) throws IOException {
        byte[] digits = new byte[9];
        in.readFully(digits);
        byte[] octets = new byte[Integer.parseInt(new String(digits, StandardCharsets.US_ASCII))];
        in.readFully(octets);
        return new String(octets, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
