package org.lrwp.download.file;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The path of a request as names of folders and files.
 *
 * @param segments names, none of which can lead out of a folder
 * @param folder whether the path ends with a slash, or is empty
 */
record PathName(List<String> segments, boolean folder) {
    private static final int MOST_BYTES = 4096;

    PathName {
        segments = List.copyOf(segments);
    }

    /**
     * Reads a path that was percent-decoded once.
     *
     * @param pathInfo one byte per character
     * @return the names, or null when the path can name no file that may be seen: controls, names
     *     that begin with a dot, backslashes, empty names, what is not UTF-8
     */
    static @Nullable PathName parse(String pathInfo) {
        if (pathInfo.length() > MOST_BYTES || !(pathInfo.isEmpty() || pathInfo.startsWith("/"))) {
            return null;
        }
        String text = utf8(pathInfo);
        if (text == null) {
            return null;
        }
        List<String> names = new ArrayList<>();
        String[] parts = text.split("/", -1);
        for (int i = 1; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            if (parts[i].isEmpty() && last) {
                break;
            }
            if (!isVisible(parts[i])) {
                return null;
            }
            names.add(parts[i]);
        }
        return new PathName(names, text.isEmpty() || text.endsWith("/"));
    }

    /** Whether a path may have this name; a listing has no other. */
    static boolean isVisible(String name) {
        return !name.isEmpty()
                && !name.startsWith(".")
                && name.chars().noneMatch(c -> c < ' ' || c == 0x7F || c == '\\');
    }

    private static @Nullable String utf8(String bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    String last() {
        return segments.isEmpty() ? "" : segments.getLast();
    }
}
