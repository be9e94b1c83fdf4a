package org.lrwp.cluster;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.Wakeups;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sends what belongs to requests, together where several messages go to one node: each message of
 * NATS costs its server and both nodes some wake-ups of threads, whatever is in it. What a loop has
 * in one round goes at its end, what the bus's thread does for one message behind that. While a
 * pack has some messages, the next goes an interval later and has those of that time; when few
 * come, none of them waits.
 *
 * <p>A message that goes alone is as it was. A {@link Message.Pack} has the last words of its
 * messages' subjects, or of where their answers go, in the last word of its own, so that NATS's
 * word that nobody listens names each of them.
 *
 * <p>Thread-safe. The lock is held while the library queues what is sent, so that nothing overtakes
 * what was given before it; no method blocks.
 */
final class Packer {
    /** Messages of one pack at most: their names have to fit into a subject. */
    static final int MOST = 64;

    /** Bytes of one pack at most; a longer message goes alone. */
    static final int MOST_BYTES = 64 * 1024;

    /** Messages of a pack from which on the next waits for more. */
    static final int SOME = 4;

    private static final String BETWEEN = "+";
    private static final Pattern SPLIT = Pattern.compile(BETWEEN, Pattern.LITERAL);

    /** Runs a task after some nanoseconds, on a thread of its own. */
    @FunctionalInterface
    interface Later {
        void run(long nanos, Runnable task);
    }

    /**
     * When a pack goes.
     *
     * @param interval nanoseconds from a pack with some messages to the next; 0 = none waits
     * @param clock its time
     * @param later waits for it
     */
    record Pace(long interval, NanoClock clock, Later later) {}

    /** What is gathered for one place. */
    private static final class Gathered {
        private final List<String> words = new ArrayList<>();
        private final Wire.PackWriter pack = new Wire.PackWriter();

        void add(String word, Message message) {
            words.add(word);
            pack.add(message);
        }

        void removeLast() {
            words.removeLast();
            pack.removeLast();
        }

        void clear() {
            words.clear();
            pack.clear();
        }

        boolean isTooMuch() {
            return words.size() > MOST || (words.size() > 1 && pack.length() > MOST_BYTES);
        }
    }

    /** Where messages go, and where their answers do; without last words. */
    private record Place(String subject, String answers) {}

    private final Pace pace;
    private final Executor afterRound;
    private final Consumer<String> unsent;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Place, Gathered> open = new HashMap<>();

    /** Was sent; its memory is for the next, which else would grow step by step. */
    private @Nullable Gathered spare;

    private @Nullable Bus bus;
    private volatile @Nullable Thread held;

    /** Whether what is gathered will be sent. */
    private boolean scheduled;

    /** When the next pack may go. Written with the lock. */
    private volatile long due;

    /**
     * Creates one without a bus.
     *
     * @param pace when a pack goes
     * @param afterRound runs a task at the end of the calling thread's round, or at once
     * @param unsent told of each message that the bus does not take, by where it went or its answer
     *     would have come
     */
    Packer(Pace pace, Executor afterRound, Consumer<String> unsent) {
        this.pace = pace;
        this.afterRound = afterRound;
        this.unsent = unsent;
        this.due = pace.clock.nanos();
    }

    /** Messages go this way from now on. */
    void use(Bus way) {
        change(way);
    }

    /** They do not any more; what is gathered is lost like what is under way. */
    void stop() {
        change(null);
    }

    private void change(@Nullable Bus way) {
        lock.lock();
        try {
            open.clear();
            bus = way;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives a message whose subject names what it belongs to.
     *
     * @return false when nothing can be sent
     */
    boolean send(String subject, Message message) {
        return add(new Place(Subjects.head(subject), ""), Subjects.last(subject), message);
    }

    /**
     * Gives a message that wants answers.
     *
     * @param answers where they come; the last word names it
     * @return false when nothing can be sent
     */
    boolean send(String subject, String answers, Message message) {
        return add(new Place(subject, Subjects.head(answers)), Subjects.last(answers), message);
    }

    private boolean add(Place place, String word, Message message) {
        boolean first;
        List<String> untaken = new ArrayList<>(0);
        lock.lock();
        try {
            if (bus == null) {
                return false;
            }
            gather(place, word, message, untaken);
            first = !scheduled && !Thread.currentThread().equals(held);
            scheduled |= first;
        } finally {
            lock.unlock();
        }
        untaken.forEach(unsent);
        if (first) {
            flushWhenDue(afterRound);
        }
        return true;
    }

    private void gather(Place place, String word, Message message, List<String> untaken) {
        Gathered gathered = open.computeIfAbsent(place, key -> empty());
        gathered.add(word, message);
        if (gathered.isTooMuch()) {
            gathered.removeLast();
            publish(place, gathered, untaken);
            Gathered next = empty();
            next.add(word, message);
            open.put(place, next);
        }
    }

    private Gathered empty() {
        Gathered kept = spare;
        spare = null;
        return kept == null ? new Gathered() : kept;
    }

    /** Sends what is gathered, and behind it a message that belongs to nothing of it. */
    void sendBehind(String subject, Message message) {
        List<String> untaken = new ArrayList<>(0);
        lock.lock();
        try {
            publishAll(untaken);
            if (bus != null) {
                bus.send(subject, null, Wire.bytes(message));
            }
        } finally {
            lock.unlock();
        }
        untaken.forEach(unsent);
    }

    /** Runs what the bus's thread does with one message of it, and sends what that gives. */
    void round(Runnable work) {
        held = Thread.currentThread();
        try {
            Wakeups.together(work);
        } finally {
            held = null;
            endRound();
        }
    }

    private void endRound() {
        boolean first;
        lock.lock();
        try {
            first = !scheduled && !open.isEmpty();
            scheduled |= first;
        } finally {
            lock.unlock();
        }
        if (first) {
            flushWhenDue(Runnable::run);
        }
    }

    private void flushWhenDue(Executor now) {
        long wait = due - pace.clock.nanos();
        if (wait > 0) {
            pace.later.run(wait, this::flush);
        } else {
            now.execute(this::flush);
        }
    }

    private void flush() {
        List<String> untaken = new ArrayList<>(0);
        lock.lock();
        try {
            scheduled = false;
            publishAll(untaken);
        } finally {
            lock.unlock();
        }
        untaken.forEach(unsent);
    }

    private void publishAll(List<String> untaken) {
        open.forEach((place, gathered) -> publish(place, gathered, untaken));
        open.clear();
    }

    private void publish(Place place, Gathered gathered, List<String> untaken) {
        String words = String.join(BETWEEN, gathered.words);
        Bus way = bus;
        boolean sent;
        String named;
        if (place.answers.isEmpty()) {
            named = Subjects.join(place.subject, words);
            sent = way != null && way.send(named, null, gathered.pack.bytes());
        } else {
            named = Subjects.join(place.answers, words);
            sent = way != null && way.send(place.subject, named, gathered.pack.bytes());
        }
        if (!sent) {
            untaken.addAll(names(named));
        }
        if (gathered.words.size() >= SOME) {
            due = pace.clock.nanos() + pace.interval;
        }
        if (gathered.pack.length() <= MOST_BYTES) {
            gathered.clear();
            spare = gathered;
        }
    }

    /** The subjects that one of a pack stands for. */
    static List<String> names(String packed) {
        String head = Subjects.head(packed);
        return Stream.of(SPLIT.split(Subjects.last(packed), -1))
                .map(word -> Subjects.join(head, word))
                .toList();
    }
}
