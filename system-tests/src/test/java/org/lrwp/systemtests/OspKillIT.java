package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.OspCalls;
import org.lrwp.systemtests.harness.OspProcess;
import org.lrwp.systemtests.harness.Postgres;
import org.lrwp.systemtests.harness.ProcessPeer;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls are made while the OSP peer, and its database, are killed at random moments. What was
 * confirmed is there exactly once; whatever else is there, is there once. {@code -Dosp.calls=10000
 * -Dosp.kills=40} makes as many; a run prints its seed, which {@code -Dseed} takes.
 */
@SystemTest
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@ServerConfig
class OspKillIT {
    private static final int CALLS = Integer.getInteger("osp.calls", 200);
    private static final int KILLS = Integer.getInteger("osp.kills", 2);
    private static final Duration LONGEST = Duration.ofMinutes(15);
    private static final Pattern ROW =
            Pattern.compile("\"role\":\"([a-z]*)\",\"transaction_id\":\"([0-9]*)\"");

    @TempDir Path folder;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void everyConfirmedUsageIsInTheEmbeddedDatabaseExactlyOnce(Scene scene) throws Exception {
        List<String> configuration = List.of("token.generate=ecdsa");

        OspCalls calls = calls(scene, configuration);
        ProcessPeer peer = start(scene, configuration);
        for (int kill = 0; kill < KILLS; kill++) {
            awaitNextKill(calls, kill);
            peer.kill();
            peer = start(scene, configuration);
        }

        requireEachOnce(calls, peer);
    }

    @Test
    void everyConfirmedUsageIsInPostgresExactlyOnceWhenThatIsKilledToo(Scene scene)
            throws Exception {
        Postgres postgres = scene.closing(Postgres.start(folder));
        List<String> configuration =
                List.of(
                        "token.generate=ecdsa",
                        "cdr.database=" + postgres.address(),
                        "cdr.user=" + postgres.user());

        OspCalls calls = calls(scene, configuration);
        ProcessPeer peer = start(scene, configuration);
        for (int kill = 0; kill < KILLS; kill++) {
            awaitNextKill(calls, kill);
            // In turn: the database, the peer, both.
            if (kill % 3 != 1) {
                postgres.kill();
            }
            if (kill % 3 != 0) {
                peer.kill();
                peer = start(scene, configuration);
            }
            if (kill % 3 != 1) {
                postgres.restart();
            }
        }

        requireEachOnce(calls, peer);
    }

    private OspCalls calls(Scene scene, List<String> configuration) {
        System.out.println("osp kill test: seed " + seed + ", " + configuration);
        return OspCalls.begin(scene, CALLS);
    }

    private ProcessPeer start(Scene scene, List<String> configuration) throws Exception {
        return scene.closing(OspProcess.start(scene, folder, "/" + scene.app(), configuration));
    }

    /** Kills come at any moment of an equal share of the calls. */
    private void awaitNextKill(OspCalls calls, int kill) throws Exception {
        int share = 2 * CALLS / (KILLS + 1);
        int at = kill * share + random.nextInt(share);
        Wait.require("the peer confirms", LONGEST, () -> calls.confirmed().size() >= at);
    }

    private void requireEachOnce(OspCalls calls, ProcessPeer peer) throws Exception {
        calls.end(LONGEST);
        peer.close();
        Map<String, Integer> rows = new HashMap<>();
        int unmatched = 0;
        for (String line : OspProcess.run(folder, "cdr", "--format", "jsonl").lines().toList()) {
            Matcher row = ROW.matcher(line);
            assertTrue(row.find(), line);
            rows.merge(row.group(2) + " " + row.group(1), 1, Integer::sum);
            unmatched += line.contains("\"unmatched\":\"yes\"") ? 1 : 0;
        }
        System.out.printf(
                "osp kill test: calls=%d kills=%d confirmed=%d sent-again=%d rows=%d"
                        + " unmatched=%d%n",
                CALLS, KILLS, calls.confirmed().size(), calls.repeated(), rows.size(), unmatched);

        assertEquals(2 * CALLS, calls.confirmed().size());
        for (String each : calls.confirmed()) {
            assertEquals(1, rows.getOrDefault(each, 0), each + ", seed " + seed);
        }
        rows.forEach((usage, count) -> assertEquals(1, count, usage + ", seed " + seed));
    }
}
