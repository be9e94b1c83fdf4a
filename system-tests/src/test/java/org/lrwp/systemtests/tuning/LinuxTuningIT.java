package org.lrwp.systemtests.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.Tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code tune-linux} over a folder with the kernel's files, and over a kernel. */
@EnabledOnOs(OS.LINUX)
final class LinuxTuningIT {
    private static final String STATE = "/var/lib/lrwp-tuning/linux.state";
    private static final String SYSCTL = "/etc/sysctl.d/90-lrwp.conf";
    private static final String LIMITS = "/etc/security/limits.d/90-lrwp.conf";
    private static final String UNIT = "/etc/systemd/system/lrwp-proxy.service";
    private static final String KERNEL = "/proc/sys/net/";
    private static final Map<String, String> BEFORE =
            Map.of(
                    "core/somaxconn", "128\n",
                    "ipv4/tcp_max_syn_backlog", "1024\n",
                    "ipv4/tcp_retries2", "15\n",
                    "ipv4/tcp_slow_start_after_idle", "1\n");

    @TempDir private Path folder = Path.of("unset");
    private TuningScript script;

    @BeforeEach
    void script() throws IOException {
        script = new TuningScript("tune-linux", folder);
    }

    @AfterEach
    void unlinkTheKernel() throws IOException {
        if (Files.isSymbolicLink(script.file("/proc"))) {
            Files.delete(script.file("/proc"));
        }
    }

    private void machine() throws IOException {
        for (var parameter : BEFORE.entrySet()) {
            script.write(KERNEL + parameter.getKey(), parameter.getValue());
        }
    }

    @Test
    void applyWritesKernelAndFilesAndUndoTakesThemAway() throws Exception {
        machine();

        script.run("--apply", "--set", "user=www", "--set", "nofile=99999").requireCode(0);
        assertEquals("4096\n", script.text(KERNEL + "core/somaxconn"));
        assertTrue(script.text(SYSCTL).contains("\nnet.core.somaxconn = 4096\n"));
        assertTrue(
                script.text(LIMITS).contains("\nwww soft nofile 99999\nwww hard nofile 99999\n"));
        script.run("--apply", "--set", "net.core.somaxconn=9000").requireCode(0);
        assertEquals("9000\n", script.text(KERNEL + "core/somaxconn"));
        assertTrue(script.text(SYSCTL).contains("\nnet.core.somaxconn = 9000\n"));

        script.run("--undo").requireCode(0).requireSays("net.core.somaxconn: 9000 -> 128");

        for (var parameter : BEFORE.entrySet()) {
            assertEquals(parameter.getValue(), script.text(KERNEL + parameter.getKey()));
        }
        for (String file : List.of(SYSCTL, LIMITS, UNIT, STATE)) {
            assertFalse(Files.exists(script.file(file)), file);
        }
    }

    @Test
    void fileOfSomebodyElseIsNotTouched() throws Exception {
        machine();
        script.write(SYSCTL, "net.core.somaxconn = 1\n");

        script.run("--apply").requireCode(1);
        script.run("--undo").requireCode(0);

        assertEquals("net.core.somaxconn = 1\n", script.text(SYSCTL));
        assertFalse(Files.exists(script.file(LIMITS)));
    }

    @Test
    void unitIsOneThatSystemdTakes() throws Exception {
        script.run("--apply", "--set", "user=root").requireCode(0);

        String unit = script.text(UNIT);
        assertTrue(unit.contains("\nExecStart=\"" + Project.root() + "/lrwp\" proxy\n"), unit);
        assertTrue(unit.contains("\nLimitNOFILE=65536\nNoNewPrivileges=yes\n"), unit);
        assertTrue(unit.contains("\nUser=root\n"), unit);
        assertFalse(unit.contains("@"), unit);
        if (!Files.isExecutable(Path.of("/usr/bin/systemd-analyze"))) {
            System.out.println("not verified by systemd: systemd-analyze is not installed");
            return;
        }
        String verdict =
                Tools.run(
                        folder,
                        Duration.ofSeconds(30),
                        "",
                        List.of("systemd-analyze", "verify", script.file(UNIT).toString()));
        assertFalse(verdict.contains("lrwp-proxy"), verdict);
    }

    @Test
    void wrongUseIsOneSentenceAndChangesNothing() throws Exception {
        machine();
        for (String[] arguments :
                new String[][] {
                    {},
                    {"--apply", "--undo"},
                    {"--apply", "--set", "net.core.nothing=1"},
                    {"--apply", "--set", "net.ipv4.tcp_fin_timeout=10"},
                    {"--apply", "--set", "net.core.somaxconn="},
                    {"--apply", "--faster"}
                }) {
            String said = script.run(arguments).requireCode(2).output();
            assertEquals(1, said.lines().count(), said);
        }
        assertEquals("128\n", script.text(KERNEL + "core/somaxconn"));
    }

    @Test
    void nothingIsChangedThatCouldNotBeUndone() throws Exception {
        machine();
        script.write("file", "");

        String said =
                script.run("--apply", "--state", folder + "/file/state").requireCode(2).output();

        assertTrue(said.contains("cannot write the state file"), said);
        assertEquals("128\n", script.text(KERNEL + "core/somaxconn"));
        assertFalse(Files.exists(script.file(SYSCTL)));
    }

    /**
     * Every setting of the kernel belongs to the network namespace, so this machine keeps its own.
     */
    @Test
    void kernelTakesTheValuesAndGetsItsOwnBack() throws Exception {
        List<String> namespace = namespace();
        Path kernel = Path.of("/proc/sys/net/core/somaxconn");
        String outside = parameter(kernel);
        Files.createSymbolicLink(script.file("/proc"), Path.of("/proc"));
        String look = "cat " + kernel;
        String steps =
                String.join(
                        "; ",
                        look,
                        "\"$0\" --apply --set net.core.somaxconn=5000",
                        look,
                        "\"$0\" --undo && " + look);
        script.within(concat(namespace, List.of("bash", "-c", steps)));

        var outcome = script.run().requireCode(0);

        String inside = outcome.output().lines().findFirst().orElse("nothing");
        outcome.requireSays(
                "net.core.somaxconn: " + inside + " -> 5000",
                "5000",
                "net.core.somaxconn: 5000 -> " + inside);
        assertEquals(inside, outcome.output().lines().toList().getLast());
        assertEquals(outside, parameter(kernel));
    }

    @Test
    void showReadsThisMachine() throws Exception {
        Files.createSymbolicLink(script.file("/proc"), Path.of("/proc"));
        String now = parameter(Path.of("/proc/sys/net/ipv4/tcp_retries2"));

        String shown = script.run("--show").requireCode(0).output();

        assertTrue(shown.matches("(?s).*net.ipv4.tcp_retries2 +" + now + " +8 .*"), shown);
    }

    /** Such a file gives its text to the first read only, and readString begins with one byte. */
    private static String parameter(Path file) throws IOException {
        return Files.readAllLines(file).getFirst();
    }

    private static String[] concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toArray(String[]::new);
    }

    /**
     * A command that runs another in a network namespace of its own; skips where none can be had.
     */
    private List<String> namespace() throws IOException, InterruptedException {
        for (String table :
                Files.readAllLines(Project.root().resolve("solaris-tuning/settings/linux.md"))) {
            assertTrue(
                    !table.startsWith("| sysctl |") || table.startsWith("| sysctl | `net."), table);
        }
        for (List<String> command :
                List.of(
                        List.of("unshare", "--net"),
                        List.of("unshare", "--user", "--map-root-user", "--net"))) {
            Process process =
                    new ProcessBuilder(
                                    concat(
                                            command,
                                            List.of("test", "-w", "/proc/sys/net/core/somaxconn")))
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve("namespace.txt").toFile())
                            .start();
            if (process.waitFor() == 0) {
                return command;
            }
        }
        String reason = "skipped: this machine gives no network namespace of one's own";
        System.out.println(reason);
        Assumptions.abort(reason);
        return List.of();
    }
}
