package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Reads the configuration by the web application's own code, without a container, as the proxy
 * would when it starts.
 */
final class ConfigurationReader implements AutoCloseable {
    private static final String CHECK = "org.lrwp.webapp.config.ConfigurationCheck";

    private final WarClasses classes;
    private final Class<?> check;
    private final Map<String, String> system;

    private ConfigurationReader(WarClasses classes, Map<String, String> system)
            throws ClassNotFoundException {
        this.classes = classes;
        this.check = classes.loader().loadClass(CHECK);
        this.system = system;
    }

    /**
     * Unpacks the web application's classes.
     *
     * @param archive the web application
     * @param config the configuration file; null for that which the system properties name
     * @throws StartFault when there is no web application
     */
    static ConfigurationReader of(Path archive, @Nullable Path config)
            throws IOException, ClassNotFoundException, StartFault {
        if (!Files.isRegularFile(archive)) {
            throw new StartFault("the web application " + archive + " is missing");
        }
        Properties properties = System.getProperties();
        Map<String, String> system = new HashMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> system.put(name, properties.getProperty(name, "")));
        system.putAll(EmbeddedServer.DEFAULTS);
        if (config != null) {
            system.put("lrwp.config", config.toString());
        }
        return new ConfigurationReader(WarClasses.open(archive), system);
    }

    /**
     * Prints a line for each fault.
     *
     * @return 0, or 1 when there is one
     */
    int check(PrintStream out) {
        return (int) call("run", out, System.getenv(), system);
    }

    /** All values of a configuration without a fault, by key. */
    Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        Map<?, ?> read = (Map<?, ?>) call("values", System.getenv(), system);
        read.forEach((key, value) -> values.put(String.valueOf(key), String.valueOf(value)));
        return values;
    }

    private Object call(String method, Object... arguments) {
        Class<?>[] types = new Class<?>[arguments.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = arguments[i] instanceof PrintStream ? PrintStream.class : Map.class;
        }
        try {
            return check.getMethod(method, types).invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the check failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("another web application", e);
        }
    }

    @Override
    public void close() throws IOException {
        classes.close();
    }
}
