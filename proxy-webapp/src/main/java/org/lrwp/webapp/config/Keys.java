package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.Key;

import java.util.List;
import java.util.stream.Stream;

/** All keys of the proxy. */
final class Keys {
    private Keys() {}

    /** The keys of the proxy itself, in the order of the docs. */
    static List<Key<?>> own() {
        return Stream.of(
                        AgentKeys.all(),
                        TlsKeys.all(),
                        ContextKeys.all(),
                        TrafficKeys.all(),
                        InspectKeys.all(),
                        CacheKeys.all(),
                        RequestKeys.all(),
                        ClientKeys.all(),
                        HttpsKeys.all(),
                        SpoolKeys.all(),
                        LogKeys.all(),
                        TraceKeys.all(),
                        OperationKeys.all(),
                        ClusterKeys.all())
                .<Key<?>>flatMap(List::stream)
                .toList();
    }

    /** Those of modules and operators too. */
    static List<Key<?>> all() {
        return Stream.of(own(), ModuleKeys.all(), OperatorKeys.all())
                .<Key<?>>flatMap(List::stream)
                .toList();
    }
}
