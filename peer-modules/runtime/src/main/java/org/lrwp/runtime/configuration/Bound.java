package org.lrwp.runtime.configuration;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A part of the program and what it makes of the values. Any thread reads; only its {@link
 * Configuration} changes it, under its lock.
 */
final class Bound<C> implements Live<C> {
    private static final System.Logger LOG = System.getLogger(Bound.class.getName());

    private final Function<Values, C> reader;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile C current;

    Bound(Function<Values, C> reader, Values first) {
        this.reader = reader;
        this.current = reader.apply(first);
    }

    /** Makes of other values what follows when they are taken; throws when they do not fit. */
    Runnable prepare(Values next) {
        C made = reader.apply(next);
        return () -> current = made;
    }

    /** Tells who wants to know that there are other values. */
    void tell() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "configuration-listener-failed", e);
            }
        }
    }

    @Override
    public C get() {
        return current;
    }

    @Override
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }
}
