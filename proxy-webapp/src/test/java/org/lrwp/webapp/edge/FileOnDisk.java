package org.lrwp.webapp.edge;

import org.lrwp.protocol.HeaderField;
import org.lrwp.sdk.ExchangeListener;
import org.lrwp.sdk.FileRegion;
import org.lrwp.sdk.PeerExchange;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A file that a module lends, a part at a time; tells what becomes of them. */
final class FileOnDisk implements AutoCloseable {
    private static final int PART = 1 << 20;

    final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final FileChannel file;

    FileOnDisk(Path path) throws IOException {
        this.file = FileChannel.open(path);
    }

    /** Answers with a part of the file, and with the bookkeeping of a careful module. */
    void answer(PeerExchange exchange, long from, long to) {
        var lending = new Lending(exchange, from, to);
        exchange.listen(lending);
        exchange.respond(200, List.of(new HeaderField("Content-Length", Long.toString(to - from))));
        lending.go();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** One answer. */
    private final class Lending implements ExchangeListener {
        private final PeerExchange exchange;
        private final long end;
        private long next;

        Lending(PeerExchange exchange, long from, long to) {
            this.exchange = exchange;
            this.next = from;
            this.end = to;
        }

        void go() {
            boolean more = true;
            while (more && next < end) {
                var part = new Part(exchange, next, Math.min(PART, end - next));
                next += part.length;
                more = exchange.write(part);
            }
            if (next == end) {
                exchange.complete();
            }
        }

        @Override
        public void onWritable() {
            go();
        }

        @Override
        public void onCancelled(String reason) {
            events.add("cancelled");
            exchange.abort("cancelled");
        }

        @Override
        public void onDone() {
            events.add("done");
        }
    }

    /** A part of the file. */
    private final class Part implements FileRegion {
        private final PeerExchange exchange;
        private final long at;
        private final long length;

        Part(PeerExchange exchange, long at, long length) {
            this.exchange = exchange;
            this.at = at;
            this.length = length;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public long transferTo(long from, long most, WritableByteChannel target)
                throws IOException {
            if (!Thread.currentThread().getName().startsWith("lrwp-files")) {
                throw new AssertionError("on " + Thread.currentThread());
            }
            long sent = file.transferTo(at + from, most, target);
            if (sent == 0 && file.size() < at + length) {
                exchange.abort("cut");
                return -1;
            }
            if (sent == 0) {
                events.add("full");
            }
            return sent;
        }
    }
}
