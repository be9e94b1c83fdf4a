package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.operation.SecretFile;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the file of {@code admin.token-file}: one token, or a line {@code NAME = TOKEN} for each
 * operator.
 */
public final class AdminTokens {
    /** Who shows the one token that has no name. */
    public static final String ADMIN = "admin";

    /** Bytes of the shortest token. */
    private static final int LEAST = 16;

    private static final Pattern NAMED = Pattern.compile("([A-Za-z0-9._-]{1,64})\\s+=\\s+(\\S.*)");

    private AdminTokens() {}

    /**
     * Reads it; blocks on the disk.
     *
     * @param key who names the file, for faults
     * @param file the file
     * @return tokens by the names of those who show them, at least one
     * @throws BadConfigurationException when it cannot be read, or has something else
     */
    public static Map<String, byte[]> read(String key, Path file) throws BadConfigurationException {
        byte[] bytes = SecretFile.read(key, file);
        String text = new String(bytes, StandardCharsets.UTF_8);
        Map<String, byte[]> tokens = new LinkedHashMap<>();
        if (text.indexOf('\n') < 0 && !NAMED.matcher(text).matches()) {
            add(tokens, ADMIN, bytes, key + ": " + file);
            return tokens;
        }
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            String place = key + ": " + file + ", line " + ++number;
            Matcher named = NAMED.matcher(line);
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            } else if (!named.matches()) {
                throw new BadConfigurationException(place + ": is not NAME = TOKEN");
            }
            add(tokens, named.group(1), named.group(2).getBytes(StandardCharsets.UTF_8), place);
        }
        if (tokens.isEmpty()) {
            throw new BadConfigurationException(key + ": " + file + " has no token");
        }
        return tokens;
    }

    private static void add(Map<String, byte[]> tokens, String name, byte[] token, String place)
            throws BadConfigurationException {
        if (token.length < LEAST) {
            throw new BadConfigurationException(
                    place + ": the token has less than " + LEAST + " bytes");
        } else if (tokens.putIfAbsent(name, token) != null) {
            throw new BadConfigurationException(place + ": there is a second token of " + name);
        }
    }
}
