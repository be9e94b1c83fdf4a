package org.lrwp.osp;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.util.Map.entry;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

import java.lang.reflect.Modifier;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The arrows between the packages of this module, and what only some of them may know. */
@AnalyzeClasses(packages = "org.lrwp.osp", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String HOME = "org.lrwp.osp";

    /** Each package and those below it that it may use. */
    private static final Map<String, Set<String>> ARROWS =
            Map.ofEntries(
                    entry("file", Set.of()),
                    entry("message", Set.of()),
                    entry("replay", Set.of("file")),
                    entry("statistics", Set.of("message")),
                    entry("token", Set.of("file", "message")),
                    entry("usage", Set.of("message", "statistics")),
                    entry("routing", Set.of("file", "message", "token")),
                    entry("secure", Set.of("message", "token")),
                    entry("enrolment", Set.of("token")),
                    entry("authorisation", Set.of("message", "replay", "token", "routing")),
                    entry("cdr", Set.of("file", "message", "routing", "authorisation", "usage")),
                    entry(
                            "configuration",
                            Set.of("message", "token", "routing", "authorisation", "enrolment")));

    @ArchTest
    void packagesKnowOnlyThoseBelowThem(JavaClasses classes) {
        Set<String> found =
                classes.stream()
                        .map(JavaClass::getPackageName)
                        .filter(name -> !name.equals(HOME))
                        .map(name -> name.substring(HOME.length() + 1))
                        .collect(Collectors.toSet());
        assertEquals(ARROWS.keySet(), found);
        ARROWS.forEach(
                (name, known) -> {
                    DescribedPredicate<JavaClass> others =
                            resideInAPackage(HOME + "..")
                                    .and(DescribedPredicate.not(resideInAPackage(in(name))))
                                    .and(
                                            DescribedPredicate.not(
                                                    resideInAnyPackage(
                                                            known.stream()
                                                                    .map(ArchitectureTest::in)
                                                                    .toArray(String[]::new))));
                    noClasses()
                            .that()
                            .resideInAPackage(in(name))
                            .should()
                            .dependOnClassesThat(others)
                            .check(classes);
                });
    }

    @ArchTest
    void routingKnowsOfTokensOnlyWhichKindADeviceTakes(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(in("routing"))
                .should()
                .dependOnClassesThat(
                        resideInAPackage(in("token"))
                                .and(
                                        DescribedPredicate.describe(
                                                "are no TokenClass",
                                                type -> !type.getName().contains("TokenClass"))))
                .check(classes);
    }

    @ArchTest
    void onlyTheProgramAndEnrolmentKnowOfHttp(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(HOME + ".*")
                .and()
                .resideOutsideOfPackage(in("enrolment"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.lrwp.sdk..", "com.sun.net.httpserver..")
                .check(classes);
    }

    @ArchTest
    void onlyRecordsAndTheProgramKnowOfSql(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(HOME + ".*")
                .and()
                .resideOutsideOfPackage(in("cdr"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "org.flywaydb..")
                .check(classes);
    }

    @ArchTest
    void nobodySleepsOrReadsAClockThatWasNotGiven(JavaClasses classes) {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .check(classes);
        noClasses()
                .that()
                .resideInAPackage(HOME + ".*")
                .should()
                .callMethod(System.class, "nanoTime")
                .check(classes);
    }

    @ArchTest
    void classesAreFinalOrSealed(JavaClasses classes) {
        List<String> open =
                classes.stream()
                        .map(JavaClass::reflect)
                        .filter(type -> !Modifier.isFinal(type.getModifiers()))
                        .filter(type -> !type.isInterface() && !type.isSealed())
                        .filter(type -> !type.isAnonymousClass())
                        .map(Class::getName)
                        .toList();

        assertEquals(List.of(), open);
    }

    private static String in(String name) {
        return HOME + "." + name + "..";
    }
}
