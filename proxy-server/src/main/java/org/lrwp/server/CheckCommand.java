package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.server.doctor.Doctor;
import org.lrwp.server.doctor.Finding;
import org.lrwp.webapp.config.ConfigurationCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.PrintStream;
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
            "Prints a line for each fault: the key, its value, file and line, what is allowed."
                    + " What LRWP_ variables set counts too, as it does when the proxy starts."
                    + " The keys of modules are checked; what a module finds only when it opens"
                    + " its files is not. A certificate that has ended, or ends soon, is a warning"
                    + " and no fault.",
            "",
            "Exit code: 0 without a fault, 1 with one, 2 for wrong use."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        sortOptions = false)
final class CheckCommand implements Callable<Integer> {
    private final PrintStream out;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            required = true,
            description = "The configuration, a properties file.")
    private Path config = Path.of("");

    CheckCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        Map<String, String> system = system(config);
        int code = ConfigurationCheck.run(out, System.getenv(), system);
        if (code == 0) {
            warn(ConfigurationCheck.values(System.getenv(), system));
        }
        return code;
    }

    /** The proxy starts with a certificate that has ended; clients and peers do not take it. */
    private void warn(Map<String, String> values) {
        for (Finding one : Doctor.ofCertificates().examine(values)) {
            if (one.verdict() != Finding.Verdict.OK) {
                out.println("warning: " + one.sentence());
            }
        }
    }

    /** The system properties that the web application would read. */
    static Map<String, String> system(@Nullable Path config) {
        Properties properties = System.getProperties();
        Map<String, String> system = new HashMap<>();
        properties
                .stringPropertyNames()
                .forEach(name -> system.put(name, properties.getProperty(name, "")));
        system.putAll(EmbeddedServer.DEFAULTS);
        if (config != null) {
            system.put("lrwp.config", config.toString());
        }
        return system;
    }
}
