package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * The arrows between the packages of peer-modules/runtime, which cannot use this kit itself because
 * the kit stands on it; and that arrows that are wrong are found.
 */
class RuntimeArchitectureTest {
    private static final PackageArrows BELOW =
            PackageArrows.of(
                            "org.lrwp.runtime",
                            "java..",
                            "com.fasterxml.jackson.core..",
                            "javax.management..",
                            "com.sun.net.httpserver",
                            "io.prometheus.metrics..",
                            "org.jspecify.annotations",
                            "org.lrwp.files",
                            "org.lrwp.protocol..",
                            "org.lrwp.sdk")
                    .arrow("caller")
                    .arrow("configuration")
                    .arrow("json")
                    .arrow("module", "configuration")
                    .arrow("metrics", "module");

    private static String fault(PackageArrows arrows) {
        return String.valueOf(assertThrows(AssertionError.class, arrows::check).getMessage());
    }

    @Test
    void packagesKnowOnlyWhatTheyMay() {
        BELOW.arrow("operation", "caller", "configuration", "json", "metrics", "module").check();
    }

    @Test
    void anArrowThatIsNotAllowedIsFound() {
        String fault =
                fault(BELOW.arrow("operation", "caller", "configuration", "json", "metrics"));

        assertTrue(fault.contains("org.lrwp.runtime.module.PeerModule"), fault);
    }

    @Test
    void aPackageThatNobodyNamedIsFound() {
        assertTrue(fault(BELOW).contains("operation"));
    }
}
