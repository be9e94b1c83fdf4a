package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProxyAddressTest {
    @ParameterizedTest
    @CsvSource({
        "localhost:1, localhost, 1, localhost:1",
        "proxy.test, proxy.test, 1081, proxy.test:1081",
        "[::1]:65535, ::1, 65535, [::1]:65535",
        "[::1], ::1, 1081, [::1]:1081",
        "unix:/run/lrwp.sock, unix:/run/lrwp.sock, 0, unix:/run/lrwp.sock"
    })
    void addressIsReadAndWritten(String text, String host, int port, String written) {
        ProxyAddress address = ProxyAddress.parse(text);

        assertEquals(new ProxyAddress(host, port), address);
        assertEquals(written, address.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":1081",
                "a:",
                "a:x",
                "a:0",
                "a:65536",
                "a:999999",
                "a:-1",
                "::1",
                "[::1",
                "[::1]1081",
                "[]:1",
                "a b:1",
                "unix:",
                "unix:lrwp.sock",
                "unix:/a\0b"
            })
    void whatIsNoAddressIsRejected(String text) {
        assertThrows(IllegalArgumentException.class, () -> ProxyAddress.parse(text));
    }

    @Test
    void portIsChecked() {
        assertThrows(IllegalArgumentException.class, () -> new ProxyAddress("a", 0));
        assertThrows(IllegalArgumentException.class, () -> new ProxyAddress("unix:/a", 1));
    }
}
