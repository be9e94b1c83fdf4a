package org.lrwp.webapp.edge;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.MalformedProxyHeaderException;
import org.lrwp.engine.request.ProxyHeader;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.http1.HeadReader;
import org.lrwp.webapp.client.BrokenRequest;
import org.lrwp.webapp.client.CheckedRequest;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.ClientStream;
import org.lrwp.webapp.client.DateField;
import org.lrwp.webapp.client.ErrorAnswer;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.client.RequestEntry;
import org.lrwp.webapp.client.SecureAccess;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Says which requests are answered at the edge, before the servlet container sees them, and has
 * them answered. Any thread; never blocks.
 */
public final class EdgeRouter {
    private static final int NOT_FOUND = 404;
    private static final Route CONTAINER = new Route(false, null, "", null);

    private final ProxyEngine engine;
    private final String root;
    private final boolean answers;
    private final ClientSettings settings;
    private final Others others;
    private final Predicate<String> files;
    private final OwnPages pages;
    private final RequestEntry entry;

    /**
     * Creates a router.
     *
     * @param engine knows the contexts
     * @param place where the application is
     * @param settings limits of requests and answers
     * @param pages what is answered under {@code /-/}
     * @param ids makes request ids, the servlet's own
     */
    public EdgeRouter(
            ProxyEngine engine,
            Place place,
            ClientSettings settings,
            OwnPages pages,
            RequestIds ids) {
        this.engine = engine;
        this.root = place.root();
        this.answers = place.answers();
        this.others = place.others();
        this.files = place.files();
        this.settings = settings;
        this.pages = pages;
        this.entry = new RequestEntry(engine, settings, ids);
    }

    /** Knows what is another application's. */
    @FunctionalInterface
    public interface Others {
        /**
         * Says whose a request is.
         *
         * @param port of the listener that it came by
         * @param host its virtual host, in lower case without port
         * @param path its decoded path
         * @return whether it is another application's
         */
        boolean own(int port, String host, String path);
    }

    /**
     * Where the application is among others.
     *
     * @param root its context root; empty for {@code /}
     * @param answers whether requests for peers are answered at the edge; if not, the servlet gets
     *     them
     * @param others knows what is another application's
     * @param files says of a path below the root whether the container may have something there
     */
    public record Place(String root, boolean answers, Others others, Predicate<String> files) {
        /** Checks that nothing is missing. */
        public Place {
            Objects.requireNonNull(root, "root");
            Objects.requireNonNull(others, "others");
            Objects.requireNonNull(files, "files");
        }
    }

    /**
     * Where a request goes. One that is answered here without a context and a refusal is for one of
     * the proxy's own pages.
     *
     * @param isHere whether it is answered at the edge: by a peer, by the proxy itself or with an
     *     error
     * @param match its context; null when there is none
     * @param path its path below the application's root
     * @param refusal what is answered whatever the context; null for nothing
     */
    public record Route(
            boolean isHere,
            @Nullable ContextMatch match,
            String path,
            @Nullable ErrorAnswer refusal) {
        /** One that is answered with an error, whatever it is for. */
        static Route refused(ErrorAnswer refusal) {
            return new Route(true, null, "", refusal);
        }

        /**
         * Says whether a peer will answer, at the edge or by the servlet.
         *
         * @return whether a context is registered for it
         */
        public boolean isForPeer() {
            return match != null;
        }
    }

    /**
     * Returns the limit of a head.
     *
     * @return bytes with the empty line
     */
    public int headLimit() {
        return (int) Math.min(settings.config().head(), HeadReader.MOST_BYTES);
    }

    /**
     * Returns how long a head may take.
     *
     * @return milliseconds from its first byte to its last
     */
    public long headMillis() {
        return settings.config().client().headTime().toMillis();
    }

    /**
     * Returns how long the rest of a request may take that is dropped after its answer.
     *
     * @return milliseconds
     */
    public long restMillis() {
        return settings.config().client().restTime().toMillis();
    }

    /**
     * Returns the source of the field Date.
     *
     * @return always the same
     */
    public DateField date() {
        return settings.date();
    }

    /**
     * Returns what browsers are told of HTTPS.
     *
     * @param head the request; null when it cannot be believed
     * @return value of {@link SecureAccess#FIELD}; empty for none
     */
    public String remembered(@Nullable RequestHead head) {
        return SecureAccess.remembered(head, settings.config().https());
    }

    /**
     * Says whether a connection begins with a PROXY header.
     *
     * @return whether it must
     */
    public boolean awaitsProxyHeader() {
        return settings.config().client().proxyProtocol();
    }

    /**
     * Reads the header that a connection begins with.
     *
     * @param in all that has come
     * @param ends of the connection
     * @return the header; null when its rest has to be waited for
     * @throws MalformedProxyHeaderException when there is none, or when it comes from elsewhere
     *     than a trusted proxy
     */
    public @Nullable ProxyHeader proxyHeader(ByteBuffer in, ClientConnection ends)
            throws MalformedProxyHeaderException {
        if (!settings.config().env().trusts(ends.remoteAddress())) {
            throw new MalformedProxyHeaderException("not from a trusted proxy");
        }
        return ProxyHeader.read(in);
    }

    /**
     * Finds out whose request it is.
     *
     * @param head a request
     * @return the same, by the client's connection where trusted proxies tell of it
     */
    public RequestHead identified(RequestHead head) {
        return settings.config().env().identified(head);
    }

    /**
     * Says what the end of a client's sending half means.
     *
     * @return whether the client still wants its answer
     */
    public boolean allowsHalfClose() {
        return settings.config().client().halfClose();
    }

    /**
     * Says where a request goes.
     *
     * @param head its checked head
     * @return its route
     */
    public Route route(RequestHead head) {
        String path;
        try {
            path = head.target().pathBelow(root);
        } catch (BadRequestException e) {
            return CONTAINER;
        }
        String host = head.authority().virtualHost();
        if (others.own(head.connection().localPort(), host, head.target().path())) {
            return CONTAINER;
        }
        if (OwnPages.own(path)) {
            return new Route(answers, null, path, null);
        }
        if (settings.config().ownHosts().contains(host)) {
            return new Route(true, null, path, ErrorAnswer.of(NOT_FOUND));
        }
        ErrorAnswer redirect = SecureAccess.redirect(head, settings.config().https());
        if (redirect != null) {
            return new Route(true, null, path, redirect);
        }
        if (engine.isDraining()) {
            return new Route(answers, null, path, ErrorAnswer.of(Failure.DRAINING));
        }
        ContextMatch match = engine.match(host, path);
        if (match != null) {
            return new Route(answers, match, path, null);
        }
        return answers && !files.test(path)
                ? new Route(true, null, path, ErrorAnswer.of(NOT_FOUND))
                : CONTAINER;
    }

    /**
     * Answers a request whose route is here.
     *
     * @param route from {@link #route}
     * @param head its head
     * @param stream its client
     */
    public void take(Route route, RequestHead head, ClientStream stream) {
        CheckedRequest checked = entry.identified(head, root, route.path());
        ContextMatch match = route.match();
        ErrorAnswer refusal = route.refusal();
        if (refusal != null) {
            entry.refuse(checked, refusal, stream);
        } else if (match != null) {
            entry.open(checked, match, stream);
        } else {
            entry.show(checked, pages, stream);
        }
    }

    /**
     * Answers a request that breaks a rule; its connection ends with the answer.
     *
     * @param why the rule
     * @param from the request's first bytes, as far as they have come
     * @param ends of the connection
     * @param stream its client
     */
    public void refuse(
            BadRequestException why, ByteBuffer from, ClientConnection ends, ClientStream stream) {
        entry.refuse(why, BrokenRequest.of(ends.remoteText(), from), stream);
    }
}
