package org.lrwp.systemtests.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** A transcript of the wire: a file of hexadecimal bytes under comments that say who sent them. */
public final class HexVector {
    /** Who sent a part. */
    public enum Sender {
        /** The peer, to the server. */
        PEER("peer>server"),
        /** The server, to the peer. */
        SERVER("server>peer"),
        /** The browser, to the server. */
        BROWSER("browser>server"),
        /** The server, to the browser. */
        ANSWER("server>browser");

        private final String label;

        Sender(String label) {
            this.label = label;
        }
    }

    /** What one of them sent. */
    public static final class Part {
        private final Sender sender;
        private final String label;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        private Part(Sender sender, String label) {
            this.sender = sender;
            this.label = label;
        }

        /** Who sent it. */
        public Sender sender() {
            return sender;
        }

        /** Whether the sender closed the connection after it. */
        public boolean closes() {
            return label.contains("then close") || label.contains("then server closed");
        }

        /** The bytes. */
        public byte[] bytes() {
            return bytes.toByteArray();
        }
    }

    private final String name;
    private final List<Part> parts;

    private HexVector(String name, List<Part> parts) {
        this.name = name;
        this.parts = List.copyOf(parts);
    }

    /** All transcripts of the test resources whose file name begins so, by name. */
    public static List<HexVector> all(String... prefixes) {
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> startsWithAny(file, prefixes))
                    .sorted()
                    .map(HexVector::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean startsWithAny(Path file, String... prefixes) {
        String name = String.valueOf(file.getFileName());
        return Stream.of(prefixes).anyMatch(name::startsWith);
    }

    private static Path folder() {
        var url = HexVector.class.getResource("/vectors/lrwp");
        if (url == null) {
            throw new IllegalStateException("the test resources have no vectors");
        }
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HexVector read(Path file) {
        List<Part> parts = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith("#")) {
                    for (Sender sender : Sender.values()) {
                        if (line.startsWith("# " + sender.label)) {
                            parts.add(new Part(sender, line));
                        }
                    }
                } else if (!line.isBlank()) {
                    String hex = line.replace(" ", "");
                    parts.getLast().bytes.writeBytes(HexFormat.of().parseHex(hex));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String name = String.valueOf(file.getFileName());
        return new HexVector(name.substring(0, name.length() - ".hex".length()), parts);
    }

    /** The file's name without its ending. */
    public String name() {
        return name;
    }

    /** All parts, in order. */
    public List<Part> parts() {
        return parts;
    }

    /** The first part of a sender, empty when there is none. */
    public byte[] first(Sender sender) {
        return parts.stream()
                .filter(part -> part.sender() == sender)
                .findFirst()
                .map(Part::bytes)
                .orElse(new byte[0]);
    }

    @Override
    public String toString() {
        return name;
    }
}
