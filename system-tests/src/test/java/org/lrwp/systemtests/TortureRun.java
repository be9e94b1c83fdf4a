package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.Tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code ./lrwp torture} finds nothing. It takes minutes, so only {@code -Plong} runs it. */
class TortureRun {
    private static final int SECONDS = Integer.getInteger("torture.seconds", 120);

    /** Start, first answers, the last recovery and the end. */
    private static final int AROUND = 240;

    @Test
    void nothingIsFound() throws Exception {
        run("torture");
    }

    /** Whose listener is restarted, too. */
    @Test
    void nothingIsFoundInGlassFishDomain() throws Exception {
        Path glassfish = Project.built().resolve("glassfish/glassfish8");
        run("torture-domain", "--glassfish", glassfish.toString());
    }

    private static void run(String name, String... options) throws Exception {
        Tools.require("python3", "curl", "openssl", "node", "go", "cc");
        long seed = Long.getLong("seed", 0);
        List<String> command = new ArrayList<>();
        command.addAll(List.of(Project.root().resolve("lrwp").toString(), "torture"));
        command.addAll(List.of("--seconds", "" + SECONDS));
        command.addAll(List.of("--report", Project.target().resolve(name + ".html").toString()));
        command.addAll(List.of(options));
        if (seed != 0) {
            command.addAll(List.of("--seed", "" + seed));
        }
        Path output = Project.target().resolve(name + ".txt");
        Process rig =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertTrue(
                    rig.waitFor(SECONDS + AROUND, TimeUnit.SECONDS), "it does not end: " + output);
        } finally {
            rig.descendants().forEach(ProcessHandle::destroyForcibly);
            rig.destroyForcibly().onExit().join();
        }
        String said = Files.readString(output);
        System.out.println(said);
        assertEquals(0, rig.exitValue(), said);
    }
}
