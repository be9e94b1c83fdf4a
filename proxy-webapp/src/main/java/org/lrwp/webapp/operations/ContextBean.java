package org.lrwp.webapp.operations;

import org.lrwp.engine.context.ContextStatus;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Shows what others have counted. Thread-safe. */
final class ContextBean implements ContextMXBean {
    private static final ContextTotals UNKNOWN = new ContextTotals(-1, -1, -1, -1, -1, -1);

    private final Supplier<ContextStatus> status;
    private final ContextTotals.View totals;

    ContextBean(Supplier<ContextStatus> status, ContextTotals.View totals) {
        this.status = status;
        this.totals = totals;
    }

    private ContextTotals totals() {
        ContextTotals known = totals.totals(status.get().context());
        return known == null ? UNKNOWN : known;
    }

    @Override
    public boolean isServed() {
        return status.get().served();
    }

    @Override
    public boolean isPaused() {
        return status.get().paused() != null;
    }

    @Override
    public int getConnections() {
        return status.get().connections();
    }

    @Override
    public int getSlots() {
        return status.get().slots();
    }

    @Override
    public int getFree() {
        return status.get().free();
    }

    @Override
    public int getBusy() {
        return status.get().busy();
    }

    @Override
    public int getWaiting() {
        return status.get().waiting();
    }

    @Override
    public List<String> getEjected() {
        return status.get().ejected();
    }

    @Override
    public long getEjections() {
        return status.get().ejections();
    }

    @Override
    public Map<String, Long> getOutcomes() {
        return status.get().outcomes();
    }

    @Override
    public long getReceivedBytes() {
        return totals().receivedBytes();
    }

    @Override
    public long getSentBytes() {
        return totals().sentBytes();
    }

    @Override
    public long getRetries() {
        return totals().retries();
    }

    @Override
    public double getMeanQueueMillis() {
        return totals().meanQueueMillis();
    }

    @Override
    public double getMeanPeerMillis() {
        return totals().meanPeerMillis();
    }

    @Override
    public double getMeanMillis() {
        return totals().meanMillis();
    }
}
