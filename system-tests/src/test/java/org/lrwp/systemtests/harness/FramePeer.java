package org.lrwp.systemtests.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * An LRWP 3 peer that does on its connection what the test says, without any code of the proxy. Not
 * for two threads at once.
 */
public final class FramePeer implements AutoCloseable {
    private static final String FF = ScriptedPeer.FF;
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int LONGEST = 65_536;

    private final Wire wire;
    private String proxySettings = "";

    private FramePeer(Wire wire) {
        this.wire = wire;
    }

    /** Dials in and says nothing yet. */
    public static FramePeer dial(int port) throws IOException {
        return new FramePeer(Wire.to(port));
    }

    /** Dials in with a small receive buffer, so that not reading is felt soon. */
    public static FramePeer dialSmall(int port) throws IOException {
        return new FramePeer(Wire.to(port, "127.0.0.1", 4096));
    }

    // ---- Handshake and settings.

    /** Sends the startup string. */
    public void hello(String app, String host) throws IOException {
        wire.send(FF + "3.0" + FF + app + FF + host + FF);
    }

    /** Reads the acknowledgement. */
    public void accepted() throws IOException {
        String answer = Octets.text(wire.read(3));
        if (!answer.equals("OK" + FF)) {
            throw new AssertionError("not accepted: " + answer + Octets.text(wire.readAll()));
        }
    }

    /** Reads the proxy's first frame. */
    public String greeted() throws IOException {
        proxySettings = expect(Frame.SETTINGS, 0).text();
        return proxySettings;
    }

    /** Sends SETTINGS with {@code name=value} for each. */
    public void settings(String... settings) throws IOException {
        var text = new StringBuilder();
        for (String setting : settings) {
            text.append(setting).append('\0');
        }
        send(Frame.of(Frame.SETTINGS, 0, text.toString()));
    }

    /** Registers for every host and says its settings. */
    public FramePeer open(String app, String... settings) throws IOException {
        hello(app, "");
        accepted();
        greeted();
        settings(settings);
        return this;
    }

    /** A setting of the proxy that must be there. */
    public String proxySetting(String name) {
        for (String setting : proxySettings.split("\0", -1)) {
            if (setting.startsWith(name + "=")) {
                return setting.substring(name.length() + 1);
            }
        }
        throw new AssertionError("the proxy says no " + name + ": " + proxySettings);
    }

    // ---- Reading.

    /** Reads the next frame. */
    public Frame frame() throws IOException {
        ByteBuffer head = ByteBuffer.wrap(wire.read(Frame.HEAD));
        int length = head.getInt(0);
        if (length < 0 || length > LONGEST) {
            throw new AssertionError("a frame of " + (length & 0xFFFF_FFFFL) + " octets");
        }
        if (head.getShort(6) != 0) {
            throw new AssertionError("reserved octets are not 0");
        }
        return new Frame(head.get(4), head.get(5), head.getInt(8), wire.read(length));
    }

    /** Reads the next frame, which must be of a type and on a stream. */
    public Frame expect(int type, int stream) throws IOException {
        Frame frame = frame();
        if (frame.type() != type || frame.stream() != stream) {
            throw new AssertionError("not type " + type + " on stream " + stream + ": " + frame);
        }
        return frame;
    }

    /** Reads a REQUEST frame. */
    public StreamedRequest request() throws IOException {
        return StreamedRequest.of(frame());
    }

    /** Reads a REQUEST frame for a path below the context. */
    public StreamedRequest request(String path) throws IOException {
        StreamedRequest request = request();
        if (!request.path().equals(path)) {
            throw new AssertionError("not " + path + " but " + request.path());
        }
        return request;
    }

    /** Reads the rest of a body, and grants what it reads; other streams must be silent. */
    public byte[] body(StreamedRequest request) throws IOException {
        var body = new ByteArrayOutputStream();
        body.writeBytes(request.frame().body());
        boolean end = request.isWhole();
        if (!end && body.size() > 0) {
            window(request.stream(), body.size());
        }
        while (!end) {
            Frame data = expect(Frame.DATA, request.stream());
            body.writeBytes(data.payload());
            end = data.isEnd();
            if (!end && data.payload().length > 0) {
                window(request.stream(), data.payload().length);
            }
        }
        return body.toByteArray();
    }

    /** Whether nothing comes for a time. */
    public boolean isSilent(Duration time) throws IOException {
        return wire.isSilent(time);
    }

    /** Requires an ERROR whose text names something, then the end of the proxy's octets. */
    public String requireError(String part) throws IOException {
        Frame frame = frame();
        while (frame.type() != Frame.ERROR) {
            frame = frame();
        }
        if (frame.stream() != 0 || !frame.text().contains(part)) {
            throw new AssertionError("not an ERROR with \"" + part + "\": " + frame);
        }
        End end = wire.end(PATIENCE);
        if (end != End.FIN) {
            throw new AssertionError("behind the ERROR comes " + end);
        }
        return frame.text();
    }

    /** Requires that the proxy ends the connection in order, whatever frames come before that. */
    public void requireFin() throws IOException {
        wire.readAll();
    }

    /** Requires that the connection goes on: the next frame is the answer to a PING. */
    public void requireAlive() throws IOException {
        ping("12345678");
        Frame frame = expect(Frame.PONG, 0);
        if (!frame.text().equals("12345678")) {
            throw new AssertionError("not the answer to the PING: " + frame);
        }
    }

    // ---- Writing.

    /** Sends frames in one write. */
    public void send(Frame... frames) throws IOException {
        byte[][] octets = new byte[frames.length][];
        for (int i = 0; i < frames.length; i++) {
            octets[i] = frames[i].octets();
        }
        wire.send(Octets.join(octets));
    }

    /** A RESPONSE with a plain text body. */
    public static Frame response(int stream, String body) {
        return Frame.of(Frame.RESPONSE, stream, ScriptedPeer.plain(body));
    }

    /** Answers with plain text in one frame. */
    public void text(int stream, String body) throws IOException {
        send(response(stream, body).ending());
    }

    /** Begins an answer with a head and first octets of its body. */
    public void begin(int stream, String output) throws IOException {
        send(Frame.of(Frame.RESPONSE, stream, output));
    }

    /** Sends more of a body. */
    public void data(int stream, String octets) throws IOException {
        send(Frame.of(Frame.DATA, stream, octets));
    }

    /** Ends a body. */
    public void endData(int stream) throws IOException {
        send(Frame.of(Frame.DATA, stream).ending());
    }

    /** Gives up a slot that the proxy has cancelled. */
    public void endSlot(int stream) throws IOException {
        cancel(stream, "stopped");
    }

    /** Says that a handler is about to run. */
    public void started(int stream) throws IOException {
        send(Frame.of(Frame.STARTED, stream));
    }

    /** Refuses a request. */
    public void refuse(int stream, String reason) throws IOException {
        send(Frame.of(Frame.REFUSED, stream, reason));
    }

    /** Gives a request up. */
    public void cancel(int stream, String reason) throws IOException {
        send(Frame.of(Frame.CANCEL, stream, reason));
    }

    /** Grants octets of a body. */
    public void window(int stream, long octets) throws IOException {
        send(Frame.number(Frame.WINDOW, stream, octets));
    }

    /** Says how many requests at once. */
    public void capacity(long requests) throws IOException {
        send(Frame.number(Frame.CAPACITY, 0, requests));
    }

    /** Says that it leaves. */
    public void drain() throws IOException {
        send(Frame.of(Frame.DRAIN, 0));
    }

    /** Asks for a sign of life. */
    public void ping(String eight) throws IOException {
        send(Frame.of(Frame.PING, 0, eight));
    }

    /** Asks for a context and reads the text of the answer. */
    public String register(String app, String host) throws IOException {
        return ask(Frame.REGISTER, app, host);
    }

    /** Gives a context up and reads the text of the answer. */
    public String unregister(String app, String host) throws IOException {
        return ask(Frame.UNREGISTER, app, host);
    }

    private String ask(int type, String app, String host) throws IOException {
        String names = app + FF + host + FF;
        send(Frame.of(type, 0, names));
        String answer = expect(Frame.REGISTERED, 0).text();
        if (!answer.startsWith(names) || !answer.endsWith(FF)) {
            throw new AssertionError("not the names that were sent: " + answer);
        }
        return answer.substring(names.length(), answer.length() - 1);
    }

    // ---- The end.

    /** The connection itself. */
    public Wire wire() {
        return wire;
    }

    /** Leaves in order: says that nothing more comes, and reads to the end. */
    public void finish() throws IOException {
        wire.halfClose();
        wire.patience(Duration.ofSeconds(5));
        try {
            wire.readAll();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the proxy does not close behind a FIN", e);
        }
        wire.close();
    }

    /** How the proxy ends the connection within the time. */
    public End end(Duration within) throws IOException {
        return wire.end(within);
    }

    /** Ends with RST. */
    public void reset() throws IOException {
        wire.reset();
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
