package org.lrwp.protocol.frame;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a REGISTER or UNREGISTER frame names: docs/protocol.md section 15.
 *
 * <p>The names are kept as they are sent, because the answer repeats them. Whether they can be
 * registered is another question: {@link #isEmpty()} and {@link #isTooLong()}.
 *
 * @param application the context as it is sent: with or without a leading {@code /}, and {@code /}
 *     alone for the root context
 * @param virtualHost the only host; empty means every host
 */
public record ContextName(String application, String virtualHost) {
    /** Most bytes of a payload, so that the answer, which repeats it, fits every frame. */
    public static final int MAX_PAYLOAD = 64_000;

    static final char DELIMITER = 0xFF;

    /** Checks both names. */
    public ContextName {
        checkBytes("application", application);
        checkBytes("virtualHost", virtualHost);
        if (application.length() + virtualHost.length() + 2 > MAX_PAYLOAD) {
            throw new IllegalArgumentException("names above " + MAX_PAYLOAD + " bytes");
        }
    }

    private static void checkBytes(String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c >= DELIMITER) {
                throw new IllegalArgumentException(
                        name + " holds a byte that cannot be sent: 0x" + Integer.toHexString(c));
            }
        }
    }

    /**
     * Reads the payload of a REGISTER or UNREGISTER frame.
     *
     * @param payload {@code appname FF vhost FF}; used up
     * @return the names
     * @throws MalformedFrameException when there are not just these two delimiters, the second of
     *     them at the end, or the payload is above {@link #MAX_PAYLOAD}
     */
    public static ContextName parse(ByteBuffer payload) throws MalformedFrameException {
        if (payload.remaining() > MAX_PAYLOAD) {
            throw new MalformedFrameException(
                    "names of "
                            + payload.remaining()
                            + " bytes in a registration, limit "
                            + MAX_PAYLOAD);
        }
        String[] fields = fields(payload, 2);
        return new ContextName(fields[0], fields[1]);
    }

    /** Cuts a payload at its delimiters, which must be as many as the fields. */
    static String[] fields(ByteBuffer payload, int count) throws MalformedFrameException {
        String text = StandardCharsets.ISO_8859_1.decode(payload).toString();
        String[] fields = new String[count];
        int start = 0;
        for (int i = 0; i < count; i++) {
            int end = text.indexOf(DELIMITER, start);
            if (end < 0) {
                throw new MalformedFrameException(
                        "a registration has " + count + " fields, each with its delimiter");
            }
            fields[i] = text.substring(start, end);
            start = end + 1;
        }
        if (start < text.length()) {
            throw new MalformedFrameException("bytes behind the last field of a registration");
        }
        return fields;
    }

    /**
     * Returns the payload of a frame with these names.
     *
     * @return {@code appname FF vhost FF}
     */
    public byte[] encode() {
        return (application + DELIMITER + virtualHost + DELIMITER)
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /**
     * Says whether no context is named, so that nothing can be registered.
     *
     * @return true when the application is empty
     */
    public boolean isEmpty() {
        return application.isEmpty();
    }

    /**
     * Says whether a name is too long to be registered.
     *
     * @return true when one has more than {@link Registration#MAX_COMPONENT} bytes, not counting
     *     one leading {@code /}
     */
    public boolean isTooLong() {
        return name().length() > Registration.MAX_COMPONENT
                || virtualHost.length() > Registration.MAX_COMPONENT;
    }

    /**
     * Returns the context as users write it.
     *
     * @return {@code /osp}, {@code .ext} or {@code /}, just as {@link Registration#context()};
     *     empty when {@link #isEmpty()}
     */
    public String context() {
        return isEmpty() ? "" : Registration.contextOf(name());
    }

    /**
     * Returns these names as the registration that a startup string with them would be.
     *
     * @return a 3.x registration
     * @throws IllegalArgumentException when a name {@link #isTooLong()}
     */
    public Registration registration() {
        return new Registration(ProtocolVersion.LRWP_3, application, virtualHost);
    }

    private String name() {
        return application.startsWith("/") ? application.substring(1) : application;
    }
}
