package org.lrwp.bench.jmh;

import org.lrwp.engine.request.RequestHead;
import org.lrwp.protocol.EnvBlockWriter;
import org.lrwp.protocol.MalformedFrameException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** What is done with the head of a request before a peer gets it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RequestBenchmark {
    private final RequestHead head = Samples.requestHead();
    private final EnvBlockWriter block = new EnvBlockWriter();

    /** All checks of a head with six fields. */
    @Benchmark
    public RequestHead checkHead() {
        return Samples.requestHead();
    }

    /** The env block of that head, with what Xitami's peers read. */
    @Benchmark
    public ByteBuffer encodeEnvBlock() throws MalformedFrameException {
        return Samples.envBlock(head).encode(block, Samples.BODY, "");
    }
}
