package org.lrwp.runtime.configuration;

import org.lrwp.files.FileFault;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Reads a file of settings, so that each of them knows its line. */
final class SettingsFile {
    private final Path file;
    private final Collection<String> faults;
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    private SettingsFile(Path file, Collection<String> faults) {
        this.file = file;
        this.faults = faults;
    }

    /**
     * Reads a file; blocks.
     *
     * @param faults gets a sentence for each line that is no setting
     * @throws BadConfigurationException when it cannot be read
     */
    static Map<String, Setting> read(Path file, FileFormat format, Collection<String> faults)
            throws BadConfigurationException {
        SettingsFile reader = new SettingsFile(file, faults);
        List<String> lines = lines(file);
        switch (format) {
            case LINES -> reader.addLines(lines);
            case PROPERTIES -> reader.addProperties(lines);
        }
        return reader.settings;
    }

    private static List<String> lines(Path file) throws BadConfigurationException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new BadConfigurationException("there is no file " + file);
        } catch (CharacterCodingException e) {
            throw new BadConfigurationException("file " + file + " is not UTF-8");
        } catch (IOException e) {
            throw new BadConfigurationException(
                    "file " + file + " cannot be read: " + FileFault.reason(e));
        }
    }

    private void addLines(List<String> lines) {
        int number = 0;
        for (String raw : lines) {
            number++;
            String line = raw.strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            String name = equals < 0 ? "" : line.substring(0, equals).strip();
            add(name, line.substring(equals + 1).strip(), number);
        }
    }

    private void addProperties(List<String> lines) {
        int next = 0;
        while (next < lines.size()) {
            int number = next + 1;
            String line = lines.get(next++);
            if (line.isBlank() || isComment(line)) {
                continue;
            }
            StringBuilder whole = new StringBuilder(line);
            while (goesOn(whole) && next < lines.size()) {
                whole.append('\n').append(lines.get(next++));
            }
            addProperty(whole.toString(), number);
        }
    }

    private static boolean isComment(String line) {
        String text = line.stripLeading();
        return text.startsWith("#") || text.startsWith("!");
    }

    /** Whether it ends with a backslash that no other one escapes. */
    private static boolean goesOn(StringBuilder text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\\') {
            end--;
        }
        return (text.length() - end) % 2 == 1;
    }

    private void addProperty(String whole, int number) {
        Properties one = new Properties();
        try {
            one.load(new StringReader(whole));
        } catch (IOException | IllegalArgumentException e) {
            faults.add(place(number) + " cannot be read: " + e.getMessage());
        }
        one.forEach((name, text) -> add(name.toString(), text.toString(), number));
    }

    private void add(String name, String text, int number) {
        String place = place(number);
        if (name.isEmpty()) {
            faults.add(place + " is not of the form name = value");
            return;
        }
        Origin origin = new Origin(Origin.Kind.FILE, place);
        if (settings.putIfAbsent(name, new Setting(text, origin)) != null) {
            faults.add(name + " is set again at " + place);
        }
    }

    private String place(int number) {
        return file + ":" + number;
    }
}
