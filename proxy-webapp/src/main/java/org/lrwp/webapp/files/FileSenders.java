package org.lrwp.webapp.files;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A few senders, among which the connections are divided. Thread-safe. */
public final class FileSenders implements AutoCloseable {
    private final List<FileSender> senders;
    private final AtomicInteger next = new AtomicInteger();

    private FileSenders(List<FileSender> senders) {
        this.senders = List.copyOf(senders);
    }

    /**
     * Starts threads.
     *
     * @param threads how many, at least 1
     * @return running senders, for the caller to close
     * @throws IOException when the system gives no selectors
     */
    public static FileSenders start(int threads) throws IOException {
        List<FileSender> made = new ArrayList<>();
        try {
            for (int i = 1; i <= threads; i++) {
                FileSender sender =
                        new FileSender(Selector.open(), "lrwp-files-" + i, System::nanoTime);
                sender.start();
                made.add(sender);
            }
        } catch (IOException e) {
            made.forEach(FileSender::close);
            throw e;
        }
        return new FileSenders(made);
    }

    /**
     * Chooses the sender of a connection, in turn.
     *
     * @return for all parts that go to the connection
     */
    public FileSender one() {
        return senders.get(Math.floorMod(next.getAndIncrement(), senders.size()));
    }

    /** Ends the threads; what is on its way ends as if its client were gone. Does not wait. */
    @Override
    public void close() {
        senders.forEach(FileSender::close);
    }
}
