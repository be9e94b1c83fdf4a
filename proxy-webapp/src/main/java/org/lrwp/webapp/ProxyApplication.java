package org.lrwp.webapp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;

import org.jspecify.annotations.Nullable;
import org.lrwp.cachemap.CacheFileException;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.cache.CacheConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.SelectorTransport;
import org.lrwp.engine.transport.Transport;
import org.lrwp.webapp.config.ConfigException;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.glassfish.DirectClients;
import org.lrwp.webapp.glassfish.GrizzlyContainer;
import org.lrwp.webapp.glassfish.PeerTransports;
import org.lrwp.webapp.operations.AccessLog;
import org.lrwp.webapp.operations.OperationsPages;
import org.lrwp.webapp.operations.ProxyControl;
import org.lrwp.webapp.servlet.ClientSettings;
import org.lrwp.webapp.servlet.Container;
import org.lrwp.webapp.servlet.DirectFront;
import org.lrwp.webapp.servlet.HttpDate;
import org.lrwp.webapp.servlet.OwnPages;
import org.lrwp.webapp.servlet.ProxyServlet;
import org.lrwp.webapp.servlet.StallWatch;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * Starts and stops everything with the web application. What is wrong with the configuration, or a
 * port that is taken, fails the deployment with one sentence.
 */
public final class ProxyApplication implements ServletContextListener {
    private static final System.Logger LOG = System.getLogger(ProxyApplication.class.getName());

    private final DirectClients clients = new DirectClients(InstantSource.system());
    private @Nullable AccessLog accessLog;
    private @Nullable ProxyEngine engine;
    private @Nullable StallWatch stalls;
    private @Nullable FileSenders senders;
    private @Nullable Container container;
    private @Nullable ProxyControl control;
    private @Nullable Modules modules;

    /** Creates the listener, for the container. */
    public ProxyApplication() {}

    @Override
    public void contextInitialized(ServletContextEvent event) {
        try {
            start(event.getServletContext());
        } catch (StartException e) {
            LOG.log(Level.ERROR, "proxy-not-started reason=\"{0}\"", e.getMessage());
            stop();
            throw e;
        }
    }

    private void start(ServletContext context) {
        String version = Version.read();
        WebappConfig read = readConfig(version);
        read.unknownVariables()
                .forEach(name -> LOG.log(Level.WARNING, "unknown-environment name={0}", name));
        Descriptors.check(read.engine());
        AccessLog log = openLog(read);
        accessLog = log;
        Modules local = Modules.open(read.modules());
        modules = local;
        startSenders(read);
        ProxyEngine running = startEngine(read, log, clients);
        engine = running;
        local.serve(withCache(read, running));
        var watch = new StallWatch();
        stalls = watch;
        var pages =
                new OperationsPages(
                        read.status(), version, running::status, local::status, log::dropped);
        var settings =
                new ClientSettings(
                        read.request(),
                        NanoClock.SYSTEM,
                        watch,
                        new HttpDate(InstantSource.system()),
                        log);
        var ids = new RequestIds(new SecureRandom().nextInt());
        String root = context.getContextPath();
        DirectFront front =
                read.directFront() ? new DirectFront(running, root, settings, ids) : null;
        Container found = findContainer(root, running, read);
        container = found;
        var servlet = new ProxyServlet(running, found, settings, ownPages(pages), ids);
        control =
                ProxyControl.register(
                        root, version, running::status, () -> running.drain(read.drainTime()));
        found.add(context, "lrwp-proxy", servlet);
        if (front != null) {
            clients.open(front, read.engine().spool().memoryPerBody());
        }
        LOG.log(
                Level.INFO,
                "proxy-started version={0} root=\"{1}\" agent={2} transport=\"{3}\" front={4}",
                version,
                root,
                running.status().agentAddress(),
                running.status().transport().kind(),
                front == null ? "servlet" : "direct");
    }

    /** Files go past a container that can be reached. */
    private void startSenders(WebappConfig config) {
        if (config.ownSelectors()) {
            return;
        }
        try {
            FileSenders started = FileSenders.start(config.request().fileThreads());
            senders = started;
            clients.sendFilesBy(started);
        } catch (IOException e) {
            throw new StartException("The system gives no selectors: " + e.getMessage(), e);
        }
    }

    private static Container findContainer(String root, ProxyEngine engine, WebappConfig config) {
        long mostBody = config.engine().spool().memoryPerBody();
        return GrizzlyContainer.find(
                target -> ProxyServlet.safeTarget(root, target),
                ProxyServlet.peerPaths(engine, root, mostBody));
    }

    private static OwnPages ownPages(OperationsPages pages) {
        return (RequestHead head, String path) -> {
            OperationsPages.Page page = pages.page(head, path);
            return new OwnPages.Answer(page.status(), page.contentType(), page.octets());
        };
    }

    private static WebappConfig readConfig(String version) {
        Properties properties = System.getProperties();
        Map<String, String> system = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> system.put(name, property(name)));
        String root = system.get("com.sun.aas.instanceRoot");
        try {
            return ConfigReader.read(
                    System.getenv(),
                    system,
                    root == null ? null : Path.of(root, "config"),
                    version);
        } catch (ConfigException e) {
            throw new StartException(e.getMessage(), null);
        }
    }

    private static String property(String name) {
        return System.getProperty(name, "");
    }

    private static AccessLog openLog(WebappConfig config) {
        try {
            return AccessLog.start(config.accessLog(), InstantSource.system());
        } catch (IOException e) {
            throw new StartException(
                    "The access log cannot be written: access-log.file = "
                            + config.accessLog().file(),
                    e);
        }
    }

    private static ProxyEngine startEngine(
            WebappConfig config, AccessLog log, DirectClients clients) {
        int threads = config.engine().ioThreads();
        try {
            Transport transport =
                    config.ownSelectors()
                            ? new SelectorTransport(threads)
                            : PeerTransports.open(threads, clients);
            return ProxyEngine.start(config.engine(), log, transport);
        } catch (IOException e) {
            throw new StartException(
                    "The LRWP port "
                            + config.engine().agent().port()
                            + " of "
                            + config.engine().agent().address().getHostAddress()
                            + " cannot be had ("
                            + e.getMessage()
                            + "): set agent.port or agent.address to another",
                    null);
        }
    }

    private static ProxyEngine withCache(WebappConfig config, ProxyEngine engine) {
        CacheConfig cache = config.cache();
        try {
            if (cache != null) {
                engine.openCache(cache);
            }
            return engine;
        } catch (CacheFileException | IllegalArgumentException e) {
            throw new StartException("The response cache cannot start: " + e.getMessage(), null);
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        stop();
    }

    private void stop() {
        clients.shut();
        ProxyEngine running = engine;
        ProxyControl registered = control;
        if (registered != null) {
            registered.drain();
            registered.close();
        }
        if (running != null) {
            running.close();
            LOG.log(Level.INFO, "proxy-stopped");
        }
        engine = null;
        control = null;
        Modules local = modules;
        if (local != null) {
            local.close();
        }
        Container found = container;
        if (found != null) {
            found.close();
        }
        clients.sendFilesBy(null);
        FileSenders sending = senders;
        if (sending != null) {
            sending.close();
        }
        StallWatch watch = stalls;
        if (watch != null) {
            watch.close();
        }
        AccessLog log = accessLog;
        if (log != null) {
            log.close();
        }
    }
}
