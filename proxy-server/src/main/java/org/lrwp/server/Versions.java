package org.lrwp.server;

import picocli.CommandLine.IVersionProvider;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of what runs, from the resource that the build fills in. */
final class Versions implements IVersionProvider {
    private final Properties built = new Properties();

    Versions() {
        try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
            if (in == null) {
                throw new IllegalStateException("versions.properties is missing from the build");
            }
            built.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String proxy() {
        return built.getProperty("proxy", "unknown");
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "LRWP proxy " + proxy(),
            "GlassFish  " + built.getProperty("glassfish", "unknown") + " (embedded)",
            "JDK        " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}
