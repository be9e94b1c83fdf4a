package org.lrwp.protocol;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The wire stands alone: no I/O, no threads, no clock, nothing but the base of the JDK. */
class ArchitectureTest {
    private static final JavaClasses WIRE =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.lrwp");

    @Test
    void wireDependsOnNothingButTheBaseOfTheJdkAndJspecify() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "org.lrwp.protocol..",
                        "org.jspecify.annotations",
                        "java.lang..",
                        "java.net",
                        "java.nio",
                        "java.nio.charset",
                        "java.security",
                        "java.util..",
                        "javax.crypto..")
                .check(WIRE);
    }

    @Test
    void wireStartsNoThreadsAndReadsNoClock() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.concurrent..", "java.time..")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(WIRE);
    }

    @Test
    void classesAreFinalOrSealed() {
        List<String> open =
                WIRE.stream()
                        .map(type -> type.reflect())
                        .filter(type -> !Modifier.isFinal(type.getModifiers()))
                        .filter(type -> !type.isSealed() && !type.isSynthetic())
                        .filter(type -> !type.getSimpleName().equals("package-info"))
                        .map(Class::getName)
                        .toList();

        assertEquals(List.of(), open);
    }

    @Test
    void packageIsNullMarkedAndItsDocumentationNamesWhatItMustNotKnow() throws IOException {
        assertTrue(HelloParser.class.getPackage().isAnnotationPresent(NullMarked.class));
        String text =
                Files.readString(Path.of("src/main/java/org/lrwp/protocol/package-info.java"));

        assertTrue(text.contains("Entry types:"), text);
        assertTrue(text.contains("knows neither"), text);
    }

    @Test
    void everySectionThatTheCodeCitesStandsInTheDocument() throws IOException {
        String document = Files.readString(Path.of("../docs/protocol.md"));
        var cited = new TreeSet<String>();
        try (var files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file).replaceAll("\\s+\\*?\\s*", " ");
                var matcher = Pattern.compile("docs/protocol\\.md section (\\d+)").matcher(source);
                while (matcher.find()) {
                    cited.add(matcher.group(1));
                }
            }
        }

        assertTrue(cited.size() >= 5, cited.toString());
        for (String section : cited) {
            assertTrue(document.contains("\n## " + section + ". "), "section " + section);
        }
    }
}
