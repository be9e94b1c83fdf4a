package org.lrwp.protocol;

import org.lrwp.protocol.frame.ContextName;
import org.lrwp.protocol.frame.FrameParser;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.ProxySettings;
import org.lrwp.protocol.frame.RegisteredAnswer;
import org.lrwp.protocol.frame.RequestPayload;

import java.nio.ByteBuffer;
import java.util.Map;

/** Frames in words; what can be encoded again must come back as it was. */
final class FrameWords {
    private static final int ENV_LIMIT = 65_536;

    private FrameWords() {}

    static String said(FrameParser frame) {
        return frame.type()
                + (frame.end() ? " END " : " ")
                + Integer.toUnsignedString(frame.stream())
                + ": "
                + said(frame.type(), frame.payload());
    }

    /** Says what a payload means in a frame of a type. */
    static String said(FrameType type, ByteBuffer payload) {
        return malformedOr(() -> meaning(type, payload));
    }

    private static String meaning(FrameType type, ByteBuffer payload)
            throws MalformedFrameException {
        return switch (type) {
            case SETTINGS -> settings(payload);
            case REGISTER, UNREGISTER -> name(payload);
            case REGISTERED -> answer(payload);
            case REQUEST -> request(payload);
            case RESPONSE, DATA, STARTED, DRAIN -> Cuts.text(payload);
            case REFUSED, CANCEL, ERROR -> Frames.text(payload);
            case WINDOW -> Long.toString(Frames.credit(payload));
            case CAPACITY -> Long.toString(Frames.capacity(payload));
            case PING, PONG -> Long.toHexString(Frames.opaque(payload));
        };
    }

    /** Reads something and says it in words. */
    private interface Reading {
        String words() throws MalformedFrameException;
    }

    private static String malformedOr(Reading reading) {
        try {
            return reading.words();
        } catch (MalformedFrameException e) {
            return "malformed: " + e.getMessage();
        }
    }

    /** A payload may be a peer's or a proxy's. */
    private static String settings(ByteBuffer payload) {
        String peer = malformedOr(() -> peerSettings(payload.duplicate()));
        return peer + " or " + malformedOr(() -> proxySettings(payload.duplicate()));
    }

    private static String peerSettings(ByteBuffer payload) throws MalformedFrameException {
        PeerSettings peer = PeerSettings.parse(payload);
        WireLaws.require(peer.equals(PeerSettings.parse(payloadOf(peer.encode()))));
        return peer.toString();
    }

    private static String proxySettings(ByteBuffer payload) throws MalformedFrameException {
        ProxySettings proxy = ProxySettings.parse(payload);
        WireLaws.require(proxy.equals(ProxySettings.parse(payloadOf(proxy.encode()))));
        return proxy.toString();
    }

    private static ByteBuffer payloadOf(byte[] frame) throws MalformedFrameException {
        var parser = new FrameParser(PeerSettings.MIN_MAX_FRAME);
        WireLaws.require(parser.next(ByteBuffer.wrap(frame)));
        return parser.payload();
    }

    private static String name(ByteBuffer payload) throws MalformedFrameException {
        ContextName name = ContextName.parse(payload.duplicate());
        WireLaws.require(payload.equals(ByteBuffer.wrap(name.encode())));
        WireLaws.require(name.isTooLong() || name.context().equals(name.registration().context()));
        return name + " " + name.context();
    }

    private static String answer(ByteBuffer payload) throws MalformedFrameException {
        RegisteredAnswer answer = RegisteredAnswer.parse(payload);
        WireLaws.require(answer.equals(RegisteredAnswer.parse(payloadOf(answer.encode()))));
        return answer.toString();
    }

    private static String request(ByteBuffer payload) throws MalformedFrameException {
        RequestPayload request = RequestPayload.parse(payload, ENV_LIMIT);
        Map<String, String> environment = request.environment();
        environment.keySet().forEach(name -> WireLaws.require(name.indexOf('=') < 0));
        return environment + " " + Cuts.text(request.body());
    }
}
