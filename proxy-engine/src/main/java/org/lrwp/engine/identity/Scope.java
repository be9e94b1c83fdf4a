package org.lrwp.engine.identity;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What an identity may register.
 *
 * @param contexts which contexts; empty = none
 * @param hosts for which virtual hosts, in lower case; empty = for every one, also for all at once
 */
public record Scope(List<ContextPattern> contexts, Set<String> hosts) {
    /** Copies both. */
    public Scope {
        contexts = List.copyOf(contexts);
        hosts =
                hosts.stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Says whether a registration is within it.
     *
     * @param context as users write it
     * @param host the only virtual host; empty = every host
     * @return whether it may be made
     */
    public boolean permits(String context, String host) {
        return (hosts.isEmpty() || hosts.contains(host.toLowerCase(Locale.ROOT)))
                && contexts.stream().anyMatch(pattern -> pattern.covers(context));
    }

    /**
     * Says whether a context is named in it, and not only meant by {@code **}.
     *
     * @param context as users write it
     * @return whether one of its contexts is just that
     */
    public boolean names(String context) {
        return contexts.stream().anyMatch(pattern -> pattern.context().equals(context));
    }

    /**
     * Says whether the registration of somebody else would take requests that belong to it.
     *
     * @param context as users write it
     * @param host the only virtual host; empty = every host
     * @return whether it must be refused
     */
    public boolean losesTo(String context, String host) {
        boolean apart =
                !host.isEmpty()
                        && !hosts.isEmpty()
                        && !hosts.contains(host.toLowerCase(Locale.ROOT));
        return !apart && contexts.stream().anyMatch(pattern -> pattern.losesTo(context));
    }
}
