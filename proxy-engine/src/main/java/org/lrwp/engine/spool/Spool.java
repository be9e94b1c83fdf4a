package org.lrwp.engine.spool;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/**
 * One body between who sends it and who reads it: in memory up to a limit, then in a file.
 *
 * <p>Purpose: neither side ever waits for the other. Design: a request's spool keeps everything for
 * a second attempt, but one that is {@link #stream streamed} only as long as all of it fits in
 * memory; an answer's forgets what has been read. Disk threads of the store read and write the
 * file, so that no caller waits for it: its bytes come later, with a call of the listener.
 *
 * <p>Thread-safe. The listeners are called without the lock, by the thread that caused them; they
 * may be called more often than there is something to do.
 */
public final class Spool implements BodySource, AutoCloseable {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Bytes that a peer of LRWP 3 may have sent before it is given more window. */
    private static final int WINDOW = 65_536;

    private final SpoolSpace space;
    private boolean kept;
    private boolean streamed;

    /** Its monitor guards all that is not volatile, here, in it and in what it holds. */
    private final SpoolContent content;

    private volatile long appended;
    private volatile long polled;
    private volatile SpoolSource source = SpoolSource.OPEN;
    private boolean held;

    /** Made for the first who wants to be told: a small request is sent at once. */
    private volatile SpoolListeners listeners = SpoolListeners.NONE;

    private volatile Runnable onFault = SpoolListeners::nobody;

    /** Made for the first who asks: almost every body has none. */
    private volatile @Nullable FileParts files;

    private volatile @Nullable NoSpaceException fault;

    Spool(SpoolSpace space, boolean kept) {
        this.space = space;
        this.kept = kept;
        this.content = new SpoolContent(space);
    }

    /**
     * Adds bytes at the end, like {@link #append(ByteBuffer, Handover)}.
     *
     * @param bytes copied
     * @throws NoSpaceException when they cannot be kept
     */
    public void append(ByteBuffer bytes) throws NoSpaceException {
        append(bytes, Handover.COPIED);
    }

    /**
     * Adds bytes at the end.
     *
     * @param bytes what to add; dropped when the spool is broken or closed
     * @param how whose they are; a request's body must not be lent
     * @throws NoSpaceException when they cannot be kept; the spool is as before
     * @throws IllegalStateException after {@link #complete}
     */
    public void append(ByteBuffer bytes, Handover how) throws NoSpaceException {
        SpoolFile busy;
        synchronized (content) {
            int count = bytes.remaining();
            if (count == 0 || source.isGivenUp()) {
                bytes.position(bytes.limit());
                return;
            }
            if (source == SpoolSource.COMPLETE) {
                throw new IllegalStateException("append behind the end of a body");
            }
            if (streamed && kept && appended + count > space.config().memoryPerBody()) {
                kept = false;
                content.forgetRead();
            }
            if (!content.add(bytes, kept, how)) {
                content.spill(new SpoolFile(space, content, new Disk()), bytes, kept);
            }
            long sum = appended + count;
            appended = sum;
            busy = content.fileToWork();
        }
        listeners.ready();
        space.work(busy);
        NoSpaceException broken = fault;
        if (broken != null) {
            throw broken;
        }
    }

    /** What the disk has done. */
    private final class Disk implements SpoolFile.Events {
        @Override
        public void moved() {
            listeners.ready();
            roomMade();
        }

        @Override
        public void failed(NoSpaceException reason) {
            System.getLogger(Spool.class.getName())
                    .log(System.Logger.Level.ERROR, "spool-failed", reason);
            synchronized (content) {
                if (source == SpoolSource.CLOSED) {
                    return;
                }
                fault = reason;
                source = SpoolSource.BROKEN;
                content.clear();
            }
            onFault.run();
            listeners.ready();
            listeners.room().run();
        }
    }

    /** Says that all bytes have been added. */
    public void complete() {
        end(SpoolSource.COMPLETE);
    }

    /** Says that the rest will never come. */
    public void breakOff() {
        end(SpoolSource.BROKEN);
    }

    private void end(SpoolSource how) {
        synchronized (content) {
            if (source != SpoolSource.OPEN) {
                return;
            }
            source = how;
        }
        listeners.ready();
    }

    /**
     * Returns the parts of files that this body is made of, in place of bytes.
     *
     * @return the parts; empty for almost every body
     */
    public FileParts files() {
        synchronized (content) {
            FileParts known = files;
            if (known == null) {
                known = new FileParts(content, this::added, this::roomMade);
                files = known;
                if (source == SpoolSource.CLOSED) {
                    known.close();
                }
            }
            return known;
        }
    }

    private SpoolListeners ownListeners() {
        synchronized (content) {
            if (listeners == SpoolListeners.NONE) {
                listeners = new SpoolListeners();
            }
            return listeners;
        }
    }

    /** Something has been added. */
    private void added() {
        listeners.ready();
    }

    /** Something has been read, or is on the disk. */
    private void roomMade() {
        Runnable room;
        synchronized (content) {
            room = roomListener();
        }
        room.run();
    }

    /** Takes the next bytes; null also while the disk has not given them yet. */
    @Override
    public @Nullable ByteBuffer poll() {
        // With a disk that answers at once they are there at the second look.
        for (int looks = 0; looks < 2; looks++) {
            ByteBuffer bytes;
            SpoolFile busy;
            Runnable listener = SpoolListeners::nobody;
            synchronized (content) {
                bytes = content.next(kept);
                busy = content.fileToWork();
                if (bytes != null) {
                    long sum = polled + bytes.remaining();
                    polled = sum;
                    listener = roomListener();
                }
            }
            space.work(busy);
            listener.run();
            if (bytes != null || busy == null) {
                return bytes;
            }
        }
        return null;
    }

    /**
     * Takes all that has not been read of a whole body that forgets what has been read, if that is
     * in one piece.
     *
     * @return the bytes, empty when there are none left; null, and nothing is taken, in any other
     *     case. They are to be used up before the caller returns: what was {@linkplain
     *     Handover#BORROWED borrowed} by its thread is not copied
     */
    public @Nullable ByteBuffer pollWhole() {
        ByteBuffer all;
        Runnable listener;
        synchronized (content) {
            long left = unread();
            if (source != SpoolSource.COMPLETE || kept) {
                return null;
            }
            all = left == 0 ? NOTHING : content.last(left);
            if (all == null) {
                return null;
            }
            long sum = polled + left;
            polled = sum;
            listener = roomListener();
        }
        listener.run();
        return all;
    }

    /** Copies what was {@linkplain Handover#BORROWED borrowed} and has not been read. */
    public void settle() {
        synchronized (content) {
            content.settle();
        }
    }

    /** Who has to be told that there is room again. */
    private Runnable roomListener() {
        // A body that is collected as a whole waits for the disk only.
        boolean again = held && ((kept && !streamed) ? content.keepsUp() : hasRoomLocked());
        held = held && !again;
        return again ? listeners.room() : SpoolListeners::nobody;
    }

    @Override
    public BodyEnding ending() {
        synchronized (content) {
            if (source.isGivenUp()) {
                return BodyEnding.BROKEN;
            }
            return source == SpoolSource.COMPLETE && unread() == 0
                    ? BodyEnding.COMPLETE
                    : BodyEnding.OPEN;
        }
    }

    @Override
    public boolean isWhole() {
        return source == SpoolSource.COMPLETE;
    }

    /**
     * Returns how much has been added.
     *
     * @return bytes since the spool was made
     */
    public long size() {
        FileParts known = files;
        return known == null ? appended : appended + known.added();
    }

    /**
     * Returns how much has been read.
     *
     * @return bytes handed out since the start or the last {@link #rewind()}
     */
    public long polled() {
        FileParts known = files;
        return known == null ? polled : polled + known.sent();
    }

    @Override
    public long unread() {
        return Math.max(0, size() - polled());
    }

    /**
     * Makes who adds wait for who reads: {@link #hasRoom()} is false once half of a body's memory,
     * or of a peer's window, is unread. A request's spool forgets what is read of a body that is
     * longer than its memory.
     */
    public void stream() {
        synchronized (content) {
            streamed = true;
        }
    }

    /**
     * Says whether who adds should go on.
     *
     * @return false while what is unread is above the limit, or neither memory nor disk is left for
     *     more of it
     */
    public boolean hasRoom() {
        synchronized (content) {
            return held(!hasRoomLocked());
        }
    }

    private boolean hasRoomLocked() {
        long unread = unread();
        if (unread == 0 || source.isGivenUp()) {
            // With nothing unread there is always room: the reader could not make any.
            return true;
        }
        return unread < unreadLimit() && content.hasRoom();
    }

    private long unreadLimit() {
        // With room for more than half a window nobody would tell that half of it is read, which is
        // when a peer gets window again.
        return streamed
                ? Math.max(1, Math.min(space.config().memoryPerBody(), WINDOW) / 2)
                : space.config().answerLimit();
    }

    /**
     * Says whether the disk keeps up with who adds.
     *
     * @return false while too much waits to be written; {@link #onRoom} tells the end of that
     */
    public boolean keepsUp() {
        synchronized (content) {
            return held(!content.keepsUp());
        }
    }

    /** Only {@link #roomListener} takes it back, so that whoever waits is told in any case. */
    private boolean held(boolean now) {
        held = held || now;
        return !now;
    }

    @Override
    public void onReady(Runnable listener) {
        ownListeners().onReady(listener);
    }

    /**
     * Sets who is told that there is room again, after {@link #hasRoom()} was false.
     *
     * @param listener called by the reader's thread; must not block
     */
    public void onRoom(Runnable listener) {
        ownListeners().onRoom(listener);
    }

    /**
     * Sets who is told when the disk fails.
     *
     * @param listener called by a disk thread; must not block
     */
    public void onFault(Runnable listener) {
        onFault = listener;
    }

    /**
     * Goes back to the first byte, for another attempt, and takes {@link #stream} back: from now on
     * all is kept again.
     *
     * @return false, and nothing has changed, when bytes have been forgotten
     */
    public boolean rewind() {
        synchronized (content) {
            if (!kept) {
                return false;
            }
            streamed = false;
            content.rewind();
            polled = 0;
            return true;
        }
    }

    /** Tells who adds that there is room, after a {@link #rewind}. */
    public void signalRoom() {
        listeners.room().run();
    }

    /** Gives back memory and file. Idempotent; the reader sees {@link BodyEnding#BROKEN}. */
    @Override
    public void close() {
        Runnable listener;
        SpoolFile busy;
        synchronized (content) {
            if (source == SpoolSource.CLOSED) {
                return;
            }
            source = SpoolSource.CLOSED;
            busy = content.clear();
            polled = appended;
            FileParts known = files;
            if (known != null) {
                known.close();
            }
            listener = listeners.clear();
            onFault = SpoolListeners::nobody;
        }
        space.work(busy);
        listener.run();
    }
}
