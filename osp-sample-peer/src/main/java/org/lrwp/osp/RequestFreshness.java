package org.lrwp.osp;

import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.ElementWriter;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Sender;
import org.lrwp.osp.message.Status;
import org.lrwp.osp.replay.TakenOnce;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Lets what a device has signed count once. A signature proves who wrote a request, not who brings
 * it: whoever overhears one could bring it again. So its time has to be near, and for that time it
 * is remembered, over restarts. Any thread may call it; it may block on the disk.
 */
final class RequestFreshness {
    private final TakenOnce taken;
    private final Duration age;
    private final InstantSource clock;

    /**
     * Creates the check.
     *
     * @param taken remembers what was brought
     * @param age how far the time of a request may be from now
     * @param clock tells the time
     */
    RequestFreshness(TakenOnce taken, Duration age, InstantSource clock) {
        this.taken = taken;
        this.age = age;
        this.clock = clock;
    }

    /**
     * Checks a component that grants something.
     *
     * @param component the component
     * @param sender who sent the message; what nobody has signed nobody else can bring
     * @throws RefusedException when it is too old, has no time, or was brought before
     */
    void check(Element component, Sender sender) throws RefusedException {
        if (!sender.signed()) {
            return;
        }
        Instant said = said(component);
        Instant now = clock.instant();
        if (said.isBefore(now.minus(age)) || said.isAfter(now.plus(age))) {
            throw new RefusedException(
                    Status.TIME_PROBLEM, "the Timestamp of a signed request is too far from now");
        }
        switch (taken.take(
                TakenOnce.Kind.COMPONENT, ElementWriter.write(component), said.plus(age))) {
            case FIRST -> {
                // It counts, this once.
            }
            case AGAIN ->
                    throw new RefusedException(
                            Status.SECURITY_PROBLEM, "the signed request was answered before");
            case NOT_KEPT ->
                    throw new RefusedException(
                            Status.SERVICE_UNAVAILABLE, "signed requests cannot be remembered");
        }
    }

    private static Instant said(Element component) throws RefusedException {
        Optional<String> text = component.childText("Timestamp");
        if (text.isEmpty()) {
            throw new RefusedException(
                    Status.BAD_REQUEST, "Timestamp is missing from a signed request");
        }
        try {
            return Instant.parse(text.get());
        } catch (DateTimeException unreadable) {
            throw new RefusedException(Status.BAD_REQUEST, "Timestamp is no time");
        }
    }
}
