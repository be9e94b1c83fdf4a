package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.peer.serial.Lrwp1Connection;
import org.lrwp.engine.testkit.FakeLink;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The hand-off between waiting requests and freed slots, under Lincheck: it tries interleavings of
 * requests, answers, a peer that joins and one that leaves, and looks after each of them whether a
 * slot is free while a request waits, and whether a request was lost or given twice.
 */
class HandOffTest {
    private static final int ITERATIONS = 1;
    private static final int INVOCATIONS = 100;
    private static final long INVOCATION_MILLIS = 120_000;

    /** What only one thread at a time can be in, and what calls nothing but itself. */
    private static final List<String> LEAVES =
            List.of(
                    "org.lrwp.protocol.",
                    "org.lrwp.engine.spool.",
                    "org.lrwp.engine.exchange.ExchangeJournal",
                    "org.lrwp.engine.exchange.ExchangeRe",
                    "org.lrwp.engine.testkit.TestEngine",
                    "org.lrwp.engine.testkit.PeerFixture",
                    "org.lrwp.engine.peer.PeerText",
                    "java.util.ArrayDeque",
                    "java.util.concurrent.Concurrent",
                    "java.util.logging.",
                    "sun.util.logging.",
                    "jdk.internal.logger.",
                    "java.lang.System$Logger",
                    "java.lang.StringBuilder",
                    "java.lang.String");

    /** Kept, so that its level is: thousands of peers leave here. */
    private static final Logger PEERS = Logger.getLogger(Lrwp1Connection.class.getName());

    @BeforeAll
    static void nobodyLogs() {
        PEERS.setLevel(Level.OFF);
    }

    @AfterAll
    static void logsAsBefore() {
        PEERS.setLevel(null);
    }

    private static ModelCheckingOptions options(Class<?> tried) {
        return new ModelCheckingOptions()
                .iterations(ITERATIONS)
                .invocationsPerIteration(INVOCATIONS)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(2)
                .actorsAfter(0)
                .verifier(EpsilonVerifier.class)
                // It instruments classes as they come: on a loaded machine more than its 10 s.
                .invocationTimeout$lincheck(INVOCATION_MILLIS)
                .logLevel(LoggingLevel.ERROR)
                .minimizeFailedScenario(false)
                .addCustomScenario(scenario(tried, "ask", "ask", "firstAnswers"))
                .addGuarantee(
                        ManagedStrategyGuaranteeKt.forClasses(
                                        name -> LEAVES.stream().anyMatch(name::startsWith))
                                .allMethods()
                                .ignore())
                .addGuarantee(
                        ManagedStrategyGuaranteeKt.forClasses(FakeLink.class.getName())
                                .methods("read", "write", "scratch", "received", "remote")
                                .ignore());
    }

    /** One thing before, then two at the same time. */
    private static ExecutionScenario scenario(
            Class<?> tried, String before, String one, String other) {
        return new ExecutionScenario(
                List.of(actor(tried, before)),
                List.of(List.of(actor(tried, one)), List.of(actor(tried, other))),
                List.of(),
                null);
    }

    private static Actor actor(Class<?> tried, String operation) {
        try {
            return new Actor(tried.getMethod(operation), List.of());
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(operation, e);
        }
    }

    @Test
    void noSlotIdlesWhileARequestWaits() {
        Class<?> tried = OfTheEngine.class;
        options(tried)
                .addCustomScenario(scenario(tried, "ask", "ask", "leave"))
                .addCustomScenario(scenario(tried, "ask", "leave", "join"))
                .addCustomScenario(scenario(tried, "leave", "ask", "join"))
                .check(tried);
    }

    @Test
    void aPlantedFaultIsFound() {
        Class<?> tried = WithAPlantedFault.class;
        var found = assertThrows(LincheckAssertionError.class, () -> options(tried).check(tried));
        assertTrue(String.valueOf(found.getMessage()).contains("idles"), found::getMessage);
    }

    /** The engine's own hand-off. */
    public static final class OfTheEngine {
        private final HandOffScenario scenario =
                new HandOffScenario(new HandOffScenario.EngineHandOff());

        /** A request. */
        @Operation
        public void ask() {
            scenario.ask();
        }

        /** The first peer answers. */
        @Operation
        public void firstAnswers() {
            scenario.answer(0);
        }

        /** The second peer answers. */
        @Operation
        public void secondAnswers() {
            scenario.answer(1);
        }

        /** A second peer joins. */
        @Operation(runOnce = true)
        public void join() {
            scenario.join();
        }

        /** The first peer leaves. */
        @Operation(runOnce = true)
        public void leave() {
            scenario.leave();
        }

        /** Looks when all is still. */
        @Validate
        public void look() {
            scenario.look();
        }
    }

    /** A hand-off that looks for a slot only before its request waits. */
    public static final class WithAPlantedFault {
        private final HandOffScenario scenario =
                new HandOffScenario(new HandOffScenario.CarelessHandOff());

        /** A request. */
        @Operation
        public void ask() {
            scenario.ask();
        }

        /** The first peer answers. */
        @Operation
        public void firstAnswers() {
            scenario.answer(0);
        }

        /** Looks when all is still. */
        @Validate
        public void look() {
            scenario.look();
        }
    }
}
