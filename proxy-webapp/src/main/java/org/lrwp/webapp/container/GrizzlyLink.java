package org.lrwp.webapp.container;

import jakarta.servlet.http.HttpServletRequest;

import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.attributes.Attribute;
import org.glassfish.grizzly.filterchain.FilterChain;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.http.HttpResponsePacket;
import org.glassfish.grizzly.http.Protocol;
import org.glassfish.grizzly.http.util.Header;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.glassfish.grizzly.http2.Http2Stream;
import org.glassfish.grizzly.nio.NIOConnection;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.ClientConnection;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.client.Bodyless;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;
import org.lrwp.webapp.servlet.ContainerLink;

import java.nio.charset.StandardCharsets;

/** A connection of Grizzly, or one stream of it with HTTP/2. */
final class GrizzlyLink implements ContainerLink {
    /** Also of other copies of this application. */
    private static final Attribute<Boolean> ENDED =
            Grizzly.DEFAULT_ATTRIBUTE_BUILDER.createAttribute("org.lrwp.ended");

    private final NIOConnection connection;
    private final HttpResponsePacket answer;
    private final @Nullable String sentTarget;
    private final boolean wrapped;
    private final boolean shared;
    private final @Nullable ClientReader reader;
    private final Http2Watch watch;

    /** Of a stream of HTTP/2; null with HTTP/1, whose connection tells what it has. */
    private final @Nullable Http2Output output;

    /** Made for the first file. */
    private volatile @Nullable SocketFiles files;

    /**
     * Creates a link.
     *
     * @param connection what brought the request
     * @param request the container's run with it
     * @param answer to the request
     * @param sentTarget see {@link #replacedTarget}
     * @param wrapped whether the servlet sees another request, made of this one by somebody else
     * @param watch knows the streams of HTTP/2
     */
    GrizzlyLink(
            NIOConnection connection,
            FilterChainContext request,
            HttpResponsePacket answer,
            @Nullable String sentTarget,
            boolean wrapped,
            Http2Watch watch) {
        this.connection = connection;
        this.answer = answer;
        this.sentTarget = sentTarget;
        this.wrapped = wrapped;
        this.watch = watch;
        this.reader = ReaderStrategy.reader(connection);
        this.shared = answer.getRequest().getProtocolString().startsWith("HTTP/2");
        this.output = shared ? new Http2Output(connection, request) : null;
    }

    @Override
    public boolean hasWholeRequest() {
        return !answer.getRequest().isExpectContent();
    }

    @Override
    public boolean isSecure(HttpServletRequest request) {
        return shared
                ? connection.getProcessor() instanceof FilterChain filters
                        && ContainerListener.isSecure(filters)
                : request.isSecure();
    }

    @Override
    public @Nullable String replacedTarget() {
        return sentTarget;
    }

    /** What stood before the container has read it: it cannot be read in two ways. */
    @Override
    public @Nullable RequestHead head(@Nullable ClientConnection ends) throws BadRequestException {
        GivenRequest given = reader == null || wrapped || shared ? null : reader.given();
        if (given == null) {
            return null;
        }
        RequestHead read = given.head();
        return ends == null || ends.equals(read.connection())
                ? read
                : RequestHead.of(read.bytes(), ends);
    }

    @Override
    public @Nullable ClientConnection ends() {
        return reader == null ? null : reader.ends();
    }

    @Override
    public void onDeparture(Runnable listener) {
        GivenRequest given = reader == null || shared ? null : reader.given();
        Http2Stream stream = shared ? Http2Stream.getStreamFor(answer) : null;
        if (given != null) {
            given.onDeparture(listener);
        } else if (stream != null) {
            Http2Streams.of(connection, watch).onDeparture(stream, listener);
        }
    }

    @Override
    public void prepareAnswer(String reason) {
        answer.getHeaders().removeHeader("Server");
        answer.getHeaders().removeHeader("X-Powered-By");
        if (!reason.isEmpty()) {
            answer.setReasonPhrase(reason);
        }
    }

    @Override
    public void end() {
        if (!shared) {
            ENDED.set(connection, true);
        }
        if (reader != null && !shared) {
            reader.end();
        }
    }

    @Override
    public boolean isEnded() {
        if (!shared) {
            return ENDED.isSet(connection);
        }
        Http2Stream stream = Http2Stream.getStreamFor(answer);
        return stream != null && !Http2Streams.of(connection, watch).admits(stream);
    }

    @Override
    public boolean keepsOpen() {
        return !shared
                && answer.getRequest().getProtocol() == Protocol.HTTP_1_1
                && answer.getProcessingState().isKeepAlive();
    }

    @Override
    public void fixHead() {
        if (shared || answer.isCommitted() || answer.getContentLength() < 0) {
            return;
        }
        MimeHeaders fields = answer.getHeaders();
        String type = answer.getContentType();
        if (type != null) {
            fields.setValue(Header.ContentType).setString(type);
        }
        fields.setValue(Header.ContentLength).setString(Long.toString(answer.getContentLength()));
        if (Bodyless.is(answer.getStatus())) {
            answer.setExpectContent(false);
        }
        // Grizzly adds, takes away and decides nothing any more.
        answer.setIgnoreContentModifiers(true);
    }

    @Override
    public boolean addBytes(String name, String value) {
        if (shared) {
            return false;
        }
        byte[] content = value.getBytes(StandardCharsets.ISO_8859_1);
        answer.getHeaders().addValue(name).setBytes(content, 0, content.length);
        return true;
    }

    @Override
    public boolean setDate(String date) {
        if (shared) {
            return false;
        }
        if (!answer.getHeaders().contains(Header.Date)) {
            answer.getHeaders().setValue(Header.Date).setString(date);
        }
        return true;
    }

    /** With HTTP/2 what waits for the client's windows is in queues of Grizzly's own. */
    @Override
    public boolean tellsPending() {
        return !shared;
    }

    @Override
    public long pendingBytes() {
        SocketFiles known = files;
        long content = shared ? 0 : ContainerQueue.bytes(connection);
        return content + (known == null ? 0 : known.left());
    }

    /** HTTP/2 has windows of its own; Grizzly's default is four times the socket's buffer. */
    @Override
    public void limitPending(int content) {
        if (!shared) {
            connection.setMaxAsyncWriteQueueSize(content);
        }
    }

    @Override
    public boolean takesMore(Runnable then) {
        return output == null || output.isSent(then);
    }

    @Override
    public void written() {
        if (output != null) {
            output.written();
        }
    }

    /** Who sends parts of files to the client past the container; null when nobody may. */
    @Nullable FileSenders senders() {
        return shared || wrapped ? null : SocketFiles.sendersFor(connection);
    }

    @Override
    public boolean sendsFiles() {
        return senders() != null;
    }

    @Override
    public void send(FilePart part, SendListener listener) {
        FileSenders senders = senders();
        if (senders == null) {
            listener.ended(SendEnd.GONE);
            return;
        }
        SocketFiles known = SocketFiles.of(connection, senders);
        files = known;
        known.send(part, listener);
    }

    @Override
    public void dropRest() {
        // A stream of HTTP/2 brings nothing when nobody reads it.
        if (!shared) {
            answer.getRequest().setSkipRemainder(true);
        }
    }

    @Override
    public void cut(boolean reset) {
        SocketFiles known = files;
        if (known != null) {
            known.withdraw();
        }
        if (shared) {
            Http2Stream stream = Http2Stream.getStreamFor(answer);
            if (stream != null) {
                Http2Streams.of(connection, watch).cut(stream);
            }
            return;
        }
        ConnectionCut.cut(connection, reset);
    }
}
