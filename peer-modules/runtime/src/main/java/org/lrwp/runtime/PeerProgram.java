package org.lrwp.runtime;

import org.lrwp.protocol.Refusal;
import org.lrwp.runtime.module.Action;
import org.lrwp.sdk.ExchangeHandler;
import org.lrwp.sdk.LrwpPeer;
import org.lrwp.sdk.PeerBuilder;
import org.lrwp.sdk.PeerEvent;
import org.lrwp.sdk.PeerListener;
import org.lrwp.sdk.RequestHandler;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Runs a peer as a program: connects it, logs what happens to it, and drains it when the program is
 * told to end.
 *
 * <pre>
 *   connecting --> registered once --> serving until SIGTERM, Ctrl-C or stop()   exit code 0
 *        +-------> refused before that: one sentence                             exit code 2
 * </pre>
 *
 * <p>A proxy that cannot be reached is dialled for ever. A refusal counts only before the first
 * registration, and not when the proxy is merely full: later ones are logged and tried again.
 *
 * <p>Thread-safe; one program is run once.
 */
public final class PeerProgram {
    /** Exit code for options that cannot be used, and for a proxy that refuses. */
    public static final int UNUSABLE = 2;

    private final PeerOptions options;
    private final List<String> defaultContexts;
    private final Consumer<PeerBuilder> handler;
    private final PeerListener log;
    private final AtomicBoolean draining = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<Integer> outcome = new CompletableFuture<>();
    private final CompletableFuture<Boolean> decided = new CompletableFuture<>();
    private volatile Runnable atDrain = () -> {};
    private volatile Runnable atEnd = () -> {};

    /**
     * Creates a program.
     *
     * @param options what its command line said
     * @param defaultContext served when no context was given, for example {@code /osp}
     * @param handler what answers the requests
     */
    public PeerProgram(PeerOptions options, String defaultContext, RequestHandler handler) {
        this(options, List.of(defaultContext), handler);
    }

    /**
     * Creates a program of several contexts.
     *
     * @param options what its command line said
     * @param defaultContexts served when no context was given, at least one
     * @param handler what answers the requests of all contexts
     */
    public PeerProgram(PeerOptions options, List<String> defaultContexts, RequestHandler handler) {
        this(options, defaultContexts, (PeerBuilder builder) -> builder.handler(handler));
    }

    private PeerProgram(
            PeerOptions options, List<String> defaultContexts, Consumer<PeerBuilder> handler) {
        this.options = options;
        this.defaultContexts = List.copyOf(defaultContexts);
        this.handler = handler;
        prepareLogging();
        this.log = PeerListener.logging();
    }

    /**
     * Creates a program that moves data: it gets bodies as they come, and no thread waits in it.
     *
     * @param options what its command line said
     * @param defaultContexts served when no context was given, at least one
     * @param handler what answers the requests of all contexts
     * @return the program
     */
    public static PeerProgram asynchronous(
            PeerOptions options, List<String> defaultContexts, ExchangeHandler handler) {
        return new PeerProgram(
                options,
                defaultContexts,
                (PeerBuilder builder) -> builder.exchangeHandler(handler).stream(true));
    }

    /**
     * Makes log records single lines that are written to the very end. Call it first in {@code
     * main}, before the first log line; settings made outside the program take precedence.
     */
    public static void prepareLogging() {
        LogFormat.oneLine();
    }

    /**
     * Sets what is done when the peer has drained, before the process ends, for example a last
     * report.
     *
     * @param action called once, on the thread that ends the program
     * @return this program
     */
    public PeerProgram atEnd(Runnable action) {
        atEnd = action;
        return this;
    }

    /**
     * Sets what is done when no new request comes, while the last ones are answered.
     *
     * @param action called once, on the thread that ends the program; must return at once
     * @return this program
     */
    public PeerProgram atDrain(Runnable action) {
        atDrain = action;
        return this;
    }

    /**
     * Connects and serves until the program is told to end; blocks. A signal drains the peer before
     * the process ends.
     *
     * @return the exit code: 0, or {@link #UNUSABLE} after one sentence on standard error
     */
    public int run() {
        return run(System.getenv(), System.err, true);
    }

    /** Lets {@link #run()} drain and return; any thread. Harmless when it runs no more. */
    public void stop() {
        decided.complete(true);
        outcome.complete(0);
    }

    /**
     * Returns {@link #stop} as operators have it.
     *
     * @return the action {@code drain}
     */
    public Action drainAction() {
        return new Action(
                "drain",
                "Takes no more requests, answers the last ones, and ends the program.",
                () -> {
                    stop();
                    return "The program takes no more requests and ends.";
                });
    }

    int run(Map<String, String> environment, PrintStream errors, boolean hook) {
        PeerBuilder builder;
        try {
            builder = options.peer(defaultContexts, environment);
        } catch (BadOptionException e) {
            errors.println(e.getMessage());
            return UNUSABLE;
        }
        // First the hook, then the peer: a signal in between finds the peer that is about to come.
        CompletableFuture<Optional<LrwpPeer>> connected = new CompletableFuture<>();
        Thread closing = new Thread(() -> connected.join().ifPresent(this::end), "drain");
        if (hook) {
            Runtime.getRuntime().addShutdownHook(closing);
        }
        int code = UNUSABLE;
        try {
            handler.accept(builder);
            LrwpPeer peer = builder.listener(event -> hear(event, errors)).connect();
            connected.complete(Optional.of(peer));
            code = outcome.join();
            end(peer);
        } catch (IllegalArgumentException e) {
            errors.println(e.getMessage());
        } finally {
            connected.complete(Optional.empty());
        }
        if (hook) {
            removeHook(closing);
        }
        return code;
    }

    private void end(LrwpPeer peer) {
        if (draining.compareAndSet(false, true)) {
            peer.leave();
            atDrain.run();
        }
        peer.close();
        if (ended.compareAndSet(false, true)) {
            atEnd.run();
        }
    }

    private static void removeHook(Thread closing) {
        try {
            Runtime.getRuntime().removeShutdownHook(closing);
        } catch (IllegalStateException e) {
            // The process is ending already, and the hook is what ended the wait.
        }
    }

    private void hear(PeerEvent event, PrintStream errors) {
        log.onEvent(event);
        switch (event) {
            case PeerEvent.Registered registered -> decided.complete(true);
            case PeerEvent.Refused(var link, String text)
                    when !text.equals(Refusal.OUT_OF_RESOURCES.text())
                            && decided.complete(false) -> {
                errors.println("The proxy refused " + link + ": " + printable(text));
                outcome.complete(UNUSABLE);
            }
            default -> {}
        }
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }
}
