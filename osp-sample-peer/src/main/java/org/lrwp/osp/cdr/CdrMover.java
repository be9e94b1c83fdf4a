package org.lrwp.osp.cdr;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Moves sealed segments of the journal into the database, on a thread of its own. A segment is
 * deleted after its rows have been committed; should the process die in between, they are added
 * again, which changes nothing, because rows that are there stay as they are.
 */
final class CdrMover implements AutoCloseable {
    /** Records wait so long for others, so that they share a transaction. */
    private static final long GATHER_MILLIS = 200;

    private static final long RETRY_SECONDS = 2;
    private static final long LAST_SECONDS = 30;
    private static final String NO_TABLE = "42P01";

    /** Old records are looked for so often, whether new ones come or not. */
    static final Duration CLEANING = Duration.ofHours(1);

    private final Journal journal;
    private final CdrStore.Settings settings;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final Duration idle;
    private final Semaphore work = new Semaphore(1);
    private final Semaphore ending = new Semaphore(0);
    private final Thread thread;
    private @Nullable CdrDatabase database;
    private boolean upToDate;
    private String lost = "";
    private Instant cleaned = Instant.EPOCH;
    private volatile boolean there = true;

    /** Since when some record waits, at the earliest; null when none does. */
    private final AtomicReference<@Nullable Instant> waiting = new AtomicReference<>();

    private volatile Duration keep;
    private volatile boolean closing;

    /**
     * Begins to move.
     *
     * @param idle how long to wait for records before looking for old ones
     */
    CdrMover(
            Journal journal,
            CdrStore.Settings settings,
            InstantSource clock,
            Consumer<String> log,
            Duration idle) {
        this.journal = journal;
        this.settings = settings;
        this.keep = settings.keep();
        this.clock = clock;
        this.log = log;
        this.idle = idle;
        this.waiting.set(journal.bytes() == 0 ? null : clock.instant());
        this.thread = Thread.ofPlatform().daemon().name("osp-cdr").start(this::run);
    }

    /** There is something to move. */
    void wake() {
        waiting.compareAndSet(null, clock.instant());
        look();
    }

    private void look() {
        if (work.availablePermits() == 0) {
            work.release();
        }
    }

    /** Sets how long records stay. */
    void keep(Duration time) {
        if (!time.equals(keep)) {
            keep = time;
            look();
        }
    }

    boolean databaseIsThere() {
        return there;
    }

    /** How long the oldest record has waited, at most; zero when none waits. */
    Duration lag() {
        Instant since = waiting.get();
        return since == null ? Duration.ZERO : Duration.between(since, clock.instant());
    }

    private void run() {
        try {
            while (!closing) {
                work.tryAcquire(idle.toMillis(), TimeUnit.MILLISECONDS);
                if (!ending.tryAcquire(GATHER_MILLIS, TimeUnit.MILLISECONDS)) {
                    work.drainPermits();
                    if (!move()) {
                        ending.tryAcquire(RETRY_SECONDS, TimeUnit.SECONDS);
                        wake();
                    }
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        move();
        disconnect();
    }

    /** Moves all that is sealed; false when that has to be tried again. */
    private boolean move() {
        try {
            Instant now = clock.instant();
            CdrDatabase open = database == null ? connect() : database;
            for (Path segment : journal.sealed()) {
                open.add(Segments.read(segment));
                journal.done(segment);
            }
            // What came meanwhile has waited since then, at most.
            waiting.set(journal.bytes() == 0 ? null : now);
            clean(open);
            return true;
        } catch (SQLException failed) {
            there = false;
            if (journal.bytes() > 0) {
                waiting.compareAndSet(null, clock.instant());
            }
            String reason = reason(failed);
            if (!reason.equals(lost)) {
                lost = reason;
                log.accept("cdr-database-lost reason=\"" + reason + "\"");
            }
            upToDate &= !NO_TABLE.equals(rootOf(failed).getSQLState());
            disconnect();
            return false;
        } catch (IOException failed) {
            log.accept("journal-unreadable reason=\"" + failed.getMessage() + "\"");
            return false;
        }
    }

    /** Of a batch the fault itself: the batch's own message has the rows in it. */
    private static SQLException rootOf(SQLException failed) {
        SQLException next = failed.getNextException();
        return failed instanceof BatchUpdateException && next != null ? next : failed;
    }

    private static String reason(SQLException failed) {
        SQLException root = rootOf(failed);
        if (root instanceof BatchUpdateException) {
            return "a batch failed";
        }
        String text = String.valueOf(root.getMessage());
        Throwable cause = root.getCause();
        return (cause == null ? text : text + ": " + cause.getMessage())
                .lines()
                .findFirst()
                .orElse("");
    }

    private CdrDatabase connect() throws SQLException {
        CdrDatabase open =
                upToDate
                        ? CdrDatabase.connect(settings.database())
                        : CdrDatabase.open(settings.database());
        // A server keeps its schema: coming back is a connection, with its limits of time.
        upToDate = !settings.database().isEmbedded();
        database = open;
        if (!there) {
            there = true;
            lost = "";
            log.accept("cdr-database-back waiting-bytes=" + journal.bytes());
        }
        return open;
    }

    private void clean(CdrDatabase open) throws SQLException {
        Instant now = clock.instant();
        Duration stay = keep;
        if (stay.isZero() || now.isBefore(cleaned.plus(CLEANING))) {
            return;
        }
        int removed = open.removeBefore(CdrTimes.text(now.minus(stay)));
        cleaned = now;
        if (removed > 0) {
            log.accept("cdr-removed rows=" + removed);
        }
    }

    private void disconnect() {
        CdrDatabase open = database;
        database = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException gone) {
                // It was given up already.
            }
        }
    }

    /** Moves what is left, once, and ends. */
    @Override
    public void close() {
        closing = true;
        ending.release();
        wake();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(LAST_SECONDS));
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
        }
    }
}
