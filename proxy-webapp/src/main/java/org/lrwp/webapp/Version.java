package org.lrwp.webapp;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version of the proxy, as the build wrote it. */
final class Version {
    private Version() {}

    static String read() {
        var properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            return "unknown";
        }
        return properties.getProperty("version", "unknown");
    }
}
