package org.lrwp.cachemap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What jcstress runs: two threads on one key, over and over; {@link StressTest} starts it.
 *
 * <p>The map is made once for each process, as it costs more to make than a sample may take. What
 * is new for each sample is the key, with version 1 as its value. Nothing is evicted: half of the
 * ring holds more than is written while a key is in use. A reader that finds nothing has lost a
 * value.
 */
final class Stress {
    /** The system property that names the folder of the maps. */
    static final String FOLDER = "stress.folder";

    /**
     * Four times as many as jcstress has samples at a time: a key is used again when its sample was
     * judged long ago. A power of two, so that the counter may overflow.
     */
    private static final int KEYS = 512;

    private static final int SEGMENT = 16 << 20;
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final byte[][][] VALUES = values();
    private static final CacheMap MAP = open();

    private Stress() {}

    private static CacheMap open() {
        Path folder = Path.of(Objects.requireNonNull(System.getProperty(FOLDER), FOLDER));
        try {
            Path file = Files.createTempDirectory(folder, "stress").resolve("map");
            return CacheMap.open(
                    CacheMapConfig.of(file, SEGMENT + 2L * Layout.PAGE).withSegmentSize(SEGMENT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * All versions of all keys. Those of an even key have different lengths and fit in one place;
     * version 2 of an odd key does not, and moves.
     */
    private static byte[][][] values() {
        byte[][][] values = new byte[KEYS][][];
        for (int key = 0; key < KEYS; key++) {
            int other = key % 2 == 0 ? 3995 : 3000;
            values[key] =
                    new byte[][] {value(key, 1, 4000), value(key, 2, other), value(key, 3, 3998)};
        }
        return values;
    }

    private static byte[] value(int key, int version, int length) {
        long seed = KeyHash.mix(key, version);
        byte[] value = new byte[length];
        for (int i = 0; i < length; i++) {
            value[i] = (byte) ((seed >>> ((i & 7) * 8)) + (i >> 3));
        }
        return value;
    }

    /**
     * The planted fault: keeps what was copied first, whether or not the segment changed meanwhile.
     * Lets others run half-way, so that it is found on a busy machine as well.
     */
    private static final class Careless implements Reading {
        private byte[] first = new byte[0];

        @Override
        @SuppressWarnings("ThreadPriorityCheck")
        public void copy(MemorySegment map, long from, int length) {
            if (first.length > 0) {
                return;
            }
            byte[] to = new byte[length];
            int half = length / 2;
            MemorySegment.copy(map, ValueLayout.JAVA_BYTE, from, to, 0, half);
            Thread.yield();
            MemorySegment.copy(map, ValueLayout.JAVA_BYTE, from + half, to, half, length - half);
            first = to;
        }
    }

    /** A key that no other sample uses. It has version 1. */
    @State
    public static class OneKey {
        final int number = NEXT.getAndIncrement() & (KEYS - 1);

        /** Puts version 1. */
        public OneKey() {
            put(1);
        }

        final String put(int version) {
            return MAP.put(number, VALUES[number][version - 1]).name();
        }

        boolean remove() {
            return MAP.remove(number);
        }

        String get() {
            return version(MAP.get(number));
        }

        String getCarelessly() {
            Careless careless = new Careless();
            return version(MAP.read(number, careless) ? careless.first : null);
        }

        private String version(byte @Nullable [] value) {
            if (value == null) {
                return "absent";
            }
            for (int i = 0; i < VALUES[number].length; i++) {
                if (Arrays.equals(value, VALUES[number][i])) {
                    return String.valueOf(i + 1);
                }
            }
            return "WRONG";
        }
    }

    /** A reader sees one of the two values, whole. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "get, put")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "put, get")
    @Outcome(expect = FORBIDDEN)
    public static class PutAndGet {
        /** Writes. */
        @Actor
        public void writer(OneKey key) {
            key.put(2);
        }

        /** Reads. */
        @Actor
        public void reader(OneKey key, L_Result result) {
            result.r1 = key.get();
        }
    }

    /** The same with the planted fault. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "get, put")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "put, get")
    @Outcome(expect = FORBIDDEN)
    public static class PutAndCarelessGet {
        /** Writes. */
        @Actor
        public void writer(OneKey key) {
            key.put(2);
        }

        /** Reads. */
        @Actor
        public void reader(OneKey key, L_Result result) {
            result.r1 = key.getCarelessly();
        }
    }

    /** A reader sees the value or none. */
    @JCStressTest
    @Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "get, remove")
    @Outcome(id = "true, absent", expect = ACCEPTABLE, desc = "remove, get")
    @Outcome(expect = FORBIDDEN)
    public static class RemoveAndGet {
        /** Removes. */
        @Actor
        public void remover(OneKey key, LL_Result result) {
            result.r1 = key.remove();
        }

        /** Reads. */
        @Actor
        public void reader(OneKey key, LL_Result result) {
            result.r2 = key.get();
        }
    }

    /** One put comes last, and both replace something. */
    @JCStressTest
    @Outcome(id = "REPLACED, REPLACED, 2", expect = ACCEPTABLE, desc = "put 3, put 2")
    @Outcome(id = "REPLACED, REPLACED, 3", expect = ACCEPTABLE, desc = "put 2, put 3")
    @Outcome(expect = FORBIDDEN)
    public static class PutAndPut {
        /** Writes version 2. */
        @Actor
        public void second(OneKey key, LLL_Result result) {
            result.r1 = key.put(2);
        }

        /** Writes version 3. */
        @Actor
        public void third(OneKey key, LLL_Result result) {
            result.r2 = key.put(3);
        }

        /** Reads when both are through. */
        @Arbiter
        public void last(OneKey key, LLL_Result result) {
            result.r3 = key.get();
        }
    }

    /** Each of the two tells what it found, and the last one decides. */
    @JCStressTest
    @Outcome(id = "REPLACED, true, absent", expect = ACCEPTABLE, desc = "put, remove")
    @Outcome(id = "ADDED, true, 2", expect = ACCEPTABLE, desc = "remove, put")
    @Outcome(expect = FORBIDDEN)
    public static class PutAndRemove {
        /** Writes. */
        @Actor
        public void writer(OneKey key, LLL_Result result) {
            result.r1 = key.put(2);
        }

        /** Removes. */
        @Actor
        public void remover(OneKey key, LLL_Result result) {
            result.r2 = key.remove();
        }

        /** Reads when both are through. */
        @Arbiter
        public void last(OneKey key, LLL_Result result) {
            result.r3 = key.get();
        }
    }
}
