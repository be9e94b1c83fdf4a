package org.lrwp.download;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.PackageArrows;

class ArchitectureTest {
    @Test
    void packagesKnowOnlyThoseBelowThem() {
        PackageArrows.of(
                        "org.lrwp.download",
                        "java..",
                        "com.github.benmanes.caffeine..",
                        "org.jspecify.annotations",
                        "org.lrwp.protocol..",
                        "org.lrwp.sdk",
                        "org.lrwp.runtime.configuration",
                        "org.lrwp.http1")
                .arrow("file")
                .arrow("http", "file")
                .arrow("rate")
                .arrow("policy", "rate")
                .check();
    }
}
