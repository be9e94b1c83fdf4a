package org.lrwp.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * An LRWP 3 peer that does on its connection what the test says, without any code of the proxy. Not
 * for two threads at once.
 */
public final class FramePeer extends FrameEnd {
    private static final String FF = ScriptedPeer.FF;
    private static final Duration HELD_BACK = Duration.ofMillis(400);
    private static final int CHUNK = 16_384;
    private static final long MOST = 100_000_000;

    private String proxySettings = "";

    private FramePeer(Wire wire) {
        super(wire);
    }

    /** Dials in and says nothing yet. */
    public static FramePeer dial(int port) throws IOException {
        return new FramePeer(Wire.to(port));
    }

    /** Speaks on a connection that has been made in another way, such as inside TLS. */
    public static FramePeer over(Wire wire) {
        return new FramePeer(wire);
    }

    /** Dials in with a small receive buffer, so that not reading is felt soon. */
    public static FramePeer dialSmall(int port) throws IOException {
        return new FramePeer(Wire.to(port, "127.0.0.1", 4096));
    }

    // ---- Handshake and settings.

    /** Sends the startup string. */
    public FramePeer hello(String app, String host) throws IOException {
        wire().send(FF + "3.0" + FF + app + FF + host + FF);
        return this;
    }

    /** Reads the acknowledgement. */
    public void accepted() throws IOException {
        String answer = Bytes.text(wire().read(3));
        if (!answer.equals("OK" + FF)) {
            throw new AssertionError("not accepted: " + answer + Bytes.text(wire().readAll()));
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
        hello(app, "").admitted().settings(settings);
        return this;
    }

    /** Reads the acknowledgement and the proxy's first frame. */
    public FramePeer admitted() throws IOException {
        accepted();
        greeted();
        return this;
    }

    /** Requires that the proxy refuses it with a text. */
    public void requireRejected(String text) throws IOException {
        String answer = Bytes.text(wire().readAll());
        if (!answer.equals("REJECTED" + FF + text + FF)) {
            throw new AssertionError("not refused with \"" + text + "\": " + answer);
        }
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

    /** Reads frames of a body up to its last one, or to the frame that comes in its place. */
    public Frame lastOfBody() throws IOException {
        Frame frame = frame();
        while (frame.type() == Frame.DATA && !frame.isEnd()) {
            frame = frame();
        }
        return frame;
    }

    /** Waits until bytes are there to be read. */
    public void awaitBytes() throws IOException {
        if (isSilent(Duration.ofSeconds(10))) {
            throw new AssertionError("nothing comes");
        }
    }

    /** Reads WINDOW frames until an answer to a PING. */
    public void skipWindows(int stream) throws IOException {
        ping("windows?");
        Frame frame = frame();
        while (frame.type() == Frame.WINDOW && frame.stream() == stream) {
            frame = frame();
        }
        if (frame.type() != Frame.PONG) {
            throw new AssertionError("not a WINDOW: " + frame);
        }
    }

    /** Requires that the proxy ends the connection in order, whatever frames come before that. */
    public void requireFin() throws IOException {
        wire().readAll();
    }

    // ---- Writing.

    /** A RESPONSE with a plain text body. */
    public static Frame response(int stream, String body) {
        return Frame.of(Frame.RESPONSE, stream, ScriptedPeer.plain(body));
    }

    /** Answers with plain text in one frame. */
    public void text(int stream, String body) throws IOException {
        send(response(stream, body).ending());
    }

    /** Begins an answer with a head and first bytes of its body. */
    public void begin(int stream, String output) throws IOException {
        send(Frame.of(Frame.RESPONSE, stream, output));
    }

    /** Sends bytes on a stream until the proxy grants no more; returns how many. */
    public long sendUntilHeldBack(int stream, long window) throws IOException {
        long credit = window;
        long sent = 0;
        while (sent < MOST) {
            while (credit > 0) {
                int count = (int) Math.min(CHUNK, credit);
                send(Frame.of(Frame.DATA, stream, new byte[count]));
                credit -= count;
                sent += count;
            }
            if (isSilent(HELD_BACK)) {
                return sent;
            }
            credit += expect(Frame.WINDOW, stream).number();
        }
        throw new AssertionError("the proxy takes bytes without end");
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

    /** Says how many requests at once. */
    public void capacity(long requests) throws IOException {
        send(Frame.number(Frame.CAPACITY, 0, requests));
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

    /** Leaves in order: says that nothing more comes, and reads to the end. */
    public void finish() throws IOException {
        wire().halfClose();
        wire().patience(Duration.ofSeconds(5));
        try {
            wire().readAll();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the proxy does not close behind a FIN", e);
        }
        wire().close();
    }
}
