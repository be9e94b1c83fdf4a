package org.lrwp.osp.cdr;

import org.lrwp.osp.authorisation.Grant;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.usage.NotKeptException;
import org.lrwp.osp.usage.UsageKeeper;
import org.lrwp.osp.usage.UsageRecord;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Keeps call detail records: first in a journal on this machine, and from there they are moved into
 * the database. A usage is confirmed when the journal has it on the disk; so it is neither lost
 * when the process or the database dies, nor does a slow database hold up a gateway. Any thread may
 * call it; whoever made it closes it.
 */
public final class CdrStore implements UsageKeeper, AutoCloseable {
    private static final Kept LASTS_ALREADY =
            new Kept() {
                @Override
                public void await() {}

                @Override
                public boolean awaitNew() {
                    return false;
                }
            };

    private final Journal journal;
    private final KnownUsages known;
    private final CdrMover mover;

    /**
     * How records are kept.
     *
     * @param database where they go
     * @param journal the most bytes that may wait for the database
     * @param repeats how many usages are known again when a client repeats them, without looking
     *     into the database; 0 for none
     * @param keep how long records stay in the database; zero for ever
     */
    public record Settings(
            CdrDatabase.Address database, long journal, int repeats, Duration keep) {}

    /**
     * Opens the store; what an earlier process left in the journal is moved first.
     *
     * @param folder the folder of the journal, of one process at a time; made when there is none
     * @param settings how records are kept
     * @param clock tells how old records are
     * @param log takes a line when the database is lost or back
     * @throws IOException when the journal cannot be opened
     */
    public CdrStore(Path folder, Settings settings, InstantSource clock, Consumer<String> log)
            throws IOException {
        this(folder, settings, clock, log, CdrMover.CLEANING);
    }

    CdrStore(
            Path folder,
            Settings settings,
            InstantSource clock,
            Consumer<String> log,
            Duration idle)
            throws IOException {
        journal = new Journal(folder, settings.journal(), log);
        known = new KnownUsages(settings.repeats());
        mover = new CdrMover(journal, settings, clock, log, idle);
    }

    @Override
    public Kept keep(UsageRecord usage) throws NotKeptException {
        String fingerprint = usage.fingerprint();
        if (known.has(fingerprint)) {
            return LASTS_ALREADY;
        }
        Kept kept = journal.append(CdrEntry.of(usage).write());
        mover.wake();
        return new Kept() {
            @Override
            public void await() throws NotKeptException {
                awaitNew();
            }

            @Override
            public boolean awaitNew() throws NotKeptException {
                kept.await();
                return known.add(fingerprint);
            }
        };
    }

    /**
     * Keeps what was authorised; does not wait for the disk, since no money hangs on it alone.
     *
     * @param grant what was authorised
     * @throws RefusedException when there is no room: usage of the call could not be kept either
     */
    public void granted(Grant grant) throws RefusedException {
        try {
            for (CdrEntry each : CdrEntry.of(grant)) {
                journal.appendUnawaited(each.write());
            }
        } catch (NotKeptException full) {
            throw new RefusedException(Status.SERVICE_UNAVAILABLE, "records cannot be kept");
        }
        mover.wake();
    }

    /**
     * Changes what may change while records are kept.
     *
     * @param bytes the most that may wait for the database; what waits already stays
     * @param keep how long records stay in the database; zero for ever
     */
    public void limit(long bytes, Duration keep) {
        journal.limit(bytes);
        mover.keep(keep);
    }

    /**
     * Returns how much waits for the database.
     *
     * @return bytes
     */
    public long waitingBytes() {
        return journal.bytes();
    }

    /**
     * Returns how long the oldest record has waited for the database.
     *
     * @return at most so long; zero when none waits
     */
    public Duration lag() {
        return mover.lag();
    }

    /**
     * Tells whether the database took the last records.
     *
     * @return false while it cannot be reached
     */
    public boolean databaseIsThere() {
        return mover.databaseIsThere();
    }

    /** Keeps what was taken and moves it, if the database is there. */
    @Override
    public void close() {
        settle();
    }

    /**
     * Does what {@link #close} does, for who has to do so at the end of a process. More calls are
     * harmless.
     */
    public void settle() {
        journal.close();
        mover.close();
    }
}
