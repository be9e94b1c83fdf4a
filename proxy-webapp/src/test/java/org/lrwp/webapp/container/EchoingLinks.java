package org.lrwp.webapp.container;

import org.lrwp.engine.transport.Link;
import org.lrwp.engine.transport.LinkEvents;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Takes links of a transport; each sends back what it gets, at the end of the loop's round, and
 * fails at a single {@code '!'}.
 */
final class EchoingLinks implements Consumer<Link> {
    final List<Echo> links = new CopyOnWriteArrayList<>();
    final List<String> faults = new CopyOnWriteArrayList<>();

    @Override
    public void accept(Link link) {
        if (!link.isOnLoop()) {
            faults.add("accepted on another thread");
        }
        var echo = new Echo(link);
        links.add(echo);
        link.events(echo);
    }

    final class Echo implements LinkEvents {
        final Link link;
        final CountDownLatch ended = new CountDownLatch(1);
        private ByteBuffer rest = ByteBuffer.allocate(0);

        Echo(Link link) {
            this.link = link;
        }

        @Override
        public void readable() {
            if (!link.isOnLoop() && ended.getCount() > 0) {
                // Only the end of the container's thread may come from elsewhere.
                try {
                    link.read(link.scratch());
                    faults.add("readable on another thread");
                } catch (IOException gone) {
                    end();
                }
                return;
            }
            ByteBuffer in = link.scratch();
            int count;
            try {
                count = link.read(in);
            } catch (IOException gone) {
                count = -1;
            }
            if (count < 0) {
                end();
                return;
            }
            byte[] bytes = new byte[count];
            in.flip().get(bytes);
            // Alone: random bytes of a long transfer may begin a read with it.
            if (count == 1 && bytes[0] == '!') {
                throw new IllegalStateException("planted");
            }
            ByteBuffer more = ByteBuffer.allocate(rest.remaining() + count);
            rest = more.put(rest).put(bytes).flip();
            link.execute(this::write);
        }

        private void end() {
            ended.countDown();
            link.close();
        }

        private void write() {
            if (!link.isOnLoop()) {
                faults.add("task on another thread");
            }
            try {
                link.write(new ByteBuffer[] {rest});
                if (rest.hasRemaining()) {
                    link.reading(false);
                    link.awaitWritable();
                } else {
                    link.reading(true);
                }
            } catch (IOException gone) {
                end();
            }
        }

        @Override
        public void writable() {
            write();
        }
    }
}
