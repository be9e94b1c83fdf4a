package org.lrwp.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A transcript of the wire: sections of hex, each under a comment that says who spoke.
 *
 * @param name the file's name without its ending
 * @param sections what was said, in order
 */
record WireVector(String name, List<Section> sections) {

    /**
     * What one side said.
     *
     * @param title the comment above it, such as {@code peer>server (5 bytes)}
     * @param text what it said, one byte per character
     */
    record Section(String title, String text) {
        byte[] bytes() {
            return Cuts.bytes(text);
        }

        boolean isFromPeer() {
            return title.startsWith("peer>server");
        }

        boolean isToPeer() {
            return title.startsWith("server>peer");
        }
    }

    static WireVector load(String name) {
        String path = "/vectors/lrwp/" + name + ".hex";
        try (InputStream in = WireVector.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException("no vector " + path);
            }
            return parse(name, new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WireVector parse(String name, String text) {
        List<Section> sections = new ArrayList<>();
        var bytes = new ByteArrayOutputStream();
        String title = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("#")) {
                addIfNamed(sections, title, bytes);
                title = line.substring(1).strip();
            } else if (!line.isBlank()) {
                bytes.writeBytes(HexFormat.ofDelimiter(" ").parseHex(line.strip()));
            }
        }
        addIfNamed(sections, title, bytes);
        return new WireVector(name, List.copyOf(sections));
    }

    private static void addIfNamed(
            List<Section> sections, String title, ByteArrayOutputStream bytes) {
        if (title.contains(">")) {
            sections.add(new Section(title, Cuts.text(bytes.toByteArray())));
        }
        bytes.reset();
    }

    byte[] fromPeer(int index) {
        return sections.stream().filter(Section::isFromPeer).toList().get(index).bytes();
    }

    byte[] toPeer(int index) {
        return sections.stream().filter(Section::isToPeer).toList().get(index).bytes();
    }

    @Override
    public String toString() {
        return name;
    }
}
