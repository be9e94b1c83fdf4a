package org.lrwp.osp.message;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/** Brings call ids into one form, so that the same id is the same text wherever it was sent. */
public final class CallIds {
    private static final Pattern SPACE = Pattern.compile("\\s");

    private CallIds() {}

    /**
     * Reads an id: it is bytes, sent in base64 or, without the attribute, as text.
     *
     * @param callId an element CallId
     * @return the id in base64 without space; empty when it says base64 and is none
     */
    public static Optional<String> canonical(Element callId) {
        byte[] bytes;
        if (callId.attribute("encoding").filter("base64"::equalsIgnoreCase).isPresent()) {
            try {
                bytes = Base64.getDecoder().decode(withoutSpace(callId.text()));
            } catch (IllegalArgumentException notBase64) {
                return Optional.empty();
            }
        } else {
            bytes = callId.text().getBytes(StandardCharsets.UTF_8);
        }
        return Optional.of(Base64.getEncoder().encodeToString(bytes));
    }

    /** Space inside is rare, and the pattern takes longer than all else that is done here. */
    private static String withoutSpace(String text) {
        return text.indexOf('\n') < 0 && text.indexOf(' ') < 0
                ? text
                : SPACE.matcher(text).replaceAll("");
    }
}
