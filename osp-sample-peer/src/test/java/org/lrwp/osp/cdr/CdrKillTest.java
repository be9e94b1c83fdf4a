package org.lrwp.osp.cdr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.testkit.Tokens;
import org.lrwp.osp.testkit.Usages;
import org.lrwp.osp.usage.UsageRecord;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A process that keeps records is killed at random moments: what it confirmed is there, once. */
@Timeout(240)
final class CdrKillTest {
    private static final int KILLS = Integer.getInteger("cdr.kills", 4);
    private static final int RECORDS = 2_000;

    @TempDir Path folder = Path.of("");

    /** The process: keeps numbered records and prints the number of each that is kept. */
    static final class Keeper {
        private Keeper() {}

        /** Arguments: folder, first number, JDBC address. */
        public static void main(String[] arguments) throws Exception {
            int first = Integer.parseInt(arguments[1]);
            try (CdrStore store = store(Path.of(arguments[0]), arguments[2])) {
                for (int i = first; i < first + RECORDS; i++) {
                    UsageRecord usage = record(i);
                    store.keep(usage).await();
                    System.out.println(i);
                    if (i % 7 == 0) {
                        // A client that did not hear the confirmation sends it again.
                        store.keep(usage).await();
                    }
                }
            }
        }
    }

    @Test
    void everythingConfirmedIsThereExactlyOnce() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        Random random = new Random(seed);
        String url = "jdbc:sqlite:" + folder.resolve("osp.db");
        Set<String> confirmed = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            Process process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    Keeper.class.getName(),
                                    folder.toString(),
                                    Integer.toString(kill * RECORDS),
                                    url)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            int last = 1 + random.nextInt(RECORDS - 1);
            try (BufferedReader lines = process.inputReader()) {
                int count = 0;
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    confirmed.add(line);
                    if (++count == last) {
                        process.toHandle().destroyForcibly();
                    }
                }
            }
            process.waitFor();
        }
        store(folder, url).close();

        TreeMap<String, Integer> found = new TreeMap<>();
        try (CdrDatabase database = CdrDatabase.open(new CdrDatabase.Address(url, "", ""));
                Statement select = database.connection().createStatement();
                ResultSet rows = select.executeQuery("select transaction_id from osp_usage")) {
            while (rows.next()) {
                found.merge(rows.getString(1), 1, Integer::sum);
            }
        }
        assertTrue(confirmed.size() >= KILLS, "seed " + seed);
        for (String each : confirmed) {
            assertEquals(1, found.getOrDefault(each, 0), "record " + each + ", seed " + seed);
        }
        assertTrue(found.values().stream().allMatch(count -> count == 1), "seed " + seed);
    }

    private static CdrStore store(Path folder, String url) throws IOException {
        return new CdrStore(
                folder.resolve("journal"),
                new CdrStore.Settings(
                        new CdrDatabase.Address(url, "", ""), 100_000_000, 1_000, Duration.ZERO),
                Tokens.CLOCK,
                line -> {});
    }

    private static UsageRecord record(int number) {
        return Usages.of(Integer.toString(number), "source", "1", Tokens.NOW);
    }
}
