package org.lrwp.http1;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.List;

/** The reader stands alone: no I/O, no threads, no clock, nothing but the base of the JDK. */
class ArchitectureTest {
    private static final JavaClasses READER =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.lrwp");

    @Test
    void readerDependsOnNothingButTheBaseOfTheJdkAndJspecify() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.lrwp.http1",
                        "org.jspecify.annotations",
                        "java.lang..",
                        "java.nio",
                        "java.nio.charset",
                        "java.time..",
                        "java.util",
                        "java.util.function",
                        "java.util.regex",
                        "java.util.stream")
                .check(READER);
    }

    @Test
    void readerStartsNoThreadsAndReadsNoClock() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .check(READER);
    }

    @Test
    void classesAreFinalOrSealed() {
        List<String> open =
                READER.stream()
                        .map(type -> type.reflect())
                        .filter(type -> !Modifier.isFinal(type.getModifiers()))
                        .filter(type -> !type.isSealed() && !type.isSynthetic())
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .map(Class::getName)
                        .toList();

        assertEquals(List.of(), open);
    }

    @Test
    void packageIsNullMarked() {
        assertTrue(HeadReader.class.getPackage().isAnnotationPresent(NullMarked.class));
    }
}
