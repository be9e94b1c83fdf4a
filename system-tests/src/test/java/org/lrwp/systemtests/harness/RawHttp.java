package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.Bytes;
import org.lrwp.testkit.wire.End;
import org.lrwp.testkit.wire.Wire;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An HTTP/1.1 client that sends bytes as told and reads answers strictly. */
public final class RawHttp implements AutoCloseable {
    private final Wire wire;
    private final String host;
    private boolean toldToClose;

    private RawHttp(Wire wire, String host) {
        this.wire = wire;
        this.host = host;
    }

    /** Connects to a loopback port. */
    public static RawHttp to(int port) throws IOException {
        return new RawHttp(Wire.to(port), "127.0.0.1:" + port);
    }

    /** Connects to a loopback port that speaks TLS. */
    public static RawHttp secure(int port) throws IOException {
        return new RawHttp(Wire.secure(port), "127.0.0.1:" + port);
    }

    /** Connects with a small receive buffer, so that not reading is felt soon. */
    public static RawHttp slowReader(int port) throws IOException {
        return new RawHttp(Wire.to(port, "127.0.0.1", 4096), "127.0.0.1:" + port);
    }

    /** Connects from a local address. */
    public static RawHttp from(String address, int port) throws IOException {
        return new RawHttp(Wire.to(port, address, 0), "127.0.0.1:" + port);
    }

    /** The connection itself. */
    public Wire wire() {
        return wire;
    }

    /** The head of a request with Host and further lines, each without its end. */
    public String head(String method, String target, String... lines) {
        StringBuilder head = new StringBuilder();
        head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: ").append(host);
        head.append("\r\n");
        for (String line : lines) {
            head.append(line).append("\r\n");
        }
        return head.append("\r\n").toString();
    }

    /** Sends text as it is. */
    public void send(String text) throws IOException {
        wire.send(text);
    }

    /** Sends a request without body. */
    public void request(String method, String target, String... lines) throws IOException {
        wire.send(head(method, target, lines));
    }

    /** Sends a request with a body of known length, in one write. */
    public void post(String target, byte[] body, String... lines) throws IOException {
        send("POST", target, body, lines);
    }

    /** Sends a request of any method with a body of known length, in one write. */
    public void send(String method, String target, byte[] body, String... lines)
            throws IOException {
        String[] all = new String[lines.length + 1];
        all[0] = "Content-Length: " + body.length;
        System.arraycopy(lines, 0, all, 1, lines.length);
        wire.send(Bytes.join(Bytes.of(head(method, target, all)), body));
    }

    /** Sends a GET and reads its answer. */
    public HttpAnswer get(String target, String... lines) throws IOException {
        request("GET", target, lines);
        return answer();
    }

    /** Reads the next final answer, for any request but HEAD. */
    public HttpAnswer answer() throws IOException {
        return answer(false);
    }

    /** Reads the next final answer to a HEAD. */
    public HttpAnswer answerToHead() throws IOException {
        return answer(true);
    }

    private HttpAnswer answer(boolean toHead) throws IOException {
        while (true) {
            String statusLine = line();
            if (!statusLine.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
                throw new AssertionError("not a status line: " + statusLine);
            }
            List<Map.Entry<String, String>> fields = fields();
            if (statusLine.charAt(9) == '1') {
                continue;
            }
            HttpAnswer answer = body(statusLine, fields, toHead);
            toldToClose = answer.saysClose();
            return answer;
        }
    }

    /** Whether the last answer said that the server closes the connection. */
    public boolean isToldToClose() {
        return toldToClose;
    }

    private HttpAnswer body(String line, List<Map.Entry<String, String>> fields, boolean toHead)
            throws IOException {
        HttpAnswer head = new HttpAnswer(line, fields, HttpAnswer.Framing.NONE, new byte[0]);
        if (toHead || head.status() == 204 || head.status() == 304) {
            return head;
        }
        if (head.value("Transfer-Encoding").isPresent()) {
            return new HttpAnswer(line, fields, HttpAnswer.Framing.CHUNKS, chunks());
        }
        var length = head.value("Content-Length");
        if (length.isPresent()) {
            byte[] body = wire.read(Integer.parseInt(length.get()));
            return new HttpAnswer(line, fields, HttpAnswer.Framing.LENGTH, body);
        }
        return new HttpAnswer(line, fields, HttpAnswer.Framing.CLOSE, wire.readAll());
    }

    private List<Map.Entry<String, String>> fields() throws IOException {
        List<Map.Entry<String, String>> fields = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new AssertionError("not a field: " + line);
            }
            fields.add(Map.entry(line.substring(0, colon), line.substring(colon + 1).strip()));
        }
        return fields;
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        while (true) {
            int size = Integer.parseInt(line().replaceAll(";.*", "").strip(), 16);
            body.writeBytes(wire.read(size));
            if (size == 0) {
                fields();
                return body.toByteArray();
            }
            if (!line().isEmpty()) {
                throw new AssertionError("a chunk without its end");
            }
        }
    }

    /** Reads the rest of a head, and gives the chunked body after it as it comes. */
    public InputStream unchunked() throws IOException {
        fields();
        return new ChunkedBody(this);
    }

    /** Reads a line to its CR LF. */
    public String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int unit = wire.read();
            if (unit < 0) {
                throw new EOFException("ended within a line: " + line);
            }
            if (unit == '\n') {
                if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
                    throw new AssertionError("a line without CR: " + line);
                }
                line.setLength(line.length() - 1);
                return line.toString();
            }
            line.append((char) unit);
        }
    }

    /** How the server ends the connection within the time. */
    public End end(Duration within) throws IOException {
        return wire.end(within);
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
