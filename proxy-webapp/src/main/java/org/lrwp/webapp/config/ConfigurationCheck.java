package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.Rule;
import org.lrwp.runtime.configuration.Schema;
import org.lrwp.runtime.configuration.Values;
import org.lrwp.runtime.module.ModuleProvider;
import org.lrwp.sdk.tls.OwnCertificate;
import org.lrwp.sdk.tls.PemFile;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Checks a configuration without a running proxy: {@code ./lrwp check}. It opens nothing but files
 * of configuration, secrets and certificates.
 */
public final class ConfigurationCheck {
    private ConfigurationCheck() {}

    /**
     * Checks the proxy's configuration, and the keys of its modules.
     *
     * @param out gets a line for each fault; what is only odd too
     * @param environment the environment, with {@code LRWP_*}
     * @param system system properties, with {@code lrwp.*}; {@code lrwp.config} names the file
     * @return the exit code: 0, or 1 when there is a fault
     */
    public static int run(
            PrintStream out, Map<String, String> environment, Map<String, String> system) {
        ProxySources places = ProxySources.of(environment, system, null);
        String secrets = environment.get(ProxySources.SECRETS_VARIABLE);
        List<Rule> rules = new ArrayList<>(ProxyRules.all(secrets));
        rules.add(ConfigurationCheck::modules);
        rules.add(ConfigurationCheck::peers);
        rules.add(ConfigurationCheck::tls);
        List<String> unknown = places.unknownVariables();
        unknown.forEach(name -> out.println("unknown variable " + name + " in the environment"));
        try {
            Configuration.open(new Schema(Keys.all(), rules), places.sources());
            out.println("The configuration has no fault" + unused(unknown.size()) + ".");
            return 0;
        } catch (BadConfigurationException e) {
            e.faults().forEach(out::println);
            return 1;
        }
    }

    private static String unused(int variables) {
        return switch (variables) {
            case 0 -> "";
            case 1 -> ", but 1 unknown variable of the environment is not used";
            default -> ", but " + variables + " unknown variables of the environment are not used";
        };
    }

    /**
     * Reads a configuration without a fault.
     *
     * @param environment the environment, with {@code LRWP_*}
     * @param system system properties, with {@code lrwp.*}; {@code lrwp.config} names the file
     * @return the values of all keys as they are written, secrets as {@code ***}
     */
    public static Map<String, String> values(
            Map<String, String> environment, Map<String, String> system) {
        ProxySources places = ProxySources.of(environment, system, null);
        try {
            Map<String, String> values = new TreeMap<>();
            Configuration.open(new Schema(Keys.all(), List.of()), places.sources())
                    .values()
                    .entries()
                    .forEach(entry -> values.put(entry.name(), entry.text()));
            return values;
        } catch (BadConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static void peers(Values values, Consumer<String> faults) {
        try {
            PeersFile.named(values);
        } catch (BadConfigurationException e) {
            e.faults().forEach(faults);
        }
    }

    /**
     * Not a rule of the running proxy: its files are exchanged while it runs, and one that is
     * missing for a moment must not refuse a change of something else.
     */
    private static void tls(Values values, Consumer<String> faults) {
        if (!values.get(TlsKeys.CERTIFICATE).isEmpty()) {
            pair(values, TlsKeys.CERTIFICATE, TlsKeys.KEY, false, faults);
            file(values, TlsKeys.TRUST, PemFile::certificates, faults);
            file(values, TlsKeys.REVOKED, PemFile::revoked, faults);
        }
        if (values.get(HttpsKeys.PORT) != 0) {
            boolean later = !values.get(HttpsKeys.CHALLENGES).isEmpty();
            pair(values, HttpsKeys.CERTIFICATE, HttpsKeys.KEY, later, faults);
            file(values, HttpsKeys.TRUST, PemFile::certificates, faults);
            file(values, HttpsKeys.REVOKED, PemFile::revoked, faults);
        }
    }

    /**
     * A certificate and its key. Whether they fit is asked when each of them can be read.
     *
     * @param later whether the ACME module may have yet to make them
     */
    private static void pair(
            Values values,
            Key<String> certificate,
            Key<String> key,
            boolean later,
            Consumer<String> faults) {
        boolean first = file(values, certificate, made(PemFile::certificates, later), faults);
        boolean second = file(values, key, made(PemFile::privateKey, later), faults);
        String chain = values.get(certificate);
        if (!first || !second || chain.isEmpty() || values.get(key).isEmpty()) {
            return;
        }
        try {
            var _ = OwnCertificate.read(Path.of(chain), Path.of(values.get(key)));
        } catch (NoSuchFileException e) {
            // It is made later, or it would have been a fault above.
        } catch (IOException e) {
            faults.accept(
                    "%s = %s (%s): is not the key of %s = %s (%s)"
                            .formatted(
                                    key.name(),
                                    values.get(key),
                                    values.origin(key.name()),
                                    certificate.name(),
                                    chain,
                                    values.origin(certificate.name())));
        }
    }

    private static NamedFile.Reading made(NamedFile.Reading reading, boolean later) {
        return file -> {
            if (!later || Files.exists(file)) {
                reading.read(file);
            }
        };
    }

    /** Returns whether it can be used, or none is named. */
    private static boolean file(
            Values values, Key<String> key, NamedFile.Reading reading, Consumer<String> faults) {
        try {
            NamedFile.check(values, key, reading);
            return true;
        } catch (BadConfigurationException e) {
            e.faults().forEach(faults);
            return false;
        }
    }

    private static void modules(Values values, Consumer<String> faults) {
        Map<String, ModuleProvider> providers = new TreeMap<>();
        ClassLoader loader = ConfigurationCheck.class.getClassLoader();
        ServiceLoader.load(ModuleProvider.class, loader)
                .forEach(provider -> providers.put(provider.type(), provider));
        for (ModuleConfig module : new ConfigBuilder(values, "", null).modules()) {
            String key = ModuleKeys.TYPE.nameOf(module.name());
            ModuleProvider provider = providers.get(module.type());
            if (provider != null) {
                module(module, provider, faults);
            } else if (!module.type().isEmpty()) {
                faults.accept(
                        key
                                + " = "
                                + module.type()
                                + " ("
                                + values.origin(key)
                                + "): allowed is "
                                + String.join(" or ", providers.keySet()));
            }
        }
    }

    private static void module(
            ModuleConfig module, ModuleProvider provider, Consumer<String> faults) {
        try {
            Configuration.open(provider.keys(), module.settings(), module.file());
        } catch (BadConfigurationException e) {
            e.faults()
                    .forEach(
                            fault -> faults.accept(ModuleKeys.HEAD + module.name() + ": " + fault));
        }
    }
}
