package org.lrwp.server;

import org.jspecify.annotations.Nullable;
import org.lrwp.server.doctor.Doctor;
import org.lrwp.server.doctor.Finding;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;

/** Says what a proxy would lack on this machine. */
@Command(
        name = "doctor",
        customSynopsis = "lrwp doctor [--config FILE]",
        description = {
            "Looks at what the proxy needs of this machine: its configuration, ports, limits of"
                    + " the",
            "system, folders, certificates and clock; changes nothing. Prints a line for each,"
                    + " with",
            "what to do. A proxy may run meanwhile: then its ports are taken by itself.",
            "",
            "Exit code: 0 without a fault, 1 with one, 2 for wrong use."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Versions.class,
        sortOptions = false)
final class DoctorCommand implements Callable<Integer> {
    private final PrintStream out;
    private final PrintStream err;

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

    @Option(names = "--war", hidden = true, description = "Another web application.")
    private @Nullable Path war;

    DoctorCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, ReflectiveOperationException {
        Path application = war;
        Path archive = application == null ? ProxyServer.shippedWar() : application;
        boolean sound;
        Map<String, String> values;
        try (ConfigurationReader reader = ConfigurationReader.of(archive, config)) {
            sound = reader.check(out) == 0;
            values = sound ? reader.values() : Map.of();
        } catch (StartFault fault) {
            err.println("lrwp: " + fault.sentence());
            return ProxyServer.USAGE;
        }
        if (!sound) {
            out.println("Nothing else was looked at: the configuration comes first.");
            return 1;
        }
        for (String version : new Versions().getVersion()) {
            out.println(version);
        }
        boolean faulty = false;
        for (Finding finding : Doctor.here(httpAddress, httpPort, archive).examine(values)) {
            out.println(finding.line());
            faulty |= finding.verdict() == Finding.Verdict.FAULT;
        }
        return faulty ? 1 : 0;
    }
}
