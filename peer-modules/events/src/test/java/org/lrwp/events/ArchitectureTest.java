package org.lrwp.events;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.PackageArrows;

class ArchitectureTest {
    @Test
    void packagesKnowOnlyThoseBelowThem() {
        PackageArrows.of(
                        "org.lrwp.events",
                        "java..",
                        "com.fasterxml.jackson.core..",
                        "javax.crypto..",
                        "org.jspecify.annotations",
                        "org.lrwp.protocol..",
                        "org.lrwp.files",
                        "org.lrwp.sdk",
                        "org.lrwp.runtime..")
                .arrow("event")
                .arrow("channel", "event")
                .arrow("journal", "event", "channel")
                .arrow("access")
                .arrow("fanout", "event", "channel")
                .arrow("policy", "access", "channel", "fanout")
                .arrow("publisher")
                .check();
    }
}
