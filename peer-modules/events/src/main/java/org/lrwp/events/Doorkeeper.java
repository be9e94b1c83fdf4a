package org.lrwp.events;

import org.jspecify.annotations.Nullable;
import org.lrwp.events.access.Access;
import org.lrwp.events.access.AccessServer;
import org.lrwp.events.access.Action;
import org.lrwp.protocol.HeaderField;

import java.time.InstantSource;
import java.util.function.Consumer;

/** Lets those in that may come in, and answers all others. Thread-safe; never blocks. */
final class Doorkeeper {
    private final InstantSource wall;
    private final Counters counters;
    private final @Nullable AccessServer server;

    Doorkeeper(InstantSource wall, Counters counters, @Nullable AccessServer server) {
        this.wall = wall;
        this.counters = counters;
        this.server = server;
    }

    /** Whether somebody has to be asked about a call, which has been answered when not. */
    enum Outcome {
        ALLOWED,
        ANSWERED,
        ASK
    }

    /** Judges without asking anybody. */
    Outcome judge(Call call, Action action) {
        if (action == Action.PUBLISH && call.policy().cors().isForeign(call.head())) {
            refuse(call, 403, "pages of this origin may not publish");
            return Outcome.ANSWERED;
        }
        Access.Wish wish =
                new Access.Wish(
                        action,
                        call.names(),
                        call.query().value("expires"),
                        call.query().value("signature"),
                        wall.instant().getEpochSecond());
        return switch (call.policy().access().judge(call.head(), wish)) {
            case ALLOWED -> Outcome.ALLOWED;
            case ASK -> Outcome.ASK;
            case UNKNOWN -> {
                refuse(
                        call,
                        401,
                        "a secret is needed",
                        new HeaderField("WWW-Authenticate", "Bearer"));
                yield Outcome.ANSWERED;
            }
            case REFUSED -> {
                refuse(call, 403, "not for you");
                yield Outcome.ANSWERED;
            }
        };
    }

    private void refuse(Call call, int status, String text, HeaderField... more) {
        counters.refused.increment();
        call.answer(status, text, more);
    }

    /** Asks the other server, and goes on when it says yes; returns at once. */
    void ask(Call call, Action action, Consumer<Call> allowed) {
        AccessServer other = server;
        if (other == null) {
            refuse(call, 403, "not for you");
            return;
        }
        other.ask(
                call.head(),
                action,
                call.names(),
                word -> {
                    switch (word) {
                        case YES -> allowed.accept(call);
                        case NO -> refuse(call, 403, "not for you");
                        case NONE -> call.answerLater(503, "nobody knows whether you may, now", 1);
                    }
                });
    }
}
