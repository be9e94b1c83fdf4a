package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.webapp.config.ConfigReader;
import org.lrwp.webapp.config.WebappConfig;
import org.lrwp.webapp.operations.ModuleStatus;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

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
        // Whoever reads that it runs may send it a request.
        assertEquals(ModuleStatus.State.STOPPED, modules.status().getFirst().state());
        modules.serve(around(engine));

        assertEquals(ModuleStatus.State.RUNNING, modules.status().getFirst().state());
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

    private static ModuleSurroundings around(ProxyEngine engine) {
        return new ModuleSurroundings(
                engine, AuditTrail.NONE, () -> {}, () -> Duration.ofSeconds(10));
    }

    private static ModuleStatus await(Modules modules, String name, Predicate<ModuleStatus> wanted)
            throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (System.nanoTime() - end < 0) {
            for (ModuleStatus status : modules.status()) {
                if (status.name().equals(name) && wanted.test(status)) {
                    return status;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError(name + " in " + modules.status());
    }

    @Test
    void modulesComeAndGoWithTheConfiguration() throws Exception {
        WebappConfig none = config();
        try (ProxyEngine engine = ProxyEngine.start(none.engine(), record -> {})) {
            Modules modules = Modules.open(List.of(), ModulesTest.class.getClassLoader(), null);
            modules.serve(around(engine));

            modules.change(config("a.type", "greeting", "a.context", "/a").modules());
            await(modules, "a", one -> one.state() == ModuleStatus.State.RUNNING);
            modules.change(
                    config(
                                    "a.type", "greeting",
                                    "a.context", "/a",
                                    "b.type", "greeting",
                                    "b.context", "/b",
                                    "c.type", "none",
                                    "c.context", "/c",
                                    "d.type", "greeting",
                                    "d.context", "/d",
                                    "d.size", "many")
                            .modules());
            await(modules, "b", one -> one.state() == ModuleStatus.State.RUNNING);
            String fault = await(modules, "c", ModulesTest::hasFailed).refusal();
            assertTrue(fault.startsWith("module.c.type = none: allowed is greeting"), fault);
            assertTrue(
                    await(modules, "d", ModulesTest::hasFailed).refusal().contains("size = many"));
            assertTrue(engine.match("x", "/a") != null && engine.match("x", "/b") != null);
            assertEquals(List.of("open a [/a]", "open b [/b]"), GreetingModule.events());

            modules.change(
                    config(
                                    "b.type", "greeting",
                                    "b.context", "/b",
                                    "d.type", "greeting",
                                    "d.context", "/d",
                                    "d.enabled", "false")
                            .modules());
            modules.change(config("b.type", "greeting", "b.context", "/b2").modules());
            await(modules, "b", one -> one.contexts().contains("/b2") && one.adminPort() == -1);
            await(modules, "b", one -> one.state() == ModuleStatus.State.RUNNING);
            assertEquals(1, modules.status().size());
            List<String> events = GreetingModule.events();
            assertEquals(List.of("drain a", "close a"), events.subList(0, 2));
            assertEquals(List.of("drain b", "close b", "open b [/b2]"), events.subList(2, 5));
            modules.close();
        }
    }

    private static boolean hasFailed(ModuleStatus one) {
        return one.state() == ModuleStatus.State.FAILED;
    }

    @Test
    void aModuleTakesWhatItCanWithoutAStartAndKeepsRunningThroughAFault() throws Exception {
        WebappConfig first = config("a.type", "greeting", "a.context", "/a", "a.greeting", "one");
        try (ProxyEngine engine = ProxyEngine.start(first.engine(), record -> {})) {
            Modules modules =
                    Modules.open(first.modules(), ModulesTest.class.getClassLoader(), null);
            modules.serve(around(engine));
            GreetingModule.events();

            modules.change(
                    config("a.type", "greeting", "a.context", "/a", "a.greeting", "seven!!")
                            .modules());
            await(modules, "a", one -> letters(one) == 7);
            modules.change(config("a.type", "greeting", "a.context", "/a").modules());
            await(modules, "a", one -> letters(one) == 0);
            modules.change(
                    config("a.type", "greeting", "a.context", "/a", "a.colour", "red").modules());
            String kept = await(modules, "a", one -> !one.refusal().isEmpty()).refusal();
            assertTrue(kept.startsWith("unknown key colour"), kept);
            assertEquals(List.of(), GreetingModule.events());

            modules.change(
                    config("a.type", "greeting", "a.context", "/a", "a.size", "9").modules());
            await(modules, "a", one -> one.refusal().isEmpty() && letters(one) == 0);
            modules.close();
            assertEquals(
                    List.of("drain a", "close a", "open a [/a]", "close a"),
                    GreetingModule.events());
        }
    }

    private static int letters(ModuleStatus one) {
        return one.figures().isEmpty() ? -1 : one.figures().getFirst().value().intValue();
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
