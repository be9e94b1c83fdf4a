package org.lrwp.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The arrows between the engine's packages, and what none of them may use. */
class ArchitectureTest {
    private static final String ENGINE = "org.lrwp.engine.";
    private static final JavaClasses CLASSES =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("org.lrwp.engine");

    @ParameterizedTest
    @CsvSource({
        "time,             ''",
        "audit,            ''",
        "spool,            files",
        "transport,        files",
        "transport.tls,    files protocol sdk transport time javax.net.ssl"
                + " javax.security.auth.x500",
        "exchange,         protocol spool time",
        "peer,             protocol sdk exchange transport time",
        "peer.serial,      protocol peer exchange spool transport time",
        "peer.multiplexed, protocol peer exchange spool transport time",
        "peer.local,       protocol sdk peer exchange spool time",
        "context,          protocol identity peer exchange time javax.crypto..",
        "identity,         protocol javax.naming.. javax.security..",
        "agent,            protocol identity audit context peer peer.serial peer.multiplexed"
                + " transport transport.tls time",
        "request,          http1 protocol exchange",
        "cache,            http1 protocol audit sdk cachemap request exchange spool",
    })
    void aPackageKnowsOnlyWhatItMay(String name, String others) {
        String[] allowed =
                Stream.concat(
                                Stream.of(
                                        ENGINE + name,
                                        "java..",
                                        "jdk.net",
                                        "org.jspecify.annotations"),
                                Arrays.stream(others.split(" "))
                                        .filter(other -> !other.isEmpty())
                                        .map(ArchitectureTest::packageName))
                        .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(ENGINE + name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(CLASSES);
    }

    private static String packageName(String other) {
        boolean module = List.of("http1", "protocol", "sdk", "cachemap", "files").contains(other);
        if (other.startsWith("javax")) {
            return other;
        }
        return module ? "org.lrwp." + other + ".." : ENGINE + other;
    }

    @Test
    void thereAreNoCycles() {
        SlicesRuleDefinition.slices()
                .matching("org.lrwp.engine.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void nobodyKnowsTheServletApiOrAContainer() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta..", "javax.servlet..", "org.glassfish..", "org.lrwp.webapp..")
                .check(CLASSES);
    }

    @Test
    void nobodySleepsOrReadsAClockOfItsOwn() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CLASSES);
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", java.time.Duration.class)
                .check(CLASSES);
        noClasses().should().callMethod(System.class, "currentTimeMillis").check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackage(ENGINE + "time")
                .should()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }

    @Test
    void noPackageHasANameThatSaysNothing() {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..common..", "..helper..", "..impl..")
                .check(CLASSES);
    }
}
