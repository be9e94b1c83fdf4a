package org.lrwp.cachemap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/** Processes that are killed inside a put; {@code -Dkill.rounds=50} for the full count. */
class KillTest {
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 3);

    @TempDir private Path folder;

    @Test
    void killedWritersLeaveNoWrongByteAndNearlyAllEntries() throws Exception {
        Path file = folder.resolve("map");
        Path notes = folder.resolve("notes");
        Files.write(notes, new byte[Child.KEYS * 4]);
        Random random = new Random();
        long rebuilt = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Process child = Child.start("write", file.toString(), notes.toString());
            assertEquals("writing", Child.output(child).readLine());
            // Until it has gone around: at a moment that nobody chose.
            long until = System.nanoTime() + 300_000_000L + random.nextInt(200_000_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            child.destroyForcibly().waitFor();
            rebuilt += compare(file, notes);
        }
        System.out.println("kill: " + ROUNDS + " rounds, " + rebuilt + " segments in a put");
        assertTrue(rebuilt > 0 || ROUNDS < 3, "no process was killed inside a put");
    }

    private static long compare(Path file, Path notes) throws Exception {
        ByteBuffer versions =
                ByteBuffer.wrap(Files.readAllBytes(notes)).order(ByteOrder.nativeOrder());
        int written = 0;
        int back = 0;
        try (CacheMap map = CacheMap.open(Child.large(file))) {
            assertEquals(RecoveryReport.Outcome.REOPENED.name(), outcome(map));
            for (int key = 0; key < Child.KEYS; key++) {
                int version = versions.getInt(key * 4);
                written += version > 0 ? 1 : 0;
                byte[] value = map.get(key);
                if (value != null) {
                    back++;
                    // The put under way may have been done, and its note not yet.
                    boolean next = Arrays.equals(Child.value(key, version + 1), value);
                    assertArrayEquals(
                            Child.value(key, next ? version + 1 : version), value, "key " + key);
                }
            }
            assertTrue(back >= written * 0.95, back + " of " + written);
            return map.recovery().counts().rebuilt();
        }
    }

    private static String outcome(CacheMap map) {
        return map.recovery().outcome().name();
    }
}
