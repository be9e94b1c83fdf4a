package org.lrwp.systemtests.harness;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives tests a {@link Scene} on a server that all classes with the same {@link ServerConfig} share
 * as long as this virtual machine lives. After each test the server has nothing in flight and all
 * slots free; after each class descriptors, threads and temporary files are back where they were.
 */
public final class SharedServer
        implements BeforeAllCallback, AfterAllCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SharedServer.class);
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private static final Map<String, Running> SERVERS = new ConcurrentHashMap<>();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> SERVERS.values().forEach(server -> server.proxy.close())));
    }

    /** A server with what it had when it was fresh. */
    private static final class Running {
        private final ProxyProcess proxy;
        private final Footprint fresh;

        Running(String name, boolean http2) {
            try {
                String server = name + (http2 ? "-http2" : "");
                proxy =
                        ProxyProcess.start(
                                server, Configuration.install(name, server), "--http2=" + http2);
            } catch (Exception e) {
                throw new IllegalStateException("no server " + name, e);
            }
            try {
                WarmUp.of(proxy);
                fresh = Footprint.of(proxy);
            } catch (Exception e) {
                report(proxy);
                proxy.close();
                throw new IllegalStateException("the server does not warm up", e);
            }
        }
    }

    private static ServerConfig config(ExtensionContext context) {
        ServerConfig config = context.getRequiredTestClass().getAnnotation(ServerConfig.class);
        if (config == null) {
            throw new IllegalStateException("the test class has no @ServerConfig");
        }
        return config;
    }

    private static Running running(ExtensionContext context) {
        ServerConfig config = config(context);
        return SERVERS.computeIfAbsent(
                config.value() + config.http2(),
                key -> new Running(config.value(), config.http2()));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running(context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE)
                .computeIfAbsent(
                        "scene",
                        key -> new Scene(running(context).proxy, context.getDisplayName()),
                        Scene.class);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        ProxyProcess proxy = running(context).proxy;
        Scene scene = context.getStore(NAMESPACE).get("scene", Scene.class);
        try {
            if (scene != null) {
                scene.close();
            }
            requireRest(proxy);
        } catch (AssertionError e) {
            report(proxy);
            throw e;
        }
        if (context.getExecutionException().isPresent()) {
            report(proxy);
        }
    }

    private static void requireRest(ProxyProcess proxy) throws Exception {
        boolean rests =
                Wait.until(
                        SETTLING,
                        () -> {
                            StatusPage now = proxy.status();
                            return now.waiting() == 0
                                    && now.busy() == 0
                                    && now.inFlight() == 0
                                    && now.spooled() == 0
                                    && now.peers() == 0;
                        });
        if (!rests) {
            throw new AssertionError("the server does not come to rest: " + proxy.status());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (config(context).leavesNothing()) {
            Running running = running(context);
            running.fresh.requireSame(running.proxy);
        }
    }

    private static void report(ProxyProcess proxy) {
        System.out.println("---- last lines of the server ----");
        System.out.println(proxy.lastLines(15));
        System.out.println("----------------------------------");
    }
}
