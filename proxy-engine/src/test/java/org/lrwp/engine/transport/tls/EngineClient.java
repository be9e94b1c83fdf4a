package org.lrwp.engine.transport.tls;

import org.lrwp.engine.testkit.FakeLink;
import org.lrwp.engine.testkit.FakeLoop;
import org.lrwp.protocol.ProtocolVersion;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;

/**
 * The peer's side of TLS over a link in memory, moved by hand. Texts are one byte per character.
 */
final class EngineClient {
    private static final int ROOM = 512 * 1024;

    private final SSLEngine engine;
    private final FakeLink link;
    private final FakeLoop loop;
    private final ByteBuffer in = ByteBuffer.allocate(ROOM).flip();
    private final StringBuilder got = new StringBuilder();

    EngineClient(SSLContext context, FakeLink link, FakeLoop loop) {
        this.link = link;
        this.loop = loop;
        engine = context.createSSLEngine("127.0.0.1", 1082);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3"});
        parameters.setApplicationProtocols(new String[] {ProtocolVersion.ALPN});
        engine.setSSLParameters(parameters);
    }

    /** Begins the handshake; {@link #records} then has its first message. */
    void begin() throws IOException {
        engine.beginHandshake();
    }

    /** Whether the handshake is over on this side. */
    boolean isOver() {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /** The records that this side wants to send, a text among them. */
    String records(String text) throws IOException {
        ByteBuffer source = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder records = new StringBuilder();
        runTasks();
        while (source.hasRemaining() || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            ByteBuffer out = ByteBuffer.allocate(20_000);
            SSLEngineResult result = engine.wrap(source, out);
            records.append(text(out.flip()));
            if (result.bytesProduced() == 0) {
                break;
            }
            runTasks();
        }
        return records.toString();
    }

    /** The records by which this side ends its output. */
    String closeNotify() throws IOException {
        engine.closeOutbound();
        return records("");
    }

    /** The record by which this side changes its key, and asks for the same. */
    String keyUpdate() throws IOException {
        engine.beginHandshake();
        return records("");
    }

    /** Brings bytes to the other side, in pieces of so many. */
    void deliver(String bytes, int piece) {
        for (int i = 0; i < bytes.length(); i += piece) {
            link.arrives(bytes.substring(i, Math.min(bytes.length(), i + piece)));
            loop.run();
        }
    }

    /** Decrypts what the other side has written; returns all of it that nobody has asked for. */
    String take() throws IOException {
        in.compact().put(link.received().getBytes(StandardCharsets.ISO_8859_1)).flip();
        runTasks();
        boolean more = in.hasRemaining();
        while (more && engine.getHandshakeStatus() != HandshakeStatus.NEED_WRAP) {
            ByteBuffer content = ByteBuffer.allocate(20_000);
            SSLEngineResult result = engine.unwrap(in, content);
            got.append(text(content.flip()));
            runTasks();
            more = in.hasRemaining() && result.getStatus() == SSLEngineResult.Status.OK;
        }
        String text = got.toString();
        if (isOver()) {
            got.setLength(0);
        }
        return text;
    }

    /** Whether the other side has sent close_notify. */
    boolean isEnded() {
        return engine.isInboundDone();
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.ISO_8859_1.decode(bytes).toString();
    }
}
