package org.lrwp.webapp.glassfish;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.mockito.Answers.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import jakarta.servlet.AsyncContext;

import org.junit.jupiter.api.Test;

class AsyncScopeTest {
    /** As GlassFish makes one. */
    abstract static class Began implements AsyncContext {
        private final ThreadLocal<Integer> isDispatchInScope = ThreadLocal.withInitial(() -> -1);

        void begin() {
            isDispatchInScope.set(1);
        }

        int value() {
            return isDispatchInScope.get();
        }
    }

    @Test
    void aCompletedRequestLeavesNothingInTheThread() {
        Began request =
                mock(
                        Began.class,
                        withSettings().useConstructor().defaultAnswer(CALLS_REAL_METHODS));
        request.begin();

        AsyncScope.of(Began.class).leave(request);

        assertEquals(-1, request.value());
    }

    @Test
    void theContainersValueIsFound() {
        assertNotNull(AsyncScope.OWN.value());
    }

    @Test
    void aContainerWithoutSuchAValueIsLeftAlone() {
        AsyncScope scope = AsyncScope.of(AsyncContext.class);

        assertDoesNotThrow(() -> scope.leave(mock(AsyncContext.class)));
    }
}
