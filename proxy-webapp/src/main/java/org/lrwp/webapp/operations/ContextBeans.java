package org.lrwp.webapp.operations;

import org.lrwp.engine.context.ContextStatus;
import org.lrwp.engine.peer.ServedContext;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * An MBean {@code org.lrwp:type=Context} for each context, while the proxy knows it. {@link #look}
 * and {@link #close} are for one thread at a time; consoles come on any.
 */
public final class ContextBeans implements AutoCloseable {
    /** How often contexts are looked for. */
    public static final Duration STEP = Duration.ofSeconds(5);

    private static final System.Logger LOG = System.getLogger(ContextBeans.class.getName());

    /** Consoles ask for one attribute after the other: a picture serves so long. */
    private static final long FRESH_NANOS = 1_000_000_000;

    private final String root;
    private final EngineView engine;
    private final ContextTotals.View totals;
    private final int most;
    private final LongSupplier clock;
    private final Map<ServedContext, ObjectName> names = new HashMap<>();
    private boolean told;
    private boolean closed;
    private volatile Picture picture = new Picture(Map.of(), 0);

    /** All contexts at one time. */
    private record Picture(Map<ServedContext, ContextStatus> contexts, long time) {}

    /**
     * Creates it without a bean.
     *
     * @param root context root of the application; empty for {@code /}
     * @param engine gives pictures of the engine
     * @param totals adds up requests
     * @param most beans at most; contexts above have none, and the log says so once
     * @param clock a monotonic clock, in nanoseconds
     */
    public ContextBeans(
            String root,
            EngineView engine,
            ContextTotals.View totals,
            int most,
            LongSupplier clock) {
        this.root = root.isEmpty() ? "/" : root;
        this.engine = engine;
        this.totals = totals;
        this.most = most;
        this.clock = clock;
    }

    private Picture take() {
        Map<ServedContext, ContextStatus> contexts = new HashMap<>();
        for (ContextStatus context : engine.status().contexts()) {
            contexts.put(new ServedContext(context.context(), context.virtualHost()), context);
        }
        Picture now = new Picture(contexts, clock.getAsLong());
        picture = now;
        return now;
    }

    private ContextStatus status(ServedContext context, ContextStatus first) {
        Picture now = picture;
        if (clock.getAsLong() - now.time() > FRESH_NANOS) {
            now = take();
        }
        return now.contexts().getOrDefault(context, first);
    }

    /** Registers beans of contexts that have come, and removes those of contexts that have gone. */
    public synchronized void look() {
        if (closed) {
            return;
        }
        Map<ServedContext, ContextStatus> now = take().contexts();
        names.entrySet()
                .removeIf(
                        one -> {
                            boolean gone = !now.containsKey(one.getKey());
                            if (gone) {
                                unregister(one.getValue());
                            }
                            return gone;
                        });
        now.forEach(
                (context, status) -> {
                    if (names.containsKey(context)) {
                        return;
                    }
                    if (names.size() < most) {
                        register(context, status);
                    } else if (!told) {
                        told = true;
                        LOG.log(
                                Level.WARNING,
                                "context-beans-full limit={0,number,#} context={1}",
                                most,
                                Escaper.escape(context.context()));
                    }
                });
    }

    private void register(ServedContext context, ContextStatus first) {
        try {
            ObjectName name =
                    new ObjectName(
                            "org.lrwp:type=Context,root="
                                    + ObjectName.quote(root)
                                    + ",context="
                                    + ObjectName.quote(context.context())
                                    + ",host="
                                    + ObjectName.quote(context.virtualHost()));
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new ContextBean(() -> status(context, first), totals), name);
            names.put(context, name);
        } catch (JMException e) {
            LOG.log(Level.WARNING, "mbean-not-registered reason={0}", e.toString());
        }
    }

    private static void unregister(ObjectName name) {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            LOG.log(Level.DEBUG, "mbean-not-removed", e);
        }
    }

    /** Removes all beans. */
    @Override
    public synchronized void close() {
        closed = true;
        names.values().forEach(ContextBeans::unregister);
        names.clear();
    }
}
