package org.lrwp.osp.message;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What all answering components have in common. */
public final class Reply {
    private static final String COMPONENT_ID = "componentId";
    private static final int TIMESTAMP_LENGTH = 20;

    private Reply() {}

    /**
     * Creates the component that says yes.
     *
     * @param component the question, whose component id is echoed
     * @param now the time of the answer
     * @param results what follows the status
     * @return the answering component
     */
    public static Element success(Element component, Instant now, List<Element> results) {
        return reply(component, now, Status.SUCCESS, Status.SUCCESS.description(), results);
    }

    /**
     * Creates the component that says no.
     *
     * @param component the question, whose component id is echoed
     * @param now the time of the answer
     * @param refusal why not
     * @return the answering component
     */
    public static Element refusal(Element component, Instant now, RefusedException refusal) {
        String detail = Optional.ofNullable(refusal.getMessage()).orElse("");
        return reply(component, now, refusal.status(), detail, List.of());
    }

    /**
     * Tells whether a component says no.
     *
     * @param reply an answering component
     * @return whether its status is another one than success
     */
    public static boolean isRefusal(Element reply) {
        return reply.child("Status")
                .flatMap(status -> status.childText("Code"))
                .filter(Integer.toString(Status.SUCCESS.code())::equals)
                .isEmpty();
    }

    /**
     * Writes a time as OSP does: UTC, whole seconds.
     *
     * @param time the time
     * @return for example {@code 2026-11-20T07:28:35Z}
     */
    public static String timestamp(Instant time) {
        // The form of java.time: fourfold the time, four times in each answer.
        LocalDateTime utc = LocalDateTime.ofEpochSecond(time.getEpochSecond(), 0, ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(TIMESTAMP_LENGTH).append(utc.toLocalDate());
        digits(text.append('T'), utc.getHour());
        digits(text.append(':'), utc.getMinute());
        digits(text.append(':'), utc.getSecond());
        return text.append('Z').toString();
    }

    private static void digits(StringBuilder text, int number) {
        text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    private static Element reply(
            Element component,
            Instant now,
            Status status,
            String description,
            List<Element> results) {
        List<Element> children = new ArrayList<>();
        children.add(Element.leaf("Timestamp", timestamp(now)));
        children.add(
                Element.of(
                        "Status",
                        Element.leaf("Code", Integer.toString(status.code())),
                        Element.leaf("Description", description)));
        children.addAll(results);
        Element reply = Element.of(ComponentName.answerTo(component.name()), children);
        Optional<String> id = component.attribute(COMPONENT_ID);
        return id.isPresent() ? reply.with(COMPONENT_ID, id.get()) : reply;
    }
}
