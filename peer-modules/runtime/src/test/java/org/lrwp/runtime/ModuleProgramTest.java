package org.lrwp.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.lrwp.runtime.testkit.EchoModule;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The command line of a module's program. */
final class ModuleProgramTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return new ModuleProgram(new EchoModule())
                .run(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8),
                        arguments);
    }

    @Test
    void helpHasEveryKeyWithDefaultAndWhatIsAllowed() {
        assertEquals(0, run("--help"));
        String help = out.toString(StandardCharsets.UTF_8).replaceAll("\\s+", " ");
        assertTrue(help.contains("echo-peer"), help);
        assertTrue(help.contains("--request-rate=VALUE Bytes per second."), help);
        assertTrue(help.contains("(default: unlimited)"), help);
        assertTrue(help.contains("(must be set)"), help);
        assertTrue(help.contains("class.*.rate, class.*.path"), help);
        assertTrue(help.contains("--proxy"), help);
        assertTrue(help.contains("Default: 10000"), help);
    }

    @Test
    void whatCannotBeUsedIsToldInOneLineAndTheProgramEnds() {
        assertEquals(2, run("--no-such-option"));
        assertEquals(2, run());
        assertEquals(2, run("--size", "1000"));
        assertEquals(2, run("--size", "1", "--set", "class.a.rate=fast"));
        assertEquals(2, run("--size", "1", "--config", "/nowhere/at.all"));
        assertEquals(2, run("--size", "1", "--admin-port", "70000"));
        String told = errors.toString(StandardCharsets.UTF_8);
        assertEquals(6, told.lines().count(), told);
        assertTrue(told.contains("size must be set: a number, 1 to 100"), told);
        assertTrue(told.contains("size = 1000 (command line --size): allowed is"), told);
        assertTrue(told.contains("class.a.rate = fast (command line --set)"), told);
        assertTrue(told.contains("there is no file /nowhere/at.all"), told);
        assertTrue(told.contains("--admin-port: admin port 70000"), told);
    }
}
