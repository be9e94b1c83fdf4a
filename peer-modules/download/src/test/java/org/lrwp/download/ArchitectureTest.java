package org.lrwp.download;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.PackageArrows;

class ArchitectureTest {
    @Test
    void packagesKnowOnlyThoseBelowThem() {
        PackageArrows.of(
                        "org.lrwp.download",
                        "java..",
                        "javax.net.ssl",
                        "com.github.benmanes.caffeine..",
                        "io.github.bucket4j..",
                        "io.lettuce.core..",
                        "org.jspecify.annotations",
                        "org.lrwp.protocol..",
                        "org.lrwp.sdk",
                        "org.lrwp.runtime.configuration",
                        "org.lrwp.runtime.operation",
                        "org.lrwp.http1")
                .arrow("file")
                .arrow("http", "file")
                .arrow("rate")
                .arrow("valkey", "rate")
                .arrow("policy", "rate", "valkey")
                .check();
    }
}
