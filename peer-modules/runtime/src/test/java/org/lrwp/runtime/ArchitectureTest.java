package org.lrwp.runtime;

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

/** The arrows between the packages of this module point down, and only programs need a library. */
final class ArchitectureTest {
    private static final String RUNTIME = "org.lrwp.runtime.";
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("org.lrwp.runtime");

    @ParameterizedTest
    @CsvSource({
        "configuration, ''",
        "module,        configuration",
        "operation,     configuration module",
    })
    void aPackageKnowsOnlyWhatItMay(String name, String others) {
        String[] allowed =
                Stream.concat(
                                Stream.of(
                                        RUNTIME + name,
                                        "java..",
                                        "javax.management..",
                                        "com.sun.net.httpserver",
                                        "org.jspecify.annotations",
                                        "org.lrwp.protocol..",
                                        "org.lrwp.sdk"),
                                Arrays.stream(others.split(" "))
                                        .filter(other -> !other.isEmpty())
                                        .map(other -> RUNTIME + other))
                        .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(RUNTIME + name)
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
