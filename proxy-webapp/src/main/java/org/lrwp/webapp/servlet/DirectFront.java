package org.lrwp.webapp.servlet;

import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;

import java.util.function.Supplier;

/**
 * Takes requests of registered contexts before the servlet container sees them. Whatever is not
 * plain is left to the servlet, which answers it with the same rules: broken and long heads, a
 * proxy that drains, a connection that has had its last answer. Any thread; never blocks.
 */
public final class DirectFront {
    private final ProxyEngine engine;
    private final String root;
    private final ClientSettings settings;
    private final RequestIds ids;
    private final Opening opening;

    /**
     * Creates a front.
     *
     * @param engine knows the contexts
     * @param root the application's context root; empty for {@code /}
     * @param settings limits of requests and answers
     * @param ids makes request ids, the servlet's own
     */
    public DirectFront(ProxyEngine engine, String root, ClientSettings settings, RequestIds ids) {
        this.engine = engine;
        this.root = root;
        this.settings = settings;
        this.ids = ids;
        this.opening = new Opening(engine, settings);
    }

    /**
     * Takes a request, if it is for a peer and nothing of it needs the servlet.
     *
     * @param head its head; its body may still be on its way
     * @param link the client's connection
     * @param call makes the request asynchronous; asked once, and only when it is taken
     * @return whether it was taken; if not, nothing has happened
     */
    public boolean take(RequestHead head, ClientLink link, Supplier<ClientCall> call) {
        String path;
        try {
            path = head.target().pathBelow(root);
        } catch (BadRequestException e) {
            return false;
        }
        if (path.startsWith("/-/")
                || head.size() > settings.config().head()
                || link.isEnded()
                || engine.isDraining()) {
            return false;
        }
        ContextMatch match = engine.match(head.authority().virtualHost(), path);
        if (match == null) {
            return false;
        }
        String id = ids.idOf(head, settings.config().env().trusts(head));
        opening.open(new Arrival(link, head, root, path, id), match, call.get());
        return true;
    }
}
