package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.HttpRequestPacket;
import org.glassfish.grizzly.http.util.ByteChunk;
import org.glassfish.grizzly.http.util.DataChunk;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * What is known of a client's connection from one request to the next: its two ends, and the last
 * head, as most clients repeat theirs, often with another target. Heads are read here, without the
 * servlet container's detours. Any thread.
 */
final class ClientMemory {
    private static final String KEY = "org.lrwp.client";

    private final ClientConnection ends;
    private volatile @Nullable KeptHead last;

    private ClientMemory(ClientConnection ends) {
        this.ends = ends;
    }

    /** The memory of a connection, made once for each; null when it is not TCP. */
    static @Nullable ClientMemory of(NIOConnection connection, boolean secure) {
        if (connection.getAttributes().getAttribute(KEY) instanceof ClientMemory known
                && known.ends.secure() == secure) {
            return known;
        }
        if (!(connection.getPeerAddress() instanceof InetSocketAddress remote)
                || !(connection.getLocalAddress() instanceof InetSocketAddress local)) {
            return null;
        }
        var made =
                new ClientMemory(
                        new ClientConnection(
                                remote.getAddress(),
                                remote.getPort(),
                                local.getAddress().getHostAddress(),
                                local.getPort(),
                                secure));
        connection.getAttributes().setAttribute(KEY, made);
        return made;
    }

    ClientConnection ends() {
        return ends;
    }

    /**
     * Reads and checks a head; one like the last is the last one again.
     *
     * @throws BadRequestException when it breaks a rule
     */
    RequestHead head(HttpRequestPacket asked, String target) throws BadRequestException {
        String method = asked.getMethod().getMethodString();
        String protocol = asked.getProtocolString();
        KeptHead kept = last;
        if (kept != null && kept.isLike(method, protocol, asked.getHeaders())) {
            if (target.equals(kept.head().target().raw())) {
                return kept.head();
            }
            RequestHead like = kept.head().withTarget(target);
            if (like != null) {
                last = kept.with(like);
                return like;
            }
        }
        RequestHead head = read(asked, target, ends);
        last = KeptHead.of(head, asked.getHeaders());
        return head;
    }

    /**
     * Reads and checks the head of a request that came from somewhere else.
     *
     * @throws BadRequestException when it breaks a rule
     */
    static RequestHead read(HttpRequestPacket asked, String target, ClientConnection ends)
            throws BadRequestException {
        var draft =
                new RequestHead.Draft(
                        asked.getMethod().getMethodString(),
                        target,
                        asked.getProtocolString(),
                        ends);
        MimeHeaders fields = asked.getHeaders();
        for (int i = 0; i < fields.size(); i++) {
            draft.field(text(fields.getName(i)), text(fields.getValue(i)));
        }
        return draft.check();
    }

    private static String text(DataChunk chunk) {
        if (chunk.getType() == DataChunk.Type.Bytes) {
            ByteChunk octets = chunk.getByteChunk();
            return new String(
                    octets.getBuffer(),
                    octets.getStart(),
                    octets.getLength(),
                    StandardCharsets.ISO_8859_1);
        }
        return chunk.toString(StandardCharsets.ISO_8859_1);
    }
}
