package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
         * A node has spoken before this listener was there, which need not know what it said. So
         * has this node itself, by a listener before this one.
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

    /** How far a node was in all its topics, by its last heartbeat. */
    private record Counts(long epoch, List<Message.Count> all) {}

    private final Subjects subjects;
    private final Origin self;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Topic> topics = new LinkedHashMap<>();
    private final Map<String, Counts> latest = new ConcurrentHashMap<>();
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
     * Opens a topic, at any time. The numbers of a topic that was open before go on: the others
     * have missed nothing.
     *
     * @param name the same at all nodes; one listener at a time
     * @param listener hears the others
     * @return tells the others
     * @throws IllegalArgumentException when it is open
     */
    public Topic open(String name, Listener listener) {
        Topic topic;
        lock.lock();
        try {
            topic = topics.computeIfAbsent(name, Topic::new);
        } finally {
            lock.unlock();
        }
        topic.listen(listener);
        return topic;
    }

    /** One kind of news. It counts, its own words and those of others, while nobody listens. */
    public final class Topic {
        /** The last word of a node that was heard, or is known to be missed. */
        private record Last(long epoch, long number) {}

        private final String name;

        /** Held while a listener hears, so that it hears one word after the other. */
        private final ReentrantLock ears = new ReentrantLock();

        private @Nullable Listener listener;
        private final Map<String, Last> others = new LinkedHashMap<>();

        private long told;

        private Topic(String name) {
            this.name = name;
        }

        private void listen(Listener now) {
            ears.lock();
            try {
                if (listener != null) {
                    throw new IllegalArgumentException("topic " + name + " is open");
                }
                listener = now;
                learn();
                long own = lastTold();
                if (own > 0) {
                    now.found(self, own);
                }
                others.forEach(
                        (node, last) -> now.found(new Origin(node, last.epoch()), last.number()));
            } finally {
                ears.unlock();
            }
        }

        /** What is known of nodes that were heard before this topic was there. */
        private void learn() {
            latest.forEach(
                    (node, counts) -> {
                        for (Message.Count count : counts.all()) {
                            if (count.topic().equals(name)) {
                                others.putIfAbsent(node, new Last(counts.epoch(), count.told()));
                            }
                        }
                    });
        }

        private long lastTold() {
            lock.lock();
            try {
                return told;
            } finally {
                lock.unlock();
            }
        }

        /** Its listener hears no more; another one may open the topic. */
        public void leave() {
            ears.lock();
            try {
                listener = null;
            } finally {
                ears.unlock();
            }
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

        // ---- The others.

        private void heard(Message.Word word) {
            ears.lock();
            try {
                var origin = new Origin(word.node(), word.epoch());
                if (known(origin, word.number() - 1) < word.number()) {
                    others.put(word.node(), new Last(word.epoch(), word.number()));
                    if (listener != null) {
                        listener.heard(origin, word.number(), word.bytes());
                    }
                }
            } finally {
                ears.unlock();
            }
        }

        private void counted(Message.Heartbeat beat, long number) {
            ears.lock();
            try {
                long _ = known(new Origin(beat.node(), beat.epoch()), number);
            } finally {
                ears.unlock();
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
            Listener now = listener;
            if (now == null) {
                return number;
            }
            if (last == null && !settled) {
                now.found(origin, number);
                return number;
            }
            if (last != null && !sameLife) {
                now.restarted(origin.node());
            }
            if (number > before) {
                now.missed(origin, number);
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
        latest.put(beat.node(), new Counts(beat.epoch(), beat.counts()));
        for (Message.Count count : beat.counts()) {
            Topic topic = topic(count.topic());
            if (topic != null) {
                topic.counted(beat, count.told());
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
