package org.lrwp.acme;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.KeysDocs;

import java.io.IOException;
import java.nio.file.Path;

class KeysDocsTest {
    private static final String BEGIN = "<!-- acme keys: begin, written by KeysDocsTest -->\n";
    private static final String END = "<!-- acme keys: end -->";

    @Test
    void tableOfKeysIsTrue() throws IOException {
        KeysDocs.check(Path.of("../../docs/https.md"), BEGIN, END, AcmeConfig.KEYS);
    }
}
