package org.lrwp.server;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;

/** Checks a configuration by the web application's own code, without a container. */
@Command(
        name = "check",
        customSynopsis = "lrwp check --config FILE",
        description = {
            "Checks a configuration of the proxy; no proxy has to run, and none is changed.",
            "Prints a line for each fault: the key, its value, file and line, what is allowed.",
            "What LRWP_ variables set counts too, as it does when the proxy starts. The keys of",
            "modules are checked; what a module finds only when it opens its files is not.",
            "",
            "Exit code: 0 without a fault, 1 with one, 2 for wrong use."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        sortOptions = false)
final class CheckCommand implements Callable<Integer> {
    private static final String CHECK = "org.lrwp.webapp.config.ConfigurationCheck";

    private final PrintStream out;
    private final PrintStream err;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "The configuration, a properties file.")
    private Path config = Path.of("");

    @Option(names = "--war", hidden = true, description = "Another web application.")
    private @Nullable Path war;

    CheckCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, ReflectiveOperationException {
        Path application = war;
        Path archive = application == null ? ProxyServer.shippedWar() : application;
        if (!Files.isRegularFile(archive)) {
            err.println("lrwp: the web application " + archive + " is missing");
            return ProxyServer.USAGE;
        }
        try (WarClasses classes = WarClasses.open(archive)) {
            return check(classes.loader().loadClass(CHECK));
        }
    }

    private int check(Class<?> check) throws ReflectiveOperationException {
        Properties properties = System.getProperties();
        Map<String, String> system = new HashMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> system.put(name, properties.getProperty(name, "")));
        system.putAll(EmbeddedServer.DEFAULTS);
        system.put("lrwp.config", config.toString());
        try {
            return (int)
                    check.getMethod("run", PrintStream.class, Map.class, Map.class)
                            .invoke(null, out, System.getenv(), system);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("the check failed", e.getCause());
        }
    }
}
