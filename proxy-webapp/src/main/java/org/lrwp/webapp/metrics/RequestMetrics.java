package org.lrwp.webapp.metrics;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.ExchangeListener;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.webapp.operations.ContextTotals;

import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts every request that the proxy answers, once, at its end. Contexts above a limit share one
 * name. Thread-safe; never blocks.
 */
public final class RequestMetrics implements ExchangeListener, ContextTotals.View {
    /** The name of contexts that have no figures of their own; no context can have it. */
    static final String OTHERS = "(others)";

    private static final System.Logger LOG = System.getLogger(RequestMetrics.class.getName());

    private final ExchangeListener next;
    private final int mostContexts;
    private final ConcurrentHashMap<String, ContextFigures> contexts = new ConcurrentHashMap<>();
    private final LongAdder folded = new LongAdder();
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * Creates it without a request.
     *
     * @param next is told after this
     * @param mostContexts contexts with figures of their own, at least 1
     */
    public RequestMetrics(ExchangeListener next, int mostContexts) {
        this.next = next;
        this.mostContexts = mostContexts;
    }

    @Override
    public void ended(ExchangeRecord request) {
        figures(request.context()).count(request);
        next.ended(request);
    }

    @Override
    public void retried(String context, Failure why) {
        figures(context).countRetry(why);
        next.retried(context, why);
    }

    private ContextFigures figures(String context) {
        ContextFigures figures = contexts.get(context);
        return figures == null ? admit(context) : figures;
    }

    private ContextFigures admit(String context) {
        // Threads that come at once may each find room: then there is one more for each.
        if (contexts.size() < mostContexts) {
            return contexts.computeIfAbsent(context, name -> new ContextFigures());
        }
        folded.increment();
        tellFull(context);
        return contexts.computeIfAbsent(OTHERS, name -> new ContextFigures());
    }

    /** Says once that a context has no figures of its own. */
    void tellFull(String context) {
        if (told.compareAndSet(false, true)) {
            LOG.log(
                    Level.WARNING,
                    "metrics-contexts-full limit={0,number,#} context={1}",
                    mostContexts,
                    context);
        }
    }

    @Override
    public @Nullable ContextTotals totals(String context) {
        ContextFigures figures = contexts.get(context);
        if (figures != null) {
            return figures.totals();
        }
        return contexts.size() < mostContexts ? ContextTotals.NONE : null;
    }

    /** The figures by context. */
    Map<String, ContextFigures> contexts() {
        return contexts;
    }

    /** Requests of contexts that have no figures of their own. */
    long folded() {
        return folded.sum();
    }

    /**
     * Says how many contexts are counted each for itself.
     *
     * @return that many at most
     */
    public int mostContexts() {
        return mostContexts;
    }
}
