package org.lrwp.sdk;

import java.util.ArrayList;
import java.util.List;

/**
 * What a peer wants now; it may change while it runs. Immutable.
 *
 * @param contexts the contexts to serve, as they were given
 * @param concurrency requests at once; 0 is a pause
 */
record Demand(List<String> contexts, int concurrency) {
    Demand {
        contexts = List.copyOf(contexts);
    }

    Demand withConcurrency(int requests) {
        return new Demand(contexts, requests);
    }

    Demand with(String context) {
        if (contexts.contains(context)) {
            return this;
        }
        List<String> more = new ArrayList<>(contexts);
        more.add(context);
        return new Demand(more, concurrency);
    }

    Demand without(String context) {
        return new Demand(
                contexts.stream().filter(one -> !one.equals(context)).toList(), concurrency);
    }

    /**
     * Returns what one of several connections takes of the concurrency; the first take the rest.
     */
    int share(int number, int connections) {
        return concurrency / connections + (number <= concurrency % connections ? 1 : 0);
    }
}
