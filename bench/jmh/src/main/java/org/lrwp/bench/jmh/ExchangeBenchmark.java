package org.lrwp.bench.jmh;

import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Dispatcher;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeEnvironment;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.Lrwp1Connection;
import org.lrwp.engine.request.EnvBlock;
import org.lrwp.engine.spool.NoSpaceException;
import org.lrwp.engine.spool.Spool;
import org.lrwp.engine.spool.SpoolConfig;
import org.lrwp.engine.spool.SpoolStore;
import org.lrwp.engine.time.NanoClock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A request's way through the engine without sockets and container: claim a slot, write the frame,
 * read the answer, give the slot back or hand it to the request that waits.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExchangeBenchmark {
    private static final byte[] BODY = new byte[Samples.BODY];
    private static final long PLENTY = 1L << 30;

    private final Contexts contexts = new Contexts();
    private final PipeLink link = new PipeLink(40_000, frame());
    private final Lrwp1Connection peer = contexts.join(link, "/osp");
    private final Dispatcher context = contexts.context("/osp/x");
    private final EnvBlock envBlock = Samples.envBlock(Samples.requestHead());
    private final ExchangeEnvironment environment =
            new ExchangeEnvironment(
                    NanoClock.SYSTEM,
                    Contexts.NEVER,
                    new SpoolStore(new SpoolConfig(Path.of("."), PLENTY, PLENTY, 0, PLENTY)),
                    (exchange, record) -> {});

    /** A slot is free: claim, send, answer, release. */
    @Benchmark
    public long claimSendAnswer() throws NoSpaceException {
        Reader client = new Reader();
        Exchange exchange = ask(client);
        link.answer(peer);
        return client.finish(exchange);
    }

    /** Two requests, one slot: the second waits, and gets the slot when the first is answered. */
    @Benchmark
    public long waitAndHandOff() throws NoSpaceException {
        Reader first = new Reader();
        Reader second = new Reader();
        Exchange served = ask(first);
        Exchange waiting = ask(second);
        link.answer(peer);
        link.answer(peer);
        return first.finish(served) + second.finish(waiting);
    }

    private Exchange ask(Client client) throws NoSpaceException {
        var request =
                new ExchangeRequest("dd00bd2f-6", "POST", "/osp/x", "127.0.0.1", envBlock::encode);
        Exchange exchange = new Exchange(request, Contexts.EXCHANGE, environment, context, client);
        exchange.body().receive(ByteBuffer.wrap(BODY));
        exchange.body().whole();
        return exchange;
    }

    private static byte[] frame() {
        byte[] answer = Samples.answer();
        return ByteBuffer.allocate(9 + answer.length)
                .put("%09d".formatted(answer.length).getBytes(StandardCharsets.US_ASCII))
                .put(answer)
                .array();
    }

    /** A client that takes its answer at once. */
    private static final class Reader implements Client {
        private long octets = -1;

        @Override
        public void answer(AnswerHead head, Spool body) {
            octets = 0;
            for (ByteBuffer next = body.poll(); next != null; next = body.poll()) {
                octets += next.remaining();
            }
        }

        @Override
        public void fail(Failure failure) {
            throw new IllegalStateException(failure.toString());
        }

        long finish(Exchange exchange) {
            if (octets < 0) {
                throw new IllegalStateException("no answer");
            }
            exchange.delivered();
            return octets;
        }
    }
}
