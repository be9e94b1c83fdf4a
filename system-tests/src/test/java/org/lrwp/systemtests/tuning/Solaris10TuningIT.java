package org.lrwp.systemtests.tuning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** {@code tune-solaris10} over fakes of ndd, psradm and psrset. */
final class Solaris10TuningIT {
    private static final String STATE = "/var/lrwp-tuning/solaris10.state";
    private static final String BOOT_FILE = "/etc/rc2.d/S99lrwp-tuning";
    private static final String KILLED = "137";
    private static final String SYSTEM =
            """
            * what this machine needs
            set rlim_fd_max = 1024
            set rlim_fd_cur=256
             set ip:ipcl_conn_hash_size=0x100
            forceload: drv/pcipsy
            """;
    private static final String PROCESSORS = "0 on-line\n1 on-line\n2 on-line\n3 off-line\n";
    private static final Map<String, String> BEFORE =
            Map.of(
                    "tcp_time_wait_interval", "240000\n",
                    "tcp_conn_req_max_q", "128\n",
                    "tcp_conn_req_max_q0", "1024\n",
                    "tcp_ip_abort_interval", "480000\n");

    @TempDir private Path folder = Path.of("unset");
    private TuningScript script;

    @BeforeEach
    void machine() throws IOException {
        script = new TuningScript("tune-solaris10", folder);
        for (var parameter : BEFORE.entrySet()) {
            script.write("ndd/" + parameter.getKey(), parameter.getValue());
        }
        script.write("/etc/system", SYSTEM);
        script.write("processors", PROCESSORS);
        Files.createDirectory(folder.resolve("set"));
    }

    @Test
    void showTellsWhatDiffersAndChangesNothing() throws Exception {
        String shown = script.run("--show").requireCode(0).output();

        assertTrue(shown.matches("(?s).*tcp_conn_req_max_q +128 +4096 +differs.*"), shown);
        assertTrue(shown.contains("rlim_fd_cur: 32-bit programs"), shown);
        requireAsBefore();
        assertFalse(script.text("calls").contains("-set"), script.text("calls"));
    }

    @Test
    void applySetsTheKernelNowAndForTheNextBoot() throws Exception {
        script.run("--apply")
                .requireCode(0)
                .requireSays("tcp_conn_req_max_q: 128 -> 4096", "rlim_fd_max: 1024 -> 65536");

        assertEquals("60000\n", script.text("ndd/tcp_time_wait_interval"));
        assertEquals("8192\n", script.text("ndd/tcp_conn_req_max_q0"));
        assertEquals(
                """
                * what this machine needs
                *solaris-tuning* set rlim_fd_max = 1024
                set rlim_fd_cur=256
                 set ip:ipcl_conn_hash_size=0x100
                forceload: drv/pcipsy
                * solaris-tuning: begin, --undo takes this out
                set rlim_fd_max=65536
                * solaris-tuning: end
                """,
                script.text("/etc/system"));
        assertEquals(SYSTEM, script.text("/etc/system.before-tuning"));
        assertTrue(
                script.text(BOOT_FILE)
                        .contains("/usr/sbin/ndd -set /dev/tcp tcp_conn_req_max_q 4096\n"));
        assertTrue(Files.isExecutable(script.file(BOOT_FILE)));
    }

    @Test
    void undoPutsBackWhatWasThereBeforeTheFirstApply() throws Exception {
        script.run("--apply", "--set", "ip:ipcl_conn_hash_size=32768").requireCode(0);
        script.run("--apply", "--set", "tcp_conn_req_max_q=9000", "--set", "rlim_fd_max=131072")
                .requireCode(0)
                .requireSays("rlim_fd_max: 65536 -> 131072");

        script.run("--undo").requireCode(0).requireSays("tcp_conn_req_max_q: 9000 -> 128");

        requireAsBefore();
        script.run("--undo").requireCode(0);
        requireAsBefore();
    }

    @Test
    void undoLeavesWhatOthersHaveWrittenToTheSystemFile() throws Exception {
        script.run("--apply").requireCode(0);
        script.write("/etc/system", script.text("/etc/system") + "set autoup=240\n");

        script.run("--undo").requireCode(0);

        assertEquals(SYSTEM + "set autoup=240\n", script.text("/etc/system"));
    }

    @Test
    void processorsAreTakenOnlyWhenAskedForAndGivenBack() throws Exception {
        script.run("--apply", "--set", "set=1 2", "--set", "offline=2 3").requireCode(0);
        assertEquals("1 2\n", script.text("set/1"));
        assertTrue(script.text("calls").contains("psrset -f 1\n"), "interrupts stay away");
        assertTrue(script.text("processors").contains("2 off-line\n3 off-line\n"));

        script.run("--apply", "--set", "set=1").requireCode(0).requireSays("set: 1 2 -> 1");
        assertEquals("1\n", script.text("set/1"));

        script.run("--undo").requireCode(0);
        requireAsBefore();
        assertFalse(Files.exists(script.file("set/1")));
    }

    @Test
    void setOfSomebodyElseThatCameAfterABootIsNotDestroyed() throws Exception {
        script.run("--apply", "--set", "set=1 2").requireCode(0);
        script.write("set/1", "0 3\n");

        script.run("--undo").requireCode(0);

        assertEquals("0 3\n", script.text("set/1"));
    }

    @Test
    void oneRefusedSettingIsNamedAndTheOthersAreMade() throws Exception {
        script.write("deny", "tcp_conn_req_max_q\n");

        script.run("--apply")
                .requireCode(1)
                .requireSays(
                        "tune-solaris10: tcp_conn_req_max_q: is 128, should be 4096",
                        "tcp_conn_req_max_q0: 1024 -> 8192");
        assertFalse(script.text(STATE).contains("tcp_conn_req_max_q\t"), script.text(STATE));

        script.run("--undo").requireCode(0);
        requireAsBefore();
    }

    @Test
    void settingThatCannotBePutBackStaysInTheState() throws Exception {
        script.run("--apply").requireCode(0);
        script.write("deny", "tcp_conn_req_max_q\n");
        script.run("--undo").requireCode(1);
        assertTrue(script.text(STATE).contains("ndd\ttcp_conn_req_max_q\t128\n"));

        Files.delete(script.file("deny"));
        script.run("--undo").requireCode(0);

        requireAsBefore();
    }

    @Test
    void runThatWasKilledHalfWayIsUndone() throws Exception {
        script.write("kill", "tcp_conn_req_max_q0\n");
        assertEquals(KILLED, Integer.toString(script.run("--apply").code()));
        assertEquals("8192\n", script.text("ndd/tcp_conn_req_max_q0"));
        Files.delete(script.file("kill"));

        script.run("--undo").requireCode(0);

        requireAsBefore();
    }

    private void requireAsBefore() throws IOException {
        for (var parameter : BEFORE.entrySet()) {
            assertEquals(parameter.getValue(), script.text("ndd/" + parameter.getKey()));
        }
        assertEquals(SYSTEM, script.text("/etc/system"));
        assertEquals(PROCESSORS, script.text("processors"));
        assertFalse(Files.exists(script.file(BOOT_FILE)));
        assertFalse(Files.exists(script.file("/etc/system.before-tuning")));
        assertFalse(Files.exists(script.file(STATE)));
    }
}
