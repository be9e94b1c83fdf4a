package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.FileFault;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.webapp.config.AuditLogConfig;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.PeersFile;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.metrics.AuditMetrics;
import org.lrwp.webapp.operations.AccessLog;
import org.lrwp.webapp.operations.AuditLog;
import org.lrwp.webapp.operations.LogStatus;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The access log and the audit log. They follow the configuration.
 *
 * @param access has a line for each request
 * @param audit has a line for each act of an operator or a peer
 * @param trail counts what is told of, also of the configuration, before the audit log has it
 */
record Logs(AccessLog access, AuditLog audit, AuditMetrics trail) implements AutoCloseable {
    /**
     * Opens both.
     *
     * @throws StartException when a file cannot be written; nothing stays open
     */
    static Logs open(ConfigReader.Opened opened) {
        Live<WebappConfig> live = opened.live();
        AccessLog access = openAccess(live.get());
        try {
            var own = new AuditedConfiguration(opened.configuration(), "");
            PeersFile file = opened.peers();
            var peers = file == null ? null : new AuditedConfiguration(file.configuration(), "");
            AuditLog audit =
                    openAudit(
                            live.get().auditLog(),
                            peers == null
                                    ? own::version
                                    : () -> own.version() + "." + peers.version());
            var trail = new AuditMetrics(audit);
            own.follow(trail);
            if (peers != null) {
                peers.follow(trail);
            }
            live.onChange(() -> access.use(live.get().accessLog()));
            live.onChange(() -> audit.use(live.get().auditLog()));
            return new Logs(access, audit, trail);
        } catch (StartException e) {
            access.close();
            throw e;
        }
    }

    private static AccessLog openAccess(WebappConfig config) {
        List<String> files =
                files(config.accessLog().lines().file(), config.accessLog().slow().file());
        try {
            return AccessLog.start(config.accessLog(), InstantSource.system());
        } catch (IOException e) {
            throw new StartException(
                    "The access log cannot be written: %s: %s"
                            .formatted(
                                    String.join(", ", files),
                                    files.size() == 1 ? FileFault.reason(e) : FileFault.of(e)),
                    e);
        }
    }

    /** The keys that name a file. */
    private static List<String> files(@Nullable Path access, @Nullable Path slow) {
        List<String> set = new ArrayList<>();
        if (access != null) {
            set.add("access-log.file = " + access);
        }
        if (slow != null) {
            set.add("slow-log.file = " + slow);
        }
        return set;
    }

    private static AuditLog openAudit(AuditLogConfig config, Supplier<String> version) {
        try {
            return AuditLog.start(config, InstantSource.system(), version);
        } catch (IOException e) {
            throw new StartException(
                    "The audit log cannot be written: audit-log.file = %s: %s"
                            .formatted(config.lines().file(), FileFault.reason(e)),
                    e);
        }
    }

    LogStatus status() {
        return new LogStatus(access.dropped(), audit.dropped());
    }

    /** Opens the files anew, as after a rotation. */
    void reopen() {
        access.reopen();
        audit.reopen();
    }

    @Override
    public void close() {
        access.close();
        audit.close();
    }
}
