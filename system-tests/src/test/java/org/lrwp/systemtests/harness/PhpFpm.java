package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** PHP-FPM of this machine. */
public final class PhpFpm {
    private static final Duration SOON = Duration.ofSeconds(20);

    private PhpFpm() {}

    /**
     * Starts it with two workers, until the test ends.
     *
     * @param folder where its files are, which its workers have to read
     * @return its address, as lrwp-connect takes it
     */
    public static String start(Scene scene, Path folder) throws Exception {
        Path program = program();
        Path socket = folder.resolve("php.sock");
        Path config =
                Files.writeString(
                        folder.resolve("php-fpm.conf"),
                        "[global]\ndaemonize = no\nerror_log = /dev/stderr\n[www]\nuser = nobody\n"
                                + "listen = %s\nlisten.mode = 0666\npm = static\n".formatted(socket)
                                + "pm.max_children = 2\n");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        scene.closing(
                ProcessPeer.start(
                        List.of(program.toString(), "-F", "-R", "-y", config.toString())));
        Wait.require("PHP listens", SOON, () -> Files.exists(socket));
        return "unix:" + socket;
    }

    private static Path program() throws IOException {
        Path programs = Path.of("/usr/sbin");
        if (Files.isDirectory(programs)) {
            try (Stream<Path> all = Files.list(programs)) {
                List<Path> found =
                        all.filter(one -> one.getFileName().toString().startsWith("php-fpm"))
                                .sorted()
                                .toList();
                if (!found.isEmpty()) {
                    return found.getLast();
                }
            }
        }
        Tools.missing("skipped: php-fpm is not installed");
        throw new AssertionError();
    }
}
