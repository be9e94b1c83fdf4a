package org.lrwp.engine.context;

import org.lrwp.engine.peer.PeerConnection;
import org.lrwp.engine.time.Deadlines;
import org.lrwp.engine.time.NanoClock;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Which peers of a context answer badly, and get nothing for a while, then little. A peer is a
 * process, whatever the number of its connections. Envoy calls it outlier detection.
 *
 * <pre>
 *   COUNTED --bad answers in a row--> OUT --its time--> RETURNING --slow start--> COUNTED
 * </pre>
 *
 * <p>Only peers that have answered badly are in the books: while all is well a request costs one
 * look at an empty map. Thread-safe; never blocks.
 */
final class PeerHealth {
    private static final System.Logger LOG = System.getLogger(PeerHealth.class.getName());
    private static final int LONGEST = 10;
    private static final int STEPS = 10;

    private enum State {
        COUNTED,
        OUT,
        RETURNING
    }

    /** What is known of one peer; changed under the lock. */
    private static final class Book {
        private volatile State state = State.COUNTED;
        private volatile long since;
        private int bad;
        private int times;
    }

    private final String context;
    private final NanoClock clock;
    private final Deadlines deadlines;
    private final Runnable whenMore;
    private final LongAdder ejections = new LongAdder();
    private final Map<Object, Book> books = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile HealthConfig config;
    private volatile PeerConnection[] connections = {};

    /** whenMore: called when requests that wait may find a slot that was kept from them. */
    PeerHealth(
            String context,
            HealthConfig config,
            NanoClock clock,
            Deadlines deadlines,
            Runnable whenMore) {
        this.context = context;
        this.config = config;
        this.clock = clock;
        this.deadlines = deadlines;
        this.whenMore = whenMore;
    }

    /** Changes the limits; off brings all back. */
    void limit(HealthConfig next) {
        config = next;
        if (next.isOff() && !books.isEmpty()) {
            books.clear();
            whenMore.run();
        }
    }

    /** Those that serve the context, or their weights, have changed; under the context's lock. */
    void serving(PeerConnection[] now) {
        connections = now;
        if (books.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            books.keySet().retainAll(peers(one -> true));
            Set<Object> peers = peers(PeerHealth::isWeighted);
            // The fewer there are the fewer may be out.
            List<Book> out = out(peers);
            for (int i = 0; out.size() - i > most(peers.size()); i++) {
                comesBack(out.get(i));
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- What peers do.

    /** Books an answer, or what came instead of one. */
    void answered(Object peer, boolean good) {
        HealthConfig limits = config;
        if (limits.isOff() || (good && books.isEmpty())) {
            return;
        }
        Book book = good ? books.get(peer) : books.computeIfAbsent(peer, one -> new Book());
        if (book == null || book.state == State.OUT) {
            return;
        }
        boolean out = false;
        lock.lock();
        try {
            if (!good) {
                book.bad++;
                out = book.bad >= limits.badAnswers() && mayGo(peer, book);
            } else if (isWellAgain(book, limits)) {
                books.remove(peer);
            } else {
                book.bad = 0;
            }
            if (out) {
                goes(peer, book, limits);
            }
        } finally {
            lock.unlock();
        }
        if (out) {
            // Those that waited for this peer alone need wait no longer.
            whenMore.run();
        }
    }

    /** It has answered well for as long as it was out the first time. */
    private boolean isWellAgain(Book book, HealthConfig limits) {
        return book.state == State.COUNTED
                && (book.times == 0 || clock.nanos() - book.since >= limits.time().toNanos());
    }

    private boolean mayGo(Object peer, Book book) {
        Set<Object> peers = peers(PeerHealth::isWeighted);
        return book.state != State.OUT
                && peers.contains(peer)
                && out(peers).size() < most(peers.size());
    }

    /** One always stays, if there is one. */
    private int most(int peers) {
        return Math.max(0, Math.min(peers * config.mostPercent() / 100, peers - 1));
    }

    private void goes(Object peer, Book book, HealthConfig limits) {
        book.state = State.OUT;
        book.since = clock.nanos();
        book.times = Math.min(book.times + 1, LONGEST);
        ejections.increment();
        long nanos = limits.time().toNanos() * book.times;
        log("peer-ejected", peer, " bad-answers=" + book.bad + " seconds=" + nanos / 1_000_000_000);
        long mark = book.since;
        deadlines.after(nanos, () -> returns(peer, book, mark));
    }

    // ---- They come back.

    private void returns(Object peer, Book book, long mark) {
        lock.lock();
        try {
            if (book.state != State.OUT || book.since != mark) {
                return;
            }
            comesBack(book);
            log("peer-returns", peer, "");
        } finally {
            lock.unlock();
        }
        whenMore.run();
    }

    private void comesBack(Book book) {
        book.bad = 0;
        book.since = clock.nanos();
        Duration slowly = config.slowStart();
        book.state = slowly.isZero() ? State.COUNTED : State.RETURNING;
        if (book.state == State.RETURNING) {
            long mark = book.since;
            deadlines.after(slowly.toNanos() / STEPS, () -> getsMore(book, mark));
        }
    }

    /** A step of the slow start. */
    private void getsMore(Book book, long mark) {
        lock.lock();
        try {
            if (book.state != State.RETURNING || book.since != mark) {
                return;
            }
            long slowly = config.slowStart().toNanos();
            if (clock.nanos() - mark >= slowly) {
                book.state = State.COUNTED;
            } else {
                deadlines.after(Math.max(1, slowly / STEPS), () -> getsMore(book, mark));
            }
        } finally {
            lock.unlock();
        }
        whenMore.run();
    }

    // ---- What they get.

    /** Whether a connection gets one more request now. */
    boolean takes(PeerConnection connection) {
        Book book = books.isEmpty() ? null : books.get(connection.instance());
        if (book == null) {
            return true;
        }
        return switch (book.state) {
            case COUNTED -> true;
            case OUT -> false;
            case RETURNING -> connection.capacity() - connection.free() < share(book, connection);
        };
    }

    /** Slots of a connection that may be taken, at least one. */
    private int share(Book book, PeerConnection connection) {
        long slowly = Math.max(1, config.slowStart().toNanos());
        long step = 1 + (clock.nanos() - book.since) * STEPS / slowly;
        return (int) Math.max(1, Math.min(step, STEPS) * connection.capacity() / STEPS);
    }

    /** Whether a peer gets nothing at present. */
    boolean isOut(Object peer) {
        Book book = books.isEmpty() ? null : books.get(peer);
        return book != null && book.state == State.OUT;
    }

    // ---- Views.

    /** Those of the weight 0 get nothing anyway: the one that always gets requests is another. */
    private static boolean isWeighted(PeerConnection one) {
        return one.weight().value() > 0;
    }

    private Set<Object> peers(Predicate<PeerConnection> which) {
        Set<Object> peers = new HashSet<>();
        for (PeerConnection one : connections) {
            if (which.test(one)) {
                peers.add(one.instance());
            }
        }
        return peers;
    }

    /** Those of some peers that are out, the longest first. */
    private List<Book> out(Set<Object> peers) {
        return books.entrySet().stream()
                .filter(one -> peers.contains(one.getKey()))
                .map(Map.Entry::getValue)
                .filter(book -> book.state == State.OUT)
                .sorted((one, other) -> Long.signum(one.since - other.since))
                .toList();
    }

    /** Names of the connections whose peers are out. */
    List<String> ejected() {
        List<String> names = new ArrayList<>();
        for (PeerConnection one : connections) {
            if (isOut(one.instance())) {
                names.add(one.peerName());
            }
        }
        return names;
    }

    /** How often a peer has been put out. */
    long ejections() {
        return ejections.sum();
    }

    private void log(String event, Object peer, String more) {
        for (PeerConnection one : connections) {
            if (one.instance().equals(peer)) {
                LOG.log(
                        Level.WARNING,
                        "{0} context={1} peer={2}{3}",
                        event,
                        context,
                        one.peerName(),
                        more);
                return;
            }
        }
    }
}
