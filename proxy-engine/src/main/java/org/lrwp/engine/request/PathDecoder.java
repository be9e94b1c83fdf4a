package org.lrwp.engine.request;

import java.nio.charset.StandardCharsets;

/** Decodes a path once and resolves its dot segments: RFC 3986 sections 2.4 and 5.2.4. */
final class PathDecoder {
    private static final int HEX = 16;

    private PathDecoder() {}

    /**
     * Decodes a path.
     *
     * @param bytes visible ASCII
     * @param from its first byte, a slash; nothing stands for {@code /}
     * @param to behind its last byte
     * @throws BadRequestException when what is decoded could be read in two ways
     */
    static String decode(byte[] bytes, int from, int to) throws BadRequestException {
        if (from == to) {
            return "/";
        }
        boolean encoded = false;
        boolean segments = false;
        for (int i = from; i < to; i++) {
            byte c = bytes[i];
            if (c == '%') {
                encoded = true;
            } else if (c == '\\') {
                throw new BadRequestException("path holds a backslash");
            } else if (c == '/' && i + 1 < to && (bytes[i + 1] == '/' || bytes[i + 1] == '.')) {
                segments = true;
            }
        }
        if (!encoded) {
            String plain = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            return segments ? resolve(plain) : plain;
        }
        String decoded = decode(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        return decoded.contains("//") || decoded.contains("/.") ? resolve(decoded) : decoded;
    }

    private static String decode(String path) throws BadRequestException {
        var decoded = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '%') {
                c = value(path, i + 1);
                i += 2;
            }
            decoded.append(c);
        }
        return decoded.toString();
    }

    private static char value(String path, int at) throws BadRequestException {
        int high = at + 1 < path.length() ? Character.digit(path.charAt(at), HEX) : -1;
        int low = at + 1 < path.length() ? Character.digit(path.charAt(at + 1), HEX) : -1;
        if (high < 0 || low < 0) {
            throw new BadRequestException("path holds a percent sign without two hex digits");
        }
        char value = (char) ((high << 4) | low);
        if (value == 0 || value == '/' || value == '\\') {
            throw new BadRequestException("path holds an encoded NUL, slash or backslash");
        }
        return value;
    }

    /** Resolves empty and dot segments; none may lead above the root. */
    private static String resolve(String path) throws BadRequestException {
        var resolved = new StringBuilder(path.length());
        int at = 0;
        while (at < path.length()) {
            int end = path.indexOf('/', at + 1);
            String segment = path.substring(at + 1, end < 0 ? path.length() : end);
            boolean last = end < 0;
            if (segment.equals("..")) {
                if (resolved.isEmpty()) {
                    throw new BadRequestException("path leads above the root");
                }
                resolved.setLength(resolved.lastIndexOf("/"));
            } else if (segment.startsWith(".;") || segment.startsWith("..;")) {
                // Some servers cut the parameter off, and then see a dot segment.
                throw new BadRequestException("path holds a dot segment with a parameter");
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                resolved.append('/').append(segment);
            }
            if (last && (segment.isEmpty() || segment.equals(".") || segment.equals(".."))) {
                resolved.append('/');
            }
            at = last ? path.length() : end;
        }
        return resolved.toString();
    }
}
