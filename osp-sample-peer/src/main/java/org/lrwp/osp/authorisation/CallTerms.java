package org.lrwp.osp.authorisation;

import org.lrwp.osp.message.CallIds;
import org.lrwp.osp.message.Element;
import org.lrwp.osp.message.Party;
import org.lrwp.osp.message.RefusedException;
import org.lrwp.osp.message.Status;

import java.util.List;
import java.util.Optional;

/**
 * What a client asks to be allowed.
 *
 * @param callIds candidate ids of the call in base64, at least one; destination i gets id i, or all
 *     get the only one
 * @param caller who calls; empty when the client did not say
 * @param called who is called
 * @param maximumDestinations how many destinations the client takes at most, 1 or more
 */
record CallTerms(
        List<String> callIds, Optional<Party> caller, Party called, int maximumDestinations) {
    private static final int MAX_VALUE_LENGTH = 512;

    CallTerms {
        callIds = List.copyOf(callIds);
    }

    static CallTerms of(Element component) throws RefusedException {
        List<Element> callIds =
                component.children("CallId").stream().filter(id -> !id.text().isEmpty()).toList();
        if (callIds.isEmpty()) {
            throw new RefusedException(Status.BAD_REQUEST, "CallId is missing");
        }
        String[] ids = new String[callIds.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = limited("CallId", canonical(callIds.get(i)));
        }
        Optional<Party> caller = Party.in(component, "SourceInfo");
        if (caller.isPresent()) {
            limited("SourceInfo", caller.get().value());
        }
        Optional<Party> called = Party.in(component, "DestinationInfo");
        if (called.isEmpty()) {
            throw new RefusedException(Status.BAD_REQUEST, "DestinationInfo is missing");
        }
        limited("DestinationInfo", called.get().value());
        return new CallTerms(List.of(ids), caller, called.get(), maximum(component));
    }

    /**
     * How many destinations this call may get: each needs a call id of its own, or one is for all.
     */
    int mostDestinations() {
        return callIds.size() == 1
                ? maximumDestinations
                : Math.min(maximumDestinations, callIds.size());
    }

    private static String canonical(Element callId) throws RefusedException {
        Optional<String> id = CallIds.canonical(callId);
        if (id.isEmpty()) {
            throw new RefusedException(Status.BAD_REQUEST, "CallId is not base64");
        }
        return id.get();
    }

    private static int maximum(Element component) throws RefusedException {
        Optional<String> maximum = component.childText("MaximumDestinations");
        if (maximum.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        try {
            int value = Integer.parseInt(maximum.get());
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException notNumber) {
            // Refused below, like zero.
        }
        throw new RefusedException(Status.BAD_REQUEST, "MaximumDestinations is not 1 or more");
    }

    private static String limited(String name, String value) throws RefusedException {
        if (value.length() > MAX_VALUE_LENGTH) {
            throw new RefusedException(Status.BAD_REQUEST, name + " is too long");
        }
        return value;
    }
}
