package org.lrwp.systemtests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lrwp.systemtests.harness.Project;
import org.lrwp.systemtests.harness.Tools;

import java.time.Duration;
import java.util.List;

/** The tests that lie beside the C library: scripted, broken and forged proxies. */
class CLibraryIT {
    private static final Duration LONGEST = Duration.ofMinutes(8);

    @Test
    @Timeout(500)
    void libraryStandsProxiesThatAreWrong() throws Exception {
        Tools.require("gcc", "make", "python3", "openssl");
        Tools.requireOpenSsl();
        String build = Project.target().resolve("peers/c-tests").toString();
        String run = Project.root().resolve("peers/c/test/run").toString();

        String told = Tools.run(Project.target(), LONGEST, "", List.of(run, build));

        told.lines().filter(line -> line.startsWith("skipped:")).forEach(System.out::println);
        assertTrue(told.contains("\nOK\n"), told);
    }
}
