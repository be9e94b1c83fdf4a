package org.lrwp.events;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.stream.Stream;

/** The arrows between the packages of this module point down. */
final class ArchitectureTest {
    private static final String EVENTS = "org.lrwp.events.";
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("org.lrwp.events");

    @ParameterizedTest
    @CsvSource({
        "event,     ''",
        "channel,   event",
        "journal,   event channel",
        "access,    ''",
        "fanout,    event channel",
        "policy,    access channel fanout",
        "publisher, ''",
    })
    void aPackageKnowsOnlyWhatItMay(String name, String others) {
        String[] allowed =
                Stream.concat(
                                Stream.of(
                                        EVENTS + name,
                                        "java..",
                                        "javax.crypto..",
                                        "org.jspecify.annotations",
                                        "org.lrwp.protocol..",
                                        "org.lrwp.sdk",
                                        "org.lrwp.runtime.."),
                                Arrays.stream(others.split(" "))
                                        .filter(other -> !other.isEmpty())
                                        .map(other -> EVENTS + other))
                        .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(EVENTS + name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(CLASSES);
    }

    @Test
    void nobodySleeps() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CLASSES);
    }
}
