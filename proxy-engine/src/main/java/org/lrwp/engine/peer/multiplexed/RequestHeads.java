package org.lrwp.engine.peer.multiplexed;

import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.frame.FrameHead;
import org.lrwp.protocol.frame.FrameType;

import java.nio.ByteBuffer;

/**
 * The heads of REQUEST frames with their env blocks, from when a request begins until its frame is
 * written: docs/protocol.md section 15. Their memory is used again as soon as none of them waits,
 * which is after almost every round of the loop. The link's loop only.
 */
final class RequestHeads {
    /** Bytes of the length of an env block. */
    static final int ENV_LENGTH = 4;

    private static final int LEAST = 2 * 1024;

    /** What a connection keeps for heads to come. */
    private static final int MOST_KEPT = 64 * 1024;

    private final EnvBlockWriter block = new EnvBlockWriter();
    private ByteBuffer memory = ByteBuffer.allocate(0);

    /** Encodes one env block after the other. */
    EnvBlockWriter block() {
        return block;
    }

    /** Holds the last head, until another one is added. */
    ByteBuffer memory() {
        return memory;
    }

    /** None of the heads is needed any more. */
    void clear() {
        memory.clear();
    }

    /**
     * Adds the head of a frame.
     *
     * @param environment the env block; copied
     * @param body bytes that follow it in the frame
     * @return where in {@link #memory()} frame head, length of the env block and env block begin;
     *     they end at its position
     */
    int add(int id, boolean end, ByteBuffer environment, int body) {
        int payload = ENV_LENGTH + environment.remaining() + body;
        int size = FrameHead.SIZE + payload - body;
        if (size > memory.remaining()) {
            // The heads that wait keep the memory that they are in.
            int wider = Math.min(2 * memory.capacity(), MOST_KEPT);
            memory = ByteBuffer.allocate(Math.max(size, Math.max(wider, LEAST)));
        }
        int start = memory.position();
        FrameHead.write(memory, FrameType.REQUEST, end, id, payload);
        memory.putInt(environment.remaining()).put(environment);
        return start;
    }
}
