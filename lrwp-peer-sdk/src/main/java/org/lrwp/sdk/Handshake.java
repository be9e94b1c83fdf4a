package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.HandshakeReply;
import org.lrwp.protocol.HandshakeReplyParser;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.KeyChallenge;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;

/**
 * Registers a fresh connection: docs/protocol.md sections 2, 3, 12 and 17. A refusal without frame,
 * a bare {@code OK} and silence are what older servers say to a startup string of 2.x or 3.x.
 */
final class Handshake {
    private final Registration registration;
    private final @Nullable Secret secret;
    private final @Nullable IdentityKey key;

    Handshake(Registration registration, @Nullable Secret secret, @Nullable IdentityKey key) {
        this.registration = registration;
        this.secret = secret;
        this.key = key;
    }

    /** Returns once the proxy has accepted; bytes behind its reply stay in the input. */
    void run(FrameInput in, ProxySocket proxy)
            throws IOException, MalformedFrameException, RefusedException, OlderProxyException {
        OutputStream out = proxy.output();
        byte[] startup = registration.encode();
        out.write(startup);
        out.flush();
        boolean challenged = false;
        if (key != null) {
            var seen = new KeyChallenge.Seen(startup, proxy.certificateHash());
            out.write(proof(reply(in, false), key, seen));
            out.flush();
            challenged = true;
        }
        while (true) {
            HandshakeReply reply = reply(in, challenged);
            if (reply instanceof HandshakeReply.Accepted) {
                return;
            } else if (reply instanceof HandshakeReply.Refused refused) {
                if (refused.framed() || challenged || isOldest()) {
                    throw new RefusedException(refused.text());
                }
                throw new OlderProxyException(registration.version(), refused.text());
            }
            if (challenged || secret == null) {
                throw new MalformedFrameException("a challenge that was not asked for");
            }
            challenged = true;
            out.write(answer(reply, secret));
            out.flush();
        }
    }

    /**
     * A proxy that does not show that it has the key gets no proof, and no other handshake: whoever
     * stands in between could else make the peer forget its key.
     */
    private static byte[] proof(HandshakeReply reply, IdentityKey key, KeyChallenge.Seen seen)
            throws RefusedException {
        if (reply instanceof HandshakeReply.Refused refused) {
            throw new RefusedException(refused.text());
        } else if (reply instanceof HandshakeReply.KeyChallenged asked) {
            if (asked.challenge().isFromProxyWith(key, seen)) {
                return asked.challenge().answer(key, seen);
            }
            throw new RefusedException("the proxy does not have the key of this identity");
        }
        throw new RefusedException("the proxy does not ask for the key, as LRWP 3.1 does");
    }

    private boolean isOldest() {
        return registration.version() == ProtocolVersion.LRWP_1;
    }

    private byte[] answer(HandshakeReply reply, Secret key) throws MalformedFrameException {
        if (!(reply instanceof HandshakeReply.Challenged asked)) {
            throw new MalformedFrameException("a key challenge that was not asked for");
        }
        Challenge challenge = asked.challenge();
        return registration.version() == ProtocolVersion.LRWP_3
                ? challenge.proof(key.bytes(), registration)
                : challenge.answer(key.bytes());
    }

    private HandshakeReply reply(FrameInput in, boolean challenged)
            throws IOException, MalformedFrameException, OlderProxyException {
        HandshakeReplyParser parser = new HandshakeReplyParser(registration.version());
        try {
            while (true) {
                HandshakeReply reply = parser.feed(in.arrived());
                if (reply != null) {
                    return reply;
                }
                if (!in.fill()) {
                    return endOfInput(parser);
                }
            }
        } catch (SocketTimeoutException e) {
            if (challenged || isOldest() || key != null) {
                throw e;
            }
            throw new OlderProxyException(registration.version(), e);
        }
    }

    /** A refusal without frame ends with the connection; an end without a word is a loss. */
    private static HandshakeReply endOfInput(HandshakeReplyParser parser) throws EOFException {
        HandshakeReply reply = parser.endOfInput();
        if (reply instanceof HandshakeReply.Refused refused && refused.text().isEmpty()) {
            throw new EOFException("the proxy closed the connection without an answer");
        }
        return reply;
    }
}
