package org.lrwp.engine.agent;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.agent.RegistrationRules.Candidate;
import org.lrwp.engine.agent.RegistrationRules.Step;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.identity.Principal;
import org.lrwp.engine.time.Deadlines.Deadline;
import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;
import org.lrwp.engine.transport.LinkSecurity;
import org.lrwp.engine.transport.PeerAddress;
import org.lrwp.protocol.Challenge;
import org.lrwp.protocol.ChallengeAnswerParser;
import org.lrwp.protocol.FilterSkipper;
import org.lrwp.protocol.HelloParser;
import org.lrwp.protocol.IdentityClaim;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.KeyChallenge;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;
import org.lrwp.protocol.Registration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * One peer on its way in: docs/protocol.md sections 2, 3, 12 and 17. The link's loop only, but for
 * {@link #evict}.
 *
 * <pre>
 *   HELLO --startup string--> CHALLENGED --right answer--> DONE (the link has a new owner)
 *     |  \--no proof needed--------|---------------------------^
 *     |                            +--wrong answer--> DELAYED
 *     |                            |                     |
 *     +----------------------------+--refused--> REFUSED <+
 *                                                   |
 *                                 input ends, or a second--> CLOSED
 * </pre>
 */
final class Handshake implements LinkEvents {
    private enum State {
        HELLO,
        CHALLENGED,
        DELAYED,
        DONE,
        REFUSED,
        CLOSED
    }

    private static final System.Logger LOG = System.getLogger(Handshake.class.getName());
    private static final long LINGER_NANOS = 1_000_000_000L;

    private final Link link;
    private final Reception reception;
    private final HelloParser hello = new HelloParser();
    private final FilterSkipper filter = new FilterSkipper();
    private final ChallengeAnswerParser answer = new ChallengeAnswerParser();
    private State state = State.HELLO;
    private @Nullable Proof proof;
    private Principal proved = new Principal.Anonymous();
    private @Nullable Deadline deadline;

    /** Says who an answer to a challenge comes from. */
    @FunctionalInterface
    private interface Proof {
        /** Null when it proves nothing. */
        @Nullable Principal of(byte[] answer);
    }

    /** What a handshake needs from the agent. */
    interface Reception {
        RegistrationRules rules();

        RandomGenerator random();

        /** Takes down who is refused. */
        AuditTrail audit();

        /** Tells the log of them. */
        RefusalLines refusals();

        /** Calls back on the link's loop. */
        Deadline after(long nanos, Link link, Runnable task);

        long registrationNanos();

        /** Books a wrong proof; says how long its refusal waits. */
        long pauseNanos(PeerAddress remote);

        /** The peer has said something. */
        void heard(Handshake handshake);

        /** Lets the peer in, and the link is the agent's; or says why not. */
        @Nullable Refusal admit(
                Handshake handshake,
                Link link,
                Registration registration,
                Principal who,
                FilterSkipper filter);

        /** The link is closed. */
        void closed(Handshake handshake);
    }

    Handshake(Link link, Reception reception) {
        this.link = link;
        this.reception = reception;
    }

    /** Makes way for another connection; from any thread. */
    void evict() {
        link.execute(
                () -> {
                    if (state != State.DONE) {
                        close();
                    }
                });
    }

    PeerAddress remote() {
        return link.remote();
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
        if (in.hasRemaining()) {
            reception.heard(this);
        }
        switch (state) {
            case HELLO -> takeHello(in, count < 0);
            case CHALLENGED -> takeAnswer(in, count < 0);
            case DELAYED, REFUSED -> {
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
        if (!isNamed(registration.version())) {
            refuse(Refusal.WRONG_ALPN);
            return;
        }
        switch (reception.rules().first(registration, remote(), certificate())) {
            case Step.Refuse(Refusal refusal, Principal who) -> {
                proved = who;
                refuse(refusal);
            }
            case Step.Admit(Principal who) -> accept(who, registration);
            case Step.ProveSecret(List<Candidate> candidates) ->
                    askForSecret(candidates, registration);
            case Step.ProveKey(IdentityKey key, Optional<Principal.KeyHolder> who) ->
                    askForKey(key, who);
        }
    }

    /** What the peer has shown inside TLS; null for nothing. */
    private @Nullable X509Certificate certificate() {
        LinkSecurity tls = link.security();
        return tls == null || tls.peerCertificates().isEmpty()
                ? null
                : tls.peerCertificates().getFirst();
    }

    /** Whether the version is the one that the peer has named inside TLS. */
    private boolean isNamed(ProtocolVersion version) {
        LinkSecurity tls = link.security();
        return tls == null
                || tls.applicationProtocol().equals(ProtocolVersion.ALPN)
                        == (version == ProtocolVersion.LRWP_3);
    }

    private void askForSecret(List<Candidate> candidates, Registration registration) {
        Challenge challenge = Challenge.create(reception.random());
        boolean multiplexed = registration.version() == ProtocolVersion.LRWP_3;
        challenge(
                challenge.encode(),
                given -> {
                    Principal who = null;
                    for (Candidate one : candidates) {
                        byte[] key = one.secret().key();
                        boolean right =
                                multiplexed
                                        ? challenge.isProvedBy(given, key, registration)
                                        : challenge.isAnsweredBy(given, key);
                        who = right && who == null ? one.who() : who;
                    }
                    return who;
                });
    }

    private void askForKey(IdentityKey key, Optional<Principal.KeyHolder> who) {
        LinkSecurity tls = link.security();
        String certificate = tls == null ? "" : tls.serverCertificateHash();
        var seen = new KeyChallenge.Seen(hello.startup(), HexFormat.of().parseHex(certificate));
        KeyChallenge challenge = KeyChallenge.create(reception.random(), key, seen);
        challenge(
                challenge.encode(),
                given -> challenge.isAnsweredBy(given, key, seen) ? who.orElse(null) : null);
    }

    private void challenge(byte[] bytes, Proof wanted) {
        state = State.CHALLENGED;
        proof = wanted;
        stopTimer();
        startTimer();
        write(bytes);
    }

    private void takeAnswer(ByteBuffer in, boolean ended) {
        try {
            if (answer.feed(in)) {
                Principal who = proof == null ? null : proof.of(answer.answer());
                if (who != null && !in.hasRemaining()) {
                    enter(who, hello.registration());
                } else {
                    wrong();
                }
            } else if (ended) {
                // So does a peer of LRWP 3.1 to which the proxy has shown another key than its own.
                tell("the peer has left at the challenge, maybe as its key is another");
                close();
            }
        } catch (MalformedFrameException e) {
            wrong();
        }
    }

    /** What a proof does not say: where the peer is, and what it may register. */
    private void enter(Principal who, Registration registration) {
        proved = who;
        Refusal refusal = reception.rules().check(who, registration, remote().address());
        if (refusal == null) {
            accept(who, registration);
        } else {
            refuse(refusal);
        }
    }

    /** Guessing costs time, but only whoever guesses. Who does not wait for it is told of too. */
    private void wrong() {
        long pause = reception.pauseNanos(remote());
        if (pause == 0) {
            refuse(Refusal.INCORRECT_RESPONSE);
            return;
        }
        tell(Refusal.INCORRECT_RESPONSE);
        state = State.DELAYED;
        stopTimer();
        deadline = reception.after(pause, link, this::tooLate);
    }

    private void accept(Principal who, Registration registration) {
        proved = who;
        State before = state;
        state = State.DONE;
        link.settle(() -> admit(who, registration, before));
    }

    /** Where the connection is to stay. */
    private void admit(Principal who, Registration registration, State before) {
        Refusal refusal = reception.admit(this, link, registration, who, filter);
        if (refusal == null) {
            stopTimer();
        } else {
            state = before;
            refuse(refusal);
        }
    }

    private void tooLate() {
        switch (state) {
            case HELLO -> {
                hello.endOfInput();
                refuse(hello.refusal());
            }
            case CHALLENGED -> refuse(Refusal.INCORRECT_RESPONSE);
            case DELAYED -> send(Refusal.INCORRECT_RESPONSE);
            case DONE, REFUSED, CLOSED -> {}
        }
    }

    private void refuse(Refusal refusal) {
        tell(refusal);
        send(refusal);
    }

    private void tell(Refusal refusal) {
        tell(refusal.text());
    }

    /** Takes down that the peer is not let in. */
    private void tell(String reason) {
        if (hello.isEmpty()) {
            // Who connects and says nothing most likely only asks whether the port is open.
            LOG.log(System.Logger.Level.DEBUG, "peer-said-nothing peer={0}", remote().text());
            return;
        }
        String context = hello.isComplete() ? hello.registration().context() : "";
        reception.refusals().tell(remote().text(), context, reason, known());
        reception
                .audit()
                .record(AuditEvent.refused(AuditEvent.Action.REGISTER, actor(), context, reason));
    }

    /** Says so to the peer, and closes. */
    private void send(Refusal refusal) {
        state = State.REFUSED;
        stopTimer();
        // An unknown version is named without frame: who sent it cannot be expected to know frames.
        boolean unknown = refusal == Refusal.UNKNOWN_VERSION;
        ProtocolVersion version = unknown ? ProtocolVersion.LRWP_1 : hello.version();
        if (write(refusal.encode(version))) {
            // Closing with unread bytes would reset the connection and lose the text.
            link.shutdownOutput();
            deadline = reception.after(LINGER_NANOS, link, this::close);
        }
    }

    /** Where nobody was proved, what was shown says where to look. */
    private AuditActor actor() {
        X509Certificate shown = certificate();
        return new AuditActor(
                proved.name(),
                remote().text(),
                shown == null ? "" : CertificatePattern.fingerprint(shown));
    }

    /** Who the peer is, else who it says it is; that need not be true. */
    private String known() {
        if (!(proved instanceof Principal.Anonymous)) {
            return proved.name();
        }
        IdentityClaim claim = hello.isComplete() ? hello.registration().claim() : null;
        return claim == null ? "" : claim.name();
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
        reception.closed(this);
    }

    @Override
    public void writable() {
        // Nothing is ever left to write.
    }

    /** Whoever is at its TLS handshake is not silent. */
    @Override
    public void progress() {
        reception.heard(this);
    }
}
