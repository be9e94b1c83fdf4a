package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Live;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What becomes of the proxy's file when it is changed while the proxy runs. */
class ConfigurationChangeTest {
    @TempDir Path folder;

    private void write(String... lines) throws IOException {
        Files.write(folder.resolve("lrwp.properties"), List.of(lines));
    }

    private ConfigReader.Opened open(String... lines) throws Exception {
        write(lines);
        return ConfigReader.open(Map.of(), Map.of(), folder, "1");
    }

    private static Duration queueTime(Live<WebappConfig> live, String context) {
        return live.get().engine().contexts().of(context).exchange().queueTime();
    }

    @Test
    void limitsAndModulesTakeEffectAtOnceAndAPortAtTheNextStart() throws Exception {
        ConfigReader.Opened opened = open("agent.port = 1090", "context.queue-time = 1s");
        Configuration configuration = opened.configuration();

        write(
                "agent.port = 1091",
                "context.queue-time = 2s",
                "context./osp.queue-time = 3s",
                "drain-time = 4s",
                "access-log.format = json",
                "module.a.type = download",
                "module.a.context = /a",
                "module.a.root = /srv");
        configuration.readFile();

        Live<WebappConfig> live = opened.live();
        assertEquals(Duration.ofSeconds(2), queueTime(live, "/any"));
        assertEquals(Duration.ofSeconds(3), queueTime(live, "/osp"));
        assertTrue(live.get().engine().contexts().of("/osp").named());
        assertEquals(Duration.ofSeconds(4), live.get().drainTime());
        assertTrue(live.get().accessLog().lines().json());
        assertEquals(1090, live.get().engine().agent().port());
        assertEquals(List.of("a"), live.get().modules().stream().map(ModuleConfig::name).toList());
        assertEquals(List.of("agent.port"), configuration.waiting());
    }

    @Test
    void aFaultyFileKeepsAllOldValues() throws Exception {
        ConfigReader.Opened opened = open("context.queue-time = 1s");
        Configuration configuration = opened.configuration();

        write("context.queue-time = 2s", "front = edge", "agent.transport = own");
        assertThrows(BadConfigurationException.class, configuration::readFile);
        assertTrue(configuration.refusal().contains("needs agent.transport = auto"));
        write("context.queue-time = 2s", "context.grace = soon");
        assertThrows(BadConfigurationException.class, configuration::readFile);
        assertTrue(configuration.refusal().contains("lrwp.properties:2"));

        assertEquals(Duration.ofSeconds(1), queueTime(opened.live(), "/any"));
        assertFalse(configuration.waiting().contains("front"));
    }
}
