package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.WebappConfig;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Modules from the configuration to their end. */
class ModulesTest {
    @BeforeEach
    void forget() {
        GreetingModule.events();
    }

    private static WebappConfig config(String... keysAndValues) throws BadConfigurationException {
        Map<String, String> system = new HashMap<>();
        system.put("lrwp.agent.port", "0");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            system.put("lrwp.module." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return ConfigReader.read(Map.of(), system, null, "1");
    }

    private static String fault(String... keysAndValues) {
        return String.valueOf(
                assertThrows(BadConfigurationException.class, () -> config(keysAndValues))
                        .getMessage());
    }

    @Test
    void aModuleServesItsContextsIsShownAndEndsWithTheProxy() throws Exception {
        WebappConfig config =
                config(
                        "one.type", "greeting",
                        "one.context", "/a, /b",
                        "one.vhost", "here.example",
                        "one.capacity", "7",
                        "one.greeting", "hello");
        Modules modules = Modules.open(config.modules(), ModulesTest.class.getClassLoader(), null);
        ProxyEngine engine = ProxyEngine.start(config.engine(), record -> {});
        modules.serve(engine);

        assertEquals(List.of("open one [/a, /b]"), GreetingModule.events());
        var peer = engine.status().peers().getFirst();
        assertEquals("local:one", peer.name());
        assertEquals("local", peer.version());
        assertEquals(7, peer.capacity());
        assertTrue(engine.match("here.example", "/a/x") != null);
        assertTrue(engine.match("elsewhere.example", "/a/x") == null);
        var status = modules.status().getFirst();
        assertEquals("greeting", status.type());
        assertEquals(5, status.figures().getFirst().value());

        engine.drain(Duration.ofSeconds(1));
        engine.close();
        modules.close();
        modules.close();
        assertEquals(List.of("drain one", "close one"), GreetingModule.events());
    }

    @Test
    void aModuleThatCannotStartIsToldAndNoneStaysOpen() throws Exception {
        var unknown =
                config(
                        "a.type",
                        "greeting",
                        "a.context",
                        "/a",
                        "b.type",
                        "none",
                        "b.context",
                        "/b");
        String message = open(unknown);
        assertTrue(message.contains("module.b.type = none: allowed is greeting"), message);
        assertEquals(List.of("open a [/a]", "close a"), GreetingModule.events());

        var bad = config("a.type", "greeting", "a.context", "/a", "a.size", "many");
        message = open(bad);
        assertTrue(message.startsWith("The module module.a cannot start: size = many"), message);
        assertTrue(message.contains("system property lrwp.module.a.size"), message);
    }

    private static String open(WebappConfig config) {
        return String.valueOf(
                assertThrows(
                                StartException.class,
                                () ->
                                        Modules.open(
                                                config.modules(),
                                                ModulesTest.class.getClassLoader(),
                                                null))
                        .getMessage());
    }

    @Test
    void theKeysOfEveryModuleAreCheckedWithAllOthers() {
        String faults = fault("a.capacity", "0", "a.context", "no", "b", "x", "c..d", "x");
        assertTrue(faults.contains("module.a.capacity = 0 (system property"), faults);
        assertTrue(faults.contains("module.a.context = no"), faults);
        assertTrue(faults.contains("module.a.type must be set"), faults);
        assertTrue(faults.contains("module.b (system property lrwp.module.b): not of the form"));
        assertTrue(faults.contains("module.c.type must be set"), faults);
    }
}
