package org.lrwp.webapp;

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
    private static final String GLASSFISH = "org.lrwp.webapp.glassfish";

    @ArchTest
    void onlyOnePackageKnowsTheContainer(JavaClasses classes) {
        noClasses()
                .that()
                .resideOutsideOfPackage(GLASSFISH)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.glassfish..", "org.apache..", "com.sun.enterprise..")
                .check(classes);
    }

    /** Elsewhere than in GlassFish nothing of that package can be loaded. */
    @ArchTest
    void onlyOneClassOfTheWiringNamesTheContainersPackage(JavaClasses classes) {
        noClasses()
                .that()
                .resideOutsideOfPackage(GLASSFISH)
                .and()
                .doNotHaveFullyQualifiedName("org.lrwp.webapp.GrizzlyReach")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(GLASSFISH)
                .check(classes);
    }

    @ArchTest
    void configurationKnowsNoOtherPackage(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(CONFIG)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVLET, OPERATIONS, GLASSFISH, "org.lrwp.webapp", "jakarta..")
                .check(classes);
    }

    @ArchTest
    void operationsOnlyLook(JavaClasses classes) {
        noClasses()
                .that()
                .resideInAPackage(OPERATIONS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVLET, GLASSFISH, "org.lrwp.webapp", "jakarta.servlet..")
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
                .resideInAnyPackage(OPERATIONS, GLASSFISH, "org.lrwp.webapp")
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
                        CONFIG, SERVLET, OPERATIONS, GLASSFISH, "org.lrwp.webapp", "jakarta..")
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
