package org.lrwp.webapp.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.lrwp.runtime.configuration.BadConfigurationException;

import java.time.Duration;
import java.util.Map;

class RequestConfigTest {
    private static RequestConfig with(long head, long drop, Duration stall, int ahead, int files)
            throws BadConfigurationException {
        RequestConfig usual = ConfigReader.read(Map.of(), Map.of(), null, "1").request();
        return new RequestConfig(
                usual.env(),
                head,
                drop,
                stall,
                new WriteAhead(ahead, 0),
                files,
                usual.client(),
                usual.https(),
                usual.traffic(),
                usual.ownHosts());
    }

    @Test
    void limitsThatLimitNothingAreRefused() throws BadConfigurationException {
        Duration some = Duration.ofSeconds(1);
        assertEquals(1, with(1, 0, some, 1, 1).head());

        assertThrows(IllegalArgumentException.class, () -> with(0, 0, some, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> with(1, -1, some, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> with(1, 0, Duration.ZERO, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> with(1, 0, some.negated(), 1, 1));
        assertThrows(IllegalArgumentException.class, () -> with(1, 0, some, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> with(1, 0, some, 1, 0));
    }
}
