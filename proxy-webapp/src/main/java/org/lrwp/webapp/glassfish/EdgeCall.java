package org.lrwp.webapp.glassfish;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Tunnel;
import org.lrwp.engine.exchange.TunnelClient;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.spool.FilePart;
import org.lrwp.webapp.files.FileSenders;
import org.lrwp.webapp.files.SendEnd;
import org.lrwp.webapp.files.SendListener;
import org.lrwp.webapp.servlet.ClientCall;
import org.lrwp.webapp.servlet.ClientLink;

import java.io.IOException;
import java.util.function.Consumer;

/** One request that is answered past the container's filters. */
final class EdgeCall implements ClientCall, ClientLink {
    private final EdgeConnection connection;
    private final EdgeAnswer answer;
    private final EdgeBody body;
    private volatile Runnable whenGone = () -> {};

    /**
     * Creates a call.
     *
     * @param connection of the client
     * @param head what is asked; null when that cannot be believed
     * @param body as much of it as there will be
     */
    EdgeCall(EdgeConnection connection, @Nullable RequestHead head, EdgeBody body) {
        this.connection = connection;
        this.answer = new EdgeAnswer(connection, head);
        this.body = body;
    }

    // ---- The request.

    @Override
    public EdgeAnswer answer() {
        return answer;
    }

    @Override
    public EdgeBody body() {
        return body;
    }

    @Override
    public void complete() {
        answer.complete();
    }

    @Override
    public void completeOnReturn() {
        answer.complete();
    }

    // ---- The connection under it.

    @Override
    public boolean hasWholeRequest() {
        return body.isWhole();
    }

    @Override
    public void onDeparture(Runnable listener) {
        whenGone = listener;
    }

    /** The client has left. */
    void depart() {
        whenGone.run();
    }

    @Override
    public boolean upgrades() {
        return true;
    }

    @Override
    public TunnelClient upgrade(AnswerHead head, Tunnel tunnel, Consumer<Boolean> whenOver) {
        answer.status(head.status());
        answer.reason(head.reason());
        head.fields().forEach(field -> answer.add(field.name(), field.value()));
        var opened = new EdgeTunnel(connection, tunnel, whenOver);
        try {
            answer.flush();
            connection.tunnel(opened);
        } catch (IOException gone) {
            opened.cut();
        }
        return opened;
    }

    @Override
    public void prepareAnswer(String reason) {
        answer.reason(reason);
    }

    @Override
    public void end() {
        connection.end();
    }

    @Override
    public boolean isEnded() {
        return connection.isEnded();
    }

    @Override
    public boolean keepsOpen() {
        return true;
    }

    @Override
    public boolean addOctets(String name, String value) {
        answer.add(name, value);
        return true;
    }

    @Override
    public boolean setDate(String date) {
        if (!answer.has("Date")) {
            answer.add("Date", date);
        }
        return true;
    }

    @Override
    public long pendingOctets() {
        return connection.out().pendingOctets();
    }

    @Override
    public void limitPending(int octets) {
        connection.out().limitPending(octets);
    }

    @Override
    public boolean sendsFiles() {
        return connection.edge().senders() != null;
    }

    @Override
    public void send(FilePart part, SendListener listener) {
        FileSenders senders = connection.edge().senders();
        if (senders == null) {
            listener.ended(SendEnd.GONE);
        } else {
            connection.out().send(senders, part, listener);
        }
    }

    @Override
    public void cut(boolean reset) {
        connection.out().cut(reset);
    }
}
