package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.util.List;
import java.util.Set;

/** Keys of the inspector; two of them also for one context alone. */
final class InspectKeys {
    private static final KeyTable TABLE = new KeyTable();

    static final Key<Integer> REQUESTS =
            TABLE.key("context.inspect", ValueTypes.count(0, 1000), "0")
                    .each(ProxyValueTypes.CONTEXT)
                    .live(
                            "Requests of a context that the inspector keeps, the last ones: heads"
                                + " and the beginning of bodies, in memory, for whoever shows the"
                                + " token (docs/operations.md). 0 = none.");

    static final Key<Long> BODY =
            TABLE.key("context.inspect-body", ValueTypes.size(0, 1 << 20), "4KiB")
                    .each(ProxyValueTypes.CONTEXT)
                    .live("Bytes that it keeps of the beginning of each body.");

    static final Key<Long> MEMORY =
            TABLE.key("inspect.memory", ValueTypes.size(0, 1L << 34), "16MiB")
                    .live(
                            "Bytes of all that it keeps, about so; above it the oldest are"
                                    + " forgotten.");

    static final Key<Set<String>> MASK =
            TABLE.key(
                            "inspect.mask",
                            ProxyValueTypes.NAMES,
                            "X-Api-Key, X-Auth-Token, X-Csrf-Token, access_token, api_key,"
                                    + " password, token")
                    .live(
                            "Header fields, and parameters of URLs, whose values it never keeps,"
                                + " beside `Authorization`, `Proxy-Authorization`, `Cookie` and"
                                + " `Set-Cookie`; `***` stands in their place. Bodies are kept as"
                                + " they are.");

    private InspectKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
