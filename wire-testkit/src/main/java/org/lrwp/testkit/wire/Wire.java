package org.lrwp.testkit.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;

/**
 * A TCP connection with a read limit, whose ends can be told apart. Not for two threads at once.
 */
public final class Wire implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Socket socket;
    private final PushbackInputStream in;
    private final OutputStream out;

    private Wire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new PushbackInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** Connects to a loopback port. */
    public static Wire to(int port) throws IOException {
        return to(port, "127.0.0.1", 0);
    }

    /**
     * Connects to a loopback port.
     *
     * @param from the local address
     * @param receiveBuffer bytes the kernel keeps for a reader that does not read; 0 = its choice
     */
    public static Wire to(int port, String from, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
            return new Wire(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** A connection that has come in. */
    public static Wire over(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return new Wire(socket);
    }

    /** Connects to a loopback port that speaks TLS. */
    public static Wire secure(int port) throws IOException {
        return new Wire(to(port).secured());
    }

    private Socket secured() throws IOException {
        return TrustAll.context()
                .getSocketFactory()
                .createSocket(socket, "127.0.0.1", socket.getPort(), true);
    }

    /** The local port. */
    public int localPort() {
        return socket.getLocalPort();
    }

    /** How long a read may take. */
    public void patience(Duration time) throws SocketException {
        socket.setSoTimeout((int) Math.max(1, time.toMillis()));
    }

    /** Sends all bytes. */
    public void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends a text in ISO 8859-1. */
    public void send(String text) throws IOException {
        send(Bytes.of(text));
    }

    /** Sends bytes one at a time. */
    public void sendSingly(byte[] bytes) throws IOException {
        for (byte value : bytes) {
            send(new byte[] {value});
        }
    }

    /** Reads exactly so many bytes. */
    public byte[] read(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("ended after " + bytes.length + " bytes of " + count);
        }
        return bytes;
    }

    /** Reads one byte, -1 at the end. */
    public int read() throws IOException {
        return in.read();
    }

    /** Whether bytes have arrived that are not yet read. */
    public boolean hasBytes() throws IOException {
        return in.available() > 0;
    }

    /** Reads what is there, at most so many bytes; nothing at the end. */
    public byte[] readSome(int atMost) throws IOException {
        byte[] bytes = new byte[atMost];
        int count = in.read(bytes);
        return count <= 0 ? new byte[0] : Arrays.copyOf(bytes, count);
    }

    /** Reads to the end. */
    public byte[] readAll() throws IOException {
        return in.readAllBytes();
    }

    /** How the other side ends within the time. */
    public End end(Duration within) throws IOException {
        int before = socket.getSoTimeout();
        patience(within);
        try {
            return in.read() < 0 ? End.FIN : End.BYTES;
        } catch (SocketTimeoutException e) {
            return End.OPEN;
        } catch (SocketException e) {
            return End.RESET;
        } finally {
            if (!socket.isClosed()) {
                socket.setSoTimeout(before);
            }
        }
    }

    /** Requires that the other side ends it now, in order or not. */
    public void requireEnd() throws IOException {
        End end = end(PATIENCE);
        if (end != End.FIN && end != End.RESET) {
            throw new AssertionError("the other side has not ended it: " + end);
        }
    }

    /** Whether neither bytes nor an end come within the time; bytes stay to be read. */
    public boolean isSilent(Duration time) throws IOException {
        int before = socket.getSoTimeout();
        patience(time);
        try {
            int value = in.read();
            if (value >= 0) {
                in.unread(value);
            }
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } finally {
            socket.setSoTimeout(before);
        }
    }

    /** Says that nothing more comes, and goes on reading. */
    public void halfClose() throws IOException {
        socket.shutdownOutput();
    }

    /** Ends with RST. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Ends with FIN, or with RST when bytes are unread. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
