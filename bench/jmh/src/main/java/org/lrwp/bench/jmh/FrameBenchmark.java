package org.lrwp.bench.jmh;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.ResponseFrameParser;
import org.lrwp.protocol.frame.FrameHead;
import org.lrwp.protocol.frame.FrameParser;
import org.lrwp.protocol.frame.FrameType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Cutting answers of 1 KB out of what a peer sends, and the head of a frame. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FrameBenchmark {
    private static final int MAX_FRAME = 65_536;
    private static final int ANSWER = Samples.answer().length;

    private final FrameParser lrwp3 = new FrameParser(MAX_FRAME);
    private final ByteBuffer frame = Samples.lrwp3Answer();
    private final ResponseFrameParser lrwp1 = new ResponseFrameParser();
    private final ByteBuffer output = Samples.lrwp1Answer();

    /** A whole RESPONSE frame that lies in the input. */
    @Benchmark
    public ByteBuffer parseLrwp3Answer() throws MalformedFrameException {
        frame.rewind();
        lrwp3.next(frame);
        return lrwp3.payload();
    }

    /** Length and bytes of an LRWP 1 answer. */
    @Benchmark
    public ByteBuffer parseLrwp1Answer() throws MalformedFrameException {
        output.rewind();
        lrwp1.feedLength(output);
        ByteBuffer bytes = lrwp1.take(output);
        lrwp1.reset();
        return bytes;
    }

    /** The head of a DATA frame. */
    @Benchmark
    public byte[] writeLrwp3Head() {
        return FrameHead.of(FrameType.DATA, true, 1, ANSWER);
    }
}
