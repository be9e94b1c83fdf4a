package org.lrwp.runtime.configuration;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a file of settings: UTF-8, one {@code name = value} to a line, {@code #} begins a comment
 * where a line begins. A small format of our own, because a properties file knows no lines.
 */
final class SettingsFile {
    private SettingsFile() {}

    /**
     * Reads a file; blocks.
     *
     * @throws BadConfigurationException when it cannot be read, or a line is none of the above
     */
    static Map<String, Setting> read(Path file) throws BadConfigurationException {
        Map<String, Setting> settings = new LinkedHashMap<>();
        List<String> faults = new ArrayList<>();
        int number = 0;
        for (String raw : lines(file)) {
            number++;
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String place = file + ":" + number;
            int equals = line.indexOf('=');
            String name = equals < 0 ? "" : line.substring(0, equals).strip();
            if (name.isEmpty()) {
                faults.add(place + " is not of the form name = value");
                continue;
            }
            String text = line.substring(equals + 1).strip();
            Origin origin = new Origin(Origin.Kind.FILE, place);
            if (settings.putIfAbsent(name, new Setting(text, origin)) != null) {
                faults.add(name + " is set again at " + place);
            }
        }
        if (!faults.isEmpty()) {
            throw new BadConfigurationException(faults);
        }
        return settings;
    }

    private static List<String> lines(Path file) throws BadConfigurationException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new BadConfigurationException("there is no file " + file);
        } catch (CharacterCodingException e) {
            throw new BadConfigurationException("file " + file + " is not UTF-8");
        } catch (IOException e) {
            throw new BadConfigurationException("file " + file + " cannot be read");
        }
    }
}
