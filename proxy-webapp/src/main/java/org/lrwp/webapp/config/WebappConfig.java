package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.ClusterConfig;
import org.lrwp.engine.EngineConfig;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.engine.transport.SocketConfig;
import org.lrwp.engine.transport.tls.TlsConfig;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The whole configuration.
 *
 * @param engine of the engine
 * @param tls of the port for peers inside TLS; null for none
 * @param socket where peers of this host dial in beside the port; null for nowhere
 * @param request of requests and answers
 * @param accessLog of the access log and the slow log
 * @param auditLog of the audit log
 * @param traces of the spans of requests; null for none
 * @param status of the pages under {@code /-/}
 * @param admin of whoever acts there
 * @param cache of the response cache; null when no context wants one
 * @param ownSelectors whether peers are not to be handled on the container's threads
 * @param front which way requests for peers take
 * @param strictHttp whether the strict reader stands before the container
 * @param https where clients speak HTTPS; null for nowhere
 * @param drainTime how long running requests may go on when the proxy stops
 * @param drainNotice how long before that it says that it is about to stop
 * @param cluster of this proxy as one of several; null for one of its own
 * @param modules the modules that run inside the proxy
 * @param unknownVariables environment variables that look like ours and are not
 */
public record WebappConfig(
        EngineConfig engine,
        @Nullable TlsConfig tls,
        @Nullable SocketConfig socket,
        RequestConfig request,
        AccessLogConfig accessLog,
        AuditLogConfig auditLog,
        @Nullable TracesConfig traces,
        StatusConfig status,
        AdminConfig admin,
        @Nullable CacheConfig cache,
        boolean ownSelectors,
        Front front,
        boolean strictHttp,
        @Nullable HttpsConfig https,
        Duration drainTime,
        Duration drainNotice,
        @Nullable ClusterConfig cluster,
        List<ModuleConfig> modules,
        List<String> unknownVariables) {
    /** Checks that nothing is missing. */
    public WebappConfig {
        Objects.requireNonNull(engine, "engine");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(accessLog, "accessLog");
        Objects.requireNonNull(auditLog, "auditLog");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(admin, "admin");
        Objects.requireNonNull(front, "front");
        Objects.requireNonNull(drainTime, "drainTime");
        Objects.requireNonNull(drainNotice, "drainNotice");
        modules = List.copyOf(modules);
        unknownVariables = List.copyOf(unknownVariables);
    }
}
