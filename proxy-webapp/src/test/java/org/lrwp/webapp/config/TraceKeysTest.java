package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.net.URI;
import java.util.Map;

/** The keys of traces. */
class TraceKeysTest {
    private static WebappConfig read(Map<String, String> set) throws BadConfigurationException {
        return ConfigReader.read(Map.of(), set, null, "1.0");
    }

    @Test
    void tracesAreOffWithoutACollector() throws BadConfigurationException {
        assertNull(read(Map.of()).traces());
    }

    @Test
    void aCollectorTurnsThemOn() throws BadConfigurationException {
        TracesConfig traces =
                read(Map.of(
                                "lrwp.traces.collector", "http://127.0.0.1:4318/v1/traces",
                                "lrwp.traces.ratio", "0.5",
                                "lrwp.traces.continue", "trusted"))
                        .traces();

        assertNotNull(traces);
        assertEquals(URI.create("http://127.0.0.1:4318/v1/traces"), traces.collector());
        assertEquals(0.5, traces.ratio());
        assertEquals(TracesConfig.Continued.TRUSTED, traces.continued());
        assertEquals("lrwp-proxy", traces.service());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "traces.collector=127.0.0.1:4318",
                "traces.collector=ftp://127.0.0.1/",
                "traces.collector=http:///v1/traces",
                "traces.collector=http://user:word@127.0.0.1/",
                "traces.ratio=1.1",
                "traces.ratio=-1",
                "traces.continue=some",
                "traces.token-file=/nowhere/token",
                "traces.service=",
                "traces.queue-length=0"
            })
    void whatIsNotAllowedIsAFaultThatNamesTheKey(String setting) {
        String[] words = setting.split("=", 2);

        String message =
                String.valueOf(
                        assertThrows(
                                        BadConfigurationException.class,
                                        () -> read(Map.of("lrwp." + words[0], words[1])))
                                .getMessage());

        assertTrue(message.contains(words[0]), message);
    }
}
