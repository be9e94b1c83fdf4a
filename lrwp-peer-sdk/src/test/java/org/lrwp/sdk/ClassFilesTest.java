package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a peer on Java 17 loads. The compiler's option --release sees to the API that is used. */
final class ClassFilesTest {
    private static final int JAVA_17 = 61;

    @ParameterizedTest
    @ValueSource(strings = {"target/classes", "../lrwp-protocol/target/classes"})
    void classesAreThoseOfJava17(String folder) throws Exception {
        List<Path> classes;
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
            classes = files.filter(file -> file.toString().endsWith(".class")).toList();
        }

        assertTrue(classes.size() > 10, () -> folder + " has " + classes);
        for (Path file : classes) {
            assertEquals(JAVA_17, version(file), file::toString);
        }
    }

    private static int version(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.skipNBytes(6);
            return in.readUnsignedShort();
        }
    }
}
