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
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.protocol.HeaderField;
import org.lrwp.webapp.client.Bodyless;
import org.lrwp.webapp.client.BrokenRequest;
import org.lrwp.webapp.client.CheckedRequest;
import org.lrwp.webapp.client.ClientSettings;
import org.lrwp.webapp.client.ErrorAnswer;
import org.lrwp.webapp.client.LastAnswer;
import org.lrwp.webapp.client.OwnPages;
import org.lrwp.webapp.client.RequestEntry;
import org.lrwp.webapp.client.RequestLine;
import org.lrwp.webapp.client.SecureAccess;
import org.lrwp.webapp.config.ErrorPages;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * All requests of the web application: checks the head, then gives the request to the pages under
 * {@code /-/}, to the context that serves it, or to the default servlet. A request with a body is
 * always asynchronous, as GlassFish loses requests pipelined behind one that is not. Never blocks,
 * but for the default servlet.
 */
public final class ProxyServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final ClientConnection NOWHERE =
            new ClientConnection(InetAddress.getLoopbackAddress(), 0, "localhost", 0, false);
    private static final String VISIT = "org.lrwp.visit";
    private static final byte[] NO_BODY = new byte[0];

    /** Target of an OPTIONS for the server: no container makes such a request asynchronous. */
    private static final String SERVER = "*";

    private static final String BAD_TARGET = "/-/bad-target";
    private static final Pattern DOTS_AT_END = Pattern.compile("/(\\.|%2[eE]){1,2}$");

    private final transient ProxyEngine engine;
    private final transient Container container;
    private final transient ClientSettings settings;
    private final transient OwnPages pages;
    private final transient RequestIds ids;
    private final transient RequestEntry entry;
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
        this.entry = new RequestEntry(engine, settings, ids);
    }

    /**
     * Replaces a target that no container decodes, and ends one of dots with a slash: both mean the
     * same (RFC 3986 section 5.2.4), and GlassFish fails without it.
     *
     * @param contextRoot root of this application; empty for {@code /}
     * @param target path of a request, as it was sent
     * @return the same, maybe with a slash behind it; or one that this servlet refuses, when the
     *     path is broken and below the root
     */
    public static String safeTarget(String contextRoot, String target) {
        if (!target.startsWith(contextRoot + "/")) {
            return target;
        }
        try {
            new RequestHead.Draft("GET", target, "HTTP/1.0", NOWHERE).check();
            if (!isText(target)) {
                return contextRoot + BAD_TARGET;
            }
            return DOTS_AT_END.matcher(target).find() ? target + "/" : target;
        } catch (BadRequestException e) {
            return contextRoot + BAD_TARGET;
        }
    }

    /** Whether a target whose percent signs are right can be decoded to UTF-8. */
    private static boolean isText(String target) {
        var bytes = ByteBuffer.allocate(target.length());
        for (int i = 0; i < target.length(); i++) {
            if (target.charAt(i) == '%') {
                bytes.put((byte) HexFormat.fromHexDigits(target, i + 1, i + 3));
                i += 2;
            } else {
                bytes.put((byte) target.charAt(i));
            }
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(bytes.flip());
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
        Object done = request.getAttribute(ServletStream.DONE);
        if (ServletStream.CUT.equals(done) && request.getDispatcherType() == DispatcherType.ASYNC) {
            throw new CutException();
        }
        if (done != null || (response.isCommitted() && isOfError(request))) {
            // Tomcat includes the error page in an answer that has begun: there is nothing to add.
            return;
        }
        ContainerLink link = container.linkOf(request);
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

    private void arrive(
            HttpServletRequest request, HttpServletResponse response, ContainerLink link)
            throws IOException, ServletException {
        try {
            EnvConfig env = settings.config().env();
            RequestHead head = env.identified(HeadReader.read(request, link));
            String remembered = SecureAccess.remembered(head, settings.config().https());
            if (!remembered.isEmpty()) {
                response.setHeader(SecureAccess.FIELD, remembered);
            }
            String root = request.getContextPath();
            String path = head.target().pathBelow(root);
            if (path.equals(BAD_TARGET)) {
                throw new BadRequestException("path that cannot be decoded");
            }
            route(new Visit(request, response, link, entry.identified(head, root, path)));
        } catch (BadRequestException e) {
            refuseBadRequest(request, link, e);
        }
    }

    private void route(Visit visit) throws IOException, ServletException {
        RequestHead head = visit.checked().head();
        String path = visit.checked().path();
        if (head.size() > settings.config().head()) {
            refuse(visit, ErrorAnswer.of(Failure.HEAD_TOO_LARGE));
        } else if (OwnPages.own(path)) {
            answerOwnPage(visit);
        } else {
            routeToPeer(visit);
        }
    }

    /** Anything but the proxy's own pages. */
    private void routeToPeer(Visit visit) throws IOException, ServletException {
        RequestHead head = visit.checked().head();
        String path = visit.checked().path();
        String host = head.authority().virtualHost();
        ErrorAnswer redirect = SecureAccess.redirect(head, settings.config().https());
        if (settings.config().ownHosts().contains(host)) {
            refuse(visit, ErrorAnswer.of(HttpServletResponse.SC_NOT_FOUND));
        } else if (redirect != null) {
            refuse(visit, redirect);
        } else if (engine.isDraining()) {
            refuse(visit, ErrorAnswer.of(Failure.DRAINING));
        } else {
            ContextMatch match = engine.match(host, path);
            if (match != null) {
                ServletStream stream = stream(visit.request(), visit.link());
                entry.open(visit.checked(), match, stream);
                stream.returned();
            } else if (path.equals(SERVER) || (head.bodyLength() == 0 && container.mayBlock())) {
                fallBack(visit);
            } else {
                visit.request().setAttribute(VISIT, visit);
                ServletStream.async(visit.request()).dispatch(ServletStream.AGAIN);
            }
        }
    }

    // ---- Answers without the engine.

    private ServletStream stream(HttpServletRequest request, ContainerLink link) {
        return ServletStream.of(request, link, settings.date());
    }

    private void refuse(Visit visit, ErrorAnswer answer) {
        ServletStream stream = stream(visit.request(), visit.link());
        entry.refuse(visit.checked(), answer, stream);
        stream.returned();
    }

    /** Nothing of such a request is believed, its body least of all: the connection ends. */
    private void refuseBadRequest(
            HttpServletRequest request, ContainerLink link, BadRequestException why) {
        String sent = link.replacedTarget();
        var begin =
                new BrokenRequest(
                        request.getRemoteAddr(),
                        request.getMethod(),
                        sent == null ? HeadReader.target(request) : sent,
                        request.getHeader("Accept"),
                        -1);
        ServletStream stream = stream(request, link);
        entry.refuse(why, begin, stream);
        stream.returned();
    }

    private void answerOwnPage(Visit visit) throws IOException {
        CheckedRequest checked = visit.checked();
        if (checked.hasBody()) {
            ServletStream stream = stream(visit.request(), visit.link());
            entry.show(checked, pages, stream);
            stream.returned();
            return;
        }
        OwnPages.Answer answer =
                pages.answer(new OwnPages.Question(checked.head(), checked.path(), NO_BODY));
        if (!answer.isPrompt()) {
            ServletStream stream = stream(visit.request(), visit.link());
            entry.show(checked, answer, stream);
            stream.returned();
            return;
        }
        if (answer.isPlainError()) {
            refuse(visit, ErrorAnswer.of(answer.status()));
            return;
        }
        HttpServletResponse response = visit.response();
        prepare(response, visit.link());
        response.setStatus(answer.status());
        for (HeaderField field : answer.fields()) {
            if (field.name().equals("Content-Type")) {
                response.setContentType(field.value());
            } else {
                response.addHeader(field.name(), field.value());
            }
        }
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
        CheckedRequest checked = visit.checked();
        HttpServletResponse response = visit.response();
        long now = settings.clock().nanos();
        RequestTrace trace = settings.follower().follow(checked.head());
        var line = RequestLine.of(checked, ServletStream.WAY, false, trace, now);
        prepare(response, visit.link());
        ready.answer(
                visit.request(),
                new FallbackResponse(response, line.asker(), errorPages()),
                checked.path());
        long bytes = visit.request().getMethod().equals("HEAD") ? 0 : length(response);
        long end = settings.clock().nanos();
        settings.log().ended(line.record(response.getStatus(), bytes, "default-servlet", end, end));
        endIfLast(visit);
    }

    /** As far as the container has said it. */
    private static long length(HttpServletResponse response) {
        String length = response.getHeader("Content-Length");
        return length == null || Bodyless.is(response.getStatus()) ? 0 : Long.parseLong(length);
    }

    private static boolean isOfError(HttpServletRequest request) {
        return request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) != null
                || request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) != null;
    }

    /** What the container refused before this servlet was asked. */
    private void answerError(
            HttpServletRequest request, HttpServletResponse response, ContainerLink link)
            throws IOException {
        prepare(response, link);
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int status = code instanceof Integer known ? known : HttpServletResponse.SC_NOT_FOUND;
        ErrorAnswer error = ErrorAnswer.of(status);
        var asker = new ErrorAnswer.Asker(request.getHeader("Accept"), ids.next(), "");
        ResponseFields.write(response, error.whole(asker, errorPages(), false));
    }

    /** Of requests without a context. */
    private ErrorPages errorPages() {
        return settings.config().traffic().defaults().errors();
    }

    private void prepare(HttpServletResponse response, ContainerLink link) {
        link.prepareAnswer("");
        ResponseFields.setDate(response, link, settings.date());
    }

    private static void endIfLast(Visit visit) {
        if (LastAnswer.isEnding(visit.checked().head(), false)
                || LastAnswer.isClosing(visit.response().getStatus())) {
            visit.link().end();
        }
    }

    /** A request that has arrived, with what the container knows it by. */
    private record Visit(
            HttpServletRequest request,
            HttpServletResponse response,
            ContainerLink link,
            CheckedRequest checked) {}
}
