package org.lrwp.osp.message;

import java.util.List;
import java.util.Optional;

/**
 * A message: the envelope of one or more components.
 *
 * @param messageId the sender's number for the message, echoed in the answer; empty when none
 * @param components the components in their order, at least one
 */
public record Message(Optional<String> messageId, List<Element> components) {
    /** The name of the element around the components. */
    public static final String NAME = "Message";

    /** Copies the components. */
    public Message {
        components = List.copyOf(components);
    }

    /**
     * Creates the message that answers this one.
     *
     * @param random the answer's filler against replay, a decimal number
     * @param replies the answering components
     * @return the message as an element
     */
    public Element answer(long random, List<Element> replies) {
        Element answer = Element.of(NAME, replies);
        if (messageId.isPresent()) {
            answer = answer.with("messageId", messageId.get());
        }
        return answer.with("random", Long.toString(random));
    }
}
