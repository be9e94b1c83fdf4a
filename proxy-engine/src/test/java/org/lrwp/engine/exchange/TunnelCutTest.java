package org.lrwp.engine.exchange;

import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.api.Test;
import org.lrwp.protocol.UpgradeNames;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A tunnel that is cut while its client comes to be known, under Lincheck: it tries the
 * interleavings of the two, and looks after each of them whether the client was cut.
 */
class TunnelCutTest {
    private static final int INVOCATIONS = 200;
    private static final long INVOCATION_MILLIS = 120_000;

    @Test
    void clientThatComesToBeKnownWhileTheTunnelIsCutIsCut() throws NoSuchMethodException {
        var opens = new Actor(Raced.class.getMethod("opens"), List.of());
        var cuts = new Actor(Raced.class.getMethod("cuts"), List.of());
        new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(INVOCATIONS)
                .verifier(EpsilonVerifier.class)
                // It instruments classes as they come: on a loaded machine more than its 10 s.
                .invocationTimeout$lincheck(INVOCATION_MILLIS)
                .logLevel(LoggingLevel.ERROR)
                .minimizeFailedScenario(false)
                .addCustomScenario(
                        new ExecutionScenario(
                                List.of(), List.of(List.of(opens), List.of(cuts)), List.of(), null))
                .check(Raced.class);
    }

    /** A tunnel that the peer has accepted. */
    public static final class Raced implements TunnelClient {
        private final Tunnel tunnel = new Tunnel(UpgradeNames.of("websocket"));
        private volatile boolean cut;

        /** Creates it. */
        public Raced() {
            tunnel.open();
        }

        /** The front says who the client is. */
        @Operation(runOnce = true)
        public void opens() {
            tunnel.to(this);
        }

        /** The peer is lost. */
        @Operation(runOnce = true)
        public void cuts() {
            tunnel.cut();
        }

        /** Looks when both are through. */
        @Validate
        public void look() {
            if (!cut) {
                throw new IllegalStateException("nobody has cut the client");
            }
        }

        @Override
        public void cut() {
            cut = true;
        }

        @Override
        public void bytes(ByteBuffer bytes) {}

        @Override
        public void end() {}

        @Override
        public void room() {}
    }
}
