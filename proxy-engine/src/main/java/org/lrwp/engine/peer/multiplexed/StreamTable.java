package org.lrwp.engine.peer.multiplexed;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The open streams of one connection by their number, 1 to the peer's capacity. The link's loop
 * only.
 *
 * @param <S> what is kept of a stream
 */
final class StreamTable<S> {
    private @Nullable Object[] streams = new Object[8];
    private final BitSet taken = new BitSet();
    private final BitSet tunnels = new BitSet();
    private int open;

    /** Gives a stream the lowest free number. */
    int add(S stream) {
        int id = taken.nextClearBit(1);
        if (id >= streams.length) {
            streams = Arrays.copyOf(streams, streams.length * 2);
        }
        taken.set(id);
        tunnels.clear(id);
        streams[id] = stream;
        open++;
        return id;
    }

    /**
     * Forgets a stream.
     *
     * @param tunnel whether frames of its peer may still be on their way, because both ends of a
     *     tunnel end on their own
     */
    void remove(int id, boolean tunnel) {
        taken.clear(id);
        tunnels.set(id, tunnel);
        streams[id] = null;
        open--;
    }

    /** The stream of a number, unsigned; null when it is not open. */
    @SuppressWarnings("unchecked") // Only streams are put into it.
    @Nullable S get(int id) {
        return id > 0 && id < streams.length ? (S) streams[id] : null;
    }

    /** Whether WINDOW and CANCEL on a number that is free were sent before that was known. */
    boolean wasTunnel(int id) {
        return id > 0 && tunnels.get(id);
    }

    int open() {
        return open;
    }

    /** All open streams; a picture, as handling one may end it. */
    List<S> all() {
        List<S> all = new ArrayList<>(open);
        for (int id = taken.nextSetBit(1); id > 0; id = taken.nextSetBit(id + 1)) {
            S stream = get(id);
            if (stream != null) {
                all.add(stream);
            }
        }
        return all;
    }
}
