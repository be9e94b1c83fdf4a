package org.lrwp.osp;

import org.lrwp.osp.message.MalformedMessageException;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.usage.NotKeptException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Answers a message that comes again as it was answered the first time. A client that did not get
 * an answer sends the same bytes again; so may somebody who has overheard them. Neither gets a
 * second call. An answer that granted nothing is forgotten at once, as there is nothing to repeat.
 *
 * <p>Bounded in number and time; the oldest is forgotten first. Any thread may call it. Whoever
 * brings a message whose first copy is being answered waits for that answer.
 */
final class AnswerMemory {
    /** Makes the answer of a message. */
    @FunctionalInterface
    interface Work {
        Answer answer() throws MalformedMessageException, NotKeptException;
    }

    /**
     * An answer.
     *
     * @param bytes what goes back
     * @param lasting whether the same message gets it again
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
    record Answer(byte[] bytes, boolean lasting) {}

    private record Entry(Instant until, CompletableFuture<byte[]> bytes) {}

    private final int most;
    private final Duration span;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their coming, which is that of their ends. Guarded by the lock. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /**
     * Remembers nothing yet.
     *
     * @param most how many answers are remembered; 0 for none
     * @param span for how long
     * @param clock tells the time
     */
    AnswerMemory(int most, Duration span, InstantSource clock) {
        this.most = most;
        this.span = span;
        this.clock = clock;
    }

    /** Tells whether it works by these values. */
    boolean isOf(int number, Duration time) {
        return most == number && span.equals(time);
    }

    /**
     * Returns the answer of a message.
     *
     * @param sender who sent it; another one's message is another message
     * @param message its bytes
     * @param work answers it, unless that was done before
     * @return the answer's bytes, not to be changed
     * @throws MalformedMessageException by the work
     * @throws NotKeptException by the work
     */
    byte[] answer(Sender sender, byte[] message, Work work)
            throws MalformedMessageException, NotKeptException {
        if (most == 0) {
            return work.answer().bytes();
        }
        String key = key(sender, message);
        Entry mine = new Entry(clock.instant().plus(span), new CompletableFuture<>());
        while (true) {
            Entry first = enter(key, mine);
            if (first.equals(mine)) {
                return made(key, mine, work);
            }
            try {
                return first.bytes().get();
            } catch (ExecutionException failed) {
                // The first copy has no answer; this one is tried as if it were the first.
                leave(key, first);
            } catch (InterruptedException cancelled) {
                Thread.currentThread().interrupt();
                throw new NotKeptException("the message is being answered");
            }
        }
    }

    private byte[] made(String key, Entry mine, Work work)
            throws MalformedMessageException, NotKeptException {
        boolean lasting = false;
        try {
            Answer answer = work.answer();
            lasting = answer.lasting();
            mine.bytes().complete(answer.bytes());
            return answer.bytes();
        } finally {
            if (!lasting) {
                leave(key, mine);
            }
            // Without effect after an answer.
            mine.bytes().completeExceptionally(new IllegalStateException("not answered"));
        }
    }

    /** The entry of that message: an earlier one, or this one from now on. */
    private Entry enter(String key, Entry mine) {
        Instant now = clock.instant();
        lock.lock();
        try {
            Iterator<Entry> oldest = entries.values().iterator();
            while (oldest.hasNext() && oldest.next().until().isBefore(now)) {
                oldest.remove();
            }
            Entry there = entries.putIfAbsent(key, mine);
            if (there != null) {
                return there;
            }
            if (entries.size() > most) {
                entries.remove(entries.keySet().iterator().next());
            }
            return mine;
        } finally {
            lock.unlock();
        }
    }

    private void leave(String key, Entry entry) {
        lock.lock();
        try {
            entries.remove(key, entry);
        } finally {
            lock.unlock();
        }
    }

    private static String key(Sender sender, byte[] message) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            String who = sender.local() + " " + sender.proven() + " " + sender.signed();
            digest.update(MessageDigest.getInstance("SHA-256").digest(bytes(who)));
            return HexFormat.of().formatHex(digest.digest(message));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
