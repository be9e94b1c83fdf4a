package org.lrwp.osp;

import org.lrwp.osp.cdr.CdrDatabase;
import org.lrwp.osp.replay.TakenOnce;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Remembers in the database of the records, so that all servers that share it take a thing once
 * between them. Its row is committed before a thing counts as taken; where nobody knows whether it
 * is, it does not. Any thread may call it; it blocks on the database.
 */
final class SqlTaken implements TakenOnce {
    /** More would not be faster: the database writes for all of them. */
    private static final int MOST_CONNECTIONS = 8;

    private static final long PATIENCE_SECONDS = 5;
    private static final Duration CLEANING = Duration.ofMinutes(5);

    private final CdrDatabase.Address address;
    private final int most;
    private final InstantSource clock;
    private final Consumer<String> log;
    private final Semaphore permits = new Semaphore(MOST_CONNECTIONS);
    private final Deque<CdrDatabase> idle = new ConcurrentLinkedDeque<>();
    private final AtomicReference<Instant> cleaned = new AtomicReference<>(Instant.EPOCH);

    /** As of the last look, and what this server has taken since. */
    private final AtomicLong count = new AtomicLong();

    private volatile boolean opened;

    /**
     * Knows the database; it is opened when something is taken.
     *
     * @param most how many things are remembered at most; at the limit nothing is taken
     * @param clock tells what may be forgotten
     * @param log takes a line when the database fails
     */
    SqlTaken(CdrDatabase.Address address, int most, InstantSource clock, Consumer<String> log) {
        this.address = address;
        this.most = most;
        this.clock = clock;
        this.log = log;
    }

    @Override
    public Outcome take(Kind kind, byte[] content, Instant until) {
        String id = HexFormat.of().formatHex(kind.id(content));
        try {
            if (!permits.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                log.accept("taken-failed reason=\"the database is slow\"");
                return Outcome.NOT_KEPT;
            }
        } catch (InterruptedException cancelled) {
            Thread.currentThread().interrupt();
            return Outcome.NOT_KEPT;
        }
        try {
            return take(id, until.getEpochSecond());
        } catch (SQLException failed) {
            log.accept("taken-failed reason=\"" + failed.getMessage() + "\"");
            return Outcome.NOT_KEPT;
        } finally {
            permits.release();
        }
    }

    private Outcome take(String id, long until) throws SQLException {
        CdrDatabase kept = idle.poll();
        if (kept != null) {
            try {
                return insert(kept, id, until);
            } catch (SQLException stale) {
                // The server may have closed it long ago: a new one tells.
                kept.close();
            }
        }
        CdrDatabase fresh = connect();
        try {
            return insert(fresh, id, until);
        } catch (SQLException failed) {
            fresh.close();
            throw failed;
        }
    }

    private CdrDatabase connect() throws SQLException {
        if (opened) {
            return CdrDatabase.connect(address);
        }
        CdrDatabase database = CdrDatabase.open(address);
        opened = true;
        return database;
    }

    private Outcome insert(CdrDatabase database, String id, long until) throws SQLException {
        forget(database);
        if (count.get() >= most) {
            idle.push(database);
            return Outcome.NOT_KEPT;
        }
        int rows;
        try (PreparedStatement insert =
                database.connection()
                        .prepareStatement(
                                "insert into osp_taken (id, until_second) values (?, ?)"
                                        + " on conflict (id) do nothing")) {
            insert.setString(1, id);
            insert.setLong(2, until);
            rows = insert.executeUpdate();
        }
        database.connection().commit();
        idle.push(database);
        count.addAndGet(rows);
        return rows == 1 ? Outcome.FIRST : Outcome.AGAIN;
    }

    /** Deletes what is over, now and then, and counts what is left. */
    private void forget(CdrDatabase database) throws SQLException {
        Instant now = clock.instant();
        Instant before = cleaned.get();
        if (now.isBefore(before.plus(CLEANING)) || !cleaned.compareAndSet(before, now)) {
            return;
        }
        try (PreparedStatement delete =
                        database.connection()
                                .prepareStatement("delete from osp_taken where until_second < ?");
                Statement select = database.connection().createStatement()) {
            delete.setLong(1, now.getEpochSecond());
            delete.executeUpdate();
            try (ResultSet row = select.executeQuery("select count(*) from osp_taken")) {
                count.set(row.next() ? row.getLong(1) : 0);
            }
            database.connection().commit();
        } catch (SQLException failed) {
            cleaned.set(before);
            throw failed;
        }
    }

    /** Closes the connections; what was taken stays. */
    @Override
    public void close() {
        for (CdrDatabase each = idle.poll(); each != null; each = idle.poll()) {
            try {
                each.close();
            } catch (SQLException gone) {
                // It was given up already.
            }
        }
    }
}
