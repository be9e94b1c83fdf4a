package org.lrwp.webapp.edge;

import org.jspecify.annotations.Nullable;
import org.lrwp.http1.HeadReader;
import org.lrwp.webapp.container.RunnerLoop;

import java.nio.ByteBuffer;
import java.util.function.Function;

/**
 * A selector thread of the container, and the memory that connections on it share: one request is
 * read at a time, one answer written. Its own thread only, but for {@link #execute}, {@link
 * #isCurrent} and {@link #here}.
 */
final class EdgeLoop {
    /** Bytes of each of its buffers. */
    static final int BUFFER_SIZE = 64 * 1024;

    private static final int MOST_FIELDS = 128;

    private final RunnerLoop loop;
    private final Function<RunnerLoop, EdgeLoop> others;
    private final ByteBuffer request = ByteBuffer.allocate(BUFFER_SIZE);
    private final ByteBuffer answer = ByteBuffer.allocateDirect(BUFFER_SIZE);
    private final HeadText text = new HeadText();
    private final BodyMemory bodies = new BodyMemory();
    private @Nullable HeadReader heads;
    private int mostOfHead;

    /**
     * Creates a loop.
     *
     * @param loop the thread
     * @param others finds those of other threads
     */
    EdgeLoop(RunnerLoop loop, Function<RunnerLoop, EdgeLoop> others) {
        this.loop = loop;
        this.others = others;
    }

    /** For bytes of a client. */
    ByteBuffer request() {
        return request.clear();
    }

    /** Reads heads that come whole; ready to begin. */
    HeadReader heads(int mostBytes) {
        HeadReader known = heads;
        if (known == null || mostBytes != mostOfHead) {
            // The limit may be changed at any time.
            known = new HeadReader(mostBytes, MOST_FIELDS);
            heads = known;
            mostOfHead = mostBytes;
        }
        known.reset();
        return known;
    }

    /** Somebody has read a part of a head with the reader, and needs it for the rest. */
    void giveAway(HeadReader reader) {
        if (reader.equals(heads)) {
            heads = null;
        }
    }

    /** For bytes to a client. */
    ByteBuffer answer() {
        return answer.clear();
    }

    /** For bodies that come whole. */
    BodyMemory bodies() {
        return bodies;
    }

    /** For the head of an answer to a client. */
    HeadText text() {
        return text.clear();
    }

    /** The loop of the calling thread, this one or another of the transport; null elsewhere. */
    @Nullable EdgeLoop here() {
        RunnerLoop one = loop.here();
        if (one == null) {
            return null;
        }
        return one.equals(loop) ? this : others.apply(one);
    }

    /** Whether the calling thread is the loop's. */
    boolean isCurrent() {
        return loop.isCurrent();
    }

    /** Runs a task on the loop. */
    void execute(Runnable task) {
        loop.execute(task);
    }
}
