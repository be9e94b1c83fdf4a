package org.lrwp.runtime.operation;

import org.lrwp.runtime.configuration.Configuration;
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
     * Returns its figures for Prometheus. One that counts by labels, or had names of its own
     * before, writes them itself.
     *
     * @return the text format, version 0.0.4
     */
    default String metrics() {
        return PlainText.metrics(this);
    }
}
