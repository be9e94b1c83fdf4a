package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.metrics.Scrape;
import org.lrwp.runtime.module.Action;
import org.lrwp.runtime.module.Figure;

import java.util.List;

/**
 * What operators see and change: a module at work, or a program that is more than one. {@link
 * Operation} puts it into consoles and on its admin endpoint. Any thread calls it.
 */
public interface Operated {
    /**
     * Returns its name.
     *
     * @return unique in the process
     */
    String name();

    /**
     * Returns what kind it is of.
     *
     * @return a word in kebab case
     */
    String type();

    /**
     * Returns its values.
     *
     * @return now and later
     */
    Configuration configuration();

    /**
     * Returns what there is to count.
     *
     * @return the figures of this moment, always the same names in the same order; cheap
     */
    List<Figure> figures();

    /**
     * Returns what it says of itself beyond its figures.
     *
     * @return lines for people; none unless it has more to say
     */
    default List<String> report() {
        return List.of();
    }

    /**
     * Returns what it can be told to do.
     *
     * @return its actions; none unless it has some
     */
    default List<Action> actions() {
        return List.of();
    }

    /**
     * Adds its figures for Prometheus. One that counts by labels adds them itself.
     *
     * @param scrape takes them
     */
    default void metrics(Scrape scrape) {
        scrape.figures(type(), name(), figures());
    }
}
