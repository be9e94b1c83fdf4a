package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.server.doctor.Doctor;
import org.lrwp.server.doctor.Finding;
import org.lrwp.webapp.config.ConfigurationCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;

/** Says what a proxy would lack on this machine. */
@Command(
        name = "doctor",
        customSynopsis = "lrwp doctor [--config FILE]",
        description = {
            "Looks at what the proxy needs of this machine: its configuration, ports, limits of the"
                + " system, folders, certificates and clock; changes nothing. Prints a line for"
                + " each, with what to do. A proxy may run meanwhile: then its ports are taken by"
                + " itself.",
            "",
            "Exit code: 0 without a fault, 1 with one, 2 for wrong use."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
    private final PrintStream out;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration, a properties file.")
    private @Nullable Path config;

    @Option(
            names = "--http-address",
            paramLabel = "A",
            description = "Where clients will be served (default: ${DEFAULT-VALUE}).")
    private String httpAddress = "127.0.0.1";

    @Option(
            names = "--http-port",
            paramLabel = "N",
            description = "Its port (default: ${DEFAULT-VALUE}).")
    private int httpPort = 1080;

    DoctorCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        Map<String, String> system = CheckCommand.system(config);
        if (ConfigurationCheck.run(out, System.getenv(), system) != 0) {
            out.println("Nothing else was looked at: the configuration comes first.");
            return 1;
        }
        Map<String, String> values = ConfigurationCheck.values(System.getenv(), system);
        for (String version : new Versions().getVersion()) {
            out.println(version);
        }
        boolean faulty = false;
        for (Finding finding :
                Doctor.here(httpAddress, httpPort, ServerSettings.program()).examine(values)) {
            out.println(finding.line());
            faulty |= finding.verdict() == Finding.Verdict.FAULT;
        }
        return faulty ? 1 : 0;
    }
}
