package org.lrwp.webapp.config;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.identity.CertificatePattern;
import org.lrwp.engine.identity.Identity;
import org.lrwp.engine.identity.Scope;
import org.lrwp.engine.identity.Secret;
import org.lrwp.protocol.IdentityKey;
import org.lrwp.protocol.Names;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.FileFormat;
import org.lrwp.runtime.configuration.Live;
import org.lrwp.runtime.configuration.Misspelling;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.configuration.Schema;
import org.lrwp.runtime.configuration.Setting;
import org.lrwp.runtime.configuration.Sources;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.operation.SecretFile;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The identities of peers, from a file of lines {@code peer.NAME.KEY = VALUE}:
 * docs/configuration.md. With a fault in the file all old identities stay. No message holds a key.
 *
 * @param configuration its values, now and later
 * @param identities what they are, by name
 */
public record PeersFile(Configuration configuration, Live<Map<String, Identity>> identities) {
    /**
     * Opens the file that the proxy's configuration names; blocks on the disk.
     *
     * @return null when it names none
     * @throws BadConfigurationException when anything is wrong; all of it is listed
     */
    static @Nullable PeersFile named(Values values) throws BadConfigurationException {
        NamedFile.check(values, AgentKeys.PEERS_FILE);
        String file = values.get(AgentKeys.PEERS_FILE);
        return file.isEmpty() ? null : open(Path.of(file));
    }

    /**
     * Opens the file and those that it names; blocks on the disk.
     *
     * @param file its path
     * @return the identities of this moment, up to date when the file is read again
     * @throws BadConfigurationException when anything is wrong; all of it is listed
     */
    public static PeersFile open(Path file) throws BadConfigurationException {
        Schema schema =
                new Schema(
                        PeerKeys.all(),
                        List.of((values, faults) -> new OwnFile(file).check(faults)));
        Configuration configuration =
                Configuration.open(
                        schema, new Sources(Map.of(), file, FileFormat.PROPERTIES, Map.of()));
        return new PeersFile(configuration, configuration.bind(PeersFile::read));
    }

    /**
     * Checks the lines of a new identity as if they stood in the file. What it proves itself with
     * need not be there yet.
     *
     * @param name of the identity
     * @param lines by key, without its proof
     * @throws BadConfigurationException when the file could not be read with them
     */
    public static void check(String name, Map<String, Setting> lines)
            throws BadConfigurationException {
        Map<String, Setting> settings = new HashMap<>(lines);
        settings.put(PeerKeys.CERTIFICATE.nameOf(name), new Setting("CN=" + name, Origin.DEFAULT));
        Configuration.open(
                        Schema.of(PeerKeys.all()),
                        new Sources(Map.of(), null, FileFormat.PROPERTIES, settings))
                .bind(PeersFile::read);
    }

    private static Map<String, Identity> read(Values values) {
        Map<String, Identity> identities = new HashMap<>();
        List<String> faults = new ArrayList<>();
        for (String name : new TreeSet<>(values.members(PeerKeys.CONTEXTS))) {
            try {
                identities.put(name, identity(name, values));
            } catch (IllegalArgumentException | BadConfigurationException e) {
                faults.add(String.valueOf(e.getMessage()));
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        return Map.copyOf(identities);
    }

    private static Identity identity(String name, Values values) throws BadConfigurationException {
        if (values.of(PeerKeys.CONTEXTS, name).isEmpty()) {
            throw new IllegalArgumentException(PeerKeys.CONTEXTS.nameOf(name) + " must be set");
        }
        Instant end = values.of(PeerKeys.NOT_AFTER, name).orElse(null);
        return new Identity(
                name,
                proof(name, values),
                new Scope(values.of(PeerKeys.CONTEXTS, name), values.of(PeerKeys.HOSTS, name)),
                values.of(PeerKeys.NETWORKS, name),
                values.of(PeerKeys.CONNECTIONS, name),
                values.of(PeerKeys.CAPACITY, name),
                values.of(PeerKeys.WEIGHT, name),
                end);
    }

    private static Identity.Proof proof(String name, Values values)
            throws BadConfigurationException {
        String protocol = values.of(PeerKeys.PROTOCOL, name);
        String secretFile = values.of(PeerKeys.SECRET_FILE, name);
        Map<String, IdentityKey> keys = keys(name, values);
        List<CertificatePattern> certificates = values.of(PeerKeys.CERTIFICATE, name);
        Set<String> users = Set.copyOf(values.of(PeerKeys.USER, name));
        String place = PeerKeys.HEAD + name + ": protocol " + protocol;
        if (protocol.equals("2") == secretFile.isEmpty()) {
            throw new IllegalArgumentException(
                    place + (secretFile.isEmpty() ? " needs a" : " has no") + " secret-file");
        }
        boolean shows = !keys.isEmpty() || !certificates.isEmpty() || !users.isEmpty();
        if (protocol.equals("3") != shows) {
            throw new IllegalArgumentException(
                    place + (shows ? " has no" : " needs a") + " key.ID, certificate or user");
        }
        return switch (protocol) {
            case "1" -> new Identity.Proof.Address();
            case "2" -> new Identity.Proof.SharedSecret(new Secret(secret(name, secretFile)));
            default -> new Identity.Proof.Credentials(keys, certificates, users);
        };
    }

    private static byte[] secret(String name, String file) throws BadConfigurationException {
        return readOwn(PeerKeys.SECRET_FILE.nameOf(name), Path.of(file));
    }

    private static Map<String, IdentityKey> keys(String name, Values values)
            throws BadConfigurationException {
        Map<String, IdentityKey> keys = new HashMap<>();
        String head = PeerKeys.HEAD + name + ".";
        Set<String> others = new TreeSet<>();
        PeerKeys.all().stream()
                .filter(key -> !key.equals(PeerKeys.KEYS))
                .forEach(key -> others.add(key.nameOf(name)));
        for (Map.Entry<String, Setting> one : values.under(head).entrySet()) {
            String full = head + one.getKey();
            if (one.getKey().startsWith(PeerKeys.KEY)) {
                String id = one.getKey().substring(PeerKeys.KEY.length());
                keys.put(id, key(full, id, one.getValue().text().strip()));
            } else if (!others.contains(full)) {
                throw new IllegalArgumentException(
                        "unknown key " + full + Misspelling.hint(full, others.stream()));
            }
        }
        return keys;
    }

    private static IdentityKey key(String full, String id, String file)
            throws BadConfigurationException {
        if (!Names.isName(id) || file.isEmpty()) {
            throw new IllegalArgumentException(
                    full + ": the id of a key is " + Names.ALLOWED + ", its value a file");
        }
        try {
            byte[] text = readOwn(full, Path.of(file));
            return IdentityKey.parse(new String(text, StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(full + ": " + file + ": " + e.getMessage(), e);
        }
    }

    private static byte[] readOwn(String option, Path file) throws BadConfigurationException {
        @Nullable String fault = new OwnFile(file).ownerFault();
        if (fault != null) {
            throw new BadConfigurationException(option + ": " + fault);
        }
        return SecretFile.read(option, file);
    }
}
