package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A bus between the nodes of one process, which can lose nodes and be down. */
final class MemoryHub implements AutoCloseable {
    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private volatile String lastAnswers = "";
    private final Map<String, Long> sessions = new ConcurrentHashMap<>();
    private final Map<String, Integer> beats = new ConcurrentHashMap<>();

    /** What is lost: who says it, a space, and where. */
    private volatile String lost = "";

    private final AtomicInteger losses = new AtomicInteger();

    /** The way of one node. */
    private final class Line implements Bus {
        private final Subjects subjects;
        private final Listener listener;
        private final ExecutorService thread =
                Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().name("bus").factory());
        private volatile boolean up;

        Line(Subjects subjects, Listener listener) {
            this.subjects = subjects;
            this.listener = listener;
        }

        void up(boolean now) {
            up = now;
            if (now) {
                thread.execute(() -> listener.up(this));
            } else {
                thread.execute(() -> listener.down("unplugged"));
            }
        }

        @Override
        public boolean send(String subject, @Nullable String answers, byte[] bytes) {
            if (!up) {
                return false;
            }
            pass(this, subject, answers == null ? "" : answers, bytes);
            return true;
        }

        @Override
        public void close() {
            up = false;
            lines.remove(subjects.node(), this);
            thread.shutdownNow();
        }
    }

    Bus dial(Subjects subjects, Bus.Listener listener) {
        var line = new Line(subjects, listener);
        lines.put(subjects.node(), line);
        line.up(true);
        return line;
    }

    private void pass(Line from, String subject, String answers, byte[] bytes) {
        if (lost.equals(from.subjects.node() + " " + subject)) {
            losses.incrementAndGet();
            return;
        }
        if (subject.equals(from.subjects.news())) {
            lines.values().forEach(line -> deliver(from, line, subject, answers, bytes));
            return;
        }
        if (subject.equals(from.subjects.heartbeats())) {
            if (Wire.read(bytes) instanceof Message.Heartbeat beat) {
                sessions.put(beat.node(), beat.session());
                beats.merge(beat.node(), 1, Integer::sum);
            }
            lines.values().forEach(line -> deliver(from, line, subject, answers, bytes));
            return;
        }
        if (subject.endsWith(".rq")) {
            lastAnswers = answers;
        }
        // lrwp.v1.CLUSTER.n.NODE.*
        Line to = lines.get(List.of(subject.split("\\.", -1)).get(4));
        if (to != null && to.up) {
            deliver(from, to, subject, answers, bytes);
        } else if (!answers.isEmpty()) {
            from.thread.execute(() -> from.listener.nobody(answers));
        }
    }

    private static void deliver(Line from, Line to, String subject, String answers, byte[] bytes) {
        if (to != from && to.up) {
            to.thread.execute(() -> to.listener.message(subject, answers, bytes));
        }
    }

    /** What one node tells another of requests that it has is lost, until {@link #loseNothing}. */
    void loseControl(String from, String to) {
        lost = from + " lrwp.v1.test.n." + to + ".ctl";
    }

    /** A node says nothing of itself any more, as one that is stopped, until it goes on. */
    void loseHeartbeats(String from) {
        lost = from + " lrwp.v1.test.hb";
    }

    /** How many messages were lost so. */
    int losses() {
        return losses.get();
    }

    /** All that is said arrives again. */
    void loseNothing() {
        lost = "";
    }

    /** How many heartbeats a node has had. */
    int beats(String node) {
        return beats.getOrDefault(node, 0);
    }

    /** The session that a node has said last. */
    long session(String node) {
        return sessions.getOrDefault(node, 0L);
    }

    /** Says something to one node in the name of whoever. */
    void forge(String node, Message message) {
        forge(node, message, "");
    }

    /** The same with a place where an answer is wanted. */
    void forge(String node, Message message, String answers) {
        Line line = lines.get(node);
        if (line != null) {
            line.thread.execute(
                    () -> line.listener.message("forged", answers, Wire.bytes(message)));
        }
    }

    /** Waits until a node has heard what was said to it so far. */
    void awaitHeard(String node) throws Exception {
        Line line = lines.get(node);
        if (line != null) {
            line.thread.submit(() -> {}).get();
        }
    }

    /** The same with bytes of any kind. */
    void forgeBytes(String node, byte[] bytes) {
        Line line = lines.get(node);
        if (line != null) {
            line.thread.execute(() -> line.listener.message("forged", "", bytes));
        }
    }

    /** Answers the last request that was sent. */
    void answerLast(String node, Message message) {
        Line line = lines.get(node);
        if (line != null) {
            line.thread.execute(() -> line.listener.message(lastAnswers, "", Wire.bytes(message)));
        }
    }

    /** From now on a node neither hears nor is heard, and does not know it: it is dead. */
    void kill(String node) {
        Line line = lines.remove(node);
        if (line != null) {
            line.up = false;
        }
    }

    /** The way of one node ends, or is there again, and it knows it. */
    void plug(String node, boolean now) {
        Line line = lines.get(node);
        if (line != null) {
            line.up(now);
        }
    }

    @Override
    public void close() {
        lines.values().forEach(line -> line.thread.shutdownNow());
    }
}
