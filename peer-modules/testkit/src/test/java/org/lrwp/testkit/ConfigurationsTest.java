package org.lrwp.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.ValueTypes;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.ExchangeHandler;

import java.util.List;

class ConfigurationsTest {
    private static final Key<String> NAME = Key.live("name", ValueTypes.TEXT, "none", "Name.");

    @Test
    void theLastSettingOfAKeyCounts() throws Exception {
        List<Key<?>> keys = List.of(NAME);

        assertEquals("none", Configurations.of(keys).values().get(NAME));
        assertEquals("b=c", Configurations.of(keys, "name=a", "name=b=c").values().get(NAME));
        assertThrows(BadConfigurationException.class, () -> Configurations.of(keys, "other=a"));
    }

    @Test
    void figuresAreFoundByName() {
        PeerModule module =
                new PeerModule() {
                    @Override
                    public ExchangeHandler handler() {
                        return exchange -> exchange.abort("nothing is served");
                    }

                    @Override
                    public List<Figure> figures() {
                        return List.of(
                                Figure.gauge("one", 1, "", ""), Figure.gauge("two", 2, "", ""));
                    }

                    @Override
                    public void close() {}
                };

        assertEquals(2, Figures.figure(module, "two"));
        assertThrows(AssertionError.class, () -> Figures.figure(module, "three"));
    }
}
