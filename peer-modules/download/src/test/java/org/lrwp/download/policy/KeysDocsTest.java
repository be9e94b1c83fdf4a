package org.lrwp.download.policy;

import org.junit.jupiter.api.Test;
import org.lrwp.testkit.KeysDocs;

import java.io.IOException;
import java.nio.file.Path;

class KeysDocsTest {
    @Test
    void tableOfKeysIsTrue() throws IOException {
        KeysDocs.check(Path.of("../../docs/download.md"), DownloadKeys.all());
    }
}
