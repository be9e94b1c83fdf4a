package org.lrwp.bench.jmh;

import org.lrwp.protocol.CgiHead;
import org.lrwp.protocol.CgiHeadParser;
import org.lrwp.protocol.MalformedFrameException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Reading the head of an answer with four fields. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CgiHeadBenchmark {
    private static final int LIMIT = 64 * 1024;

    private final CgiHeadParser parser = new CgiHeadParser(LIMIT);
    private final ByteBuffer answer = ByteBuffer.wrap(Samples.answer());

    /** The head, up to the empty line. */
    @Benchmark
    public CgiHead readHead() throws MalformedFrameException {
        answer.rewind();
        parser.feed(answer);
        CgiHead head = parser.head();
        parser.reset();
        return head;
    }
}
