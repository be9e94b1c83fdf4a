package org.lrwp.download.rate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A tree with a clock of its own, and downloads that send whatever they may. */
final class Simulation {
    private static final long STEP = 1_000_000;

    private final RateTree tree;
    private final List<Download> downloads = new ArrayList<>();
    private long now = 1_000_000_000_000L;

    Simulation(Limit global) {
        tree = new RateTree(global, now);
    }

    /** A client that reads as fast as it gets. */
    final class Download {
        private final Flow flow = new Flow(this::granted);
        private final long chunk;
        private long sent;
        private int grants;
        private boolean reading = true;
        private long left;
        private long pause;
        private long backAt = Long.MAX_VALUE;
        private final long began = now;
        private long first = Long.MAX_VALUE;

        private Download(long chunk) {
            this.chunk = chunk;
            this.left = chunk;
        }

        private void granted(Flow mine, long bytes) {
            grants++;
            if (reading) {
                first = Math.min(first, now - began);
                sent += bytes;
                left = Math.max(0, left - bytes);
                if (pause == 0) {
                    tree.want(mine, chunk);
                } else if (left > 0) {
                    tree.want(mine, left);
                } else {
                    backAt = now + pause;
                }
            } else {
                tree.giveBack(mine, bytes);
            }
        }

        long sent() {
            return sent;
        }

        int grants() {
            return grants;
        }

        /** Milliseconds to the first byte; very many while there was none. */
        long firstMillis() {
            return first / STEP;
        }

        Flow flow() {
            return flow;
        }

        /** It takes a while each time until there is more to send. */
        Download pausing(Duration time) {
            pause = time.toNanos();
            return this;
        }

        private void comeBack() {
            if (now >= backAt) {
                backAt = Long.MAX_VALUE;
                left = chunk;
                tree.want(flow, chunk);
            }
        }

        void stall() {
            reading = false;
        }

        void readAgain() {
            reading = true;
            left = chunk;
            tree.want(flow, chunk);
        }

        void leave() {
            tree.leave(flow);
        }
    }

    RateTree tree() {
        return tree;
    }

    Group clients(String name, Limit limit, int weight) {
        return tree.group(tree.root(), name, Quota.of(limit), weight);
    }

    Group client(String name) {
        return tree.group(clients("default", Limit.NONE, 1), name, Quota.of(Limit.NONE), 1);
    }

    Download download(Group client, Limit limit) {
        return download(client, limit, 16_384);
    }

    Download download(Group client, Limit limit, long chunk) {
        Download download = new Download(chunk);
        downloads.add(download);
        tree.join(download.flow, client, limit);
        tree.want(download.flow, chunk);
        return download;
    }

    /** Lets time pass. */
    void pass(Duration time) {
        long until = now + time.toNanos();
        while (now < until) {
            now += Math.min(STEP, until - now);
            tree.advance(now, () -> {});
            downloads.forEach(Download::comeBack);
        }
    }

    long now() {
        return now;
    }

    long sent() {
        return downloads.stream().mapToLong(Download::sent).sum();
    }
}
