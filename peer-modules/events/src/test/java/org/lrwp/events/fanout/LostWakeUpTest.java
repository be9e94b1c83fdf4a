package org.lrwp.events.fanout;

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
import org.junit.jupiter.api.Test;
import org.lrwp.events.channel.Publication;
import org.lrwp.events.event.Form;
import org.lrwp.events.testkit.Scene;
import org.lrwp.testkit.Head;
import org.lrwp.testkit.RecordedExchange;

import java.util.List;
import java.util.Objects;

/**
 * The hand-off between who subscribes, who publishes and who drains, under Lincheck: it tries
 * interleavings, and looks after each of them whether a drainer sleeps while a client has an event
 * to get. The tick of the drainer, which would find it half a second later, never comes here.
 */
class LostWakeUpTest {
    private static final long INVOCATION_MILLIS = 120_000;

    /** What calls nothing but itself, or is under a lock of its own. */
    private static final List<String> LEAVES =
            List.of(
                    "org.lrwp.events.event.",
                    "org.lrwp.events.testkit.",
                    "org.lrwp.testkit.",
                    "org.lrwp.events.policy.",
                    "org.lrwp.runtime.",
                    "org.lrwp.events.fanout.Batch",
                    "org.lrwp.events.fanout.Subscription",
                    "org.lrwp.events.fanout.FanOutCounters",
                    "java.util.ArrayList",
                    "java.util.IdentityHashMap",
                    "java.lang.String");

    /** What is one step for others. */
    private static final List<String> STEPS =
            List.of("org.lrwp.events.channel.", "java.util.concurrent.ConcurrentLinkedQueue");

    private static void tryOut(String publish) {
        new ModelCheckingOptions()
                .iterations(1)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(0)
                .invocationsPerIteration(300)
                .threads(3)
                .verifier(EpsilonVerifier.class)
                // It instruments classes as they come: on a loaded machine more than its 10 s.
                .invocationTimeout$lincheck(INVOCATION_MILLIS)
                .logLevel(LoggingLevel.ERROR)
                .minimizeFailedScenario(false)
                .addCustomScenario(
                        new ExecutionScenario(
                                List.of(),
                                List.of(
                                        List.of(actor("subscribe")),
                                        List.of(actor(publish)),
                                        List.of(actor("drain"))),
                                List.of(),
                                null))
                .addGuarantee(
                        ManagedStrategyGuaranteeKt.forClasses(
                                        name -> LEAVES.stream().anyMatch(name::startsWith))
                                .allMethods()
                                .ignore())
                .addGuarantee(
                        ManagedStrategyGuaranteeKt.forClasses(
                                        name -> STEPS.stream().anyMatch(name::startsWith))
                                .allMethods()
                                .treatAsAtomic())
                .check(HandOff.class);
    }

    private static Actor actor(String operation) {
        try {
            return new Actor(HandOff.class.getMethod(operation), List.of());
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(operation, e);
        }
    }

    @Test
    void nobodySleepsWhileAClientHasAnEventToGet() {
        tryOut("publish");
    }

    @Test
    void aPlantedFaultIsFound() {
        var found = assertThrows(LincheckAssertionError.class, () -> tryOut("wakeAndPublish"));
        assertTrue(String.valueOf(found.getMessage()).contains("sleeps"), found::getMessage);
    }

    /** Leaves the drainer where it would sleep. */
    private static final class Asleep extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** An alarm that remembers whether its drainer would sleep now. */
    private static final class Told implements Alarm {
        private volatile boolean sleeps;
        private boolean woken;

        @Override
        public synchronized void sleep(long nanos) {
            if (woken) {
                woken = false;
                return;
            }
            sleeps = true;
            throw new Asleep();
        }

        @Override
        public synchronized void wake() {
            woken = true;
            sleeps = false;
        }
    }

    /** One channel, one drainer, one client. */
    public static final class HandOff {
        private volatile boolean waits;
        private volatile boolean happened;
        private final Scene scene = new Scene();
        private final Told alarm = new Told();
        private final RecordedExchange client = new RecordedExchange(Head.get("/a"));
        private final FanOutCounters counters = new FanOutCounters();
        private final Delivery delivery =
                new Delivery(scene.channels, scene.policy::fanOut, counters, () -> 0);
        private final Drainer drainer =
                new Drainer(scene.channels, delivery, counters, scene::now, alarm);
        private final Subscription subscription =
                new Subscription(
                        new Subscription.Start(
                                client,
                                Form.POLL,
                                Objects.requireNonNull(scene.channels.enter(List.of("a"))),
                                List.of(),
                                0,
                                null,
                                null,
                                false,
                                Long.MAX_VALUE / 2),
                        () -> {});

        /** A client comes. */
        @Operation(runOnce = true)
        public void subscribe() {
            waits = true;
            delivery.begin(subscription, scene.now());
            drainer.take(subscription);
        }

        /** An event comes. */
        @Operation(runOnce = true)
        public void publish() {
            Publication _ = scene.publish("x", "a");
            happened = true;
            drainer.changed(subscription.channels(), 0);
        }

        /** The planted fault: the drainer is woken before there is something to see. */
        public void wakeAndPublish() {
            drainer.changed(subscription.channels(), 0);
            Publication _ = scene.publish("x", "a");
            happened = true;
        }

        /** The drainer works until it would sleep. */
        @Operation(runOnce = true)
        public void drain() {
            alarm.sleeps = false;
            try {
                for (int i = 0; i < 4; i++) {
                    drainer.round();
                    drainer.rest();
                }
            } catch (Asleep e) {
                // Only a wake-up lets it go on from here.
            }
        }

        /** Looks when all is still. */
        @Validate
        public void look() {
            if (!alarm.sleeps) {
                // It was woken, or it never slept: it goes on.
                drain();
            }
            if (waits && happened && !client.isOver()) {
                throw new IllegalStateException("it sleeps while a client has an event to get");
            }
        }
    }
}
