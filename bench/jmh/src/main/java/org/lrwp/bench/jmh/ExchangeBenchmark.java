package org.lrwp.bench.jmh;

import org.lrwp.engine.spool.NoSpaceException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.util.concurrent.TimeUnit;

/**
 * A request's way through the engine without sockets and container: claim a slot, write the frame,
 * read the answer, give the slot back or hand it to the request that waits.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExchangeBenchmark {
    private final Conversation lrwp1 = Conversation.lrwp1();
    private final Conversation lrwp3 = Conversation.lrwp3();

    /** One request over LRWP 1. */
    @Benchmark
    public long claimSendAnswerLrwp1() throws NoSpaceException {
        return lrwp1.claimSendAnswer();
    }

    /** One request over LRWP 3: a REQUEST and a RESPONSE frame, each with END. */
    @Benchmark
    public long claimSendAnswerLrwp3() throws NoSpaceException {
        return lrwp3.claimSendAnswer();
    }

    /** Two requests over LRWP 1, of which one waits for the other's slot. */
    @Benchmark
    public long waitAndHandOffLrwp1() throws NoSpaceException {
        return lrwp1.waitAndHandOff();
    }

    /** Two requests over LRWP 3, of which one waits for the other's slot. */
    @Benchmark
    public long waitAndHandOffLrwp3() throws NoSpaceException {
        return lrwp3.waitAndHandOff();
    }
}
