package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lrwp.systemtests.harness.CountingProgram;
import org.lrwp.systemtests.harness.CountingProgram.Instance;
import org.lrwp.systemtests.harness.CountingProgram.Kind;
import org.lrwp.systemtests.harness.RawHttp;
import org.lrwp.systemtests.harness.Scene;
import org.lrwp.systemtests.harness.ServerConfig;
import org.lrwp.systemtests.harness.Wait;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Two instances of a program serve a context; each is told to leave under load and started again.
 * Every request bears a number, which the program writes down: none is lost, none is done twice.
 */
@SystemTest
@ServerConfig
class RestartsIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Pattern NUMBER = Pattern.compile("n[0-9]+-[0-9]+");
    private static final int CLIENTS = 4;

    @TempDir Path folder;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger answered = new AtomicInteger();

    @ParameterizedTest
    @EnumSource
    void eachRequestIsDoneOnceWhileBothInstancesAreReplaced(Kind kind, Scene scene)
            throws Exception {
        CountingProgram program = new CountingProgram(kind, scene, folder);
        List<Instance> instances = List.of(program.start(), program.start());
        for (Instance instance : instances) {
            instance.awaitRegistered();
        }
        List<Future<List<String>>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            String name = "n" + i + "-";
            clients.add(scene.meanwhile(() -> post(program, scene, name)));
        }

        for (Instance instance : instances) {
            awaitProgress(clients);
            instance.leave();
            awaitProgress(clients);
            program.start().awaitRegistered();
        }
        awaitProgress(clients);
        over.set(true);

        List<String> sent = new ArrayList<>();
        for (Future<List<String>> client : clients) {
            sent.addAll(client.get());
        }
        List<String> done = new ArrayList<>(numbers(program.counted()));
        Collections.sort(sent);
        Collections.sort(done);
        assertEquals(sent, done);
    }

    /** Posts numbers one after the other until the test is over; each answer has to be right. */
    private List<String> post(CountingProgram program, Scene scene, String name) throws Exception {
        List<String> sent = new ArrayList<>();
        RawHttp client = scene.client();
        while (!over.get()) {
            String number = name + sent.size();
            sent.add(number);
            program.send(client, number);
            answered.incrementAndGet();
        }
        return sent;
    }

    /** The load has gone on; what has failed of it is the failure of this test. */
    private void awaitProgress(List<Future<List<String>>> clients) throws Exception {
        int already = answered.get();
        Wait.require(
                "the load goes on",
                SOON,
                () ->
                        answered.get() > already + 10 * CLIENTS
                                || clients.stream().anyMatch(Future::isDone));
        for (Future<List<String>> client : clients) {
            if (client.isDone()) {
                client.get();
            }
        }
    }

    private static List<String> numbers(Path file) throws Exception {
        return NUMBER.matcher(Files.readString(file)).results().map(MatchResult::group).toList();
    }
}
