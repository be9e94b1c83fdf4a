package org.lrwp.osp.token;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lrwp.osp.testkit.Tokens;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What another implementation says of our signatures. */
final class OpensslTokenTest {
    private static final Path OPENSSL = Path.of("/usr/bin/openssl");

    @TempDir Path folder = Path.of("");

    @Test
    void opensslVerifiesTokensOfEitherKind() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(OPENSSL), "openssl is not installed");
        byte[] terms = "<?xml version='1.0'?><TokenInfo/>".getBytes(StandardCharsets.UTF_8);
        for (SigningIdentity identity : List.of(Tokens.identity(), Tokens.curve())) {
            StringWriter pem = new StringWriter();
            try (JcaPEMWriter writer = new JcaPEMWriter(pem)) {
                writer.writeObject(identity.certificate());
            }
            Files.writeString(folder.resolve("ca.pem"), pem.toString());
            TokenSigner signer = new TokenSigner(identity, CryptoProvider.AUTO.provider());

            Files.write(folder.resolve("token"), signer.sign(terms, true, false));
            assertEquals(0, verify(), () -> said());
            Files.write(folder.resolve("token"), signer.sign(terms, true, true));
            assertEquals(0, verify(), () -> said());

            byte[] changed = signer.sign(terms, true, false);
            changed[changed.length - 1] ^= 1;
            Files.write(folder.resolve("token"), changed);
            assertTrue(verify() != 0, () -> said());
        }
    }

    private int verify() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                OPENSSL.toString(),
                                "cms",
                                "-verify",
                                "-inform",
                                "DER",
                                "-in",
                                "token",
                                "-CAfile",
                                "ca.pem",
                                "-certfile",
                                "ca.pem",
                                "-purpose",
                                "any",
                                "-attime",
                                Long.toString(Tokens.NOW.getEpochSecond()))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("said").toFile())
                        .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return process.exitValue();
    }

    private String said() {
        try {
            return Files.readString(folder.resolve("said"), StandardCharsets.ISO_8859_1);
        } catch (IOException none) {
            return "nothing";
        }
    }
}
