package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.peer.PeerText;
import org.lrwp.engine.time.Deadlines.Deadline;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.ChallengeAnswerParser;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.HelloParser;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;
import org.lrwp.protocol.Registration;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One peer on its way in: docs/protocol.md sections 2 and 3. The link's loop only.
 *
 * <pre>
 *   HELLO --startup string--> CHALLENGED --right answer--> DONE (the link has a new owner)
 *     |  \--no secret needed--------------------------------^
 *     |                          |
 *     +--------------------------+--refused--> REFUSED --input ends, or a second--> CLOSED
 * </pre>
 */
final class Handshake implements LinkEvents {
    private enum State {
        HELLO,
        CHALLENGED,
        DONE,
        REFUSED,
        CLOSED
    }

    private static final System.Logger LOG = System.getLogger(Handshake.class.getName());
    private static final long LINGER_NANOS = 1_000_000_000L;

    private final Link link;
    private final Reception reception;
    private final boolean overLimit;
    private final HelloParser hello = new HelloParser();
    private final FilterSkipper filter = new FilterSkipper();
    private final ChallengeAnswerParser answer = new ChallengeAnswerParser();
    private State state = State.HELLO;
    private @Nullable Challenge challenge;
    private @Nullable Deadline deadline;

    /** What a handshake needs from the agent. */
    interface Reception {
        RegistrationRules rules();

        /** Takes down who is refused. */
        AuditTrail audit();

        Challenge newChallenge();

        /** Calls back on the link's loop. */
        Deadline after(long nanos, Link link, Runnable task);

        long registrationNanos();

        /** The peer is in; the link is the agent's. */
        void registered(Link link, Registration registration, FilterSkipper filter);

        /** The link is closed. */
        void closed(Link link);
    }

    Handshake(Link link, Reception reception, boolean overLimit) {
        this.link = link;
        this.reception = reception;
        this.overLimit = overLimit;
    }

    void start() {
        link.events(this);
        startTimer();
    }

    /** The startup string has the registration time, and the answer to a challenge once more. */
    private void startTimer() {
        deadline = reception.after(reception.registrationNanos(), link, this::tooLate);
    }

    @Override
    public void readable() {
        ByteBuffer in = link.scratch();
        int count;
        try {
            count = link.read(in);
            while (count > 0 && in.hasRemaining()) {
                count = link.read(in);
            }
        } catch (IOException e) {
            close();
            return;
        }
        in.flip();
        switch (state) {
            case HELLO -> takeHello(in, count < 0);
            case CHALLENGED -> takeAnswer(in, count < 0);
            case REFUSED -> {
                if (count < 0) {
                    close();
                }
            }
            case DONE, CLOSED -> throw new IllegalStateException("the link has no events for us");
        }
    }

    private void takeHello(ByteBuffer in, boolean ended) {
        HelloParser.State now = hello.feed(in);
        if (ended && now != HelloParser.State.COMPLETE) {
            now = hello.endOfInput();
        }
        if (now == HelloParser.State.REFUSED) {
            refuse(hello.refusal());
            if (ended) {
                // Nothing is unread, so nothing can overtake the text.
                close();
            }
        } else if (now == HelloParser.State.COMPLETE) {
            boolean multiplexed = hello.registration().version() == ProtocolVersion.LRWP_3;
            // A 3.x peer says nothing more before the acknowledgement; older ones may send a
            // filter.
            if (multiplexed ? !in.hasRemaining() : filter.skip(in)) {
                judge(hello.registration());
            } else {
                refuse(Refusal.MALFORMED_STARTUP);
            }
        }
    }

    private void judge(Registration registration) {
        Refusal refusal =
                overLimit
                        ? Refusal.OUT_OF_RESOURCES
                        : reception.rules().check(registration, link.remote().getAddress());
        if (refusal != null) {
            refuse(refusal);
        } else if (reception.rules().secret(registration) != null) {
            state = State.CHALLENGED;
            challenge = reception.newChallenge();
            stopTimer();
            startTimer();
            write(challenge.encode());
        } else {
            accept(registration);
        }
    }

    private void takeAnswer(ByteBuffer in, boolean ended) {
        try {
            if (answer.feed(in)) {
                Registration registration = hello.registration();
                Secret secret = reception.rules().secret(registration);
                boolean right = secret != null && isRight(registration, secret);
                if (right && !in.hasRemaining()) {
                    accept(registration);
                } else {
                    refuse(Refusal.INCORRECT_RESPONSE);
                }
            } else if (ended) {
                close();
            }
        } catch (MalformedFrameException e) {
            refuse(Refusal.INCORRECT_RESPONSE);
        }
    }

    private boolean isRight(Registration registration, Secret secret) {
        if (challenge == null) {
            return false;
        }
        return registration.version() == ProtocolVersion.LRWP_3
                ? challenge.isProvedBy(answer.answer(), secret.key(), registration)
                : challenge.isAnsweredBy(answer.answer(), secret.key());
    }

    private void accept(Registration registration) {
        state = State.DONE;
        stopTimer();
        reception.registered(link, registration, filter);
    }

    private void tooLate() {
        switch (state) {
            case HELLO -> {
                hello.endOfInput();
                refuse(hello.refusal());
            }
            case CHALLENGED -> refuse(Refusal.INCORRECT_RESPONSE);
            case DONE, REFUSED, CLOSED -> {}
        }
    }

    private void refuse(Refusal refusal) {
        state = State.REFUSED;
        stopTimer();
        // Who connects and says nothing most likely only asks whether the port is open.
        LOG.log(
                hello.isEmpty() ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                "registration-refused peer={0} context={1} reason=\"{2}\"",
                link.remote().getAddress().getHostAddress() + ":" + link.remote().getPort(),
                hello.isComplete() ? PeerText.escape(hello.registration().context()) : "-",
                refusal.text());
        if (!hello.isEmpty()) {
            reception
                    .audit()
                    .record(
                            AuditEvent.refused(
                                    AuditEvent.Action.REGISTER,
                                    AuditActor.anonymous(link.remote()),
                                    hello.isComplete() ? hello.registration().context() : "",
                                    refusal.text()));
        }
        // An unknown version is named without frame: who sent it cannot be expected to know frames.
        boolean unknown = refusal == Refusal.UNKNOWN_VERSION;
        ProtocolVersion version = unknown ? ProtocolVersion.LRWP_1 : hello.version();
        if (write(refusal.encode(version))) {
            // Closing with unread bytes would reset the connection and lose the text.
            link.shutdownOutput();
            deadline = reception.after(LINGER_NANOS, link, this::close);
        }
    }

    private boolean write(byte[] bytes) {
        try {
            // A fresh connection takes a few bytes at once; one that does not is not worth more.
            if (link.write(new ByteBuffer[] {ByteBuffer.wrap(bytes)}) == bytes.length) {
                return true;
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "handshake-write-failed", e);
        }
        close();
        return false;
    }

    private void stopTimer() {
        if (deadline != null) {
            deadline.cancel();
        }
    }

    private void close() {
        if (state == State.CLOSED) {
            return;
        }
        stopTimer();
        state = State.CLOSED;
        link.close();
        reception.closed(link);
    }

    @Override
    public void writable() {
        // Nothing is ever left to write.
    }
}
