package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.peer.ContextRegistrar;
import org.lrwp.engine.peer.Lrwp3Config;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.Refusal;
import org.lrwp.protocol.frame.ContextName;
import org.lrwp.protocol.frame.FrameParser;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.PeerSettings;
import org.lrwp.protocol.frame.RegisteredAnswer;

import java.nio.ByteBuffer;

/**
 * Takes the frames of an LRWP 3 peer: docs/protocol.md sections 13 to 15. The link's loop only.
 *
 * <p>Every rule that a peer can break for the whole connection is checked here or in {@link
 * PeerStream}; breaking one is a {@link MalformedFrameException}, which ends the connection.
 */
final class FrameReceiver {
    /** Frames that may wait for a peer that asks for more and takes none. */
    private static final int MOST_UNREAD = 1_000;

    private final Lrwp3Connection connection;
    private final @Nullable ServedContext first;
    private final Lrwp3Config config;
    private final ContextRegistrar registrar;
    private final FrameParser parser;
    private final AnswerHeads heads = new AnswerHeads();
    private final ContextSet contexts = new ContextSet();
    private final RegistrationTurns turns;

    FrameReceiver(
            Lrwp3Connection connection,
            @Nullable ServedContext first,
            Lrwp3Config config,
            ContextRegistrar registrar) {
        this.connection = connection;
        this.first = first;
        this.config = config;
        this.registrar = registrar;
        this.parser = new FrameParser(config.settings().maxFrame());
        this.turns = new RegistrationTurns(new Desk(), Math.max(MOST_UNREAD, config.maxContexts()));
    }

    /** Answers registrations when their turn has come. */
    private final class Desk implements RegistrationTurns.Desk {
        @Override
        public void answer(ContextName name, boolean register) {
            String text = register ? judge(name) : withdraw(name);
            connection.answer(new RegisteredAnswer(name, text).encode());
            if (register && text.isEmpty()) {
                connection.slots().slotFree();
            }
        }

        @Override
        public long now() {
            return connection.now();
        }

        @Override
        public void callAfter(long nanos) {
            connection.after(
                    nanos,
                    () -> {
                        if (connection.state().isListening()) {
                            turns.run();
                        }
                    });
        }

        @Override
        public void reading(boolean on) {
            connection.link().reading(on);
        }
    }

    /**
     * Takes bytes, however they are cut; what comes behind the end of the connection is dropped.
     */
    void take(ByteBuffer in) throws MalformedFrameException {
        turns.begin();
        while (parser.next(in)) {
            if (!connection.state().isListening()) {
                return;
            }
            FrameType type = parser.type();
            if (connection.state() == Lrwp3State.GREETING) {
                greet(type);
            } else {
                dispatch(type);
            }
        }
    }

    /** Registers what the startup string asked for; its requests wait for the SETTINGS. */
    void registerFirst() {
        if (first != null) {
            // Its answer has been given; it counts for those that follow.
            registrar.turnNanos();
            add(first);
        }
    }

    private void greet(FrameType type) throws MalformedFrameException {
        if (type != FrameType.SETTINGS) {
            throw new MalformedFrameException(type + " before SETTINGS");
        }
        connection.opened(PeerSettings.parse(parser.payload()));
        registrar.opened(connection);
        connection.slots().slotFree();
    }

    private void dispatch(FrameType type) throws MalformedFrameException {
        ByteBuffer payload = parser.payload();
        switch (type) {
            case SETTINGS -> throw new MalformedFrameException("a second SETTINGS");
            case REGISTER -> register(ContextName.parse(payload));
            case UNREGISTER -> unregister(ContextName.parse(payload));
            case CAPACITY -> connection.capacity(Frames.capacity(payload));
            case DRAIN -> connection.drained();
            case PING -> ping(payload);
            case PONG -> Frames.opaque(payload);
            case ERROR -> connection.peerError(Frames.text(payload));
            case REGISTERED, REQUEST ->
                    throw new MalformedFrameException(type + " is for the proxy only");
            case RESPONSE, DATA, STARTED, REFUSED, CANCEL, WINDOW -> stream(type, payload);
        }
    }

    private void stream(FrameType type, ByteBuffer payload) throws MalformedFrameException {
        PeerStream stream = connection.streams().get(parser.stream());
        if (stream == null) {
            boolean late = type == FrameType.WINDOW || type == FrameType.CANCEL;
            if (late && connection.streams().wasTunnel(parser.stream())) {
                return;
            }
            throw new MalformedFrameException(
                    type
                            + " on stream "
                            + Integer.toUnsignedString(parser.stream())
                            + ", which is not open");
        }
        switch (type) {
            case RESPONSE -> stream.response(payload, parser.end(), heads);
            case DATA -> stream.data(payload, parser.end());
            case STARTED -> {
                if (connection.peer().started()) {
                    stream.started();
                }
            }
            case REFUSED -> stream.refused(Frames.text(payload));
            case CANCEL -> stream.cancelledByPeer(Frames.text(payload));
            default -> stream.window(Frames.credit(payload));
        }
    }

    private void ping(ByteBuffer payload) throws MalformedFrameException {
        checkReading("PING");
        connection.out().addUrgent(OutFrame.of(Frames.pong(payload)));
        connection.flushSoon();
    }

    private void checkReading(String type) throws MalformedFrameException {
        if (connection.writer().isStuckWith(MOST_UNREAD)) {
            throw new MalformedFrameException(
                    type + " while " + MOST_UNREAD + " frames wait unread");
        }
    }

    private void register(ContextName asked) throws MalformedFrameException {
        checkReading("REGISTER");
        turns.take(asked, true, registrar.turnNanos());
    }

    /** Why a name can be nobody's; empty when it can. */
    private static String fault(ContextName asked) {
        if (asked.isEmpty()) {
            return "ERROR: Empty application name";
        }
        return asked.isTooLong() ? Refusal.COMPONENT_TOO_LONG.text() : "";
    }

    private String judge(ContextName asked) {
        String fault = fault(asked);
        if (!fault.isEmpty()) {
            return fault;
        }
        var wanted = new ServedContext(asked.context(), asked.virtualHost());
        if (connection.state() != Lrwp3State.OPEN) {
            return "ERROR: The connection drains";
        }
        return add(wanted);
    }

    /** Registers a context; returns why not, empty when it is done. */
    private String add(ServedContext wanted) {
        if (contexts.contains(wanted)) {
            return "";
        }
        if (contexts.size() >= config.maxContexts()) {
            return "ERROR: More than " + config.maxContexts() + " contexts on one connection";
        }
        String refusal = registrar.register(connection, wanted);
        if (refusal != null) {
            return refusal;
        }
        contexts.add(wanted);
        return "";
    }

    private void unregister(ContextName asked) throws MalformedFrameException {
        checkReading("UNREGISTER");
        turns.take(asked, false, 0);
    }

    /** Gives a context up; returns why not, empty when it is done. */
    private String withdraw(ContextName asked) {
        String text = fault(asked);
        if (text.isEmpty()) {
            var given = new ServedContext(asked.context(), asked.virtualHost());
            if (contexts.remove(given)) {
                registrar.unregister(connection, given);
            }
        }
        return text;
    }

    /** Whether the input may end here. */
    boolean isBetweenFrames() {
        return !parser.isInsideFrame();
    }

    /** What the connection serves. */
    ContextSet contexts() {
        return contexts;
    }
}
