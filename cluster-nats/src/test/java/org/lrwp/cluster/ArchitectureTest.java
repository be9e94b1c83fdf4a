package org.lrwp.cluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.Test;

/** Who knows NATS, and what the decision must not know. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("org.lrwp.cluster");

    @Test
    void oneClassKnowsNats() {
        noClasses()
                .that()
                .haveNameNotMatching("org\\.lrwp\\.cluster\\.NatsBus.*")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.nats..")
                .check(CLASSES);
    }

    @Test
    void theDecisionHasNoClockAndNoBus() {
        noClasses()
                .that()
                .haveSimpleName("OverflowDecision")
                .should()
                .dependOnClassesThat()
                .haveNameMatching(".*(Bus|Clock|java\\.io|java\\.net).*")
                .check(CLASSES);
    }

    @Test
    void nobodySleepsOrReadsAClockOfItsOwn() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CLASSES);
        noClasses().should().callMethod(System.class, "nanoTime").check(CLASSES);
        noClasses().should().callMethod(System.class, "currentTimeMillis").check(CLASSES);
    }
}
