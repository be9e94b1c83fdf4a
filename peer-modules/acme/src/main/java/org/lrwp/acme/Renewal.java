package org.lrwp.acme;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sees to it that there is a certificate, and renews it in time. When an order fails, the pair that
 * is there stays.
 *
 * <pre>
 *              it is due                     installed or failed
 *   WAITING ----------------> ORDERING ------------------------------> WAITING
 *      |                         |
 *      +-------- close() --------+---> CLOSED
 * </pre>
 *
 * <p>Works on the thread of its timer; {@link #close} and {@link #progress} are for any thread.
 */
final class Renewal implements AutoCloseable {
    /** So often the clock is looked at: it may be set, and machines may sleep. */
    private static final Duration LOOK = Duration.ofHours(1);

    private static final System.Logger LOG = System.getLogger(Renewal.class.getName());

    private enum State {
        WAITING,
        ORDERING,
        CLOSED
    }

    /**
     * How far it is.
     *
     * @param end when the certificate ends; null without one
     * @param next when the next order is due
     * @param issued orders that brought a certificate
     * @param failed orders that failed
     * @param failures how many failed since the last one that did not
     * @param lastFailure when the last one failed; null when none has
     */
    record Progress(
            @Nullable Instant end,
            Instant next,
            long issued,
            long failed,
            int failures,
            @Nullable Instant lastFailure) {}

    private final String name;
    private final AcmeConfig config;
    private final CertificateFolder folder;
    private final Issuer issuer;
    private final Timer timer;
    private final InstantSource clock;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile Progress progress;

    Renewal(
            String name,
            AcmeConfig config,
            CertificateFolder folder,
            Issuer issuer,
            Timer timer,
            InstantSource clock) {
        this.name = name;
        this.config = config;
        this.folder = folder;
        this.issuer = issuer;
        this.timer = timer;
        this.clock = clock;
        this.progress = new Progress(null, clock.instant(), 0, 0, 0, null);
    }

    /** Looks at what is there, and begins to wait; blocks on the disk. Once. */
    void start() {
        Instant earliest = clock.instant().plus(config.times().start());
        @Nullable CertifiedKey pair = found();
        Instant due = earliest;
        if (pair != null && pair.isFor(config.names())) {
            Instant wanted = config.renewal().of(pair.certificate());
            due = wanted.isBefore(earliest) ? earliest : wanted;
        }
        progress = new Progress(pair == null ? null : pair.end(), due, 0, 0, 0, null);
        if (pair != null) {
            LOG.log(
                    Level.INFO,
                    "certificate-found module={0} until={1} renew-at={2}",
                    name,
                    pair.end(),
                    seconds(due));
        }
        wait(due);
    }

    private @Nullable CertifiedKey found() {
        try {
            return folder.pair();
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "certificate-unusable module={0} reason=\"{1}\"",
                    name,
                    OneLine.of(e.getMessage()));
            return null;
        }
    }

    Progress progress() {
        return progress;
    }

    private void wait(Instant due) {
        Duration left = Duration.between(clock.instant(), due);
        Duration time = left.isNegative() ? Duration.ZERO : left;
        try {
            timer.after(time.compareTo(LOOK) < 0 ? time : LOOK, this::look);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "renewal-closed module=" + name, e);
        }
    }

    private void look() {
        if (clock.instant().isBefore(progress.next())) {
            wait(progress.next());
        } else if (state.compareAndSet(State.WAITING, State.ORDERING)) {
            order();
            if (state.compareAndSet(State.ORDERING, State.WAITING)) {
                wait(progress.next());
            }
        }
    }

    private void order() {
        LOG.log(
                Level.INFO,
                "certificate-ordered module={0} names={1} directory={2} challenge={3}",
                name,
                String.join(",", config.names()),
                config.directory(),
                config.challenge());
        try {
            CertifiedKey pair = issuer.issue();
            check(pair);
            folder.install(pair);
            installed(pair);
        } catch (Issuer.RefusedException e) {
            failed(e, e.retryAfter());
        } catch (IOException | RuntimeException | LinkageError e) {
            // Whatever went wrong, a class that is missing too, another order must follow.
            failed(e, Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(e, Duration.ZERO);
        }
    }

    private void check(CertifiedKey pair) throws IOException {
        if (!pair.isFor(config.names())) {
            throw new IOException("the certificate lacks names that were ordered");
        }
        if (!clock.instant().isBefore(pair.end())) {
            throw new IOException(
                    "the certificate ended at " + pair.end() + "; is the clock right?");
        }
    }

    private void installed(CertifiedKey pair) {
        Progress before = progress;
        Instant renewal = config.renewal().of(pair.certificate());
        // A clock that is wrong must not make it order again and again.
        Instant earliest = clock.instant().plus(config.backoff().first());
        Instant next = renewal.isBefore(earliest) ? earliest : renewal;
        progress =
                new Progress(
                        pair.end(),
                        next,
                        before.issued() + 1,
                        before.failed(),
                        0,
                        before.lastFailure());
        LOG.log(
                Level.INFO,
                "{0} module={1} until={2} renew-at={3}",
                before.end() == null ? "certificate-issued" : "certificate-renewed",
                name,
                pair.end(),
                seconds(next));
    }

    private void failed(Throwable reason, Duration retryAfter) {
        if (state.get() == State.CLOSED) {
            LOG.log(Level.INFO, "certificate-order-ended module={0} reason=closed", name);
            return;
        }
        Progress before = progress;
        Instant now = clock.instant();
        int failures = before.failures() + 1;
        Instant next = now.plus(config.backoff().after(failures, retryAfter));
        progress =
                new Progress(
                        before.end(), next, before.issued(), before.failed() + 1, failures, now);
        LOG.log(
                Level.WARNING,
                "certificate-failed module={0} reason=\"{1}\" failures={2} next-try={3} until={4}",
                name,
                OneLine.of(reason instanceof IOException ? reason.getMessage() : reason.toString()),
                Integer.toString(failures),
                seconds(next),
                before.end() == null ? "none" : before.end());
        LOG.log(Level.DEBUG, "certificate-failed module=" + name, reason);
    }

    private static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    /** Ends it; an order that is under way is interrupted. Idempotent. */
    @Override
    public void close() {
        state.set(State.CLOSED);
        timer.close();
    }
}
