package org.lrwp.webapp.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Set;

class MaskTest {
    private final Mask mask = new Mask(Set.of("token", "access_token"));

    @ParameterizedTest
    @CsvSource({
        "/a, /a",
        "/a?, /a?",
        "/a?x=1&token=s&y=2, /a?x=1&token=***&y=2",
        "/a?TOKEN=s, /a?TOKEN=***",
        "/a?%74oken=s, /a?%74oken=***",
        "/a?token, /a?token",
        "/a?b=1?token=s, /a?b=1?token=s",
        "https://b/cb#access_token=s&x=1, https://b/cb#access_token=***&x=1",
        "https://b/cb?token=s#access_token=s, https://b/cb?token=***#access_token=***",
        "https://b/#top, https://b/#top",
        "/a?authorization=s&Set-Cookie=s&x=1, /a?authorization=***&Set-Cookie=***&x=1",
    })
    void secretParametersOfAUrlAreHidden(String url, String shown) {
        assertEquals(shown, mask.url(url));
    }

    @Test
    void withoutNamesThoseThatAreAlwaysSecretStillAre() {
        String url = "/a?token=s&cookie=s#token=s";

        assertEquals("/a?token=s&cookie=***#token=s", new Mask(Set.of()).url(url));
    }
}
