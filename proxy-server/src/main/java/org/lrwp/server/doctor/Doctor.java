package org.lrwp.server.doctor;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Examines the machine that a proxy runs on, or will run on. */
public final class Doctor {
    private static final Path PROC = Path.of("/proc");
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final Path RUN = Path.of("/run");

    private final List<Examination> examinations;

    private Doctor(List<Examination> examinations) {
        this.examinations = List.copyOf(examinations);
    }

    /**
     * Prepares for this machine.
     *
     * @param httpAddress where clients will be served
     * @param httpPort its port
     * @param program a file of this program
     * @return one that has looked at nothing yet
     */
    public static Doctor here(String httpAddress, int httpPort, Path program) {
        InstantSource clock = InstantSource.system();
        return new Doctor(
                List.of(
                        new Ports(httpAddress, httpPort, new PortOwners(PROC)),
                        new SystemLimits(
                                PROC,
                                new ControlGroups(PROC, CGROUPS),
                                Runtime.getRuntime().maxMemory(),
                                Runtime.getRuntime().availableProcessors()),
                        new Folders(Path.of(System.getProperty("java.io.tmpdir"))),
                        new Certificates(clock),
                        new Clock(clock, program, RUN)));
    }

    /**
     * Prepares to look at certificates and their keys alone.
     *
     * @return one that has looked at nothing yet
     */
    public static Doctor ofCertificates() {
        return new Doctor(List.of(new Certificates(InstantSource.system())));
    }

    /**
     * Looks at everything; blocks on the disk.
     *
     * @param values of the configuration by key, with the defaults
     * @return what was found, in the order of the examinations
     */
    public List<Finding> examine(Map<String, String> values) {
        Settings settings = new Settings(values);
        List<Finding> findings = new ArrayList<>();
        examinations.forEach(one -> one.look(settings, findings::add));
        return findings;
    }
}
