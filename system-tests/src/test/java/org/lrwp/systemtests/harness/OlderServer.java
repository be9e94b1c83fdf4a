package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server that knows LRWP 1.0 only. It answers a hello of a later version as it is told to, and
 * hands each peer of 1.0 one request.
 */
public final class OlderServer implements Closeable {
    private static final int DELIMITER = 255;

    private final ServerSocket listener;
    private final String answerToLater;
    private final byte[] request;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    /**
     * Listens on a free port.
     *
     * @param answerToLater what a hello of a later version gets before the connection is closed
     * @param path PATH_INFO of the request
     * @param body of the request
     */
    public OlderServer(String answerToLater, String path, byte[] body) throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.answerToLater = answerToLater;
        String env = "REQUEST_METHOD=POST\0PATH_INFO=" + path + "\0CONTENT_LENGTH=" + body.length;
        env = env + "\0SCRIPT_NAME=/old\0HTTP_HOST=a.test\0QUERY_STRING=\0\0";
        String head = "%09d%s%09d".formatted(env.length(), env, body.length);
        this.request = Bytes.join(Bytes.of(head), body);
        Thread.ofVirtual().start(this::accept);
    }

    /** The port. */
    public int port() {
        return listener.getLocalPort();
    }

    /** The answer of a peer of 1.0: CGI head and body. */
    public String answer(Duration within) throws InterruptedException {
        String answer = answers.poll(within.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null) {
            throw new AssertionError("no peer of LRWP 1.0 has answered");
        }
        return answer;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            if (readName(in).isEmpty()) {
                socket.getOutputStream().write(Bytes.of(answerToLater));
                return;
            }
            readName(in);
            socket.getOutputStream().write(Bytes.of("OK"));
            Wait.pass(Duration.ofMillis(50));
            socket.getOutputStream().write(request);
            int length = Integer.parseInt(Bytes.text(in.readNBytes(9)));
            answers.add(Bytes.text(in.readNBytes(length)));
            in.read();
        } catch (IOException e) {
            // The peer has gone; whoever waits for its answer sees that there is none.
        }
    }

    private static String readName(InputStream in) throws IOException {
        StringBuilder name = new StringBuilder();
        for (int value = in.read(); value != DELIMITER; value = in.read()) {
            if (value < 0) {
                throw new EOFException("within the hello");
            }
            name.append((char) value);
        }
        return name.toString();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
