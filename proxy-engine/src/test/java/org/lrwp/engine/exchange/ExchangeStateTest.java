package org.lrwp.engine.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

class ExchangeStateTest {
    private static final Map<ExchangeState, Set<ExchangeState>> ARROWS =
            new EnumMap<>(
                    Map.of(
                            ExchangeState.RECEIVING,
                            EnumSet.of(
                                    ExchangeState.QUEUED, ExchangeState.SENT, ExchangeState.FAILED),
                            ExchangeState.QUEUED,
                            EnumSet.of(ExchangeState.SENT, ExchangeState.FAILED),
                            ExchangeState.SENT,
                            EnumSet.of(
                                    ExchangeState.RECEIVING,
                                    ExchangeState.QUEUED,
                                    ExchangeState.ANSWERING,
                                    ExchangeState.TUNNEL,
                                    ExchangeState.FAILED),
                            ExchangeState.ANSWERING,
                            EnumSet.of(ExchangeState.DONE, ExchangeState.FAILED),
                            ExchangeState.TUNNEL,
                            EnumSet.of(ExchangeState.DONE, ExchangeState.FAILED),
                            ExchangeState.DONE,
                            EnumSet.noneOf(ExchangeState.class),
                            ExchangeState.FAILED,
                            EnumSet.noneOf(ExchangeState.class)));

    @Test
    void onlyTheStepsOfTheDrawingArePossible() {
        for (ExchangeState from : ExchangeState.values()) {
            for (ExchangeState next : ExchangeState.values()) {
                if (ARROWS.getOrDefault(from, Set.of()).contains(next)) {
                    assertEquals(next, from.to(next));
                } else {
                    assertThrows(IllegalStateException.class, () -> from.to(next));
                }
            }
        }
    }

    @Test
    void whatIsOverHasNoArrow() {
        for (ExchangeState state : ExchangeState.values()) {
            assertEquals(ARROWS.getOrDefault(state, Set.of()).isEmpty(), state.isOver());
        }
    }
}
