package org.lrwp.webapp.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.EnvBlock;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.request.RequestTarget;
import org.lrwp.engine.request.ScriptPath;

import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * All requests of the web application: checks the head, then gives the request to the pages under
 * {@code /-/}, to the context that serves it, or to the default servlet. A request with a body is
 * always asynchronous, as GlassFish loses requests pipelined behind one that is not. Never blocks,
 * but for the default servlet.
 */
public final class ProxyServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger(ProxyServlet.class.getName());
    private static final String PATH = "org.lrwp.path";
    private static final String ID = "org.lrwp.id";
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
            return target;
        } catch (BadRequestException e) {
            return contextRoot + BAD_TARGET;
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
        Object again = request.getAttribute(PATH);
        if (request.getDispatcherType() == DispatcherType.ASYNC && again != null) {
            container.linkOf(request).prepareAnswer("");
            fallBack(request, response, again.toString(), request.getAttribute(ID).toString());
            return;
        }
        if (request.getDispatcherType() == DispatcherType.ERROR) {
            int status = (Integer) request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
            container.linkOf(request).prepareAnswer("");
            ErrorAnswer.of(status).write(response, request.getHeader("Accept"), ids.next(), false);
            return;
        }
        RequestHead head;
        String path;
        try {
            head = HeadReader.read(request);
            if (head.first("Upgrade") != null && isHttp1(head) && head.bodyLength() != 0) {
                // GlassFish never hands over such a body.
                throw new BadRequestException("Upgrade with a body");
            }
            path = head.target().pathBelow(request.getContextPath());
            if (path.equals(BAD_TARGET)) {
                throw new BadRequestException("path that cannot be decoded");
            }
        } catch (BadRequestException e) {
            refuseBadRequest(request, e.getMessage());
            return;
        }
        String id = ids.idOf(head, settings.config().env().trusts(head));
        if (head.size() > settings.config().head()) {
            refuse(request, head, id, ErrorAnswer.of(Failure.HEAD_TOO_LARGE));
        } else if (path.equals("/-") || path.startsWith("/-/")) {
            answerOwnPage(request, response, head, new Place(path, id));
        } else {
            route(request, response, head, new Place(path, id));
        }
    }

    private static boolean isHttp1(RequestHead head) {
        return head.protocol().startsWith("HTTP/1");
    }

    private void route(
            HttpServletRequest request, HttpServletResponse response, RequestHead head, Place at)
            throws IOException, ServletException {
        ContextMatch match = engine.match(head.authority().virtualHost(), at.path());
        if (match != null) {
            open(request, head, at.id(), match);
        } else if (head.bodyLength() == 0) {
            container.linkOf(request).prepareAnswer("");
            fallBack(request, response, at.path(), at.id());
        } else {
            request.setAttribute(PATH, at.path());
            request.setAttribute(ID, at.id());
            async(request).dispatch();
        }
    }

    private void open(HttpServletRequest request, RequestHead head, String id, ContextMatch match) {
        EnvConfig env = settings.config().env();
        boolean extension = match.assistant().contextName().startsWith(".");
        var path =
                new ScriptPath(
                        request.getContextPath(), match.scriptName(), match.pathInfo(), extension);
        var block = new EnvBlock(env, head, path, id);
        var asked =
                new ExchangeRequest(
                        id,
                        head.method(),
                        head.target().raw(),
                        request.getRemoteAddr(),
                        block::encode);
        ServletClient client = client(request, head, id);
        Exchange exchange = engine.open(match, asked, client);
        client.start(exchange);
    }

    private ServletClient client(HttpServletRequest request, RequestHead head, String id) {
        var kept = new ClientRequest(id, head.first("Accept"), head.bodyLength());
        ClientLink link = container.linkOf(request);
        return new ServletClient(async(request), link, kept, settings);
    }

    private static AsyncContext async(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        return async;
    }

    private void refuse(
            HttpServletRequest request, RequestHead head, String id, ErrorAnswer answer) {
        ServletClient client = client(request, head, id);
        client.fail(answer, false);
        client.start(null);
    }

    /** Nothing of such a request is believed, its body least of all: the connection ends. */
    private void refuseBadRequest(HttpServletRequest request, @Nullable String reason) {
        String id = ids.next();
        LOG.log(
                Level.INFO,
                "bad-request id={0} client={1} reason=\"{2}\"",
                id,
                request.getRemoteAddr(),
                reason);
        var kept = new ClientRequest(id, request.getHeader("Accept"), -1);
        ClientLink link = container.linkOf(request);
        var client = new ServletClient(async(request), link, kept, settings);
        client.fail(ErrorAnswer.of(Failure.BAD_REQUEST), true);
        client.start(null);
    }

    private void answerOwnPage(
            HttpServletRequest request, HttpServletResponse response, RequestHead head, Place at)
            throws IOException {
        boolean body = head.bodyLength() > 0 || head.first("Transfer-Encoding") != null;
        OwnPages.Answer answer = body ? OwnPages.Answer.error(405) : pages.answer(head, at.path());
        if (answer.status() >= 400 && answer.body().length == 0) {
            refuse(request, head, at.id(), ErrorAnswer.of(answer.status()));
            return;
        }
        container.linkOf(request).prepareAnswer("");
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(answer.body().length);
        response.getOutputStream().write(answer.body());
    }

    private void fallBack(
            HttpServletRequest request, HttpServletResponse response, String path, String id)
            throws IOException, ServletException {
        Fallback ready = fallback;
        if (ready == null) {
            throw new ServletException("not initialised");
        }
        ready.answer(request, response, path, id);
    }

    /**
     * Where a request goes.
     *
     * @param path below the context root
     * @param id the request id
     */
    private record Place(String path, String id) {}
}
