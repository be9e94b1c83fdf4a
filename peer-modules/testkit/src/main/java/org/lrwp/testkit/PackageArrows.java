package org.lrwp.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which packages of a module know which others. The package of the module itself, which puts the
 * others together, may know everything. Immutable.
 */
public final class PackageArrows {
    private final String home;
    private final Set<String> outside;
    private final Map<String, Set<String>> arrows;

    private PackageArrows(String home, Set<String> outside, Map<String, Set<String>> arrows) {
        this.home = home;
        this.outside = outside;
        this.arrows = arrows;
    }

    /**
     * Begins with a module without packages below its own.
     *
     * @param home the package of the module
     * @param outside what all packages below it may know outside of it, as ArchUnit writes packages
     * @return rules
     */
    public static PackageArrows of(String home, String... outside) {
        return new PackageArrows(home, Set.of(outside), Map.of());
    }

    /**
     * Adds a package.
     *
     * @param name its name below that of the module
     * @param known which other packages it may know, by their names below that of the module
     * @return rules with that package
     */
    public PackageArrows arrow(String name, String... known) {
        Map<String, Set<String>> more = new TreeMap<>(arrows);
        more.put(name, Set.of(known));
        return new PackageArrows(home, outside, more);
    }

    /**
     * Checks that the module has these packages and no others, that each knows only what it may,
     * and that nothing sleeps.
     */
    public void check() {
        JavaClasses module =
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(home);
        assertEquals(arrows.keySet(), packages(module));
        arrows.forEach((name, known) -> check(module, name, known));
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(module);
    }

    private Set<String> packages(JavaClasses module) {
        return module.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.equals(home))
                .map(name -> name.substring(home.length() + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void check(JavaClasses module, String name, Set<String> known) {
        String[] allowed =
                Stream.concat(
                                Stream.concat(Stream.of(name), known.stream())
                                        .map(each -> home + "." + each),
                                outside.stream())
                        .toArray(String[]::new);
        classes()
                .that()
                .resideInAPackage(home + "." + name)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed)
                .check(module);
    }
}
