package org.lrwp.cache;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What bytes are, told by the first of them: the WHATWG's MIME sniffing, section 6. */
final class ContentKind {
    /** Bytes of unknown kind; what is declared so is not looked at. */
    static final String UNKNOWN = "application/octet-stream";

    /** How many bytes are enough to tell. */
    static final int LOOKS_AT = 64;

    /** The longest content type that is kept. */
    static final int LONGEST = 100;

    private static final Pattern TYPE =
            Pattern.compile("[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+", Pattern.CASE_INSENSITIVE);

    private static final List<Mark> MARKS =
            List.of(
                    new Mark("image/jpeg", 0, "\u00ff\u00d8\u00ff"),
                    new Mark("image/png", 0, "\u0089PNG\r\n\u001a\n"),
                    new Mark("image/gif", 0, "GIF87a"),
                    new Mark("image/gif", 0, "GIF89a"),
                    new Mark("image/webp", 8, "WEBPVP"),
                    new Mark("image/avif", 4, "ftypavif"),
                    new Mark("image/heic", 4, "ftypheic"),
                    new Mark("image/bmp", 0, "BM"),
                    new Mark("image/x-icon", 0, "\0\0\u0001\0"),
                    new Mark("image/tiff", 0, "II*\0"),
                    new Mark("image/tiff", 0, "MM\0*"),
                    new Mark("application/pdf", 0, "%PDF-"),
                    new Mark("video/mp4", 4, "ftypmp4"),
                    new Mark("video/webm", 0, "\u001aE\u00df\u00a3"));

    private ContentKind() {}

    private record Mark(String type, int at, String bytes) {
        boolean isIn(byte[] content) {
            if (content.length < at + bytes.length()) {
                return false;
            }
            for (int i = 0; i < bytes.length(); i++) {
                if ((content[at + i] & 0xFF) != bytes.charAt(i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Returns the type that the bytes show, {@link #UNKNOWN} when they show none. */
    static String sniff(byte[] content) {
        for (Mark mark : MARKS) {
            if (mark.isIn(content)) {
                return mark.type;
            }
        }
        return UNKNOWN;
    }

    /**
     * Compares what was declared with what is seen.
     *
     * @return the type to serve, null when the two do not agree
     */
    static @Nullable String agreed(@Nullable String declared, byte[] content) {
        String seen = sniff(content);
        if (declared == null || declared.isBlank()) {
            return seen;
        }
        int end = declared.indexOf(';');
        String type =
                (end < 0 ? declared : declared.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        if (!TYPE.matcher(type).matches() || type.length() > LONGEST) {
            return null;
        }
        if (type.equals(UNKNOWN) || type.equals(seen)) {
            return type;
        }
        // A picture has to look like one; of other kinds most show nothing.
        boolean unseen = seen.equals(UNKNOWN) && MARKS.stream().noneMatch(m -> m.type.equals(type));
        return unseen ? type : null;
    }
}
