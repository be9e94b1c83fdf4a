package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * What each node tells all others of its doing, by topics: URLs that its cache has forgotten,
 * events that were published there. NATS delivers at most once, so each word has a number, one more
 * than the word before of its node and topic, and each heartbeat says the last one: whoever has
 * missed a word knows it, and which.
 *
 * <p>A node that works alone counts on, so that the others know what they have missed of it.
 * Thread-safe; never blocks.
 */
public final class News {
    /** A number that JSON can hold. */
    private static final long EPOCHS = 1L << 53;

    /**
     * Who has said something.
     *
     * @param node its name
     * @param epoch of its life: another one after each start
     */
    public record Origin(String node, long epoch) {}

    /** Hears the others; called by one thread at a time, and must not block. */
    public interface Listener {
        /**
         * A node has said something. Whatever was missed before was told before.
         *
         * @param origin who
         * @param number the word's, from 1 on
         * @param word what was told
         */
        void heard(Origin origin, long number, byte[] word);

        /**
         * Words of a node are lost.
         *
         * @param origin whose
         * @param last the number of the last one
         */
        void missed(Origin origin, long last);

        /**
         * A node was there before this one, which need not know what it has said.
         *
         * @param origin who
         * @param last the number of its last word
         */
        void found(Origin origin, long last);

        /**
         * A node has started again. What it said at the end of its life before may be lost.
         *
         * @param node its name
         */
        void restarted(String node);
    }

    private final Subjects subjects;
    private final Origin self;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private @Nullable Bus bus;
    private volatile boolean settled;

    private News(Subjects subjects) {
        this.subjects = subjects;
        this.self = new Origin(subjects.node(), subjects.epoch());
    }

    /**
     * Begins the life of a node, of which nobody hears before it joins.
     *
     * @param config where and as whom
     * @return its news
     */
    public static News of(ClusterConfig config) {
        long epoch = ThreadLocalRandom.current().nextLong(EPOCHS);
        return new News(new Subjects(config.cluster(), config.node(), epoch));
    }

    /**
     * Returns this node.
     *
     * @return its name, and the epoch of its life
     */
    public Origin self() {
        return self;
    }

    /**
     * Opens a topic; before the node joins.
     *
     * @param name the same at all nodes
     * @param listener hears the others
     * @return tells the others
     */
    public Topic open(String name, Listener listener) {
        Topic topic = new Topic(name, listener);
        lock.lock();
        try {
            if (topics.putIfAbsent(name, topic) != null) {
                throw new IllegalArgumentException("topic " + name + " is open");
            }
        } finally {
            lock.unlock();
        }
        return topic;
    }

    /** One kind of news. */
    public final class Topic {
        /** The last word of a node that was heard, or is known to be missed. */
        private record Last(long epoch, long number) {}

        private final String name;
        private final Listener listener;
        private final Map<String, Last> others = new LinkedHashMap<>();
        private long told;

        private Topic(String name, Listener listener) {
            this.name = name;
            this.listener = listener;
        }

        /**
         * Tells all others, if they can be reached now.
         *
         * @param word what
         * @return the number of the word
         */
        public long tell(byte[] word) {
            lock.lock();
            try {
                told++;
                Bus way = bus;
                if (way != null) {
                    var message = new Message.Word(self.node(), self.epoch(), name, told, word);
                    way.send(subjects.news(), null, Wire.bytes(message));
                }
                return told;
            } finally {
                lock.unlock();
            }
        }

        // ---- One thread at a time: the bus's.

        private void heard(Message.Word word) {
            var origin = new Origin(word.node(), word.epoch());
            if (known(origin, word.number() - 1) < word.number()) {
                others.put(word.node(), new Last(word.epoch(), word.number()));
                listener.heard(origin, word.number(), word.bytes());
            }
        }

        /** Learns how far a node is; returns how far it is known to be. */
        private long known(Origin origin, long number) {
            Last last = others.get(origin.node());
            boolean sameLife = last != null && last.epoch() == origin.epoch();
            long before = last != null && sameLife ? last.number() : 0;
            if (sameLife && number <= before) {
                return before;
            }
            others.put(origin.node(), new Last(origin.epoch(), number));
            if (last == null && !settled) {
                listener.found(origin, number);
                return number;
            }
            if (last != null && !sameLife) {
                listener.restarted(origin.node());
            }
            if (number > before) {
                listener.missed(origin, number);
            }
            return number;
        }
    }

    // ---- The cluster.

    Subjects subjects() {
        return subjects;
    }

    /** The others can be reached from now on. */
    void use(Bus way) {
        lock.lock();
        try {
            bus = way;
        } finally {
            lock.unlock();
        }
    }

    /** They cannot any more. */
    void stop() {
        lock.lock();
        try {
            bus = null;
        } finally {
            lock.unlock();
        }
    }

    /** All that were there before this node have been heard. */
    void settle() {
        settled = true;
    }

    /** Does something with the number of the last word of each topic; none is told meanwhile. */
    void count(Consumer<List<Message.Count>> use) {
        lock.lock();
        try {
            List<Message.Count> counts = new ArrayList<>();
            topics.values().forEach(one -> counts.add(new Message.Count(one.name, one.told)));
            use.accept(counts);
        } finally {
            lock.unlock();
        }
    }

    void heard(Message.Word word) {
        Topic topic = topic(word.topic());
        if (topic != null) {
            topic.heard(word);
        }
    }

    void heard(Message.Heartbeat beat) {
        for (Message.Count count : beat.counts()) {
            Topic topic = topic(count.topic());
            if (topic != null) {
                long _ = topic.known(new Origin(beat.node(), beat.epoch()), count.told());
            }
        }
    }

    private @Nullable Topic topic(String name) {
        lock.lock();
        try {
            return topics.get(name);
        } finally {
            lock.unlock();
        }
    }
}
