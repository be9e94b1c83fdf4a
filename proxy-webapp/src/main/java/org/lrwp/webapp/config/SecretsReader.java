package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.identity.Secret;
import org.lrwp.files.FileFault;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * Reads the keys that peers must prove: from a file that only its owner can read, or from the
 * environment as {@code /osp=key,/tep=key}; {@code connection=key} is for LRWP 3 peers that name no
 * context in their startup string. No message holds a key.
 */
final class SecretsReader {
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private static final String CONNECTION = "connection";

    private final List<String> faults;
    private final Map<String, Secret> secrets = new HashMap<>();
    private @Nullable Secret connectionSecret;

    SecretsReader(List<String> faults) {
        this.faults = faults;
    }

    Map<String, Secret> read(String file, @Nullable String variable) {
        if (!file.isEmpty()) {
            addFile(Path.of(file));
        }
        if (variable != null) {
            for (String part : variable.split(",", -1)) {
                int equals = part.indexOf('=');
                String origin = "environment " + ProxySources.SECRETS_VARIABLE;
                if (equals < 0) {
                    faults.add(origin + ": allowed is /context=key, separated by commas");
                } else {
                    add(part.substring(0, equals).strip(), part.substring(equals + 1), origin);
                }
            }
        }
        return secrets;
    }

    /** The secret of connections, once all has been read; null for none. */
    @Nullable Secret connectionSecret() {
        return connectionSecret;
    }

    private void addFile(Path path) {
        String origin = "file " + path;
        try {
            if (!OWNER.containsAll(Files.getPosixFilePermissions(path))) {
                faults.add("secrets-file: mode of " + path + " must be 600");
                return;
            }
            var properties = new Properties();
            try (Reader reader = Files.newBufferedReader(path)) {
                properties.load(reader);
            }
            properties.forEach((name, key) -> add(name.toString(), key.toString(), origin));
        } catch (IOException e) {
            faults.add("secrets-file: " + path + " cannot be read: " + FileFault.reason(e));
        } catch (IllegalArgumentException e) {
            // What the JDK says could be of a key.
            faults.add(
                    "secrets-file: " + path + " cannot be read: a backslash begins no character");
        } catch (UnsupportedOperationException e) {
            faults.add("secrets-file: the file system of " + path + " knows no modes");
        }
    }

    private void add(String context, String key, String origin) {
        boolean ofConnections = context.equals(CONNECTION);
        if (!ofConnections && !ProxyValueTypes.isContext(context)) {
            faults.add(
                    origin + ": a secret is for a context as /osp, .ext or /, or for connection");
        } else if (key.isBlank()) {
            faults.add(origin + ": the secret of " + context + " is empty");
        } else {
            Secret secret = new Secret(key.strip().getBytes(StandardCharsets.UTF_8));
            if (ofConnections) {
                connectionSecret = secret;
            } else {
                secrets.put(context, secret);
            }
        }
    }
}
