package org.lrwp.osp.routing;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls under way, by device and by destination, and authorisations in the last second by device. A
 * call counts from its authorisation at the first destination it was given, until its source
 * reports usage or its time is over. Bounded: above the limit the oldest call is forgotten. Any
 * thread may call it.
 */
final class OpenCalls {
    private static final long SECOND_NANOS = 1_000_000_000L;

    private record Call(String transaction, String device, String destination, long until) {}

    /** Authorisations of a device in the second that began at a time. */
    private static final class Second {
        private long began;
        private int count;
    }

    private final int most;
    private final long lifeNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Call> calls = new HashMap<>();
    private final ArrayDeque<Call> oldestFirst = new ArrayDeque<>();
    private final Map<String, Integer> byDevice = new HashMap<>();
    private final Map<String, Integer> byDestination = new HashMap<>();
    private final Map<String, Second> seconds = new HashMap<>();

    OpenCalls(int most, long lifeNanos) {
        this.most = most;
        this.lifeNanos = lifeNanos;
    }

    /** Counts an authorisation that is asked for; false when the device asks for too many. */
    boolean isWithinRate(String device, int callsASecond, long now) {
        if (callsASecond == 0) {
            return true;
        }
        lock.lock();
        try {
            Second second = seconds.computeIfAbsent(device, any -> new Second());
            if (second.count == 0 || now - second.began >= SECOND_NANOS) {
                second.began = now;
                second.count = 0;
            }
            if (second.count >= callsASecond) {
                return false;
            }
            second.count++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    int ofDevice(String device, long now) {
        return count(byDevice, device, now);
    }

    int ofDestination(String destination, long now) {
        return count(byDestination, destination, now);
    }

    private int count(Map<String, Integer> counts, String name, long now) {
        lock.lock();
        try {
            forgetOld(now);
            return counts.getOrDefault(name, 0);
        } finally {
            lock.unlock();
        }
    }

    /** A side of a call and how many calls it may have at once; 0: any. */
    record Side(String name, int most) {
        boolean isFull(Map<String, Integer> counts) {
            return most > 0 && counts.getOrDefault(name, 0) >= most;
        }
    }

    /** What became of a call that was to begin. */
    enum Outcome {
        BEGAN,
        DEVICE_FULL,
        DESTINATION_FULL
    }

    /** Counts a call if both sides may have one more; one that counts already began. */
    Outcome begin(String transaction, Side device, Side destination, long now) {
        lock.lock();
        try {
            forgetOld(now);
            if (calls.containsKey(transaction)) {
                return Outcome.BEGAN;
            }
            if (device.isFull(byDevice)) {
                return Outcome.DEVICE_FULL;
            }
            if (destination.isFull(byDestination)) {
                return Outcome.DESTINATION_FULL;
            }
            Call call = new Call(transaction, device.name(), destination.name(), now + lifeNanos);
            calls.put(transaction, call);
            oldestFirst.add(call);
            byDevice.merge(device.name(), 1, Integer::sum);
            byDestination.merge(destination.name(), 1, Integer::sum);
            return Outcome.BEGAN;
        } finally {
            lock.unlock();
        }
    }

    /** The destination that a call counts for; empty when no such call is known. */
    Optional<String> destinationOf(String transaction, long now) {
        lock.lock();
        try {
            forgetOld(now);
            return Optional.ofNullable(calls.get(transaction)).map(Call::destination);
        } finally {
            lock.unlock();
        }
    }

    /** Counts a call no more; the destination that it counted for, if it did. */
    Optional<String> end(String transaction) {
        lock.lock();
        try {
            Call call = calls.remove(transaction);
            if (call == null) {
                return Optional.empty();
            }
            less(call);
            return Optional.of(call.destination());
        } finally {
            lock.unlock();
        }
    }

    /** Ended calls stay in the queue until they are old; that is bounded by the same limit. */
    private void forgetOld(long now) {
        while (!oldestFirst.isEmpty()
                && (oldestFirst.getFirst().until() - now <= 0 || oldestFirst.size() > most)) {
            Call call = oldestFirst.removeFirst();
            if (calls.remove(call.transaction(), call)) {
                less(call);
            }
        }
    }

    private void less(Call call) {
        byDevice.computeIfPresent(call.device(), (any, count) -> count > 1 ? count - 1 : null);
        byDestination.computeIfPresent(
                call.destination(), (any, count) -> count > 1 ? count - 1 : null);
    }
}
