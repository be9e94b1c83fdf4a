package org.lrwp.cluster;

import org.lrwp.engine.peer.ServedContext;
import org.lrwp.protocol.HeaderField;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What one node tells another. Its bytes are made and read by {@link Wire}. Arrays and buffers are
 * not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // They are bytes on their way, and nobody compares them.
sealed interface Message {
    /**
     * What a node has, four times a second, for all others.
     *
     * @param node who says it
     * @param epoch of its life
     * @param session of its connection: with another one what was under way is lost
     * @param version of its program
     * @param draining whether nothing new is to be sent there
     * @param contexts what its peers serve
     * @param counts how many words of news it has told
     */
    record Heartbeat(
            String node,
            long epoch,
            long session,
            String version,
            boolean draining,
            List<Load> contexts,
            List<Count> counts)
            implements Message {
        public Heartbeat {
            contexts = List.copyOf(contexts);
            counts = List.copyOf(counts);
        }

        /** The same with other counts. */
        Heartbeat with(List<Count> told) {
            return new Heartbeat(node, epoch, session, version, draining, contexts, told);
        }
    }

    /**
     * How much a node has told.
     *
     * @param topic of the news
     * @param told the number of the last word
     */
    record Count(String topic, long told) {}

    /**
     * A word of news, for all others.
     *
     * @param node who says it
     * @param epoch of its life
     * @param topic of the news
     * @param number one more than the word before
     * @param bytes what is told
     */
    record Word(String node, long epoch, String topic, long number, byte[] bytes)
            implements Message {}

    /**
     * One context of a node.
     *
     * @param context as users write it
     * @param virtualHost the only host it serves, empty for every host
     * @param slots requests its peers can have at once
     * @param free slots that have none, and that nobody waits for
     * @param waiting requests that wait for a slot
     */
    record Load(String context, String virtualHost, int slots, int free, int waiting) {}

    /**
     * A request, whole.
     *
     * @param node who sends it
     * @param session of its connection
     * @param context what it is for
     * @param virtualHost the host of the context, empty for every host
     * @param id the request id
     * @param method the request's method
     * @param target the request's target as it was sent, for logs
     * @param client address of the client, for logs
     * @param environment the env block
     * @param body all of it; nothing when it comes by HTTP
     * @param length bytes of a body that comes by HTTP; -1 for one that is here
     */
    record Request(
            String node,
            long session,
            String context,
            String virtualHost,
            String id,
            String method,
            String target,
            String client,
            ByteBuffer environment,
            ByteBuffer body,
            long length)
            implements Message {
        /** The context. */
        ServedContext served() {
            return new ServedContext(context, virtualHost);
        }
    }

    /**
     * Several messages in the place of one; none of them is a pack.
     *
     * @param messages the bytes of each
     */
    record Pack(List<ByteBuffer> messages) implements Message {
        public Pack {
            messages = List.copyOf(messages);
        }
    }

    /**
     * There is no slot for the request, and no peer has seen it.
     *
     * @param free slots that are free now
     */
    record Busy(int free) implements Message {}

    /**
     * The body of the request may come by HTTP, to the node that says so.
     *
     * @param place where: address and port
     * @param epoch of the node's life
     */
    record Ready(String place, long epoch) implements Message {}

    /**
     * The request has failed; a peer may have started it.
     *
     * @param failure the word of the failure
     */
    record Failed(String failure) implements Message {}

    /**
     * The answer begins, with its first piece.
     *
     * @param status HTTP status
     * @param reason reason phrase, may be empty
     * @param fields header fields without {@code Content-Length}
     * @param length value of {@code Content-Length}; -1 for none
     * @param free slots of the context that are free now
     * @param last whether the answer is whole with it
     * @param bytes of the body, perhaps none
     */
    record Head(
            int status,
            String reason,
            List<HeaderField> fields,
            long length,
            int free,
            boolean last,
            ByteBuffer bytes)
            implements Message {
        public Head {
            fields = List.copyOf(fields);
        }
    }

    /**
     * More of the answer.
     *
     * @param number 1 for the one behind the head, then one more each time: a gap is a loss
     * @param free slots of the context that are free now
     * @param last whether the answer is whole with it
     * @param bytes of the body; none in the last perhaps, and in one that asks whether more is
     *     welcome
     */
    record Data(int number, int free, boolean last, ByteBuffer bytes) implements Message {
        /** Whether the other node wants to know how far this one is. */
        boolean isQuestion() {
            return !last && !bytes.hasRemaining();
        }
    }

    /** The rest of the answer will never come. */
    record Broken() implements Message {}

    /**
     * An operator wants something done.
     *
     * @param node where he is
     * @param order what
     */
    record Ordered(String node, Order order) implements Message {}

    /**
     * It is done.
     *
     * @param count how many connections of peers were meant; below 0 when it was not done
     */
    record Done(int count) implements Message {}

    /**
     * More of an answer is welcome.
     *
     * @param answers where the answer goes, which names the request
     * @param count how many pieces have been taken
     */
    record Ack(String answers, int count) implements Message {}

    /**
     * Nobody waits for an answer any more.
     *
     * @param answers where the answer goes, which names the request
     */
    record Cancel(String answers) implements Message {}
}
