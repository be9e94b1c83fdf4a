package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listener that remembers; the test takes the events it waits for. */
final class RecordedEvents implements PeerListener {
    private final BlockingQueue<PeerEvent> events = new LinkedBlockingQueue<>();

    @Override
    public void onEvent(PeerEvent event) {
        events.add(event);
    }

    /** Takes events until one of the kind has come. */
    <E extends PeerEvent> E next(Class<E> kind) throws InterruptedException {
        while (true) {
            PeerEvent event = events.poll(10, TimeUnit.SECONDS);
            assertNotNull(event, () -> "no " + kind.getSimpleName() + " came");
            if (kind.isInstance(event)) {
                return kind.cast(event);
            }
        }
    }

    /** Takes the next event, whatever it is. */
    PeerEvent any() throws InterruptedException {
        return next(PeerEvent.class);
    }

    boolean isEmpty() {
        return events.isEmpty();
    }
}
