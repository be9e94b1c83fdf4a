package org.lrwp.bench.jmh;

import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.multiplexed.Lrwp3Connection;
import org.lrwp.engine.peer.serial.Lrwp1Connection;
import org.lrwp.engine.request.EnvBlock;
import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.engine.time.NanoClock;
import org.lrwp.engine.transport.LinkEvents;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The sample request and its answer, over a connection whose peer has one slot. */
final class Conversation {
    private static final String CONTEXT = "/osp";
    private static final int PORT = 40_000;
    private static final byte[] BODY = new byte[Samples.BODY];
    private static final long PLENTY = 1L << 30;

    private final PipeLink link;
    private final LinkEvents peer;
    private final ByteBuffer answer;
    private final Dispatcher context;
    private final EnvBlock envBlock = Samples.envBlock(Samples.requestHead());
    private final ExchangeEnvironment environment =
            new ExchangeEnvironment(
                    NanoClock.SYSTEM,
                    Contexts.NEVER,
                    new SpoolStore(new SpoolConfig(Path.of("."), PLENTY, PLENTY, 0, PLENTY)),
                    (exchange, record) -> {});

    private Conversation(PipeLink link, LinkEvents peer, ByteBuffer answer, Dispatcher context) {
        this.link = link;
        this.peer = peer;
        this.answer = answer;
        this.context = context;
    }

    static Conversation lrwp1() {
        var contexts = new Contexts();
        var link = new PipeLink(PORT);
        Lrwp1Connection peer = contexts.join(link, CONTEXT);
        return new Conversation(link, peer, Samples.lrwp1Answer(), contexts.context(CONTEXT));
    }

    static Conversation lrwp3() {
        var contexts = new Contexts();
        var link = new PipeLink(PORT);
        Lrwp3Connection peer = contexts.joinMultiplexed(link, CONTEXT);
        return new Conversation(link, peer, Samples.lrwp3Answer(), contexts.context(CONTEXT));
    }

    /** A slot is free: claim, send, answer, release. Returns the bytes of the answer's body. */
    long claimSendAnswer() throws NoSpaceException {
        var client = new Reader();
        Exchange exchange = ask(client);
        link.says(peer, answer);
        return client.finish(exchange);
    }

    /** Two requests, one slot: the second waits, and gets the slot when the first is answered. */
    long waitAndHandOff() throws NoSpaceException {
        var first = new Reader();
        var second = new Reader();
        Exchange served = ask(first);
        Exchange waiting = ask(second);
        link.says(peer, answer);
        link.says(peer, answer);
        return first.finish(served) + second.finish(waiting);
    }

    private Exchange ask(Client client) throws NoSpaceException {
        var request = new ExchangeRequest("dd00bd2f-6", "POST", "/osp/x", "127.0.0.1", envBlock);
        Exchange exchange = new Exchange(request, Contexts.EXCHANGE, environment, context, client);
        exchange.body().receive(ByteBuffer.wrap(BODY));
        exchange.body().whole();
        return exchange;
    }

    /** A client that takes its answer at once. */
    private static final class Reader implements Client {
        private long bytes = -1;

        @Override
        public void answer(AnswerHead head, Spool body) {
            bytes = 0;
            for (ByteBuffer next = body.poll(); next != null; next = body.poll()) {
                bytes += next.remaining();
            }
        }

        @Override
        public void fail(Failure failure) {
            throw new IllegalStateException(failure.toString());
        }

        long finish(Exchange exchange) {
            if (bytes < 0) {
                throw new IllegalStateException("no answer");
            }
            exchange.delivered();
            return bytes;
        }
    }
}
