package org.lrwp.webapp.operations;

import org.lrwp.engine.EngineStatus;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.Objects;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The MBean {@code org.lrwp:type=Proxy,root="/"} of a proxy, while it runs. Who stops the process
 * drains by it first, as a container takes the servlet away before it tells the application.
 * Thread-safe.
 */
public final class ProxyControl implements ProxyControlMXBean, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ProxyControl.class.getName());

    private final String version;
    private final EngineView engine;
    private final Runnable drain;
    private final Runnable reopenLogs;
    private final ObjectName name;

    private ProxyControl(
            ObjectName name,
            String version,
            EngineView engine,
            Runnable drain,
            Runnable reopenLogs) {
        this.name = name;
        this.version = Objects.requireNonNull(version, "version");
        this.engine = Objects.requireNonNull(engine, "engine");
        this.drain = Objects.requireNonNull(drain, "drain");
        this.reopenLogs = Objects.requireNonNull(reopenLogs, "reopenLogs");
    }

    /**
     * Registers the MBean; where that cannot be done, the log says so and the proxy runs without.
     *
     * @param root context root of the application; empty for {@code /}
     * @param version of the proxy
     * @param engine gives pictures of the engine
     * @param drain drains the engine; blocks
     * @param reopenLogs opens the files of the logs anew; does not block
     * @return the MBean, to be closed with the application
     */
    public static ProxyControl register(
            String root, String version, EngineView engine, Runnable drain, Runnable reopenLogs) {
        var control = new ProxyControl(nameOf(root), version, engine, drain, reopenLogs);
        try {
            ManagementFactory.getPlatformMBeanServer().registerMBean(control, control.name);
        } catch (JMException e) {
            LOG.log(Level.WARNING, "mbean-not-registered reason={0}", e.toString());
        }
        return control;
    }

    private static ObjectName nameOf(String root) {
        String path = ObjectName.quote(root.isEmpty() ? "/" : root);
        try {
            return new ObjectName("org.lrwp:type=Proxy,root=" + path);
        } catch (JMException e) {
            throw new IllegalArgumentException(root, e);
        }
    }

    @Override
    public String getVersion() {
        return version;
    }

    @Override
    public boolean isDraining() {
        return engine.status().draining();
    }

    @Override
    public int getInFlight() {
        return engine.status().exchanges().size();
    }

    @Override
    public int getPeers() {
        return engine.status().peers().size();
    }

    @Override
    public void drain() {
        EngineStatus before = engine.status();
        if (!before.draining()) {
            LOG.log(
                    Level.INFO,
                    "proxy-draining in-flight={0} peers={1}",
                    before.exchanges().size(),
                    before.peers().size());
        }
        drain.run();
    }

    @Override
    public void reopenLogs() {
        reopenLogs.run();
    }

    /** Takes the MBean away. */
    @Override
    public void close() {
        var server = ManagementFactory.getPlatformMBeanServer();
        try {
            if (server.isRegistered(name)) {
                server.unregisterMBean(name);
            }
        } catch (JMException e) {
            LOG.log(Level.DEBUG, "mbean-not-removed", e);
        }
    }
}
