package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.HandshakeReply;
import org.lrwp.protocol.HandshakeReplyParser;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.Registration;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;

/** Registers a fresh connection: docs/protocol.md sections 2 and 3. */
final class Handshake {
    private final Registration registration;
    private final @Nullable Secret secret;

    Handshake(Registration registration, @Nullable Secret secret) {
        this.registration = registration;
        this.secret = secret;
    }

    /** Returns once the proxy has accepted; octets behind its reply stay in the input. */
    void run(FrameInput in, OutputStream out)
            throws IOException, MalformedFrameException, RefusedException {
        out.write(registration.encode());
        out.flush();
        boolean challenged = false;
        while (true) {
            switch (reply(in)) {
                case HandshakeReply.Accepted() -> {
                    return;
                }
                case HandshakeReply.Refused(String text, _) -> throw new RefusedException(text);
                case HandshakeReply.Challenged(var challenge) -> {
                    if (challenged || secret == null) {
                        throw new MalformedFrameException("a challenge that was not asked for");
                    }
                    challenged = true;
                    out.write(challenge.answer(secret.octets()));
                    out.flush();
                }
            }
        }
    }

    private HandshakeReply reply(FrameInput in) throws IOException, MalformedFrameException {
        HandshakeReplyParser parser = new HandshakeReplyParser(registration.version());
        while (true) {
            HandshakeReply reply = parser.feed(in.arrived());
            if (reply != null) {
                return reply;
            }
            if (!in.fill()) {
                return endOfInput(parser);
            }
        }
    }

    /** A refusal without frame ends with the connection; an end without a word is a loss. */
    private static HandshakeReply endOfInput(HandshakeReplyParser parser) throws EOFException {
        HandshakeReply reply = parser.endOfInput();
        if (reply instanceof HandshakeReply.Refused(String text, _) && text.isEmpty()) {
            throw new EOFException("the proxy closed the connection without an answer");
        }
        return reply;
    }
}
