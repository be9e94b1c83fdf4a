package org.lrwp.protocol.frame;

import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The proxy's answer to REGISTER or UNREGISTER: docs/protocol.md section 15.
 *
 * @param name the names as the peer sent them
 * @param text empty when it is done, else why not; characters that cannot be sent are replaced, and
 *     what is above {@link Frames#MAX_TEXT} bytes is cut off
 */
public record RegisteredAnswer(ContextName name, String text) {
    /** Makes the text fit the wire. */
    public RegisteredAnswer {
        Objects.requireNonNull(name, "name");
        text = Frames.safe(text).replace(ContextName.DELIMITER, '?');
    }

    /**
     * Reads the payload of a REGISTERED frame.
     *
     * @param payload {@code appname FF vhost FF text FF}; used up
     * @return the answer
     * @throws MalformedFrameException when there are not just these three delimiters, the third of
     *     them at the end, or the names are above {@link ContextName#MAX_PAYLOAD} bytes
     */
    public static RegisteredAnswer parse(ByteBuffer payload) throws MalformedFrameException {
        String[] fields = ContextName.fields(payload, 3);
        if (fields[0].length() + fields[1].length() + 2 > ContextName.MAX_PAYLOAD) {
            throw new MalformedFrameException(
                    "names of an answer above " + ContextName.MAX_PAYLOAD + " bytes");
        }
        return new RegisteredAnswer(new ContextName(fields[0], fields[1]), fields[2]);
    }

    /**
     * Returns the answer as a proxy sends it.
     *
     * @return the whole REGISTERED frame
     */
    public byte[] encode() {
        byte[] payload =
                (name.application()
                                + ContextName.DELIMITER
                                + name.virtualHost()
                                + ContextName.DELIMITER
                                + text
                                + ContextName.DELIMITER)
                        .getBytes(StandardCharsets.ISO_8859_1);
        return Frames.whole(FrameType.REGISTERED, 0, payload);
    }

    /**
     * Says whether the proxy did what was asked, or it was so before.
     *
     * @return true when the text is empty
     */
    public boolean isDone() {
        return text.isEmpty();
    }
}
