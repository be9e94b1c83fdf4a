package org.lrwp.webapp.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.cache.Front;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.request.RequestTarget;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * All requests of the web application: checks the head, then gives the request to the pages under
 * {@code /-/}, to the context that serves it, or to the default servlet. A request with a body is
 * always asynchronous, as GlassFish loses requests pipelined behind one that is not. Never blocks,
 * but for the default servlet.
 */
public final class ProxyServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(ProxyServlet.class.getName());
    private static final String ARRIVAL = "org.lrwp.arrival";
    private static final String BAD_TARGET = "/-/bad-target";

    private final transient ProxyEngine engine;
    private final transient Container container;
    private final transient ClientSettings settings;
    private final transient OwnPages pages;
    private final transient RequestIds ids;
    private transient @Nullable Fallback fallback;

    /**
     * Creates the servlet.
     *
     * @param engine where exchanges are opened
     * @param container what it runs in
     * @param settings what its clients share
     * @param pages what is answered under {@code /-/}
     * @param ids where request ids come from
     */
    public ProxyServlet(
            ProxyEngine engine,
            Container container,
            ClientSettings settings,
            OwnPages pages,
            RequestIds ids) {
        this.engine = engine;
        this.container = container;
        this.settings = settings;
        this.pages = pages;
        this.ids = ids;
    }

    /**
     * Replaces a target that no container decodes.
     *
     * @param contextRoot root of this application; empty for {@code /}
     * @param target path of a request, as it was sent
     * @return the same; or one that this servlet refuses, when the path is broken and below the
     *     root
     */
    public static String safeTarget(String contextRoot, String target) {
        if (!target.startsWith(contextRoot + "/")) {
            return target;
        }
        try {
            RequestTarget.parse("GET", target);
            return isText(target) ? target : contextRoot + BAD_TARGET;
        } catch (BadRequestException e) {
            return contextRoot + BAD_TARGET;
        }
    }

    /**
     * Makes the rule of what is for a peer.
     *
     * @param engine knows the contexts
     * @param contextRoot root of this application; empty for {@code /}
     * @param mostBody octets of a body that are kept in memory
     * @return the rule
     */
    public static PeerPaths peerPaths(ProxyEngine engine, String contextRoot, long mostBody) {
        return (host, path, bodyLength) -> {
            if (bodyLength < 0 || bodyLength > mostBody || !path.startsWith(contextRoot + "/")) {
                return false;
            }
            String below = path.substring(contextRoot.length());
            return !below.startsWith("/-/") && engine.match(host, below) != null;
        };
    }

    /** Whether a target whose percent signs are right can be decoded to UTF-8. */
    private static boolean isText(String target) {
        var octets = ByteBuffer.allocate(target.length());
        for (int i = 0; i < target.length(); i++) {
            if (target.charAt(i) == '%') {
                octets.put((byte) HexFormat.fromHexDigits(target, i + 1, i + 3));
                i += 2;
            } else {
                octets.put((byte) target.charAt(i));
            }
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(octets.flip());
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Override
    public void init() {
        fallback = new Fallback(getServletContext());
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (request.getAttribute(ServletClient.DONE) != null) {
            return;
        }
        ClientLink link = container.linkOf(request);
        if (link.isEnded()) {
            // Pipelined behind a request whose answer was the last one: it must not be done.
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } else if (request.getDispatcherType() == DispatcherType.ERROR) {
            answerError(request, response, link);
        } else if (request.getAttribute(ARRIVAL) instanceof Arrival again) {
            fallBack(again);
        } else {
            arrive(request, response, link);
        }
    }

    private void arrive(HttpServletRequest request, HttpServletResponse response, ClientLink link)
            throws IOException, ServletException {
        try {
            RequestHead head = HeadReader.read(request);
            String path = head.target().pathBelow(request.getContextPath());
            if (path.equals(BAD_TARGET)) {
                throw new BadRequestException("path that cannot be decoded");
            }
            String id = ids.idOf(head, settings.config().env().trusts(head));
            route(new Arrival(request, response, link, head, path, id));
        } catch (BadRequestException e) {
            refuseBadRequest(request, link, e.getMessage());
        }
    }

    private void route(Arrival arrival) throws IOException, ServletException {
        RequestHead head = arrival.head();
        String path = arrival.path();
        if (head.size() > settings.config().head()) {
            refuse(arrival, ErrorAnswer.of(Failure.HEAD_TOO_LARGE));
        } else if (path.equals("/-") || path.startsWith("/-/")) {
            answerOwnPage(arrival);
        } else if (engine.isDraining()) {
            refuse(arrival, ErrorAnswer.of(Failure.DRAINING));
        } else {
            ContextMatch match = engine.match(head.authority().virtualHost(), path);
            if (match != null) {
                open(arrival, match);
            } else if (head.bodyLength() == 0 && container.mayBlock()) {
                fallBack(arrival);
            } else {
                arrival.request().setAttribute(ARRIVAL, arrival);
                arrival.async().dispatch();
            }
        }
    }

    private void open(Arrival arrival, ContextMatch match) {
        ServletClient client = arrival.client(settings);
        var request = new MatchedRequest(engine, match, arrival, client, settings.config().env());
        Front front = engine.front(match);
        if (front == null) {
            client.start(request.open(client));
        } else {
            client.frontedBy(request::line);
            front.take(request);
            client.start(request.opened());
        }
    }

    // ---- Answers without the engine.

    private void refuse(Arrival arrival, ErrorAnswer answer) {
        ServletClient client = arrival.client(settings);
        client.fail(answer, answer.isFarewell());
        client.start(null);
    }

    /** Nothing of such a request is believed, its body least of all: the connection ends. */
    private void refuseBadRequest(
            HttpServletRequest request, ClientLink link, @Nullable String reason) {
        String id = ids.next();
        LOG.log(
                Level.INFO,
                "bad-request id={0} client={1} reason=\"{2}\"",
                id,
                request.getRemoteAddr(),
                reason);
        var kept = ClientRequest.of(request, id, -1, settings.clock().nanos());
        String sent = link.replacedTarget();
        if (sent != null) {
            kept = kept.withTarget(sent);
        }
        var client = new ServletClient(Arrival.async(request), link, kept, settings);
        client.fail(ErrorAnswer.of(Failure.BAD_REQUEST), true);
        client.start(null);
    }

    private void answerOwnPage(Arrival arrival) throws IOException {
        OwnPages.Answer answer =
                arrival.hasBody()
                        ? OwnPages.Answer.error(405)
                        : pages.answer(arrival.head(), arrival.path());
        if (answer.status() >= 400 && answer.body().length == 0) {
            refuse(arrival, ErrorAnswer.of(answer.status()));
            return;
        }
        HttpServletResponse response = arrival.response();
        prepare(response, arrival.link());
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
        endIfLast(arrival);
    }

    private void fallBack(Arrival arrival) throws IOException, ServletException {
        Fallback ready = fallback;
        if (ready == null) {
            throw new ServletException("not initialised");
        }
        HttpServletResponse response = arrival.response();
        long now = settings.clock().nanos();
        var kept = ClientRequest.of(arrival.request(), arrival.id(), 0, now);
        prepare(response, arrival.link());
        ready.answer(arrival.request(), response, arrival.path(), arrival.id());
        String length = response.getHeader("Content-Length");
        long octets = length == null ? 0 : Long.parseLong(length);
        long end = settings.clock().nanos();
        settings.log().ended(kept.record(response.getStatus(), octets, "default-servlet", end));
        endIfLast(arrival);
    }

    /** What the container refused before this servlet was asked. */
    private void answerError(
            HttpServletRequest request, HttpServletResponse response, ClientLink link)
            throws IOException {
        prepare(response, link);
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int status = code instanceof Integer known ? known : HttpServletResponse.SC_NOT_FOUND;
        ErrorAnswer.of(status).write(response, request.getHeader("Accept"), ids.next(), false);
    }

    private void prepare(HttpServletResponse response, ClientLink link) {
        link.prepareAnswer("");
        settings.date().addTo(response, link);
    }

    private static void endIfLast(Arrival arrival) {
        if (LastAnswer.isAskedFor(arrival.request())
                || LastAnswer.isClosing(arrival.response().getStatus())) {
            arrival.link().end();
        }
    }
}
