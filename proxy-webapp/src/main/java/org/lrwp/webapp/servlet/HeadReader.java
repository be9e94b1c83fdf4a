package org.lrwp.webapp.servlet;

import jakarta.servlet.http.HttpServletRequest;

import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Enumeration;

/** Reads the head of a container's request, and checks what the container let through. */
final class HeadReader {
    private static final String CIPHER = "jakarta.servlet.request.cipher_suite";

    /** Of Servlet 6.1. */
    private static final String PROTOCOL = "jakarta.servlet.request.secure_protocol";

    private HeadReader() {}

    static RequestHead read(HttpServletRequest request, ContainerLink link)
            throws BadRequestException {
        RequestHead known = link.head(null);
        if (known == null || !isOf(request, link.isSecure(request), known.connection().carrier())) {
            ClientConnection ends = ends(request, link);
            RequestHead again = known == null ? null : link.head(ends);
            known = again == null ? read(request, target(request), ends) : again;
        }
        RequestHead head = known;
        boolean http1 = head.protocol().startsWith("HTTP/1");
        if (head.first("Upgrade") != null && http1 && head.bodyLength() != 0) {
            // GlassFish never hands over such a body.
            throw new BadRequestException("Upgrade with a body");
        }
        return head;
    }

    private static RequestHead read(
            HttpServletRequest request, String target, ClientConnection ends)
            throws BadRequestException {
        var draft = new RequestHead.Draft(request.getMethod(), target, request.getProtocol(), ends);
        Enumeration<String> names = request.getHeaderNames();
        while (names.hasMoreElements()) {
            String name = names.nextElement();
            Enumeration<String> values = request.getHeaders(name);
            while (values.hasMoreElements()) {
                draft.field(name, values.nextElement());
            }
        }
        return draft.check();
    }

    /** The target as it was sent, as far as the container tells. */
    static String target(HttpServletRequest request) {
        String query = request.getQueryString();
        String path = request.getRequestURI();
        return query == null ? path : path + "?" + query;
    }

    /** What the container tells of TLS; not each tells all. */
    private static String attribute(HttpServletRequest request, String name) {
        return request.getAttribute(name) instanceof String known ? known : "";
    }

    /** The container may know more of the client than the connection: what it says goes. */
    private static boolean isOf(HttpServletRequest request, boolean secure, ClientConnection ends) {
        return ends.remotePort() == request.getRemotePort()
                && ends.remoteText().equals(request.getRemoteAddr())
                && ends.secure() == secure;
    }

    private static ClientConnection ends(HttpServletRequest request, ContainerLink link)
            throws BadRequestException {
        ClientConnection named = link.ends();
        boolean secure = link.isSecure(request);
        if (named != null && isOf(request, secure, named.carrier())) {
            return named;
        }
        try {
            var ends =
                    new ClientConnection(
                            InetAddress.getByName(request.getRemoteAddr()),
                            request.getRemotePort(),
                            request.getLocalAddr(),
                            request.getLocalPort(),
                            secure);
            return secure
                    ? ends.inTls(attribute(request, PROTOCOL), attribute(request, CIPHER))
                    : ends;
        } catch (UnknownHostException e) {
            throw new BadRequestException("client without an address");
        }
    }
}
