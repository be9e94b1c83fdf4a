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

/** {@code tune-solaris11} over fakes of ipadm, the project commands and rctladm. */
final class Solaris11TuningIT {
    private static final String STATE = "/var/lrwp-tuning/solaris11.state";
    private static final String PROJECT = "project/lrwp";
    private static final String LIMIT = "process.max-file-descriptor=";
    private static final String WANTED = LIMIT + "(basic,65536,deny),(privileged,65536,deny)\n";

    @TempDir private Path folder = Path.of("unset");
    private TuningScript script;

    @BeforeEach
    void machine() throws IOException {
        script = new TuningScript("tune-solaris11", folder);
        property("_time_wait_interval", 60000, 60000);
        property("_conn_req_max_q", 128, 128);
        // Set until the next boot, and set to something else for after it.
        property("_conn_req_max_q0", 1024, 2000);
        property("_ip_abort_interval", 300000, 90000);
        script.write("ipadm/_ip_abort_interval/persistent", "400000\n");
        script.write("rctladm", "off\n");
        script.write("processors", "0 on-line\n1 on-line\n");
        script.write("/etc/system", "* empty\n");
        Files.createDirectory(folder.resolve("project"));
    }

    private void property(String name, int standard, int current) throws IOException {
        script.write("ipadm/" + name + "/default", standard + "\n");
        script.write("ipadm/" + name + "/current", current + "\n");
    }

    @Test
    void applyKeepsItsValuesOverABoot() throws Exception {
        script.run("--apply")
                .requireCode(0)
                .requireSays(
                        "_conn_req_max_q: 128 not kept -> 4096",
                        "_ip_abort_interval: 90000, at boot 400000 -> 120000");

        for (String file : new String[] {"current", "persistent"}) {
            assertEquals("4096\n", script.text("ipadm/_conn_req_max_q/" + file));
            assertEquals("120000\n", script.text("ipadm/_ip_abort_interval/" + file));
        }
        assertEquals(WANTED, script.text(PROJECT));
        assertEquals("notice\n", script.text("rctladm"));
        assertTrue(
                script.run("--show").output().matches("(?s).*_conn_req_max_q +4096 +4096 +ok.*"));
    }

    @Test
    void undoPutsBackTheValueOfNowAndTheOneOfTheNextBoot() throws Exception {
        script.run("--apply").requireCode(0);
        script.run("--apply", "--set", "_conn_req_max_q=9000").requireCode(0);

        script.run("--undo").requireCode(0);

        assertEquals("128\n", script.text("ipadm/_conn_req_max_q/current"));
        assertFalse(Files.exists(script.file("ipadm/_conn_req_max_q/persistent")));
        assertEquals("2000\n", script.text("ipadm/_conn_req_max_q0/current"));
        assertFalse(Files.exists(script.file("ipadm/_conn_req_max_q0/persistent")));
        assertEquals("90000\n", script.text("ipadm/_ip_abort_interval/current"));
        assertEquals("400000\n", script.text("ipadm/_ip_abort_interval/persistent"));
        assertEquals("off\n", script.text("rctladm"));
        assertFalse(Files.exists(script.file(PROJECT)), "the project was not there before");
        assertFalse(Files.exists(script.file(STATE)));
        assertEquals("* empty\n", script.text("/etc/system"));
    }

    @Test
    void projectThatIsThereKeepsItsOtherLimitsAndGetsItsOwnBack() throws Exception {
        String before = "task.max-lwps=(privileged,500,deny)\n" + LIMIT + "(basic,128,deny)\n";
        script.write(PROJECT, before);

        script.run("--apply").requireCode(0);
        assertEquals("task.max-lwps=(privileged,500,deny)\n" + WANTED, script.text(PROJECT));

        script.run("--undo").requireCode(0);
        assertEquals(before, script.text(PROJECT));
    }

    @Test
    void projectWithoutTheLimitLosesItAgain() throws Exception {
        String before = "task.max-lwps=(privileged,500,deny)\n";
        script.write(PROJECT, before);

        script.run("--apply").requireCode(0);
        script.run("--undo").requireCode(0);

        assertEquals(before, script.text(PROJECT));
    }

    @Test
    void propertyThatThisReleaseDoesNotHaveIsLeftOutAndNamed() throws Exception {
        Files.delete(script.file("ipadm/_conn_req_max_q0/default"));
        Files.delete(script.file("ipadm/_conn_req_max_q0/current"));
        Files.delete(script.file("ipadm/_conn_req_max_q0"));

        script.run("--apply")
                .requireCode(0)
                .requireSays("_conn_req_max_q0: not on this system, left out");
        script.run("--apply", "--set", "_conn_req_max_q0=9000")
                .requireCode(1)
                .requireSays("tune-solaris11: _conn_req_max_q0: this system does not have it");

        script.run("--undo").requireCode(0);
        assertEquals("128\n", script.text("ipadm/_conn_req_max_q/current"));
    }

    @Test
    void connectionTableIsSizedOnlyWhenAskedFor() throws Exception {
        script.run("--apply").requireCode(0);
        assertEquals("* empty\n", script.text("/etc/system"));

        script.run("--apply", "--set", "ip:ipcl_conn_hash_size=32768").requireCode(0);
        assertTrue(script.text("/etc/system").contains("\nset ip:ipcl_conn_hash_size=32768\n"));

        script.run("--undo").requireCode(0);
        assertEquals("* empty\n", script.text("/etc/system"));
    }
}
