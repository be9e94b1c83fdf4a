package org.lrwp.osp.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a document that is as plain as those of real clients: ASCII, no comments, references,
 * sections or instructions, and within all limits. It is in doubt about everything else, and then
 * {@link MessageReader} asks the XML library, which alone says what is malformed and why.
 *
 * <p>So it has to be right only in what it takes: such a document is well formed, and its tree is
 * the one the library would build. Ten times as fast as the library, which sets up buffers for each
 * document that are longer than most messages. One object reads one document; for one thread.
 */
final class PlainDocument {
    private static final byte[] VERSION = octets("<?xml version=");
    private static final byte[][] DECLARATIONS = {
        octets("<?xml version=\"1.0\"?>"),
        octets("<?xml version='1.0'?>"),
        octets("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"),
        octets("<?xml version='1.0' encoding='UTF-8'?>"),
    };

    private static final int NONE = -1;

    /** Ends the reading; without a trace, since it is no fault. */
    private static final class InDoubtException extends Exception {
        private static final long serialVersionUID = 1L;

        private InDoubtException() {
            super("not plain", null, false, false);
        }
    }

    private final byte[] octets;
    private final MessageLimits limits;
    private int at;
    private int elements;

    private PlainDocument(byte[] octets, MessageLimits limits) {
        this.octets = octets;
        this.limits = limits;
    }

    /**
     * Reads a document.
     *
     * @param octets the whole document
     * @param limits what is read at most
     * @return its element; empty when the document is not plain, whether it is well formed or not
     */
    static Optional<Element> read(byte[] octets, MessageLimits limits) {
        PlainDocument document = new PlainDocument(octets, limits);
        try {
            document.declaration();
            document.space();
            Element root = document.element(1);
            document.space();
            return document.at == octets.length ? Optional.of(root) : Optional.empty();
        } catch (InDoubtException notPlain) {
            return Optional.empty();
        }
    }

    private void declaration() throws InDoubtException {
        if (!isNext(VERSION)) {
            return;
        }
        for (byte[] each : DECLARATIONS) {
            if (isNext(each)) {
                at = each.length;
                return;
            }
        }
        throw new InDoubtException();
    }

    private boolean isNext(byte[] wanted) {
        return at + wanted.length <= octets.length
                && Arrays.equals(octets, at, at + wanted.length, wanted, 0, wanted.length);
    }

    private Element element(int depth) throws InDoubtException {
        require(depth <= limits.levels() && ++elements <= limits.elements());
        expect('<');
        int nameFrom = at;
        String name = name();
        int nameLength = at - nameFrom;
        Map<String, String> attributes = attributes();
        if (peek() == '/') {
            at++;
            expect('>');
            return new Element(name, attributes, "", List.of());
        }
        expect('>');
        String text = text();
        List<Element> children = List.of();
        while (!isEndNext()) {
            if (children.isEmpty()) {
                children = new ArrayList<>();
            }
            children.add(element(depth + 1));
            // Text in pieces is rare.
            require(text().isEmpty());
        }
        end(nameFrom, nameLength);
        return new Element(name, attributes, text, children);
    }

    private boolean isEndNext() {
        return at + 1 < octets.length && octets[at + 1] == '/';
    }

    private void end(int nameFrom, int nameLength) throws InDoubtException {
        at += 2;
        require(
                at + nameLength <= octets.length
                        && Arrays.equals(
                                octets,
                                at,
                                at + nameLength,
                                octets,
                                nameFrom,
                                nameFrom + nameLength));
        at += nameLength;
        space();
        expect('>');
    }

    private Map<String, String> attributes() throws InDoubtException {
        Map<String, String> attributes = Map.of();
        while (space() && peek() != '>' && peek() != '/') {
            String name = name();
            space();
            expect('=');
            space();
            String value = value();
            if (attributes.isEmpty()) {
                attributes = Map.of(name, value);
            } else {
                attributes = new LinkedHashMap<>(attributes);
                require(attributes.put(name, value) == null);
            }
            require(attributes.size() <= limits.attributes());
        }
        return attributes;
    }

    private String value() throws InDoubtException {
        byte quote = peek();
        require(quote == '"' || quote == '\'');
        int from = ++at;
        while (peek() != quote) {
            // Space other than blanks would have to be made blanks.
            require(octets[at] >= ' ' && octets[at] != '<' && octets[at] != '&');
            at++;
        }
        return piece(from, at++);
    }

    /** What stands before the next tag, without white space at its ends. */
    private String text() throws InDoubtException {
        space();
        int from = at;
        int last = NONE;
        for (byte next = peek(); next != '<'; next = peek()) {
            // Beside what is no text this leaves out ]]>, which text may not have.
            require(next != '&' && next != '>' && (next >= ' ' || next == '\n' || next == '\t'));
            if (next > ' ') {
                last = at;
            }
            at++;
        }
        return last == NONE ? "" : piece(from, last + 1);
    }

    private String name() throws InDoubtException {
        int from = at;
        byte first = peek();
        require(isLetter(first) || first == '_');
        int hash = 0;
        for (byte next = first; isLetter(next) || isLaterInName(next); next = peek()) {
            hash = 31 * hash + next;
            at++;
        }
        Optional<String> known = KnownNames.find(octets, from, at - from, hash);
        return known.isPresent() ? known.get() : piece(from, at);
    }

    private static boolean isLetter(byte octet) {
        int small = octet | 0x20;
        return small >= 'a' && small <= 'z';
    }

    private static boolean isLaterInName(byte octet) {
        return (octet >= '0' && octet <= '9')
                || octet == '_'
                || octet == '-'
                || octet == '.'
                || octet == ':';
    }

    /** Passes over white space; whether there was any. */
    private boolean space() {
        int from = at;
        while (at < octets.length
                && (octets[at] == ' ' || octets[at] == '\n' || octets[at] == '\t')) {
            at++;
        }
        return at > from;
    }

    private byte peek() throws InDoubtException {
        require(at < octets.length);
        return octets[at];
    }

    private void expect(char octet) throws InDoubtException {
        require(peek() == octet);
        at++;
    }

    private static void require(boolean plain) throws InDoubtException {
        if (!plain) {
            throw new InDoubtException();
        }
    }

    private String piece(int from, int to) {
        return new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
