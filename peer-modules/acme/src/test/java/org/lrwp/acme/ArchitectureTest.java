package org.lrwp.acme;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.PackageArrows;

class ArchitectureTest {
    @Test
    void thereIsOnePackageAndNothingSleeps() {
        PackageArrows.of("org.lrwp.acme").check();
    }
}
