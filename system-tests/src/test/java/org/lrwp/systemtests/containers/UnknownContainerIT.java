package org.lrwp.systemtests.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.FreePorts;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.testkit.wire.ScriptedPeer;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The web application's classes in what is neither GlassFish nor Tomcat nor Jetty. */
final class UnknownContainerIT {
    private static final List<String> MODULES =
            List.of(
                    "proxy-webapp",
                    "proxy-engine",
                    "cluster-nats",
                    "cache-map",
                    "lrwp-files",
                    "peer-modules/runtime",
                    "lrwp-peer-sdk");

    @Test
    void itIsRefusedInOneSentenceAndNoPortIsOpen() throws Exception {
        int port = FreePorts.one();
        System.setProperty("lrwp.agent.port", "" + port);
        try (URLClassLoader loader = classes()) {
            Class<?> application = loader.loadClass("org.lrwp.webapp.ProxyApplication");
            Class<?> event = loader.loadClass("jakarta.servlet.ServletContextEvent");
            Class<?> context = loader.loadClass("jakarta.servlet.ServletContext");
            Object other =
                    Proxy.newProxyInstance(
                            loader,
                            new Class<?>[] {context},
                            (proxy, method, arguments) ->
                                    method.getReturnType() == int.class ? 6 : "Other/1.0");
            Object started = application.getConstructor().newInstance();
            Object starting = event.getConstructor(context).newInstance(other);

            Throwable wrapped =
                    assertThrows(
                            InvocationTargetException.class,
                            () ->
                                    application
                                            .getMethod("contextInitialized", event)
                                            .invoke(started, starting));
            Throwable refused = Objects.requireNonNull(wrapped.getCause());

            assertEquals("org.lrwp.webapp.StartException", refused.getClass().getName());
            assertTrue(
                    String.valueOf(refused.getMessage())
                            .startsWith("The container Other/1.0 (Servlet 6.6) is not known: "),
                    refused::toString);
            assertThrows(ConnectException.class, () -> ScriptedPeer.dial(port).close());
        } finally {
            System.clearProperty("lrwp.agent.port");
        }
    }

    private static URLClassLoader classes() throws IOException {
        List<URL> places = new ArrayList<>();
        for (String module : MODULES) {
            places.add(url(Project.root().resolve(module).resolve("target/classes")));
        }
        try (Stream<Path> jars = Files.list(Project.built().resolve("containers/jetty"))) {
            for (Path jar : jars.filter(one -> one.toString().contains("servlet-api")).toList()) {
                places.add(url(jar));
            }
        }
        return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static URL url(Path place) throws MalformedURLException {
        return place.toUri().toURL();
    }
}
