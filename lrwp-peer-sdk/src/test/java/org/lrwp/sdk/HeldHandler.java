package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;

/** Answers with the method of the request; one of the method HOLD when the test releases it. */
final class HeldHandler implements RequestHandler {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @Override
    public PeerResponse handle(PeerRequest request) throws Exception {
        if (request.method().equals("HOLD")) {
            entered.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                assertTrue(request.cancelled());
                interrupted.countDown();
                throw e;
            }
        }
        return PeerResponse.text(200, request.method());
    }

    /** Waits until a request is held. */
    void awaitEntered() throws InterruptedException {
        entered.await();
    }

    /** Lets all requests be answered, now and later. */
    void release() {
        released.countDown();
    }

    /** Waits until a request that was held is interrupted, and says that it was cancelled. */
    void awaitInterrupted() throws InterruptedException {
        interrupted.await();
    }
}
