package org.lrwp.cache;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.PackageArrows;

class ArchitectureTest {
    @Test
    void thereIsOnePackageAndNothingSleeps() {
        PackageArrows.of("org.lrwp.cache").check();
    }
}
