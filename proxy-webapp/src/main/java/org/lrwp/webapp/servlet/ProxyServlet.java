package org.lrwp.webapp.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
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
    private static final ClientConnection NOWHERE =
            new ClientConnection(InetAddress.getLoopbackAddress(), 0, "localhost", 0, false);
    private static final String VISIT = "org.lrwp.visit";
    private static final String BAD_TARGET = "/-/bad-target";

    private final transient ProxyEngine engine;
    private final transient Container container;
    private final transient ClientSettings settings;
    private final transient OwnPages pages;
    private final transient RequestIds ids;
    private final transient Opening opening;
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
        this.opening = new Opening(engine, settings);
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
            new RequestHead.Draft("GET", target, "HTTP/1.0", NOWHERE).check();
            return isText(target) ? target : contextRoot + BAD_TARGET;
        } catch (BadRequestException e) {
            return contextRoot + BAD_TARGET;
        }
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
        Object done = request.getAttribute(ServletCall.DONE);
        if (ServletCall.CUT.equals(done) && request.getDispatcherType() == DispatcherType.ASYNC) {
            throw new CutException();
        }
        if (done != null) {
            return;
        }
        ClientLink link = container.linkOf(request);
        if (link.isEnded()) {
            // Pipelined behind a request whose answer was the last one: it must not be done.
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        } else if (request.getDispatcherType() == DispatcherType.ERROR) {
            answerError(request, response, link);
        } else if (request.getAttribute(VISIT) instanceof Visit again) {
            fallBack(again);
        } else {
            arrive(request, response, link);
        }
    }

    private void arrive(HttpServletRequest request, HttpServletResponse response, ClientLink link)
            throws IOException, ServletException {
        try {
            EnvConfig env = settings.config().env();
            RequestHead head = env.identified(HeadReader.read(request, link));
            String root = request.getContextPath();
            String path = head.target().pathBelow(root);
            if (path.equals(BAD_TARGET)) {
                throw new BadRequestException("path that cannot be decoded");
            }
            String id = ids.idOf(head, env.trusts(head));
            route(new Visit(request, response, new Arrival(link, head, root, path, id)));
        } catch (BadRequestException e) {
            refuseBadRequest(request, link, e.getMessage());
        }
    }

    private void route(Visit visit) throws IOException, ServletException {
        RequestHead head = visit.arrival().head();
        String path = visit.arrival().path();
        if (head.size() > settings.config().head()) {
            refuse(visit, ErrorAnswer.of(Failure.HEAD_TOO_LARGE));
        } else if (path.equals("/-") || path.startsWith("/-/")) {
            answerOwnPage(visit);
        } else if (engine.isDraining()) {
            refuse(visit, ErrorAnswer.of(Failure.DRAINING));
        } else {
            ContextMatch match = engine.match(head.authority().virtualHost(), path);
            if (match != null) {
                Arrival arrival = visit.arrival();
                opening.open(arrival, match, ServletCall.of(visit.request(), arrival.link()));
            } else if (head.bodyLength() == 0 && container.mayBlock()) {
                fallBack(visit);
            } else {
                visit.request().setAttribute(VISIT, visit);
                ServletCall.async(visit.request()).dispatch();
            }
        }
    }

    // ---- Answers without the engine.

    private void refuse(Visit visit, ErrorAnswer answer) {
        Arrival arrival = visit.arrival();
        var call = ServletCall.of(visit.request(), visit.arrival().link());
        ServletClient client = arrival.client(call, settings);
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
        String sent = link.replacedTarget();
        var kept =
                new ClientRequest(
                        id,
                        request.getRemoteAddr(),
                        request.getMethod(),
                        sent == null ? HeadReader.target(request) : sent,
                        request.getHeader("Accept"),
                        -1,
                        true,
                        settings.clock().nanos());
        var client = new ServletClient(ServletCall.of(request, link), link, kept, settings);
        client.fail(ErrorAnswer.of(Failure.BAD_REQUEST), true);
        client.start(null);
    }

    private void answerOwnPage(Visit visit) throws IOException {
        Arrival arrival = visit.arrival();
        OwnPages.Answer answer =
                arrival.hasBody()
                        ? OwnPages.Answer.error(405)
                        : pages.answer(arrival.head(), arrival.path());
        if (answer.status() >= 400 && answer.body().length == 0) {
            refuse(visit, ErrorAnswer.of(answer.status()));
            return;
        }
        HttpServletResponse response = visit.response();
        prepare(response, arrival.link());
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
        endIfLast(visit);
    }

    private void fallBack(Visit visit) throws IOException, ServletException {
        Fallback ready = fallback;
        if (ready == null) {
            throw new ServletException("not initialised");
        }
        Arrival arrival = visit.arrival();
        HttpServletResponse response = visit.response();
        long now = settings.clock().nanos();
        var kept = ClientRequest.of(arrival.head(), arrival.link(), arrival.id(), now);
        prepare(response, arrival.link());
        ready.answer(visit.request(), response, arrival.path(), arrival.id());
        String length = response.getHeader("Content-Length");
        long octets = length == null ? 0 : Long.parseLong(length);
        long end = settings.clock().nanos();
        settings.log().ended(kept.record(response.getStatus(), octets, "default-servlet", end));
        endIfLast(visit);
    }

    /** What the container refused before this servlet was asked. */
    private void answerError(
            HttpServletRequest request, HttpServletResponse response, ClientLink link)
            throws IOException {
        prepare(response, link);
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int status = code instanceof Integer known ? known : HttpServletResponse.SC_NOT_FOUND;
        ErrorAnswer.of(status)
                .write(new ServletAnswer(response), request.getHeader("Accept"), ids.next(), false);
    }

    private void prepare(HttpServletResponse response, ClientLink link) {
        link.prepareAnswer("");
        settings.date().addTo(new ServletAnswer(response), link);
    }

    private static void endIfLast(Visit visit) {
        if (LastAnswer.isEnding(visit.arrival().head(), visit.arrival().link())
                || LastAnswer.isClosing(visit.response().getStatus())) {
            visit.arrival().link().end();
        }
    }

    /** A request that has arrived, with what the container knows it by. */
    private record Visit(
            HttpServletRequest request, HttpServletResponse response, Arrival arrival) {}
}
