package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.ContextName;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.RegisteredAnswer;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Which contexts one connection of LRWP 3 serves, and what the proxy has been asked:
 * docs/protocol.md section 15. Thread-safe.
 */
final class ServedContexts {
    private record Question(String context, ContextName name, FrameType type) {}

    private final Function<String, ContextName> naming;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Set<String> served = new LinkedHashSet<>();
    private final ArrayDeque<Question> asked = new ArrayDeque<>();
    private final Set<String> open = new HashSet<>();
    private Set<String> wanted;
    private @Nullable FrameWriter writer;

    /**
     * Creates the contexts of a connection.
     *
     * @param first the context that the handshake has registered
     * @param wanted all that are to be served
     * @param naming how a context is named on the wire
     */
    ServedContexts(String first, List<String> wanted, Function<String, ContextName> naming) {
        this.wanted = new LinkedHashSet<>(wanted);
        this.naming = naming;
        served.add(first);
    }

    /** Starts to ask. */
    void start(FrameWriter frames) {
        lock.lock();
        try {
            writer = frames;
            ask();
        } finally {
            lock.unlock();
        }
    }

    /** Asks for what is wanted and not served, and gives up what is served and not wanted. */
    void wanted(List<String> contexts) {
        lock.lock();
        try {
            wanted = new LinkedHashSet<>(contexts);
            ask();
        } finally {
            lock.unlock();
        }
    }

    private void ask() {
        for (String context : wanted) {
            if (!served.contains(context)) {
                ask(context, FrameType.REGISTER);
            }
        }
        for (String context : served) {
            if (!wanted.contains(context)) {
                ask(context, FrameType.UNREGISTER);
            }
        }
    }

    private void ask(String context, FrameType type) {
        FrameWriter frames = writer;
        if (frames != null && open.add(context)) {
            ContextName name = naming.apply(context);
            asked.add(new Question(context, name, type));
            frames.urgent(Frames.register(type, name));
        }
    }

    /** Takes the proxy's answer. */
    void answered(RegisteredAnswer answer, ConnectionEvents events) throws MalformedFrameException {
        Question question = question(answer);
        boolean register = question.type() == FrameType.REGISTER;
        if (!answer.isDone()) {
            events.contextRefused(question.context(), answer.text());
            return;
        }
        lock.lock();
        try {
            if (register) {
                served.add(question.context());
            } else {
                served.remove(question.context());
            }
            // It may have become unwanted, or wanted again, while the answer was on its way.
            boolean again = wanted.contains(question.context());
            if (again != served.contains(question.context())) {
                ask(question.context(), again ? FrameType.REGISTER : FrameType.UNREGISTER);
            }
        } finally {
            lock.unlock();
        }
        events.served(question.context(), register);
    }

    private Question question(RegisteredAnswer answer) throws MalformedFrameException {
        lock.lock();
        try {
            for (Question question : asked) {
                if (question.name().equals(answer.name())) {
                    asked.remove(question);
                    open.remove(question.context());
                    return question;
                }
            }
        } finally {
            lock.unlock();
        }
        throw new MalformedFrameException("REGISTERED that was not asked for");
    }
}
