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

/** What Grizzly knows of a request, read without the servlet container's detours. Any thread. */
final class GrizzlyHead {
    private static final String ENDS = "org.lrwp.ends";

    private GrizzlyHead() {}

    /** Adds all fields in the order in which they came. */
    static void addFields(HttpRequestPacket asked, RequestHead.Draft draft)
            throws BadRequestException {
        MimeHeaders fields = asked.getHeaders();
        for (int i = 0; i < fields.size(); i++) {
            draft.field(text(fields.getName(i)), text(fields.getValue(i)));
        }
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

    /** The two ends of a connection, made once for each; null when it is not TCP. */
    static @Nullable ClientConnection ends(NIOConnection connection, boolean secure) {
        if (connection.getAttributes().getAttribute(ENDS) instanceof ClientConnection known
                && known.secure() == secure) {
            return known;
        }
        if (!(connection.getPeerAddress() instanceof InetSocketAddress remote)
                || !(connection.getLocalAddress() instanceof InetSocketAddress local)) {
            return null;
        }
        var made =
                new ClientConnection(
                        remote.getAddress(),
                        remote.getPort(),
                        local.getAddress().getHostAddress(),
                        local.getPort(),
                        secure);
        connection.getAttributes().setAttribute(ENDS, made);
        return made;
    }
}
