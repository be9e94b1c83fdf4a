package org.lrwp.engine.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;

/** What is given to an identity, and what would take it away. */
class ContextPatternTest {
    @ParameterizedTest
    @CsvSource({
        "/osp,    /osp,   true,  true",
        "/osp,    /osp/a, false, true",
        "/osp,    /ospx,  false, false",
        "/osp,    /,      false, false",
        "/osp,    .php,   false, false",
        "/tep/**, /tep,   true,  true",
        "/tep/**, /tep/a, true,  true",
        "/tep/**, /tepid, false, false",
        "/**,     /a/b,   true,  true",
        "/**,     /,      true,  true",
        "/**,     .php,   false, true",
        "/,       /,      true,  true",
        "/,       /a,     false, false",
        "/,       .php,   false, false",
        ".php,    .php,   true,  true",
        ".php,    /app,   false, true",
        ".php,    /,      false, false",
        ".php,    .html,  false, false",
    })
    void patternCoversItsContextsAndLosesToWhateverTakesTheirRequests(
            String pattern, String other, boolean covers, boolean loses) {
        ContextPattern read = ContextPattern.parse(pattern);

        assertEquals(covers, read.covers(other));
        assertEquals(loses, read.losesTo(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "osp", "/osp/", "//osp", "/*", "/a/*/b", "/a*/**", ".php/**", "**"})
    void otherFormsAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> ContextPattern.parse(text));
    }

    @Test
    void slashesThatMeanNothingAreLeftOut() {
        assertEquals(ContextPattern.parse("/osp"), ContextPattern.exactly("/osp/"));
        assertEquals(ContextPattern.parse("/"), ContextPattern.exactly("//"));
    }

    @Test
    void namesOfTheProxyItselfAreNoIdentities() {
        var scope = new Scope(List.of(ContextPattern.parse("/a")), Set.of());
        var proof = new Identity.Proof.SharedSecret(new Secret(new byte[] {1}));

        for (String name : new String[] {"anonymous", "module", "a b", ""}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new Identity(name, proof, scope, List.of(), 0, 0, 100, null));
        }
    }
}
