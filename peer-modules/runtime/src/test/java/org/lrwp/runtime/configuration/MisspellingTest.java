package org.lrwp.runtime.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.Stream;

class MisspellingTest {
    @ParameterizedTest
    @CsvSource({
        "agent.prot, agent.port",
        "agent.por, agent.port",
        "agent.portt, agent.port",
        "agent.pork, agent.port",
        "dran-tme, drain-time",
        "drain, ''",
        "agent.networks, ''",
        "tiem, time",
        "size, ''",
    })
    void theNearestNameIsMeant(String name, String meant) {
        var names = Stream.of("agent.ports.x", "agent.port", "drain-time", "time");
        String expected = meant.isEmpty() ? "" : ": is " + meant + " meant?";
        assertEquals(expected, Misspelling.hint(name, names));
    }
}
