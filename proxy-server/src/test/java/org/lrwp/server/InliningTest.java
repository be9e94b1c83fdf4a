package org.lrwp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

final class InliningTest {
    private static final String COMMAND = "dontinline ";

    /** The JVM says nothing of a method that is not there. */
    @Test
    void eachMethodThatIsToBeCompiledApartIsThere() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("src/main/jvm/inlining"));
        List<String> methods =
                lines.stream()
                        .filter(line -> line.startsWith(COMMAND))
                        .map(line -> line.substring(COMMAND.length()))
                        .toList();

        assertEquals("quiet", lines.getFirst(), "the JVM would print each line");
        assertFalse(methods.isEmpty());
        for (String method : methods) {
            int dot = method.lastIndexOf('.');
            String type = method.substring(0, dot).replace('/', '.');
            Class<?> owner = Class.forName(type, false, getClass().getClassLoader());
            assertTrue(
                    Arrays.stream(owner.getDeclaredMethods())
                            .map(Method::getName)
                            .anyMatch(method.substring(dot + 1)::equals),
                    method);
        }
    }
}
