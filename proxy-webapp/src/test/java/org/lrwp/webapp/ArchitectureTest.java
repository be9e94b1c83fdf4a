package org.lrwp.webapp;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameStartingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;

/** The arrows between the packages of this module. */
@AnalyzeClasses(packages = "org.lrwp.webapp", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String CONFIG = "org.lrwp.webapp.config";
    private static final String SERVLET = "org.lrwp.webapp.servlet";
    private static final String OPERATIONS = "org.lrwp.webapp.operations";
    private static final String FILES = "org.lrwp.webapp.files";
    private static final String CONTAINER = "org.lrwp.webapp.container";
    private static final String HTTPS = "org.lrwp.webapp.https";
    private static final String EDGE = "org.lrwp.webapp.edge";

    @ArchTest
    void onlyTwoPackagesKnowTheContainer(JavaClasses classes) {
        noClasses()
                .that()
                .resideOutsideOfPackages(CONTAINER, EDGE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.glassfish..", "org.apache..", "com.sun.enterprise..")
                .check(classes);
    }

    /** Elsewhere than in GlassFish nothing of these packages but the router can be loaded. */
    @ArchTest
    void onlyOneClassOfTheWiringNamesTheirClasses(JavaClasses classes) {
        noClasses()
                .that()
                .resideOutsideOfPackages(CONTAINER, EDGE)
                .and()
                .doNotHaveFullyQualifiedName("org.lrwp.webapp.GrizzlyReach")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(CONTAINER, EDGE)
                                .and(not(nameStartingWith(EDGE + ".EdgeRouter"))))
                .check(classes);
    }

    @ArchTest
    void theContainersPackageDoesNotKnowWhoReadsItsClients(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(CONTAINER)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(EDGE)
                .check(classes);
    }

    @ArchTest
    void certificatesKnowTheConfigurationAlone(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(HTTPS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVLET, OPERATIONS, CONTAINER, EDGE, "org.lrwp.webapp")
                .check(classes);
    }

    @ArchTest
    void configurationKnowsNoOtherPackage(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(CONFIG)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        SERVLET, OPERATIONS, CONTAINER, EDGE, "org.lrwp.webapp", "jakarta..")
                .check(classes);
    }

    @ArchTest
    void operationsOnlyLook(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(OPERATIONS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        SERVLET, CONTAINER, EDGE, "org.lrwp.webapp", "jakarta.servlet..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.lrwp.engine.ProxyEngine")
                .check(classes);
    }

    @ArchTest
    void servletKnowsNeitherOperationsNorTheWiring(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(SERVLET)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(OPERATIONS, CONTAINER, EDGE, "org.lrwp.webapp")
                .check(classes);
    }

    @ArchTest
    void sendersOfFilesKnowChannelsAlone(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(FILES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        CONFIG,
                        SERVLET,
                        OPERATIONS,
                        CONTAINER,
                        EDGE,
                        "org.lrwp.webapp",
                        "jakarta..")
                .check(classes);
    }

    @ArchTest
    void nobodySleepsOrMeasuresByTheWallClock(JavaClasses classes) {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", java.time.Duration.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(classes);
    }
}
